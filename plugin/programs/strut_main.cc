// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>
#include <strut/optimization/gradient_check.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/model/model_conversion.h"
#include "plugin/deck/output/run_log.h"
#include "plugin/deck/parameters/declared_parameters.h"
#include "plugin/deck/run/all_parameters.h"
#include "plugin/deck/run/design_analysis.h"
#include "plugin/deck/run/design_run.h"
#include "plugin/deck/run/run_facts.h"
#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/studies/comparators/comparators.h"
#include "source/base/text.h"
#include "source/optimization/design_methods.h"

namespace strut
{
namespace
{
const std::string introduction =
  "# Parameters\n\n"
  "Every entry of a deck with its default, what is allowed, and what it means. Written by\n"
  "`strut --write-reference doc/parameters.md` from what the program declares: do not edit. How to\n"
  "write a deck: [decks.md](decks.md).\n\n"
  "A heading is the path of subsections: `Mesh / Box` is `subsection Box` within\n"
  "`subsection Mesh`. `<name>` is a name of your own; there may be any number of such subsections.\n"
  "The entries before the first heading are at the top of the deck, in no subsection.\n";

bool lists_float(const StrategyList<float> &list, const std::string &name)
{
  return std::any_of(list.begin(), list.end(), [&](const auto &s) { return s.name == name; });
}

/// Writes one row for each strategy of a backend.
void write_strategies(const std::string &backend,
                      const StrategyList<double> &strategies,
                      const StrategyList<float> &in_float,
                      std::ostream &out)
{
  for (const Strategy<double> &strategy : strategies)
    out << "| `" << strategy.name << "` | " << backend << " | "
        << (lists_float(in_float, strategy.name) ? "double, float" : "double") << " | "
        << (strategy.deterministic ? "yes" : "no") << " | " << strategy.summary << " |\n";
}

/// Writes the combinations that are refused, from the lists that refuse them.
void write_conflicts(std::ostream &out)
{
  out << "\n## What does not go together\n\n"
         "strut refuses these by name before it computes anything.\n\n"
         "| entry | value | not with |\n|---|---|---|\n";
  for (const PreconditionerEntry &entry : preconditioners())
    for (const Conflict &conflict : entry.conflicts)
      out << "| `" << conflict.parameter << "` | "
          << (conflict.value.empty() ? "any but the default" : "`" + conflict.value + "`") << " | "
          << conflict.with << " |\n";
  LoadCase weight;
  weight.has_weight = true;
  for (const DesignMethodEntry &entry : design_methods())
    {
      const std::string row = "| `Method` | `" + entry.name + "` | ";
      if (!entry.solves_any_problem)
        out
          << row << "`Maps`; `Filter` but for `sensitivity` and `none` |\n"
          << row
          << "`Minimise` but for `compliance`; `Constraints`; `Update`; `Over load cases = worst` |\n";
      if (entry.obstacle != nullptr && !entry.obstacle(weight).empty())
        out << row << "loads of the types `self weight`, `rotation` and `thermal expansion` |\n";
    }
  out
    << "| `Update` | `optimality criteria` | `Constraints`; `Over load cases = worst`; `Minimise` of `volume` or `mass` |\n";
  for (const DesignUpdateEntry &entry : design_updates())
    {
      if (entry.needs_gradients)
        out << "| `Update` | `" << entry.name
            << "` | `Filter = sensitivity`; `Damping exponent` |\n";
      if (!entry.has_kkt_norm)
        out << "| `Update` | `" << entry.name << "` | `Stopping criterion = kkt` |\n";
    }
  out
    << "| `Robust / Fields` | any but `none` | `Method` but for `simp`; no projection at the end of `Maps`; `Update = gcmma`; `Minimise = mass with stress limits` |\n"
       "| `Robust / Fields` | `worst case`, `eroded and dilated` | `Update = optimality criteria` |\n"
       "| `Robust / Fields` | `eroded` | `Minimise` but for `compliance`; `Constraints`; loads of the types `self weight`, `rotation` and `thermal expansion`; prescribed displacements |\n"
       "| `Minimise` | `mass with stress limits` | `Over load cases = worst`; `Best design` |\n"
       "| `Method` | `iso stress`, `beso` | `Best design` |\n"
       "| `At limit` | `accept` | `Best design` |\n"
       "| `Fields` of `Output` | `density` | `Von Mises stress`, `Nodal stress` |\n"
       "| `Young's moduli` | any | responses and methods that take stresses; operators without a matrix for each element; `Element = incompatible modes`; `Volumetric integration = mean` |\n";
}

/// Writes the reference of all entries of a deck and of the operator strategies as Markdown,
/// replacing the file. doc/parameters.md is made by it. It lists the entries of this build; doc/
/// has those of a build with CUDA. On rank 0 only.
void write_reference(const std::string &file_name)
{
  if (Communicator(MPI_COMM_WORLD).rank() != 0)
    return;

  const AllParameters declared(
    "<name>", "<name>", "<name>", "<name>", "<name>", "<name>", "<name>", "<name>");
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);

  std::ostringstream text;
  text << introduction;
  write_parameter_reference(parameters, text);
  write_conflicts(text);
  text
    << "\n## Boundary ids\n\n"
       "Those of each source of meshes; `strut --validate` prints them with areas and places.\n\n";
  for (const auto &source : make_mesh_sources())
    text << "- `" << source->name << "`: " << source->boundaries() << '\n';
  text
    << "\n## Operators\n\n"
       "What `set Operator` may name, by backend. The same bits: whether two applications give\n"
       "them, which `set Deterministic = true` asks for. The threads of `dealii_matrix_free` and\n"
       "`trilinos_csr`, which are there to compare with, are those of the deal.II and Trilinos installed.\n\n"
       "| operator | backend | precision | same bits | how |\n|---|---|---|---|---|\n";
  write_strategies("cpu", cpu_strategies<double>(), cpu_strategies<float>(), text);
  write_strategies("cuda", cuda_strategies<double>(), cuda_strategies<float>(), text);
  write_file_atomically(file_name, text.str());
}

/// Writes a commented deck with every entry at its default, and one support and one load to start
/// from (a cantilever). Refuses to overwrite a file. On rank 0 only.
void write_example_deck(const std::string &file_name)
{
  const Communicator communicator(MPI_COMM_WORLD);
  if (communicator.any(communicator.rank() == 0 && std::ifstream(file_name).good()))
    throw Error("The file " + file_name +
                " exists; it was not overwritten.\n  Choose another name, or remove it.");
  if (communicator.rank() != 0)
    return;

  const AllParameters declared(
    "wall", "tip", "plate", "sag", "lower half", "ground", "hub", "motor");
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  const auto set = [&](const std::string &list,
                       const std::string &name,
                       const std::vector<std::pair<std::string, std::string>> &entries) {
    parameters.enter_subsection(list);
    parameters.enter_subsection(name);
    for (const auto &[entry, value] : entries)
      parameters.set(entry, value);
    parameters.leave_subsection();
    parameters.leave_subsection();
  };
  set("Supports", "wall", {{"Boundary ids", "0"}});
  set("Loads",
      "tip",
      {{"Expression", "x > xmax - tol && z < zmin + tol"},
       {"Type", "total force"},
       {"Value", "0, 0, -1"}});
  set("Materials",
      "lower half",
      {{"Expression", "z < 0.5 * (zmin + zmax)"}, {"Young's modulus", "2"}});
  set("Springs", "ground", {{"Boundary ids", "4"}, {"Stiffness", "0, 0, 1"}});
  set("Masses", "motor", {{"Boundary ids", "5"}, {"Mass", "1"}});
  set("Couplings", "hub", {{"Boundary ids", "1"}, {"Motions", "x, y"}});
  set("Non-design regions", "plate", {{"Boundary ids", "1"}});
  set("Constraints", "sag", {{"At most", "1000"}});

  std::ostringstream text;
  text
    << "# A deck of strut, with every entry: leave out what you do not change. Where the value below\n"
       "# is not the default, the comment says so. Supports, loads, materials, springs, masses, couplings, non-\n"
       "# design regions and constraints: as many as you like, under names of your own. The last six have\n"
       "# examples in comments. Look at the mesh and its boundary ids with:\n"
       "#   strut --validate "
    << file_name << "\n\n";
  write_default_deck(
    parameters,
    text,
    {"Materials", "Springs", "Masses", "Couplings", "Non-design regions", "Constraints"});
  write_file_atomically(file_name, text.str());
}

/// Writes a deck of a model of Abaqus or CalculiX and prints what became of the model. On rank 0
/// only. @return the exit code
int write_deck_of_model(const StrutOptions &options)
{
  if (Communicator(MPI_COMM_WORLD).rank() != 0)
    return 0;
  const ModelConversion conversion = convert_model(options.model, options.new_deck);
  std::cout << conversion.report;
  return conversion.is_whole ? 0 : 3;
}

/// Handles the options that need neither a deck nor MPI. @return -1 to continue
int begin(const int argc, char **argv, StrutOptions &options)
{
  if (const int code = parse_strut(argc, argv, options); code >= 0)
    return code;
  register_comparators();
  if (options.new_deck.empty() && options.model.empty() && options.reference.empty())
    return -1;
  return guard("strut", options.deck, deck_remedy, [&] {
    if (!options.model.empty())
      return write_deck_of_model(options);
    if (!options.new_deck.empty())
      write_example_deck(options.new_deck);
    else
      write_reference(options.reference);
    return 0;
  });
}

/// Larger errors mean a wrong derivative: differences themselves have errors of about 1e-8.
constexpr double most_gradient_error = 1e-5;

/// Settings of the deck, changed to be so accurate that differences of the results are meaningful.
StateSettings exact_settings(StateSettings settings)
{
  settings.precision             = Precision::fp64;
  settings.control.criterion     = SolverControl::Criterion::relative;
  settings.control.tolerance     = 1e-12;
  settings.control.accepts_limit = false;
  settings.initial_guess         = InitialGuess::previous;
  return settings;
}

std::string rows_of(const std::string &function, const GradientCheck &check)
{
  std::string table;
  for (const GradientCheck::Row &row : check.rows)
    {
      char text[200];
      std::snprintf(text,
                    sizeof(text),
                    "  %-24s %5d %10zu %16.8g %16.8g %10.1e\n",
                    function.c_str(),
                    row.rank,
                    row.element,
                    row.derivative,
                    row.difference,
                    check.size > 0. ? row.error() / check.size : row.error());
      table += text;
    }
  return table;
}

/// Compares the derivatives of the objective and constraints of a deck with differences
/// (check_gradient()). They are evaluated on its mesh with its loads, for random densities. The log
/// gets a table. Collective; throws SolverFailure, and Error if a derivative is wrong by more than
/// 1e-5.
void check_gradients(RunContext &run)
{
  DeckParameters &parameters = run.parameters;
  if (!parameters.method_entry().solves_any_problem)
    throw EntryError({"Optimization"},
                     "Method",
                     "The method '" + parameters.optimization.method +
                       "' has no responses whose gradients could be checked.\nUse 'set Method = "
                       "simp'.");
  const RunPlan plan = plan_analysis(run);
  const auto state   = make_state_solver({run.backend(), run.communicator, run.timing},
                                       parameters.structure(),
                                       parameters.problem.take_load_cases(),
                                       exact_settings(plan.settings));
  std::vector<std::string> load_cases;
  for (std::size_t l = 0; l < state->n_load_cases(); ++l)
    load_cases.push_back(state->load_case(l).name);
  const OptimizationProblem problem = parameters.optimization.make_problem(
    parameters.constraints, run.backend(), parameters.problem, run.communicator.mpi(), load_cases);
  std::vector<DesignFunction> functions = {problem.objective};
  for (const DesignConstraint &constraint : problem.constraints)
    functions.push_back(constraint.function);

  std::vector<double> densities(parameters.problem.mesh().n_elements);
  std::mt19937 random(static_cast<unsigned int>(run.communicator.rank()));
  for (double &density : densities)
    density = std::uniform_real_distribution<double>(0.3, 0.9)(random);

  std::string table =
    "\n  function                  rank    element       derivative       difference"
    "      error\n";
  std::string wrong;
  for (const DesignFunction &function : functions)
    {
      const LongStep step(run.log, "comparing derivatives with differences");
      GradientCheckSettings settings;
      settings.by_load_case     = function.by_load_case;
      settings.cases            = function.cases;
      const GradientCheck check = check_gradient(run.backend(),
                                                 run.communicator,
                                                 *state,
                                                 parameters.optimization.get().interpolation,
                                                 *function.response,
                                                 densities,
                                                 settings);
      table += rows_of(function.name, check);
      if (!(check.largest_error() <= most_gradient_error))
        add_to_list(wrong, "'" + function.name + "'");
    }
  run.log.say_always(table + "  error: over the largest derivative of the function\n");
  if (!wrong.empty())
    throw Error(
      "The gradient of " + wrong +
      " is not that of differences: see the table.\n  Correct the derivative of the response.");
}

int run(const StrutOptions &options)
{
  const Audience audience = !options.progress.empty() || options.json ? Audience::programs
                            : options.quiet                           ? Audience::quiet
                                                                      : Audience::people;
  RunContext context(options.deck, audience, MPI_COMM_WORLD);
  if (!options.analysed.empty())
    analyse_design(context, options.analysed);
  else if (options.checks_gradients)
    check_gradients(context);
  else if (options.validate)
    validate_deck(context, options.json, options.solid);
  else
    return run_deck(context,
                    options.resume.empty()     ? Resume::no
                    : options.resume == "auto" ? Resume::automatic
                                               : Resume::yes);
  return 0;
}
} // namespace

int strut_main(int argc, char **argv)
{
  StrutOptions options;
  return run_program(
    argc,
    argv,
    [&] { return begin(argc, argv, options); },
    [&] {
      return guard(
        "strut",
        options.deck,
        deck_remedy,
        [&] { return run(options); },
        [&](const std::string &message) {
          if (options.json)
            std::cout << refused_as_json(options.deck.file, message);
        });
    });
}
} // namespace strut
