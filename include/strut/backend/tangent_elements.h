// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

#include <functional>

namespace strut
{
struct ElementMesh;

/// Numbers of a symmetric tangent: the upper triangle of its matrix in Voigt's notation, row by row,
/// C_11, C_12, ..., C_16, C_22, ..., C_66. Entries and shear strains are those of ElasticityMatrix.
constexpr unsigned int n_tangent_components = 21;

/// The tangents of elements, one number of all of them at a time: `fields(point, component, values)` sets values,
/// `[n_elements]`, on the backend. point counts Gauss points, x fastest, or is 0 alone where elements have one tangent.
using TangentFields =
  std::function<void(unsigned int point, unsigned int component, Array<double> &values)>;

/// What an ElementOperator may be besides: one that takes a tangent, stress = C : strain, of each Gauss point or of each
/// element, `K_e = sum_q w_q B_q^T C_q B_q`. Of the Material that it was made with nothing counts then.
template <typename Number>
class TangentElements
{
public:
  virtual ~TangentElements() = default;

  /// Products, diagonals and energies are those of these tangents from now on; neither set_stiffness() nor set_lame() is
  /// called any more.
  /// @param mesh      that the operator was made of
  /// @param n_points  8, or 1: the same at all points of an element
  virtual void
  set_tangents(const ElementMesh &mesh, unsigned int n_points, const TangentFields &fields) = 0;

  /// values[e] = a number of the tangents, as rounded to Number; the mean over n_points of them from first_point on.
  virtual void mean_tangents(unsigned int component,
                             unsigned int first_point,
                             unsigned int n_points,
                             Array<double> &values) const = 0;
};
} // namespace strut
