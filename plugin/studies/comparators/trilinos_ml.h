// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/krylov/solver_control.h>

#include <memory>
#include <vector>

namespace strut
{
/// The usual solver of a deal.II user: an assembled Trilinos matrix (Epetra) and deal.II's
/// SolverCG. The preconditioner is the algebraic multigrid ML with smoothed aggregation
/// (TrilinosWrappers::PreconditionAMG). ML gets all the information about elasticity that it can
/// use: three unknowns per node, and the six rigid body modes as its null space.
///
/// The parameters are deal.II's for elliptic problems: Chebyshev smoother of degree 2, one V-cycle,
/// Amesos-KLU on the coarsest level. Rows of constrained DoFs contain their diagonal only. Each
/// rank has one thread if Epetra has no OpenMP, as in Debian.
class TrilinosMl
{
public:
  struct Report
  {
    unsigned int iterations = 0;
    /// False if time or iterations run out, or if rounding allows no smaller residual.
    bool converged = false;
  };

  /// Numbers the DoFs and makes the pattern of the matrix. All members are collective.
  /// @throws Error if Epetra cannot number the matrix
  TrilinosMl(const Communicator &communicator, const ElementMesh &mesh, const Material &material);
  ~TrilinosMl();

  /// Assembles the matrix for the element stiffness factors E_e, `[n_elements]`, and builds ML's
  /// hierarchy for it.
  void set_stiffness(const std::vector<double> &factors);

  /// Solves `K u = f` from zero, until |f - K u| <= tolerance |f| holds for the residual as
  /// computed anew. The iteration restarts if its updated residual is too small.
  ///
  /// @param tolerance  relative tolerance @param seconds  approximate time limit
  /// @param f  `[3 * n_owned_nodes]`, zero on constrained DoFs
  /// @param u  result on owned DoFs, `[3 * n_owned_nodes]`
  Report solve(double tolerance,
               unsigned int max_iterations,
               double seconds,
               const std::vector<double> &f,
               std::vector<double> &u);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};
} // namespace strut
