// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_parameters.h"
#include "source/base/text.h"

#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "plugin/studies/report/choices.h"

namespace strut
{
namespace
{
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

/// Words that an entry allows, and their values.
template <typename Value>
using Words = std::vector<std::pair<std::string, Value>>;

Words<ElementType> element_words()
{
  Words<ElementType> words;
  for (const ElementType &type : element_types())
    words.emplace_back(type.name, type);
  return words;
}

const Words<Precision> value_words = {{to_string(Precision::fp64), Precision::fp64},
                                      {to_string(Precision::fp32), Precision::fp32}};

const Words<MatrixFormat> format_words = {{"COO", MatrixFormat::coo},
                                          {"CSR", MatrixFormat::csr},
                                          {"ELL", MatrixFormat::ell}};

const Words<ValueMethod> method_words = {{"same kernel", ValueMethod::same_kernel},
                                         {"separate kernels", ValueMethod::separate_kernels},
                                         {"gather", ValueMethod::gather},
                                         {"SharedNZ", ValueMethod::shared_nz}};

const Words<NeighbourSort> sort_words = {{"sequential", NeighbourSort::sequential},
                                         {"segmented", NeighbourSort::segmented},
                                         {"pairs", NeighbourSort::pairs},
                                         {"warp", NeighbourSort::warp}};

const Words<bool> integration_words = {{"one thread", true}, {"team", false}};

/// A list of some of the words, separated by commas; at least `least` of them.
List some_of(const std::string &words, const unsigned int least = 1)
{
  return {Selection(words), least, 100, ","};
}

template <typename Value>
List some_of(const Words<Value> &all)
{
  std::vector<std::string> words;
  for (const auto &[word, value] : all)
    words.push_back(word);
  return some_of(join(words, "|"));
}

/// Values of the chosen words, in the order of `all`, each once.
template <typename Value>
std::vector<Value> selected(const std::vector<std::string> &chosen, const Words<Value> &all)
{
  std::vector<Value> values;
  for (const auto &[word, value] : all)
    if (contains(chosen, word))
      values.push_back(value);
  return values;
}
} // namespace

AssemblyPlaceParameters::AssemblyPlaceParameters() : dealii::ParameterAcceptor("/")
{
  add_parameter(
    "Backends",
    backends,
    "Where to generate, one after the other: on the GPU (cuda), on the CPU (cpu); auto: "
    "on the GPU if there is one, and on the CPU.",
    prm,
    some_of("auto|cuda|cpu"));
  add_parameter("Threads",
                threads,
                "Numbers of threads of the CPU, each is measured; all: every core.",
                prm,
                List(dealii::Patterns::Anything(), 1, 100, ","));
}

std::vector<std::string> AssemblyPlaceParameters::chosen_backends() const
{
  for (const std::string &number : threads)
    try
      {
        to_threads(number);
      }
    catch (const Error &error)
      {
        throw EntryError({}, "Threads", error.what());
      }
  std::string reason;
  const bool no_gpu = n_cuda_devices(&reason) == 0;
  std::vector<std::string> chosen;
  const auto add = [&](const std::string &name) {
    if (!contains(chosen, name))
      chosen.push_back(name);
  };
  for (const std::string &name : backends)
    if (name == "auto")
      {
        if (!no_gpu)
          add("cuda");
        add("cpu");
      }
    else
      add(name);
  if (no_gpu && contains<std::string>(chosen, "cuda"))
    throw EntryError({},
                     "Backends",
                     "The deck asks for a GPU, but there is none to use: " + reason +
                       ".\n  Either 'set Backends = cpu' (or auto), or run where a GPU and, in the "
                       "build, the CUDA toolkit are.");
  return chosen;
}

AssemblyParameters::AssemblyParameters() : dealii::ParameterAcceptor("/Assembly")
{
  add_parameter(
    "Element types",
    elements_,
    "Elements that the cells of the mesh become, one type after the other. hex8, hex20 "
    "(27 Gauss points), hex20-14 (14 points) and hex27 are hexahedra. For tet4, tet10 (4 "
    "points) and tet10-curved (8 points) each hexahedron is cut into 24 tetrahedra, "
    "unless the mesh file has tetrahedra.",
    prm,
    some_of(element_words()));
  add_parameter("Precisions", precisions_, "Of the values.", prm, some_of(value_words));
  add_parameter("Formats",
                formats_,
                "COO: row and column of each entry; CSR: compressed rows; ELL: rows as long as the "
                "longest, column-major.",
                prm,
                some_of(format_words));
  add_parameter(
    "Methods",
    methods_,
    "How the values are made. same kernel: integration and assembly at once, by atomics; "
    "separate kernels: element matrices stored, one thread per element adds them by "
    "atomics; gather: element matrices stored, each node collects its rows, no atomics; "
    "SharedNZ: Cecka, Lew and Darve's, one thread per non-zero (GPU only).",
    prm,
    some_of(method_words));
  add_parameter(
    "Sorts",
    sorts_,
    "How the neighbours of a node are sorted on a GPU: one thread per node (sequential), "
    "the library's segmented sort (segmented), one sort of all pairs of nodes by the library "
    "(pairs), one warp per node (warp). Later stages use any of them: the result is the same.",
    prm,
    some_of(sort_words));
  add_parameter("Integrations",
                integrations_,
                "Threads that integrate an element on a GPU: one thread, or a team that shares its "
                "gradients.",
                prm,
                some_of(integration_words));
  add_parameter(
    "Libraries",
    libraries,
    "What assembles beside, on the CPU, for all elements but hex20: deal.II (SparseMatrix; "
    "several threads by colours of cells), Trilinos (Epetra; one thread). May be empty.",
    prm,
    some_of("deal.II|Trilinos", 0));
  add_parameter(
    "Runs",
    n_runs_,
    "How often each stage is timed; the median counts. One run more goes before, unless "
    "this is 1.",
    prm,
    Integer(1, 1000));
}

std::vector<ElementType> AssemblyParameters::element_types() const
{
  return selected(elements_, element_words());
}

GenerationChoices AssemblyParameters::choices() const
{
  return {selected(sorts_, sort_words),
          selected(formats_, format_words),
          selected(methods_, method_words),
          selected(precisions_, value_words),
          selected(integrations_, integration_words),
          n_runs_};
}

namespace
{
/// Throws Error for a deck of the program strut. A message about its first unknown entry would not
/// tell the user that.
void refuse_deck_of_strut(const Deck &deck)
{
  const std::vector<std::string> subsections = deck.subsections({});
  for (const char *const name : {"Materials",
                                 "Supports",
                                 "Loads",
                                 "Load cases",
                                 "Symmetry",
                                 "Non-design regions",
                                 "Solver",
                                 "Optimization"})
    if (contains<std::string>(subsections, name))
      throw Error(
        deck.where({name}, "") + ": the subsection '" + name +
        "' is one of strut's decks, and strut-assemble reads others: with Mesh, Material, Assembly and "
        "Output.\n  doc/comparing.md describes them, prm/assembly/box.prm is one. This deck is for strut.");
}
} // namespace

AssemblySolveParameters::AssemblySolveParameters() : dealii::ParameterAcceptor("/Solve")
{
  add_parameter(
    "Solve",
    wanted,
    "Solve with the generated matrix of each format: conjugate gradients with the diagonal, in double.");
  add_parameter(
    "Fixed boundaries",
    fixed_,
    "Boundary ids, as numbers or by the names of the mesh file: all displacements are zero there.");
  add_parameter("Loaded boundaries",
                loaded_,
                "Boundary ids, as numbers or by the names of the mesh file: a force acts there.");
  add_parameter("Force",
                force,
                "In all, spread evenly over the area of the loaded boundaries.",
                prm,
                List(dealii::Patterns::Double(), 3, 3, ","));
  add_parameter("Tolerance",
                tolerance,
                "Of the residual, relative to the forces.",
                prm,
                dealii::Patterns::Double(1e-14, 1.));
  add_parameter("Maximum iterations", max_iterations, "Of a solve.", prm, Integer(1, 10000000));
}

void AssemblySolveParameters::find_boundaries(const std::map<std::string, unsigned int> &names)
{
  const auto ids_of = [&](const std::vector<std::string> &words, const std::string &entry) {
    std::vector<unsigned int> ids;
    for (const std::string &word : words)
      {
        const auto named = names.find(word);
        const bool is_number =
          word.size() < 10 && word.find_first_not_of("0123456789") == std::string::npos;
        const auto numbered = std::find_if(names.begin(), names.end(), [&](const auto &name) {
          return is_number && name.second == std::stoul(word);
        });
        if (named != names.end() && numbered != names.end() && named->second != numbered->second)
          throw EntryError(
            {"Solve"},
            entry,
            "'" + word + "' is the name of the boundary " + std::to_string(named->second) +
              " and the number of '" + numbered->first +
              "'.\n  Give the boundaries names in the mesh file that are no numbers.");
        if (named != names.end())
          ids.push_back(named->second);
        else if (is_number)
          ids.push_back(static_cast<unsigned int>(std::stoul(word)));
        else
          {
            std::vector<std::string> known;
            for (const auto &[name, id] : names)
              known.push_back(name);
            throw EntryError({"Solve"},
                             entry,
                             "The mesh has no boundary of the name '" + word + "'. It has " +
                               (known.empty() ? "none with a name: give numbers."
                                              : "these: " + join(known) + "."));
          }
      }
    return ids;
  };
  fixed_boundaries  = ids_of(fixed_, "Fixed boundaries");
  loaded_boundaries = ids_of(loaded_, "Loaded boundaries");
}

AssemblyOutputParameters::AssemblyOutputParameters() : dealii::ParameterAcceptor("/Output")
{
  add_parameter("Output directory",
                directory,
                "Where the tables go; empty: output/<name of the deck>. Created if it is missing.");
}

AssemblyDeck::AssemblyDeck(const std::string &deck_file, const std::vector<Deck::Setting> &settings)
  : deck(Deck::read(deck_file, settings))
  , mesh_sources(make_mesh_sources())
  , mesh(mesh_sources)
  , base_name(std::filesystem::path(deck_file).stem().string())
{
  refuse_deck_of_strut(deck);
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  deck.apply(parameters);
  dealii::ParameterAcceptor::parse_all_parameters(parameters);
  const std::string folder = std::filesystem::path(deck_file).parent_path().string();
  for (const auto &source : mesh_sources)
    source->deck_folder = folder.empty() ? "." : folder;
}
} // namespace strut
