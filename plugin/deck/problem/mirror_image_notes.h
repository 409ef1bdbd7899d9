// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/deck_mesh.h>
#include <strut/element/elasticity_matrix.h>

#include <mpi.h>

#include <string>
#include <vector>

#include "plugin/deck/problem/region_sections.h"

namespace strut
{
/// NOTEs on mirror images behind planes of symmetry, for decks whose author may have meant the
/// whole body. Planes that pass through the mesh have neither images nor notes.
class MirrorImageNotes
{
public:
  /// @param planes  all planes of the deck
  MirrorImageNotes(const DeckMesh &mesh,
                   const MeshSummary &summary,
                   const std::vector<SymmetryPlanes::Plane> &planes,
                   MPI_Comm communicator);

  /// Note on a load that acts along the normal of a plane, in total or on nodes of the plane. Empty
  /// for most loads. Collective.
  /// @param owner  "load 'tip'"
  /// @param forces  forces at least on the owned degrees of freedom
  /// @param weights  self weight of the load by element, or empty
  std::string of_load(const std::string &owner,
                      const std::vector<double> &forces,
                      const std::vector<dealii::Tensor<1, 3>> &weights) const;

  /// Note on a support that moves nodes along the normal of a plane.
  std::string of_support(const Support &support) const;

  /// Note on a solid whose elasticity is not symmetric about a plane.
  std::string of_material(const std::string &owner, const ElasticityMatrix &solid) const;

private:
  const DeckMesh &mesh_;
  std::vector<SymmetryPlanes::Plane> planes_; ///< planes with images
  double tolerance_;
  MPI_Comm communicator_;
};
} // namespace strut
