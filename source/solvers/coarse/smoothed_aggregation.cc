// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/smoothed_aggregation.h"
#include "source/base/parallel_loop.h"

#include <algorithm>

namespace strut
{
namespace
{
constexpr std::uint32_t none = Aggregates::none;

/// Add a product: out(R x C) += a(R x K) b(K x C).
template <int R, int K, int C>
inline void add_block_product(const double *const a, const double *const b, double *const out)
{
  for (int i = 0; i < R; ++i)
    for (int k = 0; k < K; ++k)
      {
        const double factor = a[i * K + k];
        for (int j = 0; j < C; ++j)
          out[i * C + j] += factor * b[k * C + j];
      }
}

/// Add a product: out(C x C2) += a(R x C)^T b(R x C2).
template <int R, int C, int C2>
inline void add_transposed_product(const double *const a, const double *const b, double *const out)
{
  for (int k = 0; k < R; ++k)
    for (int i = 0; i < C; ++i)
      {
        const double factor = a[k * C + i];
        for (int j = 0; j < C2; ++j)
          out[i * C2 + j] += factor * b[k * C2 + j];
      }
}

/// Makes a pattern from the columns of each row. add(row, put) calls put(column), and may repeat
/// columns.
template <typename Add>
BlockPattern pattern_of(const int n_threads,
                        const std::size_t n_rows,
                        const std::size_t n_columns,
                        const Add &add)
{
  std::vector<std::vector<std::uint32_t>> rows(n_rows);
  cpu::parallel_ranges(n_threads, n_rows, [&](const std::size_t first, const std::size_t last) {
    std::vector<std::uint32_t> seen_in(n_columns, none);
    for (std::size_t row = first; row < last; ++row)
      {
        add(row, [&](const std::uint32_t column) {
          if (seen_in[column] == row)
            return;
          seen_in[column] = static_cast<std::uint32_t>(row);
          rows[row].push_back(column);
        });
        std::sort(rows[row].begin(), rows[row].end());
      }
  });
  BlockPattern pattern;
  pattern.n_rows    = n_rows;
  pattern.n_columns = n_columns;
  pattern.begin.push_back(0);
  for (const auto &row : rows)
    pattern.begin.push_back(pattern.begin.back() + static_cast<std::uint32_t>(row.size()));
  pattern.columns.reserve(pattern.begin.back());
  for (const auto &row : rows)
    pattern.columns.insert(pattern.columns.end(), row.begin(), row.end());
  return pattern;
}

/// Places of the columns in the row that is being made.
class Places
{
public:
  explicit Places(const std::size_t n_columns) : place_(n_columns, none)
  {}

  /// Returns the place of a column, and appends the column if it is new.
  std::uint32_t operator()(const std::uint32_t column, std::vector<std::uint32_t> &columns)
  {
    std::uint32_t &place = place_[column];
    if (place == none)
      {
        place = static_cast<std::uint32_t>(columns.size());
        columns.push_back(column);
      }
    return place;
  }

  void clear(const std::vector<std::uint32_t> &columns)
  {
    for (const std::uint32_t column : columns)
      place_[column] = none;
  }

private:
  std::vector<std::uint32_t> place_;
};

/// A row of the product A P.
struct ProductRow
{
  std::vector<std::uint32_t> columns;
  std::vector<double> blocks; ///< `[columns][B][6]`
};
} // namespace

BlockPattern
prolongator_pattern(const int n_threads, const BlockPattern &A, const Aggregates &aggregates)
{
  return pattern_of(n_threads, A.n_rows, aggregates.n, [&](const std::size_t row, const auto &put) {
    if (aggregates.of_node[row] == none)
      return;
    for (std::uint32_t k = A.begin[row]; k < A.begin[row + 1]; ++k)
      if (const std::uint32_t aggregate = aggregates.of_node[A.columns[k]]; aggregate != none)
        put(aggregate);
  });
}

BlockPattern product_pattern(const int n_threads,
                             const BlockPattern &A,
                             const BlockPattern &P,
                             const TransposedPattern &transposed)
{
  return pattern_of(
    n_threads, P.n_columns, P.n_columns, [&](const std::size_t coarse, const auto &put) {
      for (std::uint32_t t = transposed.begin[coarse]; t < transposed.begin[coarse + 1]; ++t)
        {
          const std::uint32_t row = transposed.rows[t];
          for (std::uint32_t k = A.begin[row]; k < A.begin[row + 1]; ++k)
            for (std::uint32_t j = P.begin[A.columns[k]]; j < P.begin[A.columns[k] + 1]; ++j)
              put(P.columns[j]);
        }
    });
}

template <int B>
void smooth_prolongator(const int n_threads,
                        const BlockMatrix<B, B> &A,
                        const std::vector<double> &inverse_diagonal,
                        const double w,
                        const Aggregates &aggregates,
                        const std::vector<double> &T,
                        BlockMatrix<B, 6> &P)
{
  constexpr std::size_t size = 6 * B;
  cpu::parallel_for_long(n_threads, A.pattern.n_rows, [&](const std::size_t row) {
    const std::uint32_t first = P.pattern.begin[row], end = P.pattern.begin[row + 1];
    if (first == end)
      return;
    // (1) Compute A T.
    double *const blocks = P.block(first);
    std::fill(blocks, blocks + size * (end - first), 0.);
    for (std::uint32_t k = A.pattern.begin[row]; k < A.pattern.begin[row + 1]; ++k)
      {
        const std::uint32_t node = A.pattern.columns[k];
        if (aggregates.of_node[node] != none)
          add_block_product<B, B, 6>(A.block(k),
                                     &T[size * node],
                                     P.block(P.pattern.find(row, aggregates.of_node[node])));
      }
    // (2) Compute T - w D^-1 A T.
    double scaled[B * B];
    for (int i = 0; i < B * B; ++i)
      scaled[i] = -w * inverse_diagonal[B * B * row + i];
    for (std::uint32_t j = first; j < end; ++j)
      {
        double result[size] = {};
        if (P.pattern.columns[j] == aggregates.of_node[row])
          std::copy(&T[size * row], &T[size * row] + size, result);
        add_block_product<B, B, 6>(scaled, P.block(j), result);
        std::copy(result, result + size, P.block(j));
      }
  });
}

template <int B>
void triple_product(const int n_threads,
                    const BlockMatrix<B, B> &A,
                    const BlockMatrix<B, 6> &P,
                    const TransposedPattern &transposed,
                    BlockMatrix<6, 6> &coarse)
{
  constexpr std::size_t size           = 6 * B;
  constexpr std::size_t rows_at_a_time = 16384; // Rows of A P, which is never stored as a whole.
  std::fill(coarse.values.begin(), coarse.values.end(), 0.);
  std::vector<std::uint32_t> next(transposed.begin.begin(), transposed.begin.end() - 1);
  std::vector<ProductRow> products(std::min(rows_at_a_time, A.pattern.n_rows));
  for (std::size_t first = 0; first < A.pattern.n_rows; first += rows_at_a_time)
    {
      const std::size_t last = std::min(first + rows_at_a_time, A.pattern.n_rows);

      // (1) Rows of A P.
      cpu::parallel_ranges(n_threads, last - first, [&](const std::size_t b, const std::size_t e) {
        Places places(P.pattern.n_columns);
        for (std::size_t i = b; i < e; ++i)
          {
            ProductRow &product = products[i];
            product.columns.clear();
            product.blocks.clear();
            const std::size_t row = first + i;
            if (P.pattern.begin[row] == P.pattern.begin[row + 1])
              continue;
            for (std::uint32_t k = A.pattern.begin[row]; k < A.pattern.begin[row + 1]; ++k)
              {
                const std::uint32_t node = A.pattern.columns[k];
                for (std::uint32_t j = P.pattern.begin[node]; j < P.pattern.begin[node + 1]; ++j)
                  {
                    const std::uint32_t place = places(P.pattern.columns[j], product.columns);
                    product.blocks.resize(size * product.columns.size(), 0.);
                    add_block_product<B, B, 6>(A.block(k),
                                               P.block(j),
                                               &product.blocks[size * place]);
                  }
              }
            places.clear(product.columns);
          }
      });

      // (2) Add their contributions to the rows of P^T A P.
      cpu::parallel_ranges(
        n_threads, P.pattern.n_columns, [&](const std::size_t b, const std::size_t e) {
          std::vector<std::uint32_t> place(P.pattern.n_columns);
          for (std::size_t row = b; row < e; ++row)
            {
              std::uint32_t &t = next[row];
              if (t == transposed.begin[row + 1] || transposed.rows[t] >= last)
                continue;
              for (std::uint32_t k = coarse.pattern.begin[row]; k < coarse.pattern.begin[row + 1];
                   ++k)
                place[coarse.pattern.columns[k]] = k;
              for (; t < transposed.begin[row + 1] && transposed.rows[t] < last; ++t)
                {
                  const ProductRow &product = products[transposed.rows[t] - first];
                  for (std::size_t j = 0; j < product.columns.size(); ++j)
                    add_transposed_product<B, 6, 6>(P.block(transposed.blocks[t]),
                                                    &product.blocks[size * j],
                                                    coarse.block(place[product.columns[j]]));
                }
            }
        });
    }
}

template decltype(smooth_prolongator<3>) smooth_prolongator<3>;
template decltype(smooth_prolongator<6>) smooth_prolongator<6>;
template decltype(triple_product<3>) triple_product<3>;
template decltype(triple_product<6>) triple_product<6>;
} // namespace strut
