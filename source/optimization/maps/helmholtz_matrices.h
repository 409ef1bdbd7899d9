// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/filter_operations.h"

#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <vector>

namespace strut
{
/// The matrices of the PDE filter (Lazarov and Sigmund 2011) on the elements of a rank, with the
/// trilinear functions N_i of its nodes, owned ones and ghosts, by 2x2x2 Gauss points:
///
///     A_ij = int r^2 grad N_i . grad N_j + delta_ij (int N_i + m_i),   T_ie = int_e N_i
///
/// The mass matrix is lumped: on cubes no entry of A beside the diagonal is positive then, so that
/// no filtered density leaves the bounds of the others. With the consistent one some do where the
/// radius is less than two edges, by 3 % for one and a half. Constants and the volume are kept by
/// both.
///
/// A hanging node is no unknown: its N is given to the nodes that it hangs on. So A is C^T A C, and
/// T is C^T T, with the rows C of ElementMesh::dependent. Rows that a support has changed no longer
/// tell what a node hangs on; such a node is an unknown, and the function may be discontinuous
/// beside it, as at a boundary. So are nodes that follow others for another reason than hanging.
struct HelmholtzMatrices
{
  SlicedRows A;                 ///< `[n_nodes][n_nodes]`, length^3; rows of no unknowns are empty
  SlicedRows T;                 ///< `[n_nodes][n_elements]`, length^3
  SlicedRows T_t;               ///< its transpose
  std::vector<double> diagonal; ///< of A, `[n_nodes]`, length^3: the part of this rank

  /// @param r  the length of the filter, not its radius
  /// @param m  what the boundary adds, `[n_nodes]`, length^3; empty: nothing
  HelmholtzMatrices(
    Memory &memory, const ElementMesh &mesh, double r, const std::vector<double> &m, int n_threads);
};

/// The part of this rank in `int grad N_i`, which over all ranks is the integral of N_i times the
/// normal over the boundary, and zero at nodes inside: so nobody has to find the faces of the
/// boundary. `[n_nodes][3]`, length^2
std::vector<double> boundary_normals(const ElementMesh &mesh);

/// How many entries the three matrices will have, about.
double entries_of_helmholtz_matrices(const ElementMesh &mesh);

/// Whether some node is no unknown.
bool has_hanging_nodes(const ElementMesh &mesh);
} // namespace strut
