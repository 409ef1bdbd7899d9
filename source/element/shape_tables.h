// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Most nodes that an element has.
constexpr int most_nodes_of_element = 27;

/// Values of the shape functions at the points of the mass (mass_points.h), `[n_points][n_nodes]`.
std::vector<double> shapes_at_mass_points(const ElementType &type);

/// Volumes of the points of the mass of each element, `[n_points][n_elements]`.
std::vector<double> volumes_of_mass_points(const ElementMesh &mesh);

/// Gradients of the shape functions along the reference directions at the mean of the vertices,
/// `[n_nodes][3]`.
std::vector<double> gradients_at_centre(const ElementType &type);

/// Gradients of the shape functions along the reference directions at each node,
/// `[n_nodes of the point][n_nodes][3]`.
std::vector<double> gradients_at_nodes(const ElementType &type);
} // namespace strut
