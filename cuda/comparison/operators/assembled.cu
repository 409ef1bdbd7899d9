// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/assembly_parts.h"
#include "cuda/comparison/operators/assembled_matrix.cuh"
#include "source/operators/strategy_pair.h"

namespace strut::cuda
{
namespace
{
template <typename Number>
class Assembled : public AssembledMatrix<Number>
{
public:
  Assembled(Backend &backend, const ElementMesh &mesh, const Material &material)
    : AssembledMatrix<Number>(backend, mesh, material, MatrixFormat::csr, false)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    csr_product(this->context_, this->neighbours_, this->values_, x, y);
  }

  OperatorCost cost() const override
  {
    const double n       = static_cast<double>(this->neighbours_.n_nodes);
    const double n_pairs = static_cast<double>(this->neighbours_.n_pairs);
    OperatorCost cost;
    cost.bytes_per_apply = (9. * sizeof(Number) + sizeof(LocalIndex)) * n_pairs +
                           (sizeof(std::uint64_t) + 6. * sizeof(Number)) * n;
    cost.flops_per_apply = 18. * n_pairs;
    cost.memory_bytes    = this->common_memory_bytes() + 9. * sizeof(Number) * n_pairs;
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return AssembledMatrix<Number>::common_memory_estimate(n_elements, n_nodes) +
           9. * sizeof(Number) * AssembledMatrix<Number>::n_pairs_estimate(n_elements, n_nodes);
  }
};

template <typename Number>
class AssembledEll : public AssembledMatrix<Number>
{
public:
  AssembledEll(Backend &backend, const ElementMesh &mesh, const Material &material)
    : AssembledMatrix<Number>(backend, mesh, material, MatrixFormat::ell, true)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    ell_product(this->context_, this->pattern_, this->values_, x, y);
  }

  OperatorCost cost() const override
  {
    const double n_stored = static_cast<double>(this->pattern_.n_stored);
    const double matrix   = (sizeof(Number) + sizeof(LocalIndex)) * n_stored;
    OperatorCost cost;
    cost.bytes_per_apply =
      matrix + 2. * sizeof(Number) * static_cast<double>(this->pattern_.n_rows);
    cost.flops_per_apply = 2. * n_stored;
    cost.memory_bytes    = this->common_memory_bytes() + matrix;
    return cost;
  }

  /// Estimate for meshes whose nodes have at most 27 neighbours, themselves included.
  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return AssembledMatrix<Number>::common_memory_estimate(n_elements, n_nodes) +
           243. * (sizeof(Number) + sizeof(LocalIndex)) * static_cast<double>(n_nodes);
  }
};

} // namespace

/// The strategy `assembled`: the matrix in compressed rows, made on the device in three stages
/// (Sanfui and Sharma 2020).
StrategyPair assembled()
{
  return strategy_pair<Assembled>(
    "assembled", "global matrix in compressed rows, made on the device; 1 warp per node", true);
}

/// The strategy `assembled_ell`: the assembled matrix in ELL, column-major.
StrategyPair assembled_ell()
{
  return strategy_pair<AssembledEll>(
    "assembled_ell",
    "global matrix in ELL, column-major, made on the device; 1 thread per row",
    true);
}
} // namespace strut::cuda
