// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/stored_stiffness.h"
#include "source/mesh/identical_elements.h"

#include <strut/backend/backend.h>
#include <strut/base/exceptions.h>

#include <sstream>
#include <string>

namespace strut::cuda
{
/// K0 of every element. A kernel takes it as an argument, which is constant memory. Unlike a
/// `__constant__` variable it belongs to one operator.
template <typename Number>
struct SharedMatrix
{
  Number upper[300]; ///< upper triangle, row by row

  __host__ __device__ static constexpr int index(const int i, const int j)
  {
    return i <= j ? 24 * i - i * (i - 1) / 2 + (j - i) : index(j, i);
  }

  /// Returns u^T K0 u, summed row by row.
  __device__ Number energy(const Number (&u)[24]) const
  {
    Number energy = 0;
#pragma unroll
    for (int i = 0; i < 24; ++i)
      {
        Number force = 0;
#pragma unroll
        for (int j = 0; j < 24; ++j)
          force += upper[index(i, j)] * u[j];
        energy += force * u[i];
      }
    return energy;
  }
};

/// Throws Error: the strategy does not support the mesh because of `found`. The message lists the
/// strategies that do.
[[noreturn]] inline void
refuse_mesh(const Backend &backend, const std::string &name, const std::string &found)
{
  std::string others;
  for (const Strategy<double> &strategy : backend.strategies<double>())
    if (!strategy.identical_elements_only)
      others += (others.empty() ? "" : ", ") + strategy.name;
  throw Error("The operator '" + name +
                "' has one matrix for all elements: it needs a mesh of "
                "identical elements, all\n  of one size, shape and orientation. " +
                found + "\n  Those that take any hexahedra: " + others + ".",
              Remedy::use_other_operator);
}

/// Throws Error unless all elements are moved copies of the first.
inline void
require_identical_elements(const Backend &backend, const ElementMesh &mesh, const std::string &name)
{
  const auto [e, v] = find_unequal_element(mesh);
  if (e == 0)
    return;
  double first[3][8], X[3][8];
  shape_of(mesh, 0, first);
  shape_of(mesh, e, X);
  std::ostringstream found;
  found.precision(10);
  const auto list = [&](const auto &of) {
    found << '(' << of(0) << ", " << of(1) << ", " << of(2) << ')';
  };
  found << "Element " << e << ", centre ";
  list([centre = mesh.centre(e)](const int i) { return centre[i]; });
  found << ", is not like element 0:\n  seen from vertex 0, its vertex " << v << " is at ";
  list([&, v = v](const int i) { return X[i][v]; });
  found << ", that of element 0 at ";
  list([&, v = v](const int i) { return first[i][v]; });
  refuse_mesh(backend, name, found.str() + ".");
}

/// Returns K0 of element 0, computed in double and rounded to Number; zero if there is no element.
template <typename Number>
SharedMatrix<double> shared_matrix(const ElementMesh &mesh, const Material &material)
{
  SharedMatrix<double> K = {};
  if (mesh.n_elements == 0)
    return K;
  double X[3][8], rows[3][24];
  shape_of(mesh, 0, X);
  for (int a = 0; a < 8; ++a)
    {
      hexahedron::stored_stiffness_rows<Number, Hex8>(X, material, a, rows);
      for (int i = 0; i < 3; ++i)
        for (int j = 3 * a + i; j < 24; ++j)
          K.upper[SharedMatrix<double>::index(3 * a + i, j)] = rows[i][j];
    }
  return K;
}

/// Converts a matrix to the precision of the kernels.
template <typename Number>
SharedMatrix<Number> rounded(const SharedMatrix<double> &exact)
{
  SharedMatrix<Number> K;
  for (int i = 0; i < 300; ++i)
    K.upper[i] = static_cast<Number>(exact.upper[i]);
  return K;
}
} // namespace strut::cuda
