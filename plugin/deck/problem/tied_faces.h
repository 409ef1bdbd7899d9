// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/deck_mesh.h>

#include <vector>

#include "plugin/deck/mesh/touching_parts.h"

namespace strut::plugin
{
/// The ties of faces that touch.
struct TiedFaces
{
  AffineRows rows;                        ///< of the nodes of one side
  double untied_area = 0.;                ///< of faces none of whose nodes could be tied
  std::array<DeckMesh::Face, 2> untied{}; ///< one of them, and a face that it touches
  std::size_t n_nodes = 0;                ///< tied ones
};

/// Rows that make the displacements of touching faces equal, in the mean. On one rank, with the supports of the mesh.
///
/// Of two sides the one is tied that lies on the other with all of its area; if both do, the finer one. With N_s its shape
/// functions, N_m those of the other side and psi_s the dual ones (Wohlmuth 2000), on each face the combinations of the N_s with
/// the integral of psi_s N_t being that of N_s for t = s, and 0 otherwise:
///
///     u_s = sum_m w_sm u_m,   w_sm = integral of psi_s N_m / integral of N_s
///
/// The integrals are over the overlap. Linear displacements satisfy the rows, and constant stresses are in equilibrium: as the
/// psi_s add up to 1, the masters get as much force as the other side has. Weights at the closest point have the first
/// property alone. A node of the side that is held, or of both sides, or mostly beside the other side, or tied or
/// another one's master before has no row: on each of its faces the other nodes share its psi.
TiedFaces
tie_faces(const DeckMesh &mesh, const std::vector<UnjoinedFaces> &unjoined, double tolerance);
} // namespace strut::plugin
