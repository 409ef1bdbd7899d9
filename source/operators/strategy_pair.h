// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/elements.h"

#include <strut/backend/strategy.h>

#include <memory>
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

/// The strategy of an operator for elements of any type, with three components per node or one. It
/// is a template on the number, the components per node and the nodes per element.
template <template <typename, int, int> class Operator>
StrategyPair strategy_pair_of_elements(const char *const name,
                                       const char *const summary,
                                       const bool deterministic)
{
  const auto in = [&](const auto number) {
    using Number              = std::decay_t<decltype(number)>;
    Strategy<Number> strategy = {name, summary, deterministic, nullptr, nullptr};
    strategy.laws             = Operator<Number, 3, 8>::laws();
    strategy.takes_scalars    = true;
    strategy.takes_types      = true;
    strategy.memory_estimate  = [](const OperatorSize &size) {
      return with_element(size.type, [&](const auto element) {
        constexpr int n_nodes = decltype(element)::n_nodes;
        return size.n_components == 1 ? memory_of<Operator<Number, 1, n_nodes>>(size)
                                       : memory_of<Operator<Number, 3, n_nodes>>(size);
      });
    };
    strategy.make = [](Backend &backend, const ElementMesh &mesh, const Material &material) {
      return with_element(mesh.type, [&](const auto element) {
        constexpr int n_nodes = decltype(element)::n_nodes;
        std::unique_ptr<ElementOperator<Number>> made;
        if (mesh.n_components == 1)
          made = std::make_unique<Operator<Number, 1, n_nodes>>(backend, mesh, material);
        else
          made = std::make_unique<Operator<Number, 3, n_nodes>>(backend, mesh, material);
        return made;
      });
    };
    return strategy;
  };
  return {in(0.), in(0.f)};
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
