// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The one file that includes CLI11, whose headers take seconds to compile.
#include "plugin/programs/options.h"
#include "source/base/text.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <CLI/CLI.hpp>

#include <mpi.h>

#include <iostream>
#include <sstream>

#include "plugin/deck/part/part_file.h"
#include "plugin/deck/run/versions.h"
#include "plugin/studies/comparison/comparison.h"

namespace strut
{
namespace
{
/// Parses a plane such as "x=0". Throws the parser's exception for invalid texts.
SymmetryPlane symmetry_plane(const std::string &text)
{
  std::istringstream words(text);
  char axis = 0, equals = 0;
  SymmetryPlane plane;
  words >> axis >> equals >> plane.value;
  if (axis < 'x' || axis > 'z' || equals != '=' || words.fail() || !(words >> std::ws).eof())
    throw CLI::ValidationError("--mirror",
                               "'" + text + "' is no plane: write x=0, y=12.5 or the like");
  plane.normal = static_cast<unsigned int>(axis - 'x');
  return plane;
}

/// Parses the options of a program, to which it adds --version as the last.
int parse(CLI::App &parser, const int argc, char **argv)
{
  parser.set_version_flag("--version", [] { return strut_version() + ", " + library_versions(); });
  const int rank = Communicator(MPI_COMM_WORLD).rank();
  try
    {
      parser.parse(argc, argv);
    }
  catch (const CLI::ParseError &error)
    {
      std::ostringstream silence;
      const int code = rank == 0 ? parser.exit(error) : parser.exit(error, silence, silence);
      return code == 0 ? 0 : 1;
    }
  return -1;
}

CLI::Option *add_deck(CLI::App &parser, DeckChoice &deck)
{
  return parser.add_option("deck", deck.file, "Parameter file (deal.II's .prm format)");
}

/// Adds the option --set, for any number of entries.
void add_set(CLI::App &parser, DeckChoice &deck)
{
  parser
    .add_option_function<std::vector<std::string>>(
      "--set",
      [&deck](const std::vector<std::string> &texts) {
        for (const std::string &text : texts)
          deck.settings.push_back({"--set", text});
      },
      "Set an entry, as if it were the last line of the deck; any number of times")
    ->allow_extra_args(false)
    ->type_name("\"SECTION / ENTRY = VALUE\"");
}

/// Adds an option that abbreviates the setting of one entry.
void add_short_for(CLI::App &parser,
                   DeckChoice &deck,
                   const std::string &option,
                   const std::string &type,
                   const std::string &entry,
                   const std::string &description)
{
  parser
    .add_option_function<std::string>(
      option,
      [&deck, option, entry](const std::string &value) {
        deck.settings.push_back({option, entry + " = " + value});
      },
      description + ", short for --set \"" + entry + " = " + type + "\"")
    ->type_name(type);
}

/// Line such as "  cuda  ebe, nbn*, ..." for the help.
std::string operators_of(const std::string &backend, const StrategyList<double> &list)
{
  std::string text;
  for (const Strategy<double> &strategy : list)
    add_to_list(text, strategy.name + (strategy.deterministic ? "*" : ""));
  return text.empty() ? "" : "  " + backend + std::string(6 - backend.size(), ' ') + text + "\n";
}
} // namespace

int parse_strut(const int argc, char **argv, StrutOptions &options)
{
  CLI::App parser(
    "Topology optimization of elastic structures from a parameter file, on the GPU or "
    "the CPU.\n\nIn parallel: mpirun -n N strut deck.prm\n");
  add_deck(parser, options.deck);
  CLI::Option *const validate =
    parser.add_flag("--validate",
                    options.validate,
                    "Build mesh and regions, print boundary ids, supports, loads and memory; solve "
                    "nothing");
  parser
    .add_flag("--json",
              options.json,
              "What --validate finds as JSON on standard output; the log goes to standard error")
    ->needs(validate);
  parser
    .add_flag(
      "--solid",
      options.solid,
      "With --validate: solve the solid body once, and print its values beside the limits of Constraints, and what "
      "--analyse prints")
    ->needs(validate);
  CLI::Option *const resume =
    parser
      .add_flag("--resume",
                options.resume,
                "Go on from the checkpoint in the output directory; --resume=auto starts from the "
                "beginning if there is none")
      ->check(CLI::IsMember({"true", "auto"}));
  CLI::Option *const check_gradients =
    parser
      .add_flag(
        "--check-gradients",
        options.checks_gradients,
        "Compare the derivatives of the objective and of the constraints with differences, for random "
        "densities; optimize nothing")
      ->excludes(validate)
      ->excludes(resume);
  parser
    .add_option(
      "--analyse",
      options.analysed,
      "Solve for the design of a result, as it is and as solid elements with its volume, and print compliance, "
      "largest stresses, safety factors and displacements; optimize nothing")
    ->type_name("FILE.vtu")
    ->excludes(validate)
    ->excludes(check_gradients)
    ->excludes(resume);
  add_set(parser, options.deck);
  add_short_for(
    parser, options.deck, "--output", "DIR", "Output / Output directory", "Where results go");
  add_short_for(
    parser, options.deck, "--threads", "N", "Threads", "Threads of each rank on the CPU");
  CLI::Option *const quiet =
    parser.add_flag("--quiet", options.quiet, "Print notes, errors and the last line only");
  parser
    .add_option(
      "--progress",
      options.progress,
      "json: a line of JSON for each design on standard output; the log goes to standard error")
    ->check(CLI::IsMember({"json"}))
    ->type_name("json")
    ->excludes(quiet);
  parser
    .add_option("--write-deck", options.new_deck, "Write a commented deck to this file, and stop")
    ->type_name("FILE");
  parser
    .add_option(
      "--from",
      options.model,
      "Write a deck of a model of Abaqus or CalculiX, list what it does not take, and stop; the deck is "
      "FILE.prm, or that of --write-deck. Exit code 3: it lacks supports or loads")
    ->type_name("FILE.inp")
    ->excludes(validate)
    ->excludes(resume)
    ->excludes(check_gradients)
    ->excludes(quiet);
  parser
    .add_option("--write-reference",
                options.reference,
                "Write what every entry of a deck means to this Markdown file, and stop")
    ->type_name("FILE");
  parser.footer(
    "To stop a run under mpirun after its iteration: kill -USR1 <pid of mpirun>; mpirun\'s own Ctrl-C\n"
    "kills the ranks within a second.\n\nExit codes: 0 done, 1 error, 3 done, but the design is not what was asked for (a WARNING says why), 130 stopped by a signal (results and checkpoint were "
    "written).\nA first deck: strut --write-deck my.prm");

  const int code = parse(parser, argc, argv);
  if (code >= 0 || !options.deck.file.empty() || !options.new_deck.empty() ||
      !options.model.empty() || !options.reference.empty())
    return code;
  if (Communicator(MPI_COMM_WORLD).rank() == 0)
    std::cout << parser.help();
  return 1;
}

int parse_compare(const int argc, char **argv, DeckChoice &deck, ComparisonOptions &options)
{
  CLI::App parser(
    "Every operator of the GPU and the CPU on the structure of a parameter "
    "file: time,\nmemory, correctness, and a solve by the conjugate gradient method.\n");
  add_deck(parser, deck)->required();
  const auto list =
    [&](const std::string &name, std::vector<std::string> &values, const std::string &description) {
      parser.add_option(name, values, description)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->capture_default_str();
    };
  list("--operators", options.operators, "Names, separated by commas; all unless given");
  list("--backends", options.backends, "cuda, cpu; all that there are unless given");
  list("--precisions", options.precisions, "double, float");
  list("--threads", options.threads, "Numbers of threads of the CPU operators; all: every core");
  parser
    .add_option("--baseline",
                options.baseline,
                "Operator that speed-ups refer to: a name, or backend:name, as in cpu:ebe")
    ->capture_default_str();
  list("--columns",
       options.columns,
       "Columns of the tables, in this order; all unless given, in .tex those that fit a page. A "
       "wrong name lists them");
  parser.add_option("--output", options.output, "Folder of the tables")
    ->type_name("FOLDER")
    ->default_str("output/<deck>-comparison");
  add_set(parser, deck);
  const auto number = [&](const std::string &name,
                          double &value,
                          const CLI::Range &range,
                          const std::string &description) {
    parser.add_option(name, value, description)->check(range)->capture_default_str();
  };
  number("--apply-seconds",
         options.apply_seconds,
         {1e-3, 1e5},
         "Seconds to measure each operator, about");
  number("--solve-seconds",
         options.solve_seconds,
         {1e-3, 1e6},
         "Seconds for each solve, about: limits its iterations by the time of one application");
  bool no_solves = false;
  parser.add_flag("--no-solves", no_solves, "Apply the operators only");
  list("--solvers",
       options.solvers,
       "Compare solvers instead of operators: all, or some of multigrid, jacobi (strut's), ml "
       "(conjugate gradients of deal.II with the algebraic multigrid ML of Trilinos)");
  list(
    "--designs",
    options.designs,
    "What the solvers solve for: uniform; frame, of solid and void; a number: the design that the "
    "deck's optimization analyses in this iteration");
  number("--contrast", options.contrast, {1e-16, 1.}, "Stiffness of the frame's void");
  parser.footer(
    "Operators (*: the same bits in every run):\n" +
    operators_of("cuda", cuda_strategies<double>()) +
    operators_of("cpu", cpu_strategies<double>()) +
    "\nOf the deck's own Backend, Operator, Precision and Threads none counts here; Memory limit does, and\n"
    "Solver's criterion, tolerance and limit of iterations.\n\n"
    "Writes <deck>.operators.csv, <deck>.solves.csv, <deck>.md and <deck>.tex; with --solvers\n"
    "<deck>.solvers.csv, .solvers.md and .solvers.tex.\n"
    "Exit codes: 0 done, 1 error, or an operator that is wrong or failed.");

  const int code = parse(parser, argc, argv);
  options.solves = !no_solves;
  return code;
}

int parse_assemble(const int argc, char **argv, AssembleOptions &options)
{
  CLI::App parser(
    "Generation of assembled stiffness matrices in three stages (neighbours, indices, "
    "values), on the\nGPU and the CPU: time and bandwidth of each step, memory of each "
    "format.\n");
  add_deck(parser, options.deck)->required();
  parser.add_option("--output", options.output, "Folder of the tables")
    ->type_name("FOLDER")
    ->default_str("the deck's, or output/<deck>");
  add_set(parser, options.deck);
  parser.add_flag("--solve",
                  options.solve,
                  "Solve with the matrices, as subsection Solve of the deck says");
  parser
    .add_option("--lock",
                options.lock_file,
                "Measure while this file is locked: several programs may make their meshes at once")
    ->type_name("FILE");
  parser.footer(
    "The deck: Mesh and Material as for strut, Assembly and Solve (doc/comparing.md). Examples:\n"
    "prm/assembly/.\n\n"
    "Writes <deck>.assembly.md, <deck>.assembly.csv and <deck>.memory.csv.\n"
    "Exit codes: 0 done, 1 error, or values that are wrong.");
  return parse(parser, argc, argv);
}

int parse_export(const int argc, char **argv, ExportOptions &options)
{
  CLI::App parser(
    "A design as a part: its surface without islands, smooth where the design was free, closed, in "
    "files for\nprinting and for other programs.\n");
  parser.add_option("result", options.result, "A result of strut, <deck>-0050.vtu")
    ->required()
    ->type_name("FILE.vtu");
  std::string formats;
  for (const PartFormat &format : part_formats())
    formats += "  " + format.name + "  " + format.description + "\n";
  parser
    .add_option("--output",
                options.outputs,
                "A file for the part, whose ending is its format; any number of times")
    ->allow_extra_args(false)
    ->type_name("FILE")
    ->default_str("the result's name with .3mf");
  parser.add_option("--unit", options.part.unit, "Of the lengths of the deck, for 3mf and stl")
    ->check(CLI::IsMember(part_units()))
    ->capture_default_str();
  parser
    .add_option_function<double>(
      "--level",
      [&options](const double level) { options.part.level = level; },
      "Density at which the surface is; else the one that encloses the volume of the design")
    ->check(CLI::Range(1e-6, 1.))
    ->type_name("DENSITY");
  PartSettings &settings = options.part.settings;
  parser
    .add_option("--smoothing",
                settings.smoothing.passes,
                "Passes that make the surface smooth; 0: none")
    ->check(CLI::Range(0, 1000))
    ->capture_default_str();
  parser
    .add_option(
      "--error",
      settings.error,
      "How far the surface with fewer triangles is from that with all, in edges of elements; 0: all stay")
    ->check(CLI::Range(0., 1.))
    ->capture_default_str();
  parser.add_flag("--keep-islands",
                  settings.keep_islands,
                  "Keep pieces that are not connected with the largest one");
  parser
    .add_option_function<std::vector<std::string>>(
      "--mirror",
      [&settings](const std::vector<std::string> &planes) {
        for (const std::string &text : planes)
          settings.mirrors.push_back(symmetry_plane(text));
      },
      "A plane behind which the part goes on as its mirror image, as in x=0; any number of times")
    ->allow_extra_args(false)
    ->type_name("AXIS=VALUE");
  parser.footer(
    "Formats:\n" + formats +
    "\nVertices on the boundary of the mesh and of parts that are no design stay in their planes.\n"
    "Exit codes: 0 done, 1 error.");
  return parse(parser, argc, argv);
}

int parse_compare_runs(const int argc, char **argv, CompareRunsOptions &options)
{
  CLI::App parser(
    "Two runs side by side: facts, entries of the decks that differ, curves, and the last designs.\n");
  for (auto *const folder : {&options.a, &options.b})
    parser
      .add_option(folder == &options.a ? "A" : "B",
                  *folder,
                  "The folder of a run that has ended, output/<deck>")
      ->required()
      ->type_name("FOLDER");
  parser
    .add_option("--output",
                options.output,
                "Write the mesh of A with the densities of both designs and their difference")
    ->type_name("FILE.vtu");
  parser
    .add_option("--page",
                options.page,
                "Write a page for a browser, with the curves of both runs over each other")
    ->type_name("FILE.html");
  parser
    .add_option_function<double>(
      "--tolerance",
      [&options](const double tolerance) { options.tolerance = tolerance; },
      "Exit code 1 if a number of the histories differs by more than this, relatively; or if one has designs or "
      "columns that the other lacks. Times, PCG iterations and residuals do not count")
    ->type_name("T");
  parser.footer("On another mesh the design of B is brought onto the mesh of A.\n"
                "Exit codes: 0 done, 1 error, or a difference above the tolerance.");
  return parse(parser, argc, argv);
}
} // namespace strut
