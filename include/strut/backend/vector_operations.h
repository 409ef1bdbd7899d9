// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strut
{
template <typename Number, typename Low>
class KrylovUpdates;

/// Rows of a sparse matrix. Row k belongs to entry rows_k, and has `weights_j` at entry columns_j,
/// offsets_k <= j < offsets_(k+1).
template <typename Number>
struct SparseRows
{
  Array<std::uint32_t> rows;
  Array<std::uint32_t> offsets; ///< `[n_rows + 1]`
  Array<std::uint32_t> columns;
  Array<Number> weights;
};

/// The vector work of the iterative solvers and of the halo exchange, on one rank.
///
/// All operations act on the first `n` entries. Sums are accumulated in double for either Number.
/// They are the same bits in every run on the same machine with the same n: the order of summation
/// depends neither on the number of threads nor on scheduling.
template <typename Number>
class VectorOperations
{
public:
  virtual ~VectorOperations() = default;

  /// x_i = value
  virtual void fill(std::size_t n, Number value, Array<Number> &x) const = 0;

  /// y_i = x_i
  virtual void copy(std::size_t n, const Array<Number> &x, Array<Number> &y) const = 0;

  /// y_i += a x_i
  virtual void axpy(std::size_t n, Number a, const Array<Number> &x, Array<Number> &y) const = 0;

  /// y_i = x_i + b y_i
  virtual void xpby(std::size_t n, const Array<Number> &x, Number b, Array<Number> &y) const = 0;

  /// y_i = a x_i + b y_i; y may be x. If b is 0, the old y is not used, even if it is not finite.
  virtual void
  axpby(std::size_t n, Number a, const Array<Number> &x, Number b, Array<Number> &y) const = 0;

  /// z_i = x_i y_i; z may be x or y
  virtual void multiply(std::size_t n,
                        const Array<Number> &x,
                        const Array<Number> &y,
                        Array<Number> &z) const = 0;

  /// z_i = x_i / y_i; z may be x or y
  virtual void
  divide(std::size_t n, const Array<Number> &x, const Array<Number> &y, Array<Number> &z) const = 0;

  /// y_i = 1 / x_i, rounded to float; 0 where x_i = 0, as on a diagonal without stiffness
  virtual void reciprocal(std::size_t n, const Array<Number> &x, Array<float> &y) const = 0;

  /// sum_i x_i y_i
  virtual double dot(std::size_t n, const Array<Number> &x, const Array<Number> &y) const = 0;

  /// Returns all products of the vectors x with the vectors y, `[x.size()][y.size()]`. They are
  /// computed in tiles of four by four, each of which reads its vectors once.
  virtual std::vector<double> dots(std::size_t n,
                                   const std::vector<const Array<Number> *> &x,
                                   const std::vector<const Array<Number> *> &y) const = 0;

  /// y_j = sum_i coefficients_ij x_i. No x may be a y. Each group of four vectors y reads all x
  /// once.
  ///
  /// @param coefficients  `[x.size()][y.size()]`
  virtual void combine(std::size_t n,
                       const std::vector<double> &coefficients,
                       const std::vector<const Array<Number> *> &x,
                       const std::vector<Array<Number> *> &y) const = 0;

  /// sum_i x_i
  virtual double sum(std::size_t n, const Array<Number> &x) const = 0;

  /// max_i |x_i - y_i|, 0 if n = 0
  virtual double
  max_difference(std::size_t n, const Array<Number> &x, const Array<Number> &y) const = 0;

  /// `y_i = x_i / unit`, rounded to the nearest integer; its absolute value must be at most 2^31 -
  /// 1
  virtual void
  pack(std::size_t n, double unit, const Array<Number> &x, Array<std::int32_t> &y) const = 0;

  /// `z_i = x_i - unit y_i`, rounded once where the product is exact, as with a power of two; z may
  /// be x
  virtual void subtract_packed(std::size_t n,
                               double unit,
                               const Array<std::int32_t> &y,
                               const Array<Number> &x,
                               Array<Number> &z) const = 0;

  /// out_k = x_(indices_k) for all indices
  virtual void
  gather(const Array<std::uint32_t> &indices, const Array<Number> &x, Array<Number> &out) const = 0;

  /// out_(begin + k) = x_(indices_k), then x_(indices_k) = 0; the indices are distinct
  virtual void take(const Array<std::uint32_t> &indices,
                    Array<Number> &x,
                    std::size_t begin,
                    Array<Number> &out) const = 0;

  /// x_(indices_k) = in_k; the indices are distinct
  virtual void
  scatter(const Array<std::uint32_t> &indices, const Array<Number> &in, Array<Number> &x) const = 0;

  /// x_(indices_k) += in_k; the indices are distinct
  virtual void scatter_add(const Array<std::uint32_t> &indices,
                           const Array<Number> &in,
                           Array<Number> &x) const = 0;

  /// Marks the old value x_(rows_k) among the places of sum_rows().
  static constexpr std::uint32_t itself = 0xffffffffu;

  /// x_(rows_k) = sum of in_(places_j) for offsets_k <= j < offsets_(k+1), j ascending; the place
  /// `itself` is the old x_(rows_k). Rows are distinct.
  virtual void sum_rows(const Array<std::uint32_t> &rows,
                        const Array<std::uint32_t> &offsets,
                        const Array<std::uint32_t> &places,
                        const Array<Number> &in,
                        Array<Number> &x) const = 0;

  /// x_(indices_k) = value; the indices are distinct
  virtual void set(const Array<std::uint32_t> &indices, Number value, Array<Number> &x) const = 0;

  /// x_(rows_k) = old x_(rows_k) + sum_j weights_j x_(columns_j), of entries with `n_components`
  /// numbers each; rows are distinct, and no column is one. The sum runs over j ascending.
  virtual void combine(const SparseRows<Number> &matrix,
                       Number old,
                       Array<Number> &x,
                       unsigned int n_components = 1) const = 0;

  /// The fused operations of conjugate gradients, with sums of their own.
  virtual std::unique_ptr<KrylovUpdates<Number, Number>> make_krylov_updates() const = 0;
};
} // namespace strut
