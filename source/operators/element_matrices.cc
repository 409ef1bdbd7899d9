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
template <typename Number>
ElementMatrices<Number>::ElementMatrices(Memory &memory,
                                         const ElementMesh &mesh,
                                         const Material &material,
                                         const int n_threads)
  : values_(memory, size * mesh.n_elements)
{
  compute_each(mesh, n_threads, [&](std::size_t) -> const Material & { return material; });
}

template <typename Number>
void ElementMatrices<Number>::compute(const ElementMesh &mesh,
                                      const AnisotropicSolids &solids,
                                      const int n_threads)
{
  compute_each(mesh, n_threads, [&](const std::size_t e) -> const ElasticityMatrix & {
    return solids.of(e);
  });
}

template <typename Number>
template <typename SolidOf>
void ElementMatrices<Number>::compute_each(const ElementMesh &mesh,
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
        double rows[3][24];
        hexahedron::stored_stiffness_rows<Number>(X, solid_of(e), a, rows);
        for (int i = 0; i < 3; ++i)
          for (int column = 0; column < 24; ++column)
            values[size * e + 24 * (3 * a + i) + column] = static_cast<Number>(rows[i][column]);
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

template <typename Number>
StoredMatricesOperator<Number>::StoredMatricesOperator(Memory &memory,
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

template <typename Number>
void StoredMatricesOperator<Number>::set(const ElementMesh &mesh, const Stiffness &stiffness)
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

template <typename Number>
void StoredMatricesOperator<Number>::set_stiffness(const Array<double> &factors)
{
  const double *const in = factors.data();
  Number *const out      = stiffness_.data();
  cpu::parallel_for(n_threads_, n_elements_, [=](const std::size_t e) {
    out[e] = static_cast<Number>(in[e]);
  });
}

template <typename Number>
void StoredMatricesOperator<Number>::diagonal(Array<Number> &d) const
{
  d.set_zero();
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      const Number *const matrix = matrices_.matrix(e);
      for (int v = 0; v < 8; ++v)
        for (int c = 0; c < 3; ++c)
          d.data()[3 * std::size_t(connectivity_.data()[8 * e + v]) + c] +=
            stiffness_.data()[e] * matrix[25 * (3 * v + c)];
    }
}

template <typename Number>
void StoredMatricesOperator<Number>::energies(const Array<Number> &u, Array<double> &c) const
{
  const int n_parts = cpu::parts_of_elements(n_threads_, n_elements_, n_elements_);
  cpu::parallel_for_long(n_parts, n_elements_, [&](const std::size_t e) {
    Number local[24];
    gather(e, u.data(), local);
    const Number *const matrix = matrices_.matrix(e);
    double energy              = 0;
    for (int i = 0; i < 24; ++i)
      {
        double row = 0;
        for (int j = 0; j < 24; ++j)
          row += static_cast<double>(matrix[24 * i + j]) * static_cast<double>(local[j]);
        energy += row * static_cast<double>(local[i]);
      }
    c.data()[e] = energy;
  });
}

template <typename Number>
OperatorCost StoredMatricesOperator<Number>::cost() const
{
  const double n = static_cast<double>(n_elements_);
  OperatorCost cost;
  cost.bytes_per_apply =
    n * (ElementMatrices<Number>::size * sizeof(Number) + 8 * sizeof(LocalIndex) + sizeof(Number)) +
    6. * n_nodes_ * sizeof(Number);
  cost.flops_per_apply = n * (2. * 576 + 24);
  cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
  return cost;
}

template <typename Number>
double StoredMatricesOperator<Number>::memory_estimate(const std::size_t n_elements, std::size_t)
{
  return static_cast<double>(n_elements) *
         (ElementMatrices<Number>::size * sizeof(Number) + 8 * sizeof(LocalIndex) + sizeof(Number));
}

template class ElementMatrices<double>;
template class ElementMatrices<float>;
template class StoredMatricesOperator<double>;
template class StoredMatricesOperator<float>;
} // namespace strut
