// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/studies/comparison/results.h"

namespace strut
{
/// The system that all solvers solve: `K v = b` on the free DoFs with `u = v + g`, where g are the
/// prescribed displacements. It also judges their results, by the operator `on_the_fly` in double
/// on the CPU.
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

  /// Writes the prescribed displacements into u, `[3 * n_owned_nodes or more]`.
  void set_constrained(std::vector<double> &u) const;

  /// Residual |b - K v| / |b|. @param u  `[3 * n_owned_nodes or more]`. Collective.
  double residual(const std::vector<double> &u);

  /// Compliance f . u.
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
  /// f - K u on the owned free DoFs, with the prescribed displacements regardless of u's values
  /// there.
  std::vector<double> difference(std::vector<double> u);

  ChosenBackend backend_;
  ElasticityOperator<double> K_;
  std::vector<double> factors_, b_;
};

/// Limits for solves.
struct SolveLimits
{
  double tolerance            = 1e-5; ///< relative to the right-hand side
  unsigned int max_iterations = 20000;
  double seconds              = 60; ///< approximate time for one solve
};

/// Solves with strut or with ML, depending on the subject, and fills in the results. Errors become
/// the status of the result. Collective.
SolverResult
measure_solver(const SolverCase &subject, JudgedSystem &system, const SolveLimits &limits);
} // namespace strut
