// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
#include "source/element/nodal_block.h"
#include "source/element/stored_stiffness.h"
#include "source/operators/parts_of_elements.h"

#include <strut/operators/element_matrices.h>

#include <algorithm>
#include <type_traits>

namespace strut
{
template <typename Number, int n_components, int n_element_nodes>
ElementMatrices<Number, n_components, n_element_nodes>::ElementMatrices(Memory &memory,
                                                                        const ElementMesh &mesh,
                                                                        const Material &material,
                                                                        const int n_threads)
  : values_(memory, size * mesh.n_elements)
{
  compute_each(mesh, n_threads, [&](std::size_t) -> const Material & { return material; });
}

template <typename Number, int n_components, int n_element_nodes>
void ElementMatrices<Number, n_components, n_element_nodes>::compute(
  const ElementMesh &mesh, const AnisotropicSolids &solids, const int n_threads)
{
  compute_each(mesh, n_threads, [&](const std::size_t e) -> const ElasticityMatrix & {
    return solids.of(e);
  });
}

template <typename Number, int n_components, int n_element_nodes>
template <typename SolidOf>
void ElementMatrices<Number, n_components, n_element_nodes>::compute_each(const ElementMesh &mesh,
                                                                          const int n_threads,
                                                                          const SolidOf &solid_of)
{
  Number *const values = values_.data();
  with_element(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    if constexpr (Element::n_nodes == n_element_nodes)
      cpu::parallel_for_long(n_threads, mesh.n_elements, [&](const std::size_t e) {
        double X[3][n_element_nodes];
        nodes_of<Element>(mesh, e, X);
        for (int a = 0; a < n_element_nodes; ++a)
          {
            double rows[n_components][n_dofs];
            hexahedron::stored_stiffness_rows<Number, Element>(X, solid_of(e), a, rows);
            for (int i = 0; i < n_components; ++i)
              for (int column = 0; column < n_dofs; ++column)
                values[size * e + n_dofs * (n_components * a + i) + column] =
                  static_cast<Number>(rows[i][column]);
          }
      });
  });
}

template <typename Number, int n_components, int n_element_nodes>
StoredMatricesOperator<Number, n_components, n_element_nodes>::StoredMatricesOperator(
  Memory &memory, const ElementMesh &mesh, const Material &material, const int n_threads)
  : n_threads_(n_threads)
  , n_elements_(mesh.n_elements)
  , n_nodes_(mesh.n_nodes)
  , matrices_(memory, mesh, material, n_threads)
  , connectivity_(memory, n_element_nodes * mesh.n_elements)
  , stiffness_(memory, std::vector<Number>(mesh.n_elements, Number(1)))
{
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (int v = 0; v < n_element_nodes; ++v)
      connectivity_.data()[n_element_nodes * e + v] = mesh.node(e, v);
}

template <typename Number, int n_components, int n_element_nodes>
void StoredMatricesOperator<Number, n_components, n_element_nodes>::set(const ElementMesh &mesh,
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

template <typename Number, int n_components, int n_element_nodes>
void StoredMatricesOperator<Number, n_components, n_element_nodes>::set_stiffness(
  const Array<double> &factors)
{
  const double *const in = factors.data();
  Number *const out      = stiffness_.data();
  cpu::parallel_for(n_threads_, n_elements_, [=](const std::size_t e) {
    out[e] = static_cast<Number>(in[e]);
  });
}

template <typename Number, int n_components, int n_element_nodes>
void StoredMatricesOperator<Number, n_components, n_element_nodes>::diagonal(Array<Number> &d) const
{
  d.set_zero();
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      const Number *const matrix = matrices_.matrix(e);
      for (int v = 0; v < n_element_nodes; ++v)
        for (int c = 0; c < n_components; ++c)
          d.data()[n_components * std::size_t(connectivity_.data()[n_element_nodes * e + v]) + c] +=
            stiffness_.data()[e] * matrix[(n_dofs + 1) * (n_components * v + c)];
    }
}

template <typename Number, int n_components, int n_element_nodes>
void StoredMatricesOperator<Number, n_components, n_element_nodes>::diagonal_blocks(
  Array<Number> &blocks) const
{
  using Block = NodalBlock<Number, n_components>;
  std::fill_n(blocks.data(), Block::size * n_nodes_, Number(0));
  for (std::size_t e = 0; e < n_elements_; ++e)
    for (int v = 0; v < n_element_nodes; ++v)
      {
        const std::size_t node     = connectivity_.data()[n_element_nodes * e + v];
        const Number *const corner = matrices_.matrix(e) + (n_dofs + 1) * n_components * v;
        for (int i = 0; i < n_components; ++i)
          for (int j = i; j < n_components; ++j)
            blocks.data()[Block::size * node + Block::index(i, j)] +=
              stiffness_.data()[e] * corner[n_dofs * i + j];
      }
}

template <typename Number, int n_components, int n_element_nodes>
void StoredMatricesOperator<Number, n_components, n_element_nodes>::energies(const Array<Number> &u,
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

template <typename Number, int n_components, int n_element_nodes>
OperatorCost StoredMatricesOperator<Number, n_components, n_element_nodes>::cost() const
{
  const double n = static_cast<double>(n_elements_);
  OperatorCost cost;
  cost.bytes_per_apply =
    n * (ElementMatrices<Number, n_components, n_element_nodes>::size * sizeof(Number) +
         n_element_nodes * sizeof(LocalIndex) + sizeof(Number)) +
    2. * n_components * n_nodes_ * sizeof(Number);
  cost.flops_per_apply = n * (2. * matrices_.size + n_dofs);
  cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
  return cost;
}

template <typename Number, int n_components, int n_element_nodes>
double StoredMatricesOperator<Number, n_components, n_element_nodes>::memory_estimate(
  const std::size_t n_elements, std::size_t)
{
  return static_cast<double>(n_elements) *
         (ElementMatrices<Number, n_components, n_element_nodes>::size * sizeof(Number) +
          n_element_nodes * sizeof(LocalIndex) + sizeof(Number));
}

extern template class StoredMatricesOperator<double, 3>;
extern template class StoredMatricesOperator<float, 3>;
extern template class StoredMatricesOperator<double, 1>;
extern template class StoredMatricesOperator<float, 1>;
} // namespace strut
