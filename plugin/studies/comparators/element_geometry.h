// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/material.h>
#include <strut/mesh/colouring.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut::plugin
{
/// The elements of one rank for operators that keep no element matrices: a copy of the geometry, and
/// what can be summed from it in one loop over the elements. Computes in double, on OpenMP threads.
class ElementGeometry
{
public:
  ElementGeometry(const ElementMesh &mesh, const Material &material, int n_threads);

  /// Vertex coordinates of an element, `X[d][v]`.
  void vertices(const std::size_t element, double (&X)[3][8]) const
  {
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t d = 0; d < 3; ++d)
        X[d][v] = coordinates_[3 * std::size_t(node(element, v)) + d];
  }

  LocalIndex node(const std::size_t element, const std::size_t vertex) const
  {
    return connectivity_[8 * element + vertex];
  }

  /// d_i = sum_e E_e (K0_e)_ii; overwrites d. @param factors  E_e, `[n_elements]`
  template <typename Number>
  void diagonal(const std::vector<double> &factors, Array<Number> &d) const;

  /// c_e = u_e^T K0_e u_e, `[n_elements]`.
  template <typename Number>
  void energies(const Array<Number> &u, Array<double> &c) const;

  const Material &material() const
  {
    return material_;
  }
  int n_threads() const
  {
    return n_threads_;
  }
  std::size_t n_elements() const
  {
    return n_elements_;
  }
  std::size_t n_nodes() const
  {
    return n_nodes_;
  }

  double memory_bytes() const;

  /// Bytes that it keeps, with several threads.
  static double memory_estimate(std::size_t n_elements, std::size_t n_nodes);

private:
  Material material_;
  int n_threads_;
  std::size_t n_elements_, n_nodes_;
  std::vector<double> coordinates_;      ///< `[n_nodes][3]`
  std::vector<LocalIndex> connectivity_; ///< `[n_elements][8]`
  Colouring colouring_{{0}, {}};         ///< empty for one thread
};
} // namespace strut::plugin
