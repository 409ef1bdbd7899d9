// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <strut/coarse_cells.h>

#include <array>
#include <cstdint>
#include <set>
#include <vector>

#include "plugin/deck/mesh/coarse_mesh.h"
#include "source/mesh/rigid_motions.h"

namespace strut
{
/// The bodies of a mesh. They are found on the coarse cells: refinement does not change them, and
/// every rank has all coarse cells.
struct MeshBodies
{
  Bodies bodies;                             ///< without of_node
  std::vector<std::uint32_t> of_coarse_cell; ///< body of each coarse cell
  std::vector<std::set<unsigned int>> material_ids;
  std::vector<std::size_t> n_coarse_cells; ///< number of coarse cells of each body

  std::size_t size() const
  {
    return bodies.boxes.size();
  }
};

/// Finds the bodies of a coarse mesh.
/// @param tied  pairs of cells that belong to one body although they share no face
MeshBodies find_bodies(const CoarseMesh &mesh,
                       const std::vector<std::array<std::uint32_t, 2>> &tied = {});

/// For each point, the number of the first point that is nearer than the tolerance, possibly
/// itself.
std::vector<unsigned int> first_of_coincident(const std::vector<dealii::Point<3>> &points,
                                              double tolerance);

/// Number of coarse vertices of this body that coincide with vertices of other bodies but are not
/// shared, as in a mesh whose volumes were never joined.
std::size_t n_coincident_nodes(const CoarseMesh &mesh,
                               const MeshBodies &bodies,
                               std::size_t body,
                               double tolerance);

/// Vertices of a plane convex face. Its normal points outwards by the right-hand rule.
using FacePoints = std::array<dealii::Point<3>, 4>;

double area_of(const FacePoints &face);

/// Two faces that lie on each other and overlap, as those of two touching parts.
struct TouchingFaces
{
  std::uint32_t first = 0, second = 0; ///< numbers of the faces, ascending
  double area = 0.;                    ///< area of the overlap
};

/// Overlap of two faces in the plane of the first one, in the orientation of the first one; empty
/// if there is none.
std::vector<dealii::Point<3>> overlap(const FacePoints &first, const FacePoints &second);

double area_of(const std::vector<dealii::Point<3>> &polygon);

/// Finds all pairs of faces with opposite normals that lie in one plane within the tolerance and
/// overlap. All threads are used; the result does not depend on their number.
std::vector<TouchingFaces> find_touching(const std::vector<FacePoints> &faces, double tolerance);

/// Two boundary faces of coarse cells that lie on each other and are not joined.
struct UnjoinedFaces
{
  std::array<CoarseFace, 2> sides;
  double area     = 0.;    ///< area of the overlap
  bool is_matched = false; ///< whether the vertices of both coincide
};

/// Finds all such pairs in a coarse mesh. Overlaps narrower than the tolerance are ignored.
std::vector<UnjoinedFaces> find_unjoined(const CoarseMesh &mesh, double tolerance);

/// The faces that are completely covered by other faces.
std::vector<CoarseFace> covered_faces(const CoarseMesh &mesh,
                                      const std::vector<UnjoinedFaces> &unjoined);

/// Two bodies that touch, or one body that touches itself.
struct TouchingParts
{
  std::array<std::size_t, 2> bodies{};  ///< ascending
  std::array<std::size_t, 2> n_faces{}; ///< number of touching faces of each body
  std::size_t n_shared_nodes = 0;       ///< number of nodes that both bodies share anywhere
  double area                = 0.;
  bool is_matched            = true; ///< whether all pairs of faces are matched

  /// Returns whether these are the two sides of a slit, which has two nodes at each place on
  /// purpose.
  bool is_slit() const
  {
    return bodies[0] == bodies[1] && is_matched;
  }
};

std::vector<TouchingParts> find_touching_parts(const std::vector<UnjoinedFaces> &faces,
                                               const MeshBodies &bodies);
} // namespace strut
