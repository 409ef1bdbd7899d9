// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

#include <type_traits>
#include <vector>

namespace strut
{
/// A strategy in both precisions, as in the list of a backend.
struct StrategyPair
{
  Strategy<double> in_double;
  Strategy<float> in_float;
};

/// The strategy of an operator that is made from backend, mesh and material, and has a static
/// memory_estimate(). For the parameters see Strategy.
template <template <typename> class Operator>
StrategyPair strategy_pair(const char *const name,
                           const char *const summary,
                           const bool deterministic,
                           const bool identical_elements_only = false)
{
  const auto in = [&](const auto number) -> Strategy<std::decay_t<decltype(number)>> {
    using Number = std::decay_t<decltype(number)>;
    return {name,
            summary,
            deterministic,
            &memory_of<Operator<Number>>,
            &make_operator<Operator, Number>,
            identical_elements_only,
            true,
            Operator<Number>::laws()};
  };
  return {in(0.), in(0.f)};
}

/// The strategy of an operator of displacements, and of one of scalars that takes its place on
/// meshes with one component per node.
template <template <typename> class Displacements, template <typename> class Scalars>
StrategyPair strategy_pair_with_scalars(const char *const name,
                                        const char *const summary,
                                        const bool deterministic)
{
  StrategyPair pair = strategy_pair<Displacements>(name, summary, deterministic);
  const auto extend = [](auto &strategy, const auto number) {
    using Number             = std::decay_t<decltype(number)>;
    strategy.takes_scalars   = true;
    strategy.memory_estimate = [](const OperatorSize &size) {
      return size.n_components == 1 ? memory_of<Scalars<Number>>(size)
                                    : memory_of<Displacements<Number>>(size);
    };
    strategy.make = [](Backend &backend, const ElementMesh &mesh, const Material &material) {
      return mesh.n_components == 1 ? make_operator<Scalars, Number>(backend, mesh, material)
                                    : make_operator<Displacements, Number>(backend, mesh, material);
    };
  };
  extend(pair.in_double, 0.);
  extend(pair.in_float, 0.f);
  return pair;
}

template <typename Number>
StrategyList<Number> in_precision(const std::vector<StrategyPair> &pairs)
{
  StrategyList<Number> list;
  for (const StrategyPair &pair : pairs)
    if constexpr (std::is_same<Number, float>::value)
      list.push_back(pair.in_float);
    else
      list.push_back(pair.in_double);
  return list;
}
} // namespace strut
