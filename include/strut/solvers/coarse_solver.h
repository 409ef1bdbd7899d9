// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>
#include <strut/parallel/communicator.h>

#include <memory>
#include <vector>

namespace strut
{
class Backend;

/// Solves the stiffness system of a small mesh directly: a sparse Cholesky factor (Eigen) in double on
/// the host. Each rank holds and solves the whole system.
class CoarseSolver
{
public:
  /// Collective. @param mesh  this rank's part, with its supports
  CoarseSolver(Backend &backend,
               const Communicator &communicator,
               const ElementMesh &mesh,
               const Material &material);
  ~CoarseSolver();

  /// Assemble and factor with these stiffness factors, `[n_elements]` of this rank. Collective.
  ///
  /// @throws SolverFailure if the matrix is not positive definite
  void set_stiffness(const Array<double> &factors);

  /// x = K^-1 x on owned DoFs, `[3 * n_owned_nodes]`; 0 on constrained ones, whatever they hold.
  /// Collective.
  void solve(std::vector<double> &x) const;

private:
  struct System;
  Communicator communicator_;
  std::unique_ptr<System> system_;
};
} // namespace strut
