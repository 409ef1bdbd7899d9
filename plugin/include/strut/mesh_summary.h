// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/bounding_box.h>

#include <mpi.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace strut
{
class DeckMesh;
struct MeshSets;

/// The sizes of a mesh over all ranks, for tables, messages and the constants of expressions.
struct MeshSummary
{
  struct Part
  {
    std::uint64_t count = 0; ///< faces or cells
    double measure      = 0; ///< area or volume
    dealii::BoundingBox<3> box;
    std::string name;         ///< in the mesh file; may be empty
    bool is_interior = false; ///< whether some faces are not on the boundary
  };

  std::uint64_t n_cells = 0;
  std::uint64_t n_nodes = 0;
  double smallest_cell  = 0; ///< cube root of the smallest volume
  double shortest_edge  = 0; ///< over all elements
  double longest_edge   = 0;
  bool has_hexahedra    = true; ///< whether elements are hexahedra, not tetrahedra
  dealii::BoundingBox<3> box;
  std::map<unsigned int, Part> boundary_ids;
  std::map<unsigned int, Part> material_ids;
  std::map<std::string, Part> node_sets; ///< Sets that the mesh file had before refinement.
  Part whole_boundary, whole_mesh;       ///< each face and element counts once

  /// The sets that the mesh file names or numbers; null for generated meshes.
  std::shared_ptr<const MeshSets> sets;

  /// Computes the summary. Collective.
  static MeshSummary collect(const DeckMesh &mesh,
                             MPI_Comm communicator,
                             std::shared_ptr<const MeshSets> sets = nullptr);

  /// Distance below which coordinates count as equal: 1e-6 of the longest edge of the box.
  double tolerance() const;

  /// Tables "id, faces, area, box, name" and "id, cells, volume, box, name" with one line per id.
  /// Faces and cells of several sets are counted in each of them. The first table also lists the
  /// node sets, if there are any.
  std::string boundary_table() const;
  std::string material_table() const;
};
} // namespace strut
