// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/eigen/lobpcg.h"

#include <strut/solvers/state/stiffness_solver.h>
#include <strut/solvers/state/vibration.h>

namespace strut
{
class MassMatrix;

/// The lowest modes of vibration of a structure, by Lobpcg with the preconditioner of its stiffness.
class VibrationModes
{
public:
  /// @param matrix, solver  of the mesh; must outlive this, as the mesh must
  VibrationModes(Backend &backend,
                 const Communicator &communicator,
                 const ElementMesh &mesh,
                 ElasticityOperator<double> &matrix,
                 StiffnessSolver<double> &solver);

  /// From the same start for each design, so that a restart does as the uninterrupted run. Throws SolverFailure. Collective.
  /// @param factors  of the mass, `[n_elements]`
  VibrationReport
  solve(const MassMatrix &mass, const Array<double> &factors, const VibrationControl &control);

  /// Of the last solve, `[3 * n_nodes]`, ghosts and dependent DoFs included, with `phi . M phi = 1`.
  Array<double> &mode(std::size_t i)
  {
    return modes_[i];
  }

  /// Modes beyond those that are asked for: the last of a block converges slowly.
  static std::size_t n_of_block(std::size_t n_modes)
  {
    return n_modes + 2;
  }

private:
  void begin(std::size_t n);
  void make_begin(std::size_t n);
  void apply_mass(const MassMatrix &mass,
                  const Array<double> &factors,
                  Array<double> &x,
                  Array<double> &y);

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  ElasticityOperator<double> &matrix_;
  StiffnessSolver<double> &solver_;
  HaloExchange<double> halo_;
  Lobpcg lobpcg_;
  Lobpcg::Vectors begin_; ///< made once
  Lobpcg::Vectors modes_;
};
} // namespace strut
