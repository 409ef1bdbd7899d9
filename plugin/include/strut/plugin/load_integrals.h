// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <strut/plugin/load.h>

#include <functional>
#include <string>

namespace strut::plugin
{
/// Force per area at a point of the boundary with this outward unit normal.
using Traction =
  std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &, const dealii::Tensor<1, 3> &)>;

/// Force per volume at a point.
using ForceDensity = std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &)>;

/// Adds `int N_a t dA` to the forces, over the faces of the load's region: those with its boundary ids or
/// names at whose centre its expression holds. 2x2 Gauss points per face. Of a face inside of the mesh the
/// normal is that of the mesh file.
/// @return a description of the loaded faces: "32 faces of area 8"
/// @throws EntryError if there is no such face. Collective.
std::string
add_face_integral(const LoadContext &context, const Load &load, const Traction &traction);

/// Area of these faces over all ranks, by the same quadrature; 0 if there is none. Collective.
double region_area(const LoadContext &context, const Load &load);

/// The number of an element of this rank.
using ElementVisitor = std::function<void(std::size_t)>;

/// Calls visit() for this rank's elements of the load's region: those with its material ids at whose
/// centre its expression holds.
/// @return a description of the loaded elements: "64 elements"
/// @throws EntryError if there is no such element, and if the region names boundary ids. Collective.
std::string
visit_elements(const LoadContext &context, const Load &load, const ElementVisitor &visit);

/// Adds `int N_a b dV` to the forces, over the elements of the load's region: those with its material
/// ids at whose centre its expression holds. 2x2x2 Gauss points per element. It does not depend on the
/// density of the design.
/// @return a description of the loaded elements: "64 elements"
/// @throws EntryError if there is no such element, and if the region names boundary ids. Collective.
std::string
add_volume_integral(const LoadContext &context, const Load &load, const ForceDensity &force);
} // namespace strut::plugin
