// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/filter_operations.h"

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The matrices of the PDE filter (Lazarov and Sigmund 2011) on the elements of a rank, by their
/// Gauss points. N_i are the linear functions of its vertices, owned ones and ghosts:
///
///     A_ij = int r^2 grad N_i . grad N_j + delta_ij (int N_i + m_i),   T_ie = int_e N_i
///
/// The mass matrix is lumped. Then no entry of A beside the diagonal is positive on cubes, and no
/// filtered density leaves the bounds of the others. With the consistent matrix some do where the
/// radius is less than two edges, by 3 % for one and a half. Both matrices keep constants and the
/// volume.
///
/// Of quadratic elements the vertices alone are unknowns, since sums of rows of their mass are
/// negative at vertices. Their geometry is that of all nodes, which keeps the volume.
///
/// A hanging node is no unknown: its N is given to the nodes that it depends on. So A is C^T A C,
/// and T is C^T T, with the rows C of ElementMesh::dependent.
///
/// Rows that a support has changed no longer show which nodes a node hangs on. Such a node is an
/// unknown, and the function may be discontinuous beside it, as at a boundary. The same holds for
/// nodes that follow others for another reason than hanging.
struct HelmholtzMatrices
{
  SlicedRows A;   ///< `[n_nodes][n_nodes]`, length^3; rows of nodes that are no unknowns are empty
  SlicedRows T;   ///< `[n_nodes][n_elements]`, length^3
  SlicedRows T_t; ///< transpose of T
  std::vector<double> diagonal; ///< diagonal of A, `[n_nodes]`, length^3: the part of this rank

  /// Integrate the matrices.
  /// @param r  the length of the filter, not its radius
  /// @param m  contribution of the boundary, `[n_nodes]`, length^3; empty for none
  HelmholtzMatrices(
    Memory &memory, const ElementMesh &mesh, double r, const std::vector<double> &m, int n_threads);
};

/// The part of this rank in `int grad N_i`, `[n_nodes][3]`, length^2. Over all ranks this is the
/// integral of N_i times the normal over the boundary, and zero at nodes inside. So the faces of
/// the boundary need not be found.
std::vector<double> boundary_normals(const ElementMesh &mesh);

/// Estimated number of entries of the three matrices.
double entries_of_helmholtz_matrices(const ElementMesh &mesh);

/// Whether some node hangs, so that it is no unknown.
bool has_hanging_nodes(const ElementMesh &mesh);
} // namespace strut
