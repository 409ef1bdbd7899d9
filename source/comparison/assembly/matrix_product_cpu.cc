// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/comparison/assembly/assembly_parts.h"

namespace strut::cpu
{
namespace
{
/// The product on the CPU. One thread sums a row, entry by entry: the same bits on any number of
/// threads.
template <typename Number>
class CpuMatrixProduct : public MatrixProduct<Number>
{
public:
  CpuMatrixProduct(Backend &backend, const GeneratedMatrix<Number> &matrix)
    : n_threads_(static_cast<int>(backend.n_threads())), matrix_(matrix)
  {}

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    const EntryPlaces places        = matrix_.pattern.places(matrix_.neighbours);
    const NeighbourView rows        = matrix_.neighbours.view();
    const LocalIndex *const columns = matrix_.pattern.columns.data();
    const Number *const values      = matrix_.values.data();
    parallel_for(n_threads_, matrix_.neighbours.n_nodes, [&](const std::size_t node) {
      const std::size_t length        = 3 * rows.length(node);
      const std::size_t first         = places.block(node, 0);
      const std::size_t row_stride    = places.row_stride(node);
      const std::size_t column_stride = places.column_stride();
      for (std::size_t i = 0; i < 3; ++i)
        {
          Number sum = 0;
          for (std::size_t k = 0; k < length; ++k)
            {
              const std::size_t place = first + i * row_stride + k * column_stride;
              sum += values[place] * x.data()[columns[place]];
            }
          y.data()[3 * node + i] = sum;
        }
    });
  }

  void diagonal(Array<Number> &d) const override
  {
    const EntryPlaces places = matrix_.pattern.places(matrix_.neighbours);
    const NeighbourView rows = matrix_.neighbours.view();
    parallel_for(n_threads_, matrix_.neighbours.n_nodes, [&](const std::size_t node) {
      const bool is_empty = rows.length(node) == 0;
      const std::size_t place =
        is_empty ? 0 : places.block(node, rows.slot(node, static_cast<LocalIndex>(node)));
      for (std::size_t i = 0; i < 3; ++i)
        d.data()[3 * node + i] =
          is_empty
            ? Number(0)
            : matrix_.values.data()[place + i * (places.row_stride(node) + places.column_stride())];
    });
  }

private:
  const int n_threads_;
  const GeneratedMatrix<Number> matrix_;
};
} // namespace

template <typename Number>
std::unique_ptr<MatrixProduct<Number>> make_product(Backend &backend,
                                                    const GeneratedMatrix<Number> &matrix)
{
  return std::make_unique<CpuMatrixProduct<Number>>(backend, matrix);
}

template decltype(make_product<double>) make_product<double>;
template decltype(make_product<float>) make_product<float>;
} // namespace strut::cpu
