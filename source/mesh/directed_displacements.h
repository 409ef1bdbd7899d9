// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <optional>
#include <vector>

namespace strut
{
/// A prescribed displacement of a node along a direction: direction . u = value.
struct DirectedDisplacement
{
  std::array<double, 3> direction{}; ///< The unit vector.
  double value = 0.;                 ///< length units of the mesh
};

/// The displacements u of a node that have the prescribed ones. Component c is free, or is
///
///     u_c = values[c] + sum_d weights[c][d] u_d,
///
/// where d are the free components.
struct NodeDisplacements
{
  std::array<bool, 3> is_free{{true, true, true}};
  std::array<std::array<double, 3>, 3> weights{};
  std::array<double, 3> values{};
};

/// Solves the equations of a node by elimination with full pivoting, so that no weight of a single
/// direction exceeds 1. Directions that differ by rounding of coordinates in files, 1e-5, are one.
///
/// @return nothing if the equations contradict each other
std::optional<NodeDisplacements>
displacements_along(const std::vector<DirectedDisplacement> &prescribed);

/// Returns the matrices that give the force along each direction from the force on a node,
/// `[row][column]`. They share out what directions have in common; the forces of supports without
/// friction are along the directions, and add up to that on the node.
std::vector<std::array<std::array<double, 3>, 3>>
forces_along(const std::vector<DirectedDisplacement> &prescribed);
} // namespace strut
