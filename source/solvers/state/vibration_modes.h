// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/eigen/lobpcg.h"
#include "source/solvers/state/stiffness_solver.h"
#include "source/solvers/state/vibration.h"
#include <strut/parallel/halo_exchange.h>

namespace strut
{
class MassMatrix;

/// The lowest modes of vibration of a structure, computed by Lobpcg with the preconditioner of its
/// stiffness.
class VibrationModes
{
public:
  /// Make the solver.
  /// @param matrix, solver  of the mesh; must outlive this, as the mesh must
  /// @param masses  of owned nodes, or empty, as in Structure
  /// @param keeps_modes  if false, each solve begins with waves, so that its bits do not depend on
  ///   earlier solves
  VibrationModes(Backend &backend,
                 const Communicator &communicator,
                 const ElementMesh &mesh,
                 ElasticityOperator<double> &matrix,
                 StiffnessSolver<double> &solver,
                 const std::vector<double> &masses,
                 bool keeps_modes);

  /// Compute modes, beginning with the last ones where there are some. The last vector of the block
  /// is always a wave, which has a share of each mode. So a mode that descends from above the block
  /// is found, for example where all last modes are symmetric, and it is not. After a
  /// SolverFailure, which it throws, the next solve begins with waves. Collective.
  /// @param factors  of the mass, `[n_elements]`
  VibrationReport
  solve(const MassMatrix &mass, const Array<double> &factors, const VibrationControl &control);

  /// A mode of the last solve, `[3 * n_nodes]`, ghosts and dependent DoFs included, with
  /// `phi . M phi = 1`.
  Array<double> &mode(std::size_t i)
  {
    return modes_[i];
  }

  /// Number of vectors from which the next solve may begin, for a restart: mode(), and vectors
  /// beyond the modes.
  std::size_t n_vectors() const
  {
    return modes_.size();
  }
  /// Set a vector for a restart. Collective.
  /// @param values  `[3 * n_nodes]`, undefined on ghosts
  void set_vector(std::size_t i, const std::vector<double> &values);

  /// Vectors of a block: it has more than the wanted modes, as its last vector converges slowly.
  static std::size_t n_of_block(std::size_t n_modes)
  {
    return n_modes + 2;
  }

  /// Bytes after a solve: the vectors of Lobpcg, a wave, and masses of nodes with a vector.
  static double
  memory_estimate(const std::size_t n_nodes, const std::size_t n_modes, const bool has_masses)
  {
    return 3. * sizeof(double) * static_cast<double>(n_nodes) *
           (static_cast<double>(Lobpcg::n_vectors(n_of_block(n_modes))) + (has_masses ? 3. : 1.));
  }

private:
  void begin(std::size_t n);
  Array<double> wave(std::size_t number) const;
  void apply_mass(const MassMatrix &mass,
                  const Array<double> &factors,
                  double factor_of_masses,
                  Array<double> &x,
                  Array<double> &y);

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  ElasticityOperator<double> &matrix_;
  StiffnessSolver<double> &solver_;
  bool keeps_modes_;
  Array<double> masses_, forces_; ///< `[n_owned]`, masses by DoFs and scratch; empty without any
  HaloExchange<double> halo_;
  Lobpcg lobpcg_;
  Lobpcg::Vectors modes_;
  Array<double> wave_; ///< last vector of each block
  /// Number of `wave_`; -1 if there is none yet.
  std::size_t number_of_wave_ = static_cast<std::size_t>(-1);
};
} // namespace strut
