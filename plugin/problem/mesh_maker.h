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

/// Makes the mesh of a deck from the coarse mesh of deal.II. One rank: strut refines it, with all threads,
/// and deal.II never sees a fine mesh. Several ranks: p4est refines and partitions it.
class MeshMaker
{
public:
  /// @param with_hierarchy  whether hierarchy() will be asked for
  MeshMaker(MPI_Comm communicator, bool with_hierarchy);
  ~MeshMaker();

  /// For the coarse mesh. On several ranks make_mesh() refines it.
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

  /// The meshes that it was refined from, with its constraints; once, after make_mesh(). Collective.
  MeshHierarchy make_hierarchy(const ElementMesh &mesh);

private:
  struct Distributed;

  MPI_Comm communicator_;
  std::unique_ptr<dealii::Triangulation<3, 3>> triangulation_;
  std::unique_ptr<Distributed> distributed_; ///< null on one rank
  unsigned int n_refinements_ = 0;
};
} // namespace strut::plugin
