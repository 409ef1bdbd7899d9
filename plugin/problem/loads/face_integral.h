// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/tensor.h>

#include <strut/plugin/load.h>

#include <functional>

namespace strut::plugin
{
/// The boundary faces of a region are those with its boundary ids at whose centre its expression
/// holds.
///
/// Adds `int N_a t dA` over these faces, 2x2 Gauss points a face, with the traction
/// `t = traction(outward unit normal)`; throws if there is none. Returns "32 faces of area 8".
/// Collective.
std::string add_face_integral(
  const LoadContext &context,
  const Load &load,
  const std::function<dealii::Tensor<1, 3>(const dealii::Tensor<1, 3> &)> &traction);

/// Area of these faces over all ranks, by the same quadrature; 0 if there is none. Collective.
double region_area(const LoadContext &context, const Load &load);
} // namespace strut::plugin
