// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/mesh/hierarchy.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/multigrid.h>
#include <strut/solvers/stiffness_preconditioner.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The preconditioner of a stiffness operator, and those to fall back on, so that no run ends because
/// of its preconditioner. Below multigrid as it was asked for come: cycles in double if they were in
/// float; Galerkin's coarse operators; more smoothing; Jacobi. One that was given up does not return.
template <typename Number>
class PreconditionerSequence
{
public:
  /// Just Jacobi.
  PreconditionerSequence(Backend &backend,
                         const Communicator &communicator,
                         ElasticityOperator<Number> &matrix);

  /// Multigrid and what is below.
  /// @param matrix, mesh, coarser  must outlive this; `matrix` is that of `mesh`
  /// @param mixed  begin with cycles in float, for Number = double
  PreconditionerSequence(Backend &backend,
                         const Communicator &communicator,
                         ElasticityOperator<Number> &matrix,
                         const ElementMesh &mesh,
                         const MeshHierarchy &coarser,
                         const Material &material,
                         const MultigridSettings &settings,
                         bool mixed);

  StiffnessPreconditioner<Number> &current();

  /// Whether cycles are in float for vectors in double.
  bool in_float() const;

  /// Whether there is something to fall back on.
  bool has_next() const;

  /// Follow the operator, whose factors, `[n_elements]`, were just set to `factors`; falls back where
  /// that fails. Throws SolverFailure. Collective.
  void update(const Array<double> &factors);

  /// Give the current one up. Those that memory is short for are left out, on all ranks together.
  /// Throws SolverFailure. Collective.
  /// @param reason  for the warning
  void fall_back(const std::string &reason);

  /// Warnings since the last call, in one line, empty if there are none; clears them.
  std::string take_warnings();

private:
  struct Choice
  {
    std::string name; ///< as in "NAME from here on"
    bool multigrid = true;
    bool in_float  = false;
    MultigridSettings settings;
  };

  std::unique_ptr<StiffnessPreconditioner<Number>> make(const Choice &choice) const;
  double bytes(const Choice &choice) const;
  bool has_room_for(const Choice &choice) const;
  void follow(const Array<double> &factors);

  Backend &backend_;
  const Communicator communicator_;
  ElasticityOperator<Number> &matrix_;
  const ElementMesh *mesh_      = nullptr; ///< of multigrid
  const MeshHierarchy *coarser_ = nullptr;
  Material material_;

  std::vector<Choice> choices_;
  std::size_t chosen_ = 0;
  std::unique_ptr<StiffnessPreconditioner<Number>> current_;
  Array<float> factors_; ///< those of now, for the next choice; precise enough for a preconditioner
  std::string warnings_;
};
} // namespace strut
