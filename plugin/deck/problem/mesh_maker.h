// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>
#include <strut/deck_mesh.h>
#include <strut/mesh/hierarchy.h>

#include <mpi.h>

#include <memory>

#include "plugin/deck/mesh/coarse_mesh.h"

namespace strut
{
struct MacroMesh;
struct MeshSets;
class MacroMeshPart;

/// The coarse mesh of deal.II with its manifolds, for refinement by strut.
/// @param triangulation  unrefined hexahedra; must live as long as the result
/// @throws Error if it is refined
MacroMesh build_macro_mesh(const dealii::Triangulation<3, 3> &triangulation);

/// Makes the mesh of a deck from its coarse mesh, which every rank has. strut refines it with all
/// threads, and each rank makes its own part. deal.II never sees a fine mesh, and a coarse one only
/// if it is refined.
class MeshMaker
{
public:
  explicit MeshMaker(MPI_Comm communicator);
  ~MeshMaker();

  /// Triangulation for the coarse mesh, if it is to be refined.
  dealii::Triangulation<3, 3> &triangulation()
  {
    return *triangulation_;
  }

  /// Makes the mesh by refining triangulation(). To be called once. Collective.
  /// @throws Error for inverted elements, and if there are too many elements
  DeckMesh make_mesh(unsigned int n_refinements, const MeshSets *sets);
  /// Makes a mesh that is not refined. Otherwise like the other make_mesh().
  DeckMesh make_mesh(CoarseMesh cells, const MeshSets *sets);

  /// The coarse mesh that make_mesh() started from.
  const CoarseMesh &coarse() const
  {
    return coarse_;
  }

  /// Returns the coarser meshes from which the mesh was refined, with its constraints. Background
  /// cells are used where these are missing or too large, or with dependent DoFs. To be called
  /// after make_mesh(). Collective.
  MeshHierarchy make_hierarchy(const ElementMesh &mesh) const;

private:
  DeckMesh make(MacroMesh macro, const MeshSets *sets);

  MPI_Comm communicator_;
  std::unique_ptr<dealii::Triangulation<3, 3>> triangulation_;
  CoarseMesh coarse_;
  std::unique_ptr<MacroMeshPart> part_; ///< null on one rank
  unsigned int n_refinements_ = 0;
};
} // namespace strut
