// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/krylov/conjugate_gradient.h>

#include <memory>
#include <vector>

namespace strut::plugin
{
/// The solver that a deal.II user would choose instead: an assembled Trilinos matrix (Epetra), deal.II's
/// SolverCG, and as its preconditioner the algebraic multigrid ML with smoothed aggregation
/// (TrilinosWrappers::PreconditionAMG). ML is told all that it can be told about elasticity: three
/// unknowns per node, and the six rigid body modes as its null space.
///
/// The parameters are deal.II's for elliptic problems: Chebyshev smoother of degree 2, one V-cycle,
/// Amesos-KLU on the coarsest level. Constrained DoFs keep their diagonal and nothing else. One thread
/// per rank where Epetra has no OpenMP, as Debian's.
class TrilinosMl
{
public:
  struct Report
  {
    unsigned int iterations = 0;
    bool converged =
      false; ///< false: out of time or iterations, or rounding gives no smaller residual
  };

  /// Number the DoFs and make the pattern of the matrix. Collective, as all that follows.
  /// @throws Error if Epetra cannot number the matrix
  TrilinosMl(const Communicator &communicator, const ElementMesh &mesh, const Material &material);
  ~TrilinosMl();

  /// Assemble the matrix for the element stiffness factors E_e, `[n_elements]`, and build the
  /// hierarchy of ML for it.
  void set_stiffness(const std::vector<double> &factors);

  /// Solve `K u = f` from zero, until |f - K u| <= tolerance |f| holds for the residual computed anew:
  /// where the one that the iteration carries along is too small, the iteration starts again.
  ///
  /// @param tolerance  relative @param seconds  to stop after, about
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
} // namespace strut::plugin
