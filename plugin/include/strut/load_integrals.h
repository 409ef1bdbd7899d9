// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <strut/load.h>

#include <functional>
#include <string>

namespace strut
{
/// Force per area as a function of a point of the boundary and the outward unit normal there.
using Traction =
  std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &, const dealii::Tensor<1, 3> &)>;

/// Force per volume as a function of the point.
using ForceDensity = std::function<dealii::Tensor<1, 3>(const dealii::Point<3> &)>;

/// Adds `int N_a t dA` to the forces, over the faces of the load's region. These have its boundary
/// ids or names, and its expression holds at their centres. The quadrature has 2x2 Gauss points per
/// face. Faces inside of the mesh have the normal that the mesh file gives.
/// @return a description of the loaded faces: "32 faces of area 8"
/// @throws EntryError if there is no such face. Collective.
std::string
add_face_integral(const LoadContext &context, const Load &load, const Traction &traction);

/// Area of the faces of the load's region over all ranks, by the same quadrature; 0 if there is
/// none. Collective.
double region_area(const LoadContext &context, const Load &load);

/// Function of the number of an element of this rank.
using ElementVisitor = std::function<void(std::size_t)>;

/// Calls visit() for this rank's elements of the load's region. These have its material ids, and
/// its expression holds at their centres.
/// @return a description of the loaded elements: "64 elements"
/// @throws EntryError if there is no such element, and if the region names boundary ids.
/// Collective.
std::string
visit_elements(const LoadContext &context, const Load &load, const ElementVisitor &visit);

/// Adds `int N_a b dV` to the forces, over the elements of the load's region. These have its
/// material ids, and its expression holds at their centres. The quadrature has 2x2x2 Gauss points
/// per element. The force does not depend on the density of the design.
/// @return a description of the loaded elements: "64 elements"
/// @throws EntryError if there is no such element, and if the region names boundary ids.
/// Collective.
std::string
add_volume_integral(const LoadContext &context, const Load &load, const ForceDensity &force);

/// Adds a force per volume of solid material to LoadContext::weights and
/// LoadContext::uneven_weights. It scales with the density of the design. Elements, quadrature and
/// errors are those of add_volume_integral(). Collective.
/// @return a description of the loaded elements: "64 elements"
std::string
add_weight_integral(const LoadContext &context, const Load &load, const ForceDensity &force);
} // namespace strut
