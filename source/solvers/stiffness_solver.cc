// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/solvers/stiffness_solver.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
/// Iterations after which a solve with cycles in float has stagnated: others take a few dozen.
constexpr unsigned int mixed_iterations = 200;
} // namespace

template <typename Number>
StiffnessSolver<Number>::StiffnessSolver(Backend &backend,
                                         const Communicator &communicator,
                                         ElasticityOperator<Number> &matrix,
                                         const ElementMesh &mesh,
                                         const MeshHierarchy &coarser,
                                         const Material &material,
                                         const StateSettings &settings,
                                         const bool mixed,
                                         TimingTable &timing)
  : backend_(backend)
  , settings_(settings)
  , matrix_(matrix)
  , make_multigrid_([&backend, communicator, &mesh, &coarser, material, settings]() {
    return make_multigrid_preconditioner<Number, Number>(
      backend, communicator, mesh, coarser, material, settings.multigrid);
  })
  , solver_(backend, communicator, timing)
{
  if (matrix_.has_prescribed_displacements())
    provide_lifting();
  if (settings.preconditioner == "jacobi")
    preconditioner_ = make_jacobi_preconditioner<Number>(backend);
  else if (!mixed)
    preconditioner_ = make_multigrid_();
  else if constexpr (std::is_same<Number, double>::value)
    {
      preconditioner_ = make_multigrid_preconditioner<double, float>(
        backend, communicator, mesh, coarser, material, settings.multigrid);
      mixed_factors_ = Array<float>(backend.memory(), mesh.n_elements);
    }
}

template <typename Number>
void StiffnessSolver<Number>::provide_lifting()
{
  if (lifting_.size() == matrix_.n_local())
    return;
  lifting_         = Array<Number>(backend_.memory(), matrix_.n_local());
  right_hand_side_ = Array<Number>(backend_.memory(), matrix_.n_local());
}

template <typename Number>
void StiffnessSolver<Number>::update(const Array<double> &factors)
{
  preconditioner_->update(matrix_, factors);
  if (!mixed_factors_.empty())
    backend_.level_operations().convert(factors.size(), factors, mixed_factors_);
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve(const Array<Number> &forces, Array<Number> &u)
{
  // u = g + v, with g the prescribed displacements and zero elsewhere: K v = f - K g on the free
  // DoFs, and v vanishes on the constrained ones.
  const bool lifted = matrix_.has_prescribed_displacements();
  if (lifted)
    {
      provide_lifting();
      lifting_.set_zero();
      matrix_.set_constrained(lifting_);
      matrix_.apply_unconstrained(lifting_, right_hand_side_);
      backend_.vector_operations<Number>().xpby(matrix_.n_owned(),
                                                forces,
                                                Number(-1),
                                                right_hand_side_);
      matrix_.zero_constrained(right_hand_side_);
    }
  const SolverReport report = solve_homogeneous(lifted ? right_hand_side_ : forces, u);
  matrix_.set_constrained(u);
  return report;
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_homogeneous(const Array<Number> &b, Array<Number> &u)
{
  if (settings_.warm_start)
    matrix_.zero_constrained(u);
  else
    u.set_zero();
  try
    {
      return mixed_factors_.empty() ? solve_for(settings_.control, b, u) : solve_mixed(b, u);
    }
  catch (const SolverFailure &)
    {
      u.set_zero(); // no start for anybody
      throw;
    }
}

template <typename Number>
std::string StiffnessSolver<Number>::take_remark()
{
  return std::exchange(remark_, "");
}

template <typename Number>
SolverReport StiffnessSolver<Number>::solve_for(const SolverControl &control,
                                                const Array<Number> &b,
                                                Array<Number> &u)
{
  return solver_.solve(control, matrix_, *preconditioner_, b, u);
}

/// With cycles in float; and if that stagnates, in double from there on.
template <typename Number>
SolverReport StiffnessSolver<Number>::solve_mixed(const Array<Number> &b, Array<Number> &u)
{
  SolverControl control  = settings_.control;
  control.max_iterations = std::min(control.max_iterations, mixed_iterations);
  std::string reason;
  try
    {
      const SolverReport report = solve_for(control, b, u);
      if (report.converged)
        return report;
      reason = "the residual does not fall below " + std::to_string(report.residual);
    }
  catch (const SolverFailure &failure)
    {
      if (control.max_iterations == settings_.control.max_iterations)
        throw;
      reason = failure.at_limit
                 ? "no convergence within " + std::to_string(mixed_iterations) + " iterations"
                 : failure.what();
      u.set_zero();
    }
  remark_         = "Multigrid cycles in double from here on: in float, " + reason;
  preconditioner_ = nullptr; // its memory first
  preconditioner_ = make_multigrid_();
  Array<double> factors(backend_.memory(), mixed_factors_.size());
  backend_.level_operations().convert(factors.size(), mixed_factors_, factors);
  preconditioner_->update(matrix_, factors);
  mixed_factors_ = Array<float>();
  return solve_for(settings_.control, b, u);
}

template class StiffnessSolver<double>;
template class StiffnessSolver<float>;
} // namespace strut
