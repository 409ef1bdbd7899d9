// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/element_operator.h>
#include <strut/base/parameter.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace strut
{
class Backend;

/// The size of an operator, for its estimated memory.
struct OperatorSize
{
  std::size_t n_elements    = 0;
  std::size_t n_nodes       = 0;
  Law law                   = Law::factor;
  bool has_similar_elements = false; ///< all elements are scaled copies of one

  /// Nodes of patches of elements, per element, beyond 1.5 and one for each node; negative: fewer.
  double more_slots_per_element = 0.;

  unsigned int n_components = 3; ///< components per node
  ElementType type          = {};
};

/// A way to apply the operator: its name in the deck and how a backend makes one. Each backend
/// keeps a list of strategies (source/operators/strategies.cc, cuda/operators/strategies.cu).
/// Adding a strategy takes one file and one line there.
template <typename Number>
struct Strategy
{
  std::string name;    ///< name in the deck
  std::string summary; ///< one line for the user: threads, reads, writes
  bool deterministic;  ///< two applications give the same bits

  /// Estimated bytes that make() and set() will keep on the backend, without the numbers of
  /// tangents.
  double (*memory_estimate)(const OperatorSize &size);

  std::unique_ptr<ElementOperator<Number>> (*make)(Backend &backend,
                                                   const ElementMesh &mesh,
                                                   const Material &material);

  /// make() throws Error unless all elements have one size, shape and orientation.
  bool identical_elements_only = false;

  /// Whether the strategy can use several threads of a CPU backend.
  bool threaded = true;

  /// The laws that ElementOperator::set() takes; see takes_two_passes() for others.
  std::vector<Law> laws = {Law::factor};

  /// Whether make() takes meshes with one component per node. All strategies take three.
  bool takes_scalars = false;

  /// Whether make() takes elements of any type. All strategies take hex8.
  bool takes_types = false;

  /// The laws of elements of other types than hex8; empty: `laws`.
  std::vector<Law> laws_of_types = {};

  /// Whether the operators have ElementOperator::subtract(), factors(), and apply_to_float(), with
  /// all laws but those in two passes.
  bool subtracts     = false;
  bool tells_factors = false;
  bool takes_float   = false;

  bool takes(const Law &law, const ElementType &type = {}) const
  {
    const auto &of = type == ElementType() || laws_of_types.empty() ? laws : laws_of_types;
    return std::find(of.begin(), of.end(), law) != of.end();
  }

  /// Whether two operators for factors, and two vectors, compute the law.
  bool takes_two_passes(const Law &law) const
  {
    return law.answers().have_two_parts && !takes(law);
  }
};

/// Strategy::make for an operator whose constructor takes these three arguments.
template <template <typename> class Operator, typename Number>
std::unique_ptr<ElementOperator<Number>>
make_operator(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  return std::make_unique<Operator<Number>>(backend, mesh, material);
}

/// Strategy::memory_estimate for an operator with a static memory_estimate(n_elements, n_nodes).
template <typename Operator>
double memory_of(const OperatorSize &size)
{
  return Operator::memory_estimate(size.n_elements, size.n_nodes);
}

template <typename Number>
using StrategyList = std::vector<Strategy<Number>>;

/// The strategies of a backend, available without an instance of it.
struct StrategyLists
{
  const StrategyList<double> &in_double;
  const StrategyList<float> &in_float;

  template <typename Number>
  const StrategyList<Number> &of() const
  {
    if constexpr (std::is_same<Number, float>::value)
      return in_float;
    else
      return in_double;
  }
};

/// The parameters of the strategies of one name, on either backend and in either precision.
struct StrategyParameters
{
  std::string name; ///< name of the strategy
  std::vector<Parameter> parameters;

  /// Called with the values that were set, before an operator is made and whenever they change. May
  /// throw Error.
  void (*set)(const ParameterValues &values);
};

const std::vector<StrategyParameters> &strategy_parameters();

/// Adds the parameters of one more strategy for the life of the program. It must be called before a
/// parameter file is read. Throws Error if this name has parameters already.
void add_strategy_parameters(const StrategyParameters &parameters);
} // namespace strut
