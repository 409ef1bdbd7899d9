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
#include "source/element/elements.h"

namespace strut
{
/// Entries at the top of the deck, about where to generate.
class AssemblyPlaceParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyPlaceParameters();

  /// Chosen backends, with "auto" replaced by the available ones. @throws EntryError if a GPU is
  /// asked for and there is none
  std::vector<std::string> chosen_backends() const;

  std::vector<std::string> backends = {"auto"};
  std::vector<std::string> threads  = {"all"}; ///< numbers, or all
};

/// The section `Assembly` of the deck.
class AssemblyParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyParameters();

  std::vector<ElementType> element_types() const;
  GenerationChoices choices() const;

  std::vector<std::string> libraries = {"deal.II"}; ///< libraries that also assemble, on the CPU

private:
  std::vector<std::string> elements_   = {"hex8"};
  std::vector<std::string> precisions_ = {"double", "float"};
  std::vector<std::string> formats_    = {"COO", "CSR", "ELL"};
  std::vector<std::string> methods_    = {"same kernel", "separate kernels", "gather", "SharedNZ"};
  std::vector<std::string> sorts_      = {"sequential", "segmented", "pairs", "warp"};
  std::vector<std::string> integrations_ = {"one thread", "team"};
  unsigned int n_runs_                   = 5;
};

/// The section `Solve` of the deck: a load case for the generated matrix.
class AssemblySolveParameters : public dealii::ParameterAcceptor
{
public:
  AssemblySolveParameters();

  bool wanted = false;
  std::vector<unsigned int> fixed_boundaries;  ///< boundary ids, set by find_boundaries()
  std::vector<unsigned int> loaded_boundaries; ///< boundary ids, set by find_boundaries()
  std::vector<double> force   = {0., 0., -1.}; ///< total force, spread over the loaded boundaries
  double tolerance            = 1e-8;          ///< relative tolerance: |r| <= tolerance |f|
  unsigned int max_iterations = 100000;

  /// Finds the ids for the deck's numbers and names. @param names  ids by their names in the mesh
  /// file @throws EntryError for an unknown name
  void find_boundaries(const std::map<std::string, unsigned int> &names);

private:
  std::vector<std::string> fixed_, loaded_;
};

/// The section `Output` of the deck.
class AssemblyOutputParameters : public dealii::ParameterAcceptor
{
public:
  AssemblyOutputParameters();

  std::string directory;
};

/// The contents of a deck of strut-assemble; the members are in the order of the deck. Only one may
/// exist at a time, as deal.II keeps one table of parameters for the whole program.
struct AssemblyDeck
{
  /// Reads the deck and parses its parameters. @throws Error for all errors in the text
  /// @param settings  settings from the command line
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

  /// Name of the deck without folder and extension.
  std::string base_name;
};
} // namespace strut
