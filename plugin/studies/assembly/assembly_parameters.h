// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/studies/assembly/measure_generation.h"
#include "source/element/reference_element.h"

namespace strut::plugin
{
/// The entries at the top of the deck: where to generate.
class AssemblyPlaceParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyPlaceParameters();

  /// auto replaced by the available ones. @throws EntryError if a GPU is asked for and there is none
  std::vector<std::string> chosen_backends() const;

  std::vector<std::string> backends = {"auto"};
  std::vector<std::string> threads  = {"all"}; ///< numbers, or all
};

/// `Assembly` in the deck.
class AssemblyParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyParameters();

  std::vector<ElementType> element_types() const;
  GenerationChoices choices() const;
  bool has_library(const std::string &name) const;

  std::vector<std::string> libraries = {"deal.II"}; ///< that assemble too, on the CPU

private:
  std::vector<std::string> elements_   = {"hex8"};
  std::vector<std::string> precisions_ = {"double", "float"};
  std::vector<std::string> formats_    = {"COO", "CSR", "ELL"};
  std::vector<std::string> methods_    = {"same kernel", "separate kernels", "gather", "SharedNZ"};
  std::vector<std::string> sorts_      = {"sequential", "segmented", "pairs", "warp"};
  std::vector<std::string> integrations_ = {"one thread", "team"};
  unsigned int n_runs_                   = 5;
};

/// `Solve` in the deck: a load case of the generated matrix.
class AssemblySolveParameters : public dealii::ParameterAcceptor
{
public:
  AssemblySolveParameters();

  bool wanted = false;
  std::vector<unsigned int> fixed_boundaries;  ///< ids, of find_boundaries(); likewise
  std::vector<unsigned int> loaded_boundaries; ///< ids
  std::vector<double> force   = {0., 0., -1.}; ///< in all, spread over the loaded boundaries
  double tolerance            = 1e-8;          ///< |r| <= tolerance |f|
  unsigned int max_iterations = 100000;

  /// The ids of the deck's numbers and names. @param names  of the mesh file @throws EntryError for a name of no boundary
  void find_boundaries(const std::map<std::string, unsigned int> &names);

  /// Whether a boundary id is fixed; or loaded.
  static bool has(const std::vector<unsigned int> &ids, unsigned int id);

private:
  std::vector<std::string> fixed_, loaded_;
};

/// `Output` in the deck.
class AssemblyOutputParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyOutputParameters();

  std::string directory;
};

/// The contents of a deck of strut-assemble; the members are in the order of the deck. One at a time:
/// deal.II keeps the table of parameters for the whole program.
struct AssemblyDeck
{
  /// Read the deck and parse its parameters. @throws Error for everything that is wrong with the text
  /// @param settings  of the command line
  explicit AssemblyDeck(const std::string &deck_file,
                        const std::vector<Deck::Setting> &settings = {});

  Deck deck;
  AssemblyPlaceParameters place;
  std::vector<std::unique_ptr<MeshSource>> mesh_sources;
  MeshParameters mesh;
  MaterialParameters material;
  AssemblyParameters assembly;
  AssemblySolveParameters solve;
  AssemblyOutputParameters output;

  std::string base_name; ///< of the deck, without folder and extension
};
} // namespace strut::plugin
