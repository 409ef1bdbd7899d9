// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/solvers/galerkin_matrices.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace strut
{
/// Trilinear interpolation between the nodes of two levels, in the memory of a backend: a fine node
/// takes the mean of its parents (1: at the same place, 2: on an edge, 4: on a face, 8: inside of a
/// coarse element). Both the matrix and its transpose are stored by rows, so both products gather.
struct NodeInterpolation
{
  Array<std::uint32_t> parents_begin;  ///< `[n_fine + 1]`
  Array<std::uint32_t> parents;        ///< coarse nodes, fine node by fine node
  Array<std::uint32_t> children_begin; ///< `[n_coarse + 1]`
  Array<std::uint32_t> children; ///< coarse node by coarse node: `fine node << 2 | log2(number
                                 ///< of its parents)`, ascending

  std::size_t n_fine   = 0; ///< nodes: the owned ones of the fine level
  std::size_t n_coarse = 0; ///< nodes: owned ones of the coarse level and ghosts of the transfer
};

/// The work of multigrid on one rank, beside the operators. Vectors are `[3 * n_nodes]`, blocks
/// `[n_nodes][6]`: xx, xy, xz, yy, yz, zz of a symmetric 3x3 block each. Nothing depends on the order
/// in which threads arrive.
template <typename Number>
class MultigridOperations
{
public:
  virtual ~MultigridOperations() = default;

  /// Replace each block by the inverse of its free part, with zero rows and columns for components
  /// that are constrained (bit c of `constrained`). A block that is not positive definite becomes
  /// zero.
  virtual void invert_blocks(std::size_t n_nodes,
                             const Array<std::uint8_t> &constrained,
                             Array<Number> &blocks) const = 0;

  /// First step of a polynomial smoother from x = 0: `d = a B r, x = d`.
  virtual void smooth_from_zero(std::size_t n_nodes,
                                const Array<Number> &B,
                                Number a,
                                const Array<Number> &r,
                                Array<Number> &d,
                                Array<Number> &x) const = 0;

  /// First step after a correction d with the product q = K d: `r -= q, x += d, d = a B r, x += d`.
  virtual void smooth_first(std::size_t n_nodes,
                            const Array<Number> &B,
                            Number a,
                            const Array<Number> &q,
                            Array<Number> &r,
                            Array<Number> &d,
                            Array<Number> &x) const = 0;

  /// The other steps: `r -= q, d = b d + a B r, x += d`.
  virtual void smooth_next(std::size_t n_nodes,
                           const Array<Number> &B,
                           Number a,
                           Number b,
                           const Array<Number> &q,
                           Array<Number> &r,
                           Array<Number> &d,
                           Array<Number> &x) const = 0;

  /// fine = P coarse
  virtual void prolongate(const NodeInterpolation &P,
                          const Array<Number> &coarse,
                          Array<Number> &fine) const = 0;

  /// coarse = P^T fine
  virtual void restrict_to_parents(const NodeInterpolation &P,
                                   const Array<Number> &fine,
                                   Array<Number> &coarse) const = 0;

  /// All zero.
  virtual std::unique_ptr<GalerkinMatrices<Number>>
  make_galerkin_matrices(Memory &memory, const GalerkinElements &elements) const = 0;
};

/// Between the precisions, and on element fields.
class LevelOperations
{
public:
  virtual ~LevelOperations() = default;

  /// y_i = x_i for i < n.
  virtual void convert(std::size_t n, const Array<double> &x, Array<float> &y) const = 0;
  virtual void convert(std::size_t n, const Array<float> &x, Array<double> &y) const = 0;

  /// parent_e = mean of fine_c over the eight children c of e, `children[8][n_parents]`.
  virtual void mean_of_children(std::size_t n_parents,
                                const Array<std::uint32_t> &children,
                                const Array<double> &fine,
                                Array<double> &parent) const = 0;
};
} // namespace strut
