// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/mesh/node_to_element.h"
#include "source/operators/element_matrices.h"
#include "source/operators/parts_of_elements.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

namespace strut::cpu
{
namespace
{
/// Node by node on the CPU (nbnCPU of Ratnakar 2022; Schmidt and Schulz 2011):
///
///   y_n = sum over the elements e around node n of E_e (the three rows of K0_e for n) P_e x
///
/// Every node is written once, by one thread: no atomics, no colours. Reads each element matrix
/// once (three rows for each of its eight nodes), in pieces of 72 numbers, with one component a row
/// of 8. Deterministic.
template <typename Number, int n_components, int n_element_nodes>
class Nbn : public StoredMatricesOperator<Number, n_components, n_element_nodes>
{
  using Base                  = StoredMatricesOperator<Number, n_components, n_element_nodes>;
  static constexpr int n_dofs = n_element_nodes * n_components;

public:
  Nbn(Backend &backend, const ElementMesh &mesh, const Material &material)
    : Base(backend.memory(), mesh, material, backend.n_threads())
    , node_to_element_(NodeToElement::build(mesh))
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    const int n_parts = parts_of_elements(this->n_threads_, this->n_elements_, this->n_nodes_);
    parallel_for_long(n_parts, this->n_nodes_, [&](const std::size_t node) {
      Number sum[n_components] = {};
      for (LocalIndex k = node_to_element_.begin[node]; k < node_to_element_.begin[node + 1]; ++k)
        {
          const std::size_t e      = node_to_element_.entries[k] / n_element_nodes;
          const std::size_t vertex = node_to_element_.entries[k] % n_element_nodes;
          Number local[n_dofs];
          this->gather(e, x.data(), local);
          const Number *const rows = this->matrices_.matrix(e) + n_components * n_dofs * vertex;
          const Number factor      = this->stiffness_.data()[e];
          for (int i = 0; i < n_components; ++i)
            {
              Number row = 0;
              for (int j = 0; j < n_dofs; ++j)
                row += rows[n_dofs * i + j] * local[j];
              sum[i] += factor * row;
            }
        }
      for (int i = 0; i < n_components; ++i)
        y.data()[n_components * node + i] = sum[i];
    });
  }

  OperatorCost cost() const override
  {
    OperatorCost cost = Base::cost();
    cost.bytes_per_apply +=
      sizeof(LocalIndex) * (node_to_element_.begin.size() + node_to_element_.entries.size());
    cost.memory_bytes = memory_estimate(this->n_elements_, this->n_nodes_);
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return Base::memory_estimate(n_elements, n_nodes) +
           sizeof(LocalIndex) * (1. * n_element_nodes * n_elements + n_nodes + 1.);
  }

private:
  NodeToElement node_to_element_;
};
} // namespace

/// The strategy `nbn`: one loop over the nodes.
StrategyPair nbn()
{
  return strategy_pair_of_elements<Nbn>(
    "nbn", "node by node through the reverse connectivity, full element matrix", true);
}
} // namespace strut::cpu
