// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/hierarchy.h>
#include <strut/plugin/dealii_classes.h>
#include <strut/plugin/deck_mesh.h>

#include <mpi.h>

#include <memory>

namespace strut::plugin
{
struct MeshSets;
class MacroMeshPart;

/// Makes the mesh of a deck from the coarse mesh of deal.II, which every rank has: strut refines it, with
/// all threads, and each rank makes its own part. deal.II never sees a fine mesh.
class MeshMaker
{
public:
  explicit MeshMaker(MPI_Comm communicator);
  ~MeshMaker();

  /// For the coarse mesh.
  dealii::Triangulation<3, 3> &triangulation()
  {
    return *triangulation_;
  }
  const dealii::Triangulation<3, 3> &triangulation() const
  {
    return *triangulation_;
  }

  /// The mesh, once. Collective.
  /// @throws Error for inverted elements, and if there are too many of them
  DeckMesh make_mesh(unsigned int n_refinements, const MeshSets *sets);

  /// The meshes that it was refined from, with its constraints, and background cells where these are missing or too
  /// large; after make_mesh(). Collective.
  MeshHierarchy make_hierarchy(const ElementMesh &mesh) const;

private:
  MPI_Comm communicator_;
  std::unique_ptr<dealii::Triangulation<3, 3>> triangulation_;
  std::unique_ptr<MacroMeshPart> part_; ///< null on one rank
  unsigned int n_refinements_ = 0;
};
} // namespace strut::plugin
