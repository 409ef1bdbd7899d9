// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/operators/elasticity_operator.h>
#include <strut/solvers/state_solver.h>
#include <strut/solvers/stiffness_preconditioner.h>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
/// Iterations after which a solve with cycles in float has stagnated: others take a few dozen.
constexpr unsigned int mixed_iterations = 200;

template <typename Number>
class StateSolverImplementation : public StateSolver
{
public:
  StateSolverImplementation(Backend &backend,
                            const Communicator &communicator,
                            const ElementMesh &mesh,
                            const Material &material,
                            std::vector<LoadCase> load_cases,
                            const StateSettings &settings,
                            const bool mixed,
                            TimingTable &timing,
                            const MeshHierarchy &coarser)
    : backend_(backend)
    , communicator_(communicator)
    , settings_(settings)
    , timing_(timing)
    , load_cases_(std::move(load_cases))
    , matrix_(backend, communicator, mesh, material, settings.strategy)
    , make_multigrid_([&backend, communicator, &mesh, &coarser, material, settings]() {
      return make_multigrid_preconditioner<Number, Number>(
        backend, communicator, mesh, coarser, material, settings.multigrid);
    })
    , solver_(backend, communicator, timing)
    , ghosts_(backend, communicator, mesh.node_halo, 3)
  {
    for (const LoadCase &load_case : load_cases_)
      {
        std::vector<Number> forces(load_case.forces.begin(), load_case.forces.end());
        forces.resize(mesh.n_dofs(), Number(0));
        forces_.emplace_back(backend.memory(), forces);
        displacements_.emplace_back(backend.memory(), mesh.n_dofs());
      }
    if (matrix_.has_prescribed_displacements())
      {
        lifting_         = Array<Number>(backend.memory(), mesh.n_dofs());
        right_hand_side_ = Array<Number>(backend.memory(), mesh.n_dofs());
      }
    else // what acts on supports does no work
      for (Array<Number> &forces : forces_)
        matrix_.zero_constrained(forces);

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

  void set_stiffness(const Array<double> &factors) override
  {
    TimingTable::Scope scope(timing_, "stiffness update", &backend_);
    matrix_.set_stiffness(factors);
    preconditioner_->update(matrix_, factors);
    if (!mixed_factors_.empty())
      backend_.level_operations().convert(factors.size(), factors, mixed_factors_);
  }

  std::size_t n_load_cases() const override
  {
    return load_cases_.size();
  }
  const LoadCase &load_case(const std::size_t l) const override
  {
    return load_cases_[l];
  }

  SolverReport solve(const std::size_t l) override
  {
    // u = g + v, with g the prescribed displacements and zero elsewhere: K v = f - K g on the free
    // DoFs, and v vanishes on the constrained ones.
    Array<Number> &u    = displacements_[l];
    const auto &vectors = backend_.vector_operations<Number>();
    if (matrix_.has_prescribed_displacements())
      {
        lifting_.set_zero();
        matrix_.set_constrained(lifting_);
        matrix_.apply_unconstrained(lifting_, right_hand_side_);
        vectors.xpby(matrix_.n_owned(), forces_[l], Number(-1), right_hand_side_);
        matrix_.zero_constrained(right_hand_side_);
      }
    const Array<Number> &b = right_hand_side_.empty() ? forces_[l] : right_hand_side_;

    if (settings_.warm_start)
      matrix_.zero_constrained(u);
    else
      u.set_zero();
    SolverReport report;
    try
      {
        report = mixed_factors_.empty() ? solve_for(u, b, settings_.control) : solve_mixed(u, b);
      }
    catch (const SolverFailure &failure)
      {
        u.set_zero(); // no start for anybody
        throw SolverFailure("Load case '" + load_cases_[l].name + "': " + failure.what(),
                            failure.at_limit);
      }
    matrix_.set_constrained(u);
    return report;
  }

  double work_of_loads(const std::size_t l) override
  {
    return communicator_.sum(
      backend_.vector_operations<Number>().dot(matrix_.n_owned(), forces_[l], displacements_[l]));
  }

  void energies(const std::size_t l, Array<double> &energies) override
  {
    matrix_.energies(displacements_[l], energies);
  }

  std::vector<double> displacement(const std::size_t l) override
  {
    ghosts_.update_ghosts(displacements_[l]);
    const std::vector<Number> values = displacements_[l].to_host();
    return {values.begin(), values.end()};
  }

  void set_displacement(const std::size_t l, const std::vector<double> &values) override
  {
    displacements_[l].copy_from_host(std::vector<Number>(values.begin(), values.end()));
  }

  std::string take_remark() override
  {
    return std::exchange(remark_, "");
  }

private:
  SolverReport solve_for(Array<Number> &u, const Array<Number> &b, const SolverControl &control)
  {
    return solver_.solve(control, matrix_, *preconditioner_, b, u);
  }

  /// With cycles in float; and if that stagnates, in double from there on.
  SolverReport solve_mixed(Array<Number> &u, const Array<Number> &b)
  {
    SolverControl control  = settings_.control;
    control.max_iterations = std::min(control.max_iterations, mixed_iterations);
    std::string reason;
    try
      {
        const SolverReport report = solve_for(u, b, control);
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
    return solve_for(u, b, settings_.control);
  }

  Backend &backend_;
  Communicator communicator_;
  StateSettings settings_;
  TimingTable &timing_;
  std::vector<LoadCase> load_cases_;
  ElasticityOperator<Number> matrix_;
  std::function<std::unique_ptr<StiffnessPreconditioner<Number>>()> make_multigrid_;
  std::unique_ptr<StiffnessPreconditioner<Number>> preconditioner_;
  Array<float> mixed_factors_; ///< for cycles in double, should those in float fail; else empty
  std::string remark_;
  ConjugateGradient<Number> solver_;
  HaloExchange<Number> ghosts_;
  Array<Number> right_hand_side_, lifting_; ///< only with prescribed displacements
  std::vector<Array<Number>> forces_;
  std::vector<Array<Number>> displacements_;
};
} // namespace

std::unique_ptr<StateSolver> make_state_solver(const std::string &precision,
                                               Backend &backend,
                                               const Communicator &communicator,
                                               const ElementMesh &mesh,
                                               const Material &material,
                                               std::vector<LoadCase> load_cases,
                                               const StateSettings &settings,
                                               TimingTable &timing,
                                               const MeshHierarchy &coarser)
{
  const bool multigrid = settings.preconditioner == "multigrid";
  if (!multigrid && settings.preconditioner != "jacobi")
    throw Error("There is no preconditioner '" + settings.preconditioner +
                "'. Available: jacobi, multigrid.");
  if (multigrid && coarser.empty())
    throw Error(
      "Multigrid needs the coarser meshes that the mesh was refined from, and this one is "
      "flat.\n  Refine a coarser mesh ('set Refinements' in subsection Mesh), or 'set "
      "Preconditioner = jacobi'.");
  if (precision == "mixed" && !multigrid)
    throw Error(
      "Mixed precision means multigrid cycles in float for a solution in double: it needs "
      "multigrid.\n  'set Preconditioner = multigrid', or 'set Precision = double'.");
  if (precision == "double" || precision == "mixed")
    return std::make_unique<StateSolverImplementation<double>>(backend,
                                                               communicator,
                                                               mesh,
                                                               material,
                                                               std::move(load_cases),
                                                               settings,
                                                               precision == "mixed",
                                                               timing,
                                                               coarser);
  if (precision == "float")
    return std::make_unique<StateSolverImplementation<float>>(backend,
                                                              communicator,
                                                              mesh,
                                                              material,
                                                              std::move(load_cases),
                                                              settings,
                                                              false,
                                                              timing,
                                                              coarser);
  throw Error("There is no precision '" + precision + "'. Available: double, float, mixed.");
}
} // namespace strut
