// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <array>
#include <optional>
#include <vector>

namespace strut
{
/// Nodes that move as a rigid body: a kinematic coupling, RBE2.
struct RigidRegion
{
  std::vector<LocalIndex> nodes; ///< ascending
  std::array<double, 3> point{}; ///< The motions are those of this point, in length units.
  /// Prescribed motions: translations of the point along x, y, z, length units of the mesh, and
  /// small rotations about x, y, z by the right-hand rule, radians.
  std::array<std::optional<double>, 6> motions;
  /// Whether planes of mirror symmetry with normals along x, y, z cut the region. It is one body
  /// with its image, so that it moves along the planes, and turns about their normals.
  std::array<bool, 3> is_cut{};
};

/// The equations of a rigid region. Displacements satisfy them if and only if they are a rigid
/// motion of the region that agrees with the prescribed motions and with the constrained DoFs.
struct RigidRegionRows
{
  AffineRows dependent; ///< DoFs that follow at most six of the region
  std::vector<LocalIndex> held_dofs;
  std::vector<double> held_values;
  std::size_t n_free_motions = 0;
};

/// Makes the equations of a region from the motions that are left free, x = x_0 + N z, at most six.
/// DoFs that determine z are left free: in each step the one whose row of N is furthest from those
/// of the others, so that weights are not large. The other DoFs follow. For one rank.
///
/// @param mesh  The constrained DoFs hold nodes of the region as well. No node of the region has
///              dependent DoFs.
/// @throws Error if prescribed motions, planes of symmetry and constrained DoFs contradict each
///         other
RigidRegionRows rows_of_rigid_region(const ElementMesh &mesh, const RigidRegion &region);
} // namespace strut
