// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <functional>

namespace strut
{
struct ElementMesh;

/// Number of components of a symmetric tangent: the upper triangle of its matrix in Voigt's
/// notation, row by row, C_11, C_12, ..., C_16, C_22, ..., C_66. Entries and shear strains are
/// those of ElasticityMatrix.
constexpr unsigned int n_tangent_components = 21;

/// The tangents of elements, one component of all elements at a time.
/// `fields(point, component, values)` sets values, `[n_elements]`, on the backend. `point` counts
/// Gauss points, x fastest; it is always 0 where elements have one tangent.
using TangentFields =
  std::function<void(unsigned int point, unsigned int component, Array<double> &values)>;

/// Interface of an ElementOperator that also takes a tangent, stress = C : strain, of each Gauss
/// point or of each element, `K_e = sum_q w_q B_q^T C_q B_q`. The Material that it was made with is
/// then ignored.
template <typename Number>
class TangentElements
{
public:
  virtual ~TangentElements() = default;

  /// Sets the tangents. From now on products, diagonals and energies use them, and neither
  /// set_stiffness() nor set_lame() is called any more.
  ///
  /// @param mesh      the mesh that the operator was made from
  /// @param n_points  8, or 1: the same at all points of an element
  virtual void
  set_tangents(const ElementMesh &mesh, unsigned int n_points, const TangentFields &fields) = 0;

  /// Sets values[e] to a component of the tangents as rounded to Number. It is the mean over
  /// n_points points from first_point on.
  virtual void mean_tangents(unsigned int component,
                             unsigned int first_point,
                             unsigned int n_points,
                             Array<double> &values) const = 0;
};
} // namespace strut
