// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/deck_mesh.h>

#include <vector>

#include "plugin/deck/mesh/bodies.h"

namespace strut
{
/// The ties of faces that touch.
struct TiedFaces
{
  AffineRows rows;                        ///< rows of the nodes of one side
  double untied_area = 0.;                ///< area of faces none of whose nodes could be tied
  std::array<DeckMesh::Face, 2> untied{}; ///< one of these faces, and a face that it touches
  std::size_t n_nodes = 0;                ///< number of tied nodes
};

/// Makes rows that equate the displacements of touching faces in the mean. For one rank; uses the
/// supports of the mesh.
///
/// The tied side is the one whose area the other side covers completely; if both are covered, the
/// finer one. N_s are its shape functions, N_m those of the other side, psi_s the dual ones
/// (Wohlmuth 2000). On each face, the psi_s are the combinations of the N_s for which the integral
/// of psi_s N_t is that of N_s for t = s, and 0 otherwise:
///
///     u_s = sum_m w_sm u_m,   w_sm = integral of psi_s N_m / integral of N_s
///
/// The integrals are over the overlap. Linear displacements satisfy the rows. Constant stresses are
/// in equilibrium: as the psi_s add up to 1, the masters get the same force as the other side.
/// Weights at the closest point would have the first property only.
///
/// Some nodes of the tied side have no row: held nodes, nodes of both sides, and nodes mostly
/// beside the other side. The same holds for nodes already tied or masters of others. On each of
/// their faces, the other nodes share their psi.
TiedFaces
tie_faces(const DeckMesh &mesh, const std::vector<UnjoinedFaces> &unjoined, double tolerance);
} // namespace strut
