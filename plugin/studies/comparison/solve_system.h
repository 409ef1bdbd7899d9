// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/studies/comparison/results.h"

namespace strut::plugin
{
/// The system that all solvers solve, `K v = b` on the free DoFs with `u = v + g`, g the prescribed
/// displacements; and the judge of their results: the operator `on_the_fly` in double on the CPU.
class JudgedSystem
{
public:
  /// @param mesh, coarser  must outlive this object
  JudgedSystem(const Communicator &communicator,
               const ElementMesh &mesh,
               const MeshHierarchy &coarser,
               const Material &material,
               const std::vector<LoadCase> &load_cases);

  /// @param factors  E_e, `[n_elements]`
  void set_stiffness(const std::vector<double> &factors);

  /// Put the prescribed displacements into u, `[3 * n_owned_nodes or more]`.
  void set_constrained(std::vector<double> &u) const;

  /// |b - K v| / |b|. @param u  `[3 * n_owned_nodes or more]`. Collective.
  double residual(const std::vector<double> &u);

  /// f . u
  double compliance(const std::vector<double> &u) const;

  const std::vector<double> &right_hand_side() const ///< b, `[3 * n_owned_nodes]`
  {
    return b_;
  }
  const std::vector<double> &stiffness() const
  {
    return factors_;
  }

  const Communicator communicator;
  const ElementMesh &mesh;
  const MeshHierarchy &coarser;
  const Material material;
  const LoadCase load_case;

private:
  /// f - K u on the owned free DoFs, for the prescribed displacements whatever u has there.
  std::vector<double> difference(std::vector<double> u);

  ChosenBackend backend_;
  ElasticityOperator<double> K_;
  std::vector<double> factors_, b_;
};

/// How to solve.
struct SolveLimits
{
  double tolerance            = 1e-5; ///< relative
  unsigned int max_iterations = 20000;
  double seconds              = 60; ///< for one solve, about
};

/// Solve with strut or with ML, as result.what says, and fill in the rest. Errors are the status of
/// the result. Collective.
SolverResult
measure_solver(const SolverCase &subject, JudgedSystem &system, const SolveLimits &limits);
} // namespace strut::plugin
