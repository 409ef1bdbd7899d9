// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_parameters.h"

#include <deal.II/base/patterns.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <filesystem>

#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/results.h"

namespace strut::plugin
{
namespace
{
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

/// Some of the names, separated by commas; at least one unless `least` is 0.
List some_of(const std::string &names, const unsigned int least = 1)
{
  return {Selection(names), least, 100, ","};
}

constexpr ElementType all_types[] = {ElementType::hex8,
                                     ElementType::hex20,
                                     ElementType::hex20_irons,
                                     ElementType::tet4,
                                     ElementType::tet10};

/// In the order of `all`, each once.
template <typename Value, typename Name, typename List>
std::vector<Value>
selected(const std::vector<std::string> &names, const List &all, const Name &name_of)
{
  std::vector<Value> values;
  for (const Value value : all)
    if (contains(names, std::string(name_of(value))))
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
  add_parameter("Element types",
                elements_,
                "Elements that the cells of the mesh become, one type after the other. hex8, hex20 "
                "(27 Gauss points) and hex20-14 (14 points) are hexahedra; for tet4 and tet10 each "
                "hexahedron is cut into 24 tetrahedra, unless the mesh file has tetrahedra.",
                prm,
                some_of("hex8|hex20|hex20-14|tet4|tet10"));
  add_parameter("Precisions", precisions_, "Of the values.", prm, some_of("double|float"));
  add_parameter("Formats",
                formats_,
                "COO: row and column of each entry; CSR: compressed rows; ELL: rows as long as the "
                "longest, column-major.",
                prm,
                some_of("COO|CSR|ELL"));
  add_parameter(
    "Methods",
    methods_,
    "How the values are made. same kernel: integration and assembly at once, by atomics; "
    "separate kernels: element matrices stored, one thread per element adds them by "
    "atomics; gather: element matrices stored, each node collects its rows, no atomics; "
    "SharedNZ: Cecka, Lew and Darve's, one thread per non-zero (GPU only).",
    prm,
    some_of("same kernel|separate kernels|gather|SharedNZ"));
  add_parameter(
    "Sorts",
    sorts_,
    "How the neighbours of a node are sorted on a GPU: one thread per node (sequential), "
    "the library's segmented sort (segmented), one warp per node (warp). Later stages use "
    "any of them: the result is the same.",
    prm,
    some_of("sequential|segmented|warp"));
  add_parameter("Integrations",
                integrations_,
                "Threads that integrate an element on a GPU: one thread, or a team that shares its "
                "gradients.",
                prm,
                some_of("one thread|team"));
  add_parameter(
    "Libraries",
    libraries,
    "What assembles beside, on the CPU, for hex8, tet4 and tet10: deal.II (SparseMatrix; "
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
  return selected<ElementType>(elements_, all_types, [](const ElementType type) {
    return std::string(name(type));
  });
}

GenerationChoices AssemblyParameters::choices() const
{
  GenerationChoices choices;
  choices.sorts   = selected<NeighbourSort>(sorts_,
                                          std::vector<NeighbourSort>{NeighbourSort::sequential,
                                                                       NeighbourSort::segmented,
                                                                       NeighbourSort::warp},
                                          [](const NeighbourSort sort) {
                                            return sort == NeighbourSort::sequential ? "sequential"
                                                     : sort == NeighbourSort::segmented ? "segmented"
                                                                                        : "warp";
                                          });
  choices.formats = selected<MatrixFormat>(
    formats_,
    std::vector<MatrixFormat>{MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell},
    [](const MatrixFormat format) { return strut::to_string(format); });
  choices.methods =
    selected<ValueMethod>(methods_,
                          std::vector<ValueMethod>{ValueMethod::same_kernel,
                                                   ValueMethod::separate_kernels,
                                                   ValueMethod::gather,
                                                   ValueMethod::shared_nz},
                          [](const ValueMethod method) { return strut::to_string(method); });
  choices.precisions =
    selected<Precision>(precisions_,
                        std::vector<Precision>{Precision::fp64, Precision::fp32},
                        [](const Precision precision) { return plugin::to_string(precision); });
  choices.one_thread_per_element =
    selected<bool>(integrations_, std::vector<bool>{true, false}, [](const bool one_thread) {
      return one_thread ? "one thread" : "team";
    });
  choices.n_runs = n_runs_;
  return choices;
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
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  deck.apply(parameters);
  dealii::ParameterAcceptor::parse_all_parameters(parameters);
  const std::string folder = std::filesystem::path(deck_file).parent_path().string();
  for (const auto &source : mesh_sources)
    source->deck_folder = folder.empty() ? "." : folder;
}
} // namespace strut::plugin
