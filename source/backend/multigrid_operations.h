// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/multigrid_operations.h>

namespace strut::cpu
{
/// MultigridOperations on threads of the host.
template <typename Number>
class CpuMultigridOperations : public MultigridOperations<Number>
{
public:
  explicit CpuMultigridOperations(const int n_threads) : n_threads_(n_threads)
  {}

  void invert_blocks(std::size_t n_nodes,
                     const Array<std::uint8_t> &constrained,
                     Array<Number> &blocks) const override;
  void support_stiffness(std::size_t n_nodes,
                         const Array<std::uint8_t> &constrained,
                         const Array<Number> &blocks,
                         const Array<Number> &springs,
                         Array<Number> &stiffness) const override;
  void add_to_blocks(std::size_t n_nodes,
                     const Array<Number> &springs,
                     Array<Number> &blocks) const override;
  void add_springs(std::size_t n,
                   const Array<Number> &s,
                   const Array<Number> &x,
                   Array<Number> &y) const override;
  void smooth_from_zero(std::size_t n_nodes,
                        const Array<Number> &B,
                        Number a,
                        const Array<Number> &r,
                        Array<Number> &d,
                        Array<Number> &x) const override;
  void smooth_first(std::size_t n_nodes,
                    const Array<Number> &B,
                    Number a,
                    const Array<Number> &q,
                    Array<Number> &r,
                    Array<Number> &d,
                    Array<Number> &x) const override;
  void smooth_next(std::size_t n_nodes,
                   const Array<Number> &B,
                   Number a,
                   Number b,
                   const Array<Number> &q,
                   Array<Number> &r,
                   Array<Number> &d,
                   Array<Number> &x) const override;
  void prolongate(const NodeInterpolation &P,
                  const Array<Number> &coarse,
                  Array<Number> &fine) const override;
  void restrict_to_parents(const NodeInterpolation &P,
                           const Array<Number> &fine,
                           Array<Number> &coarse) const override;
  std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &memory, const GalerkinElements &elements) const override;

private:
  const int n_threads_;
};

/// LevelOperations on threads of the host.
class CpuLevelOperations : public LevelOperations
{
public:
  explicit CpuLevelOperations(const int n_threads) : n_threads_(n_threads)
  {}

  void convert(std::size_t n, const Array<double> &x, Array<float> &y) const override;
  void convert(std::size_t n, const Array<float> &x, Array<double> &y) const override;
  void mean_of_children(std::size_t n_parents,
                        const Array<std::uint32_t> &children,
                        const Array<double> &fine,
                        Array<double> &parent) const override;

private:
  const int n_threads_;
};
} // namespace strut::cpu
