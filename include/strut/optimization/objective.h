// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The function that the optimization minimises: `J = sum_l w_l J_l(u_l)` over the load cases, with w_l their
/// weights and u_l the displacements that the stiffness of the design gives.
class Objective
{
public:
  virtual ~Objective() = default;

  /// The result of evaluate(), over all ranks.
  struct Value
  {
    double value = 0;     ///< J_l
    SolverReport adjoint; ///< of a second solve, if there was one
  };

  /// J_l of the load case that `state` has just solved, and by how much it falls as an element gets
  /// stiffer: `decrease_e = -dJ_l/dE_e`, `[n_elements]` on the backend; overwritten. Collective. Throws
  /// SolverFailure.
  /// @param stiffness  the factors E_e of the elements, `[n_elements]`
  virtual Value evaluate(StateSolver &state,
                         std::size_t l,
                         const Array<double> &stiffness,
                         Array<double> &decrease) = 0;

  /// `dJ_l/drho_e` at fixed stiffness, by the self weight of load case l; `[n_elements]`, overwritten. Called
  /// after evaluate() for a load case that has some. Collective. Unless overridden: throws Error.
  virtual void weight_derivative(StateSolver &state, std::size_t l, Array<double> &derivative);
};

/// An objective that is a function of the displacements: say J_l and its derivative, and the rest is
/// done by the adjoint method. With `K lambda = dJ_l/du` on the free DoFs and lambda = 0 on the
/// constrained ones, `dJ_l/dE_e = -lambda_e . K0_e u_e` (Bendsoe and Sigmund 2003, section 1.2.3): a
/// second solve for each load case, with the operator and the preconditioner of the first.
///
/// With self weight the forces follow the densities: the derivative gets `lambda . df/drho_e`, and value()
/// must not look at LoadCase::forces.
///
/// Displacements come to the host for this, `[3 * n_nodes]`, DoF = 3 * node + component, owned nodes
/// first. Where that is too slow, derive from Objective.
class DisplacementObjective : public Objective
{
public:
  /// J_l, the same number on every rank. Collective.
  /// @param u  `[3 * n_nodes]`, ghosts included
  virtual double value(const LoadCase &load_case, const std::vector<double> &u) = 0;

  /// dJ_l/du_i of the owned DoFs, `[3 * n_owned_nodes]`. Called after value() for the same u. Collective.
  virtual std::vector<double> derivative(const LoadCase &load_case,
                                         const std::vector<double> &u) = 0;

  Value evaluate(StateSolver &state,
                 std::size_t l,
                 const Array<double> &stiffness,
                 Array<double> &decrease) final;

  void weight_derivative(StateSolver &state, std::size_t l, Array<double> &derivative) final
  {
    state.adjoint_work_of_weight(l, derivative);
  }
};

/// An objective's name in the deck, and how to make one. One file and one line in objectives.cc each.
struct ObjectiveEntry
{
  std::string name;
  std::string summary;
  /// @param mesh  outlives the objective
  /// @param values  of parameters that differ from their defaults
  std::unique_ptr<Objective> (*make)(Backend &backend,
                                     const Communicator &communicator,
                                     const ElementMesh &mesh,
                                     const ParameterValues &values);
  bool second_solve = true; ///< whether evaluate() takes one; for the estimate of the memory
  std::vector<Parameter> parameters = {};
};

const std::vector<ObjectiveEntry> &objectives();

/// One more objective, from outside of the core: after the others, for the life of the program,
/// before a parameter file is read. Throws Error if the name is taken.
void add_objective(const ObjectiveEntry &objective);

/// @param name  a name in objectives(); throws Error with the list otherwise
const ObjectiveEntry &find_objective(const std::string &name);

/// @param name  a name in objectives(); throws Error with the list otherwise
/// @param values  throws Error for one of no parameter, or one that is not allowed
std::unique_ptr<Objective> make_objective(const std::string &name,
                                          Backend &backend,
                                          const Communicator &communicator,
                                          const ElementMesh &mesh,
                                          const ParameterValues &values = {});
} // namespace strut
