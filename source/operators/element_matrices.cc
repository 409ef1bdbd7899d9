// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/element/stored_stiffness.h"
#include "source/mesh/colouring.h"
#include "source/operators/parts_of_elements.h"

#include <strut/operators/element_matrices.h>

#include <numeric>
#include <utility>

namespace strut
{
template <typename Number, int n_components>
ElementMatrices<Number, n_components>::ElementMatrices(Memory &memory,
                                                       const ElementMesh &mesh,
                                                       const Material &material,
                                                       const int n_threads)
  : values_(memory, size * mesh.n_elements)
{
  compute_each(mesh, n_threads, [&](std::size_t) -> const Material & { return material; });
}

template <typename Number, int n_components>
void ElementMatrices<Number, n_components>::compute(const ElementMesh &mesh,
                                                    const AnisotropicSolids &solids,
                                                    const int n_threads)
{
  compute_each(mesh, n_threads, [&](const std::size_t e) -> const ElasticityMatrix & {
    return solids.of(e);
  });
}

template <typename Number, int n_components>
template <typename SolidOf>
void ElementMatrices<Number, n_components>::compute_each(const ElementMesh &mesh,
                                                         const int n_threads,
                                                         const SolidOf &solid_of)
{
  Number *const values = values_.data();
  cpu::parallel_for_long(n_threads, mesh.n_elements, [&](const std::size_t e) {
    double X[3][8];
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        X[d][v] = mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
    for (int a = 0; a < 8; ++a)
      {
        double rows[n_components][n_dofs];
        hexahedron::stored_stiffness_rows<Number>(X, solid_of(e), a, rows);
        for (int i = 0; i < n_components; ++i)
          for (int column = 0; column < n_dofs; ++column)
            values[size * e + n_dofs * (n_components * a + i) + column] =
              static_cast<Number>(rows[i][column]);
      }
  });
}

ElementLoop::ElementLoop(const ElementMesh &mesh, const int n_threads) : n_threads_(n_threads)
{
  if (n_threads > 1)
    {
      Colouring colouring = Colouring::greedy(mesh);
      begin_              = std::move(colouring.begin);
      elements_           = std::move(colouring.elements);
      return;
    }
  begin_ = {0, static_cast<LocalIndex>(mesh.n_elements)};
  elements_.resize(mesh.n_elements);
  std::iota(elements_.begin(), elements_.end(), LocalIndex(0));
}

void ElementLoop::run(
  const std::function<void(const LocalIndex *elements, std::size_t n)> &body) const
{
  for (std::size_t colour = 0; colour + 1 < begin_.size(); ++colour)
    {
      const LocalIndex *const elements = elements_.data() + begin_[colour];
      const std::size_t n              = begin_[colour + 1] - begin_[colour];
      const int n_parts                = cpu::parts_of_elements(n_threads_, elements_.size(), n);
      cpu::parallel_ranges(n_parts, n, [&](const std::size_t begin, const std::size_t end) {
        body(elements + begin, end - begin);
      });
    }
}

template <typename Number, int n_components>
StoredMatricesOperator<Number, n_components>::StoredMatricesOperator(Memory &memory,
                                                                     const ElementMesh &mesh,
                                                                     const Material &material,
                                                                     const int n_threads)
  : n_threads_(n_threads)
  , n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , matrices_(memory, mesh, material, n_threads)
  , connectivity_(memory, 8 * mesh.n_elements)
  , stiffness_(memory, std::vector<Number>(mesh.n_elements, Number(1)))
{
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      connectivity_.data()[8 * e + v] = mesh.connectivity[v * n_elements_ + e];
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::set(const ElementMesh &mesh,
                                                       const Stiffness &stiffness)
{
  if (stiffness.solids() != nullptr && stiffness.number_of_solids() != number_of_solids_)
    {
      number_of_solids_ = 0; // in case of a failure
      matrices_.compute(mesh, *stiffness.solids(), n_threads_);
      number_of_solids_ = stiffness.number_of_solids();
    }
  if (stiffness.factors() != nullptr)
    return set_stiffness(*stiffness.factors());
  ElementOperator<Number>::set(mesh, stiffness);
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::set_stiffness(const Array<double> &factors)
{
  const double *const in = factors.data();
  Number *const out      = stiffness_.data();
  cpu::parallel_for(n_threads_, n_elements_, [=](const std::size_t e) {
    out[e] = static_cast<Number>(in[e]);
  });
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::diagonal(Array<Number> &d) const
{
  d.set_zero();
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      const Number *const matrix = matrices_.matrix(e);
      for (int v = 0; v < 8; ++v)
        for (int c = 0; c < n_components; ++c)
          d.data()[n_components * std::size_t(connectivity_.data()[8 * e + v]) + c] +=
            stiffness_.data()[e] * matrix[(n_dofs + 1) * (n_components * v + c)];
    }
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::diagonal_blocks(Array<Number> &blocks) const
{
  if constexpr (n_components == 1)
    diagonal(blocks);
  else
    ElementOperator<Number>::diagonal_blocks(blocks);
}

template <typename Number, int n_components>
void StoredMatricesOperator<Number, n_components>::energies(const Array<Number> &u,
                                                            Array<double> &c) const
{
  const int n_parts = cpu::parts_of_elements(n_threads_, n_elements_, n_elements_);
  cpu::parallel_for_long(n_parts, n_elements_, [&](const std::size_t e) {
    Number local[n_dofs];
    gather(e, u.data(), local);
    const Number *const matrix = matrices_.matrix(e);
    double energy              = 0;
    for (int i = 0; i < n_dofs; ++i)
      {
        double row = 0;
        for (int j = 0; j < n_dofs; ++j)
          row += static_cast<double>(matrix[n_dofs * i + j]) * static_cast<double>(local[j]);
        energy += row * static_cast<double>(local[i]);
      }
    c.data()[e] = energy;
  });
}

template <typename Number, int n_components>
OperatorCost StoredMatricesOperator<Number, n_components>::cost() const
{
  const double n = static_cast<double>(n_elements_);
  OperatorCost cost;
  cost.bytes_per_apply = n * (ElementMatrices<Number, n_components>::size * sizeof(Number) +
                              8 * sizeof(LocalIndex) + sizeof(Number)) +
                         2. * n_components * n_nodes_ * sizeof(Number);
  cost.flops_per_apply = n * (2. * matrices_.size + n_dofs);
  cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
  return cost;
}

template <typename Number, int n_components>
double StoredMatricesOperator<Number, n_components>::memory_estimate(const std::size_t n_elements,
                                                                     std::size_t)
{
  return static_cast<double>(n_elements) *
         (ElementMatrices<Number, n_components>::size * sizeof(Number) + 8 * sizeof(LocalIndex) +
          sizeof(Number));
}

template class ElementMatrices<double, 3>;
template class ElementMatrices<float, 3>;
template class ElementMatrices<double, 1>;
template class ElementMatrices<float, 1>;
template class StoredMatricesOperator<double, 3>;
template class StoredMatricesOperator<float, 3>;
template class StoredMatricesOperator<double, 1>;
template class StoredMatricesOperator<float, 1>;
} // namespace strut
