// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/vector_operations.h>
#include <strut/base/host_device.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace strut
{
/// Four consecutive vectors of a list; the last vector is repeated beyond its end.
template <typename Number>
struct VectorTile
{
  static constexpr std::size_t n = 4;

  VectorTile(const std::vector<const Array<Number> *> &list, const std::size_t first)
  {
    for (std::size_t i = 0; i < n; ++i)
      vectors[i] = list[std::min(first + i, list.size() - 1)]->data();
  }

  const Number *vectors[n];
};

/// The inputs of up to four sums of vectors, passed by value to a kernel.
template <typename Number>
struct CombinedVectors
{
  static constexpr std::size_t most = 32; ///< most vectors of one pass

  CombinedVectors(const std::vector<double> &of_all,
                  const std::vector<const Array<Number> *> &x,
                  const std::size_t first_from,
                  const std::vector<Array<Number> *> &y,
                  const std::size_t first_to)
    : n_from(static_cast<int>(std::min(most, x.size() - first_from)))
    , n_to(static_cast<int>(std::min(VectorTile<Number>::n, y.size() - first_to)))
    , adds(first_from > 0)
  {
    for (std::size_t b = 0; b < VectorTile<Number>::n; ++b)
      {
        const std::size_t column = std::min(first_to + b, y.size() - 1);
        to[b]                    = y[column]->data();
        for (std::size_t a = 0; a < static_cast<std::size_t>(n_from); ++a)
          coefficients[a][b] = static_cast<Number>(of_all[(first_from + a) * y.size() + column]);
      }
    for (std::size_t a = 0; a < static_cast<std::size_t>(n_from); ++a)
      from[a] = x[first_from + a]->data();
  }

  int n_from, n_to;
  bool adds; ///< adds to the results of earlier passes
  Number coefficients[most][VectorTile<Number>::n];
  const Number *from[most];
  Number *to[VectorTile<Number>::n];
};

/// VectorOperations for both backends, except for the Krylov updates. On the GPU, sums wait for
/// their result, all other work is only submitted.
///
/// @tparam Loops  for_each(n, body), sum(n, term), maximum(n, value): those of cpu or of cuda
template <typename Number, typename Loops>
class VectorLoops : public VectorOperations<Number>
{
public:
  explicit VectorLoops(const Loops &loops) : loops_(loops)
  {}

  void fill(const std::size_t n, const Number value, Array<Number> &x) const override
  {
    Number *const xs = x.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { xs[i] = value; });
  }

  void copy(const std::size_t n, const Array<Number> &x, Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    Number *const ys       = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] = xs[i]; });
  }

  void
  axpy(const std::size_t n, const Number a, const Array<Number> &x, Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    Number *const ys       = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] += a * xs[i]; });
  }

  void axpby(const std::size_t n,
             const Number a,
             const Array<Number> &x,
             const Number b,
             Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    Number *const ys       = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) {
      ys[i] = b == Number(0) ? a * xs[i] : a * xs[i] + b * ys[i];
    });
  }

  void
  xpby(const std::size_t n, const Array<Number> &x, const Number b, Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    Number *const ys       = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { ys[i] = xs[i] + b * ys[i]; });
  }

  void multiply(const std::size_t n,
                const Array<Number> &x,
                const Array<Number> &y,
                Array<Number> &z) const override
  {
    const Number *const xs = x.data();
    const Number *const ys = y.data();
    Number *const zs       = z.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { zs[i] = xs[i] * ys[i]; });
  }

  void divide(const std::size_t n,
              const Array<Number> &x,
              const Array<Number> &y,
              Array<Number> &z) const override
  {
    const Number *const xs = x.data();
    const Number *const ys = y.data();
    Number *const zs       = z.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) { zs[i] = xs[i] / ys[i]; });
  }

  void reciprocal(const std::size_t n, const Array<Number> &x, Array<float> &y) const override
  {
    const Number *const xs = x.data();
    float *const ys        = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) {
      ys[i] = xs[i] == Number(0) ? 0.f : static_cast<float>(Number(1) / xs[i]);
    });
  }

  double dot(const std::size_t n, const Array<Number> &x, const Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    const Number *const ys = y.data();
    return loops_.sum(n, [=] STRUT_BODY(const std::size_t i) {
      return static_cast<double>(xs[i]) * static_cast<double>(ys[i]);
    });
  }

  std::vector<double> dots(const std::size_t n,
                           const std::vector<const Array<Number> *> &x,
                           const std::vector<const Array<Number> *> &y) const override
  {
    constexpr std::size_t tile = VectorTile<Number>::n;
    std::vector<double> products(x.size() * y.size());
    for (std::size_t first = 0; first < x.size(); first += tile)
      for (std::size_t second = 0; second < y.size(); second += tile)
        {
          const VectorTile<Number> left(x, first), right(y, second);
          const auto body = [=] STRUT_BODY(const std::size_t i, double(&sums)[tile * tile]) {
            STRUT_UNROLL
            for (int a = 0; a < static_cast<int>(tile); ++a)
              {
                STRUT_UNROLL
                for (int b = 0; b < static_cast<int>(tile); ++b)
                  sums[static_cast<int>(tile) * a + b] += static_cast<double>(left.vectors[a][i]) *
                                                          static_cast<double>(right.vectors[b][i]);
              }
          };
          const std::array<double, tile *tile> sums =
            loops_.template sums<static_cast<int>(tile * tile)>(n, body);
          for (std::size_t a = first; a < std::min(first + tile, x.size()); ++a)
            for (std::size_t b = second; b < std::min(second + tile, y.size()); ++b)
              products[a * y.size() + b] = sums[tile * (a - first) + b - second];
        }
    return products;
  }

  void combine(const std::size_t n,
               const std::vector<double> &coefficients,
               const std::vector<const Array<Number> *> &x,
               const std::vector<Array<Number> *> &y) const override
  {
    constexpr std::size_t tile = VectorTile<Number>::n;
    for (std::size_t to = 0; to < y.size(); to += tile)
      for (std::size_t from = 0; from < x.size(); from += CombinedVectors<Number>::most)
        {
          const CombinedVectors<Number> terms(coefficients, x, from, y, to);
          loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) {
            Number sums[tile];
            STRUT_UNROLL
            for (int b = 0; b < static_cast<int>(tile); ++b)
              sums[b] = terms.adds ? terms.to[b][i] : Number(0);
            for (int a = 0; a < terms.n_from; ++a)
              {
                const Number value = terms.from[a][i];
                STRUT_UNROLL
                for (int b = 0; b < static_cast<int>(tile); ++b)
                  sums[b] += terms.coefficients[a][b] * value;
              }
            STRUT_UNROLL
            for (int b = 0; b < static_cast<int>(tile); ++b)
              if (b < terms.n_to)
                terms.to[b][i] = sums[b];
          });
        }
  }

  double sum(const std::size_t n, const Array<Number> &x) const override
  {
    const Number *const xs = x.data();
    return loops_.sum(n,
                      [=] STRUT_BODY(const std::size_t i) { return static_cast<double>(xs[i]); });
  }

  double
  max_difference(const std::size_t n, const Array<Number> &x, const Array<Number> &y) const override
  {
    const Number *const xs = x.data();
    const Number *const ys = y.data();
    return loops_.maximum(n, [=] STRUT_BODY(const std::size_t i) {
      return std::abs(static_cast<double>(xs[i]) - static_cast<double>(ys[i]));
    });
  }

  void pack(const std::size_t n,
            const double unit,
            const Array<Number> &x,
            Array<std::int32_t> &y) const override
  {
    const Number *const xs = x.data();
    std::int32_t *const ys = y.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) {
      constexpr double most = 2147483647.;
      const double multiple = std::rint(static_cast<double>(xs[i]) / unit);
      ys[i] = static_cast<std::int32_t>(std::fmax(-most, std::fmin(multiple, most)));
    });
  }

  void subtract_packed(const std::size_t n,
                       const double unit,
                       const Array<std::int32_t> &y,
                       const Array<Number> &x,
                       Array<Number> &z) const override
  {
    const std::int32_t *const ys = y.data();
    const Number *const xs       = x.data();
    Number *const zs             = z.data();
    loops_.for_each(n, [=] STRUT_BODY(const std::size_t i) {
      zs[i] = static_cast<Number>(static_cast<double>(xs[i]) - unit * static_cast<double>(ys[i]));
    });
  }

  void gather(const Array<std::uint32_t> &indices,
              const Array<Number> &x,
              Array<Number> &out) const override
  {
    const std::uint32_t *const index = indices.data();
    const Number *const xs           = x.data();
    Number *const outs               = out.data();
    loops_.for_each(indices.size(),
                    [=] STRUT_BODY(const std::size_t k) { outs[k] = xs[index[k]]; });
  }

  void take(const Array<std::uint32_t> &indices,
            Array<Number> &x,
            const std::size_t begin,
            Array<Number> &out) const override
  {
    const std::uint32_t *const index = indices.data();
    Number *const xs                 = x.data();
    Number *const outs               = out.data() + begin;
    loops_.for_each(indices.size(), [=] STRUT_BODY(const std::size_t k) {
      outs[k]      = xs[index[k]];
      xs[index[k]] = Number(0);
    });
  }

  void scatter(const Array<std::uint32_t> &indices,
               const Array<Number> &in,
               Array<Number> &x) const override
  {
    const std::uint32_t *const index = indices.data();
    const Number *const ins          = in.data();
    Number *const xs                 = x.data();
    loops_.for_each(indices.size(), [=] STRUT_BODY(const std::size_t k) { xs[index[k]] = ins[k]; });
  }

  void scatter_add(const Array<std::uint32_t> &indices,
                   const Array<Number> &in,
                   Array<Number> &x) const override
  {
    const std::uint32_t *const index = indices.data();
    const Number *const ins          = in.data();
    Number *const xs                 = x.data();
    loops_.for_each(indices.size(),
                    [=] STRUT_BODY(const std::size_t k) { xs[index[k]] += ins[k]; });
  }

  void sum_rows(const Array<std::uint32_t> &rows,
                const Array<std::uint32_t> &offsets,
                const Array<std::uint32_t> &places,
                const Array<Number> &in,
                Array<Number> &x) const override
  {
    const std::uint32_t *const row    = rows.data();
    const std::uint32_t *const offset = offsets.data();
    const std::uint32_t *const place  = places.data();
    const Number *const ins           = in.data();
    Number *const xs                  = x.data();
    constexpr std::uint32_t itself    = VectorOperations<Number>::itself;
    loops_.for_each(rows.size(), [=] STRUT_BODY(const std::size_t k) {
      const Number old = xs[row[k]];
      Number sum       = Number(0);
      for (std::uint32_t j = offset[k]; j < offset[k + 1]; ++j)
        sum += place[j] == itself ? old : ins[place[j]];
      xs[row[k]] = sum;
    });
  }

  void set(const Array<std::uint32_t> &indices, const Number value, Array<Number> &x) const override
  {
    const std::uint32_t *const index = indices.data();
    Number *const xs                 = x.data();
    loops_.for_each(indices.size(), [=] STRUT_BODY(const std::size_t k) { xs[index[k]] = value; });
  }

  void combine(const SparseRows<Number> &matrix,
               const Number old,
               Array<Number> &x,
               const unsigned int n_components) const override
  {
    switch (n_components)
      {
        case 1:
          return combine_entries<1>(matrix, old, x, n_components);
        case 3:
          return combine_entries<3>(matrix, old, x, n_components);
        default:
          return combine_entries<0>(matrix, old, x, n_components);
      }
  }

  /// combine() for a number of components known at compile time, or 0. A GPU divides by a constant
  /// in a fraction of the time. It is public because the compiler of kernels requires that.
  template <unsigned int n_known>
  void combine_entries(const SparseRows<Number> &matrix,
                       const Number old,
                       Array<Number> &x,
                       const unsigned int n_components) const
  {
    const std::uint32_t *const rows    = matrix.rows.data();
    const std::uint32_t *const offsets = matrix.offsets.data();
    const std::uint32_t *const columns = matrix.columns.data();
    const Number *const weights        = matrix.weights.data();
    Number *const xs                   = x.data();
    loops_.for_each(n_components * matrix.rows.size(), [=] STRUT_BODY(const std::size_t i) {
      const std::size_t n = n_known > 0 ? n_known : n_components;
      const std::size_t k = i / n, c = i % n;
      const std::size_t at = n * rows[k] + c;
      // the old value may be NaN
      Number sum = old == Number(0) ? Number(0) : old * xs[at];
      for (std::uint32_t j = offsets[k]; j < offsets[k + 1]; ++j)
        sum += weights[j] * xs[n * columns[j] + c];
      xs[at] = sum;
    });
  }

protected:
  const Loops loops_;
};
} // namespace strut
