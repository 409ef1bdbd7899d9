// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/operators/elasticity_operator.h>
#include <strut/solvers/jacobi.h>
#include <strut/solvers/state_solver.h>

namespace strut
{
namespace
{
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
                            TimingTable &timing)
    : backend_(backend)
    , communicator_(communicator)
    , settings_(settings)
    , timing_(timing)
    , load_cases_(std::move(load_cases))
    , matrix_(backend, communicator, mesh, material, settings.strategy)
    , preconditioner_(backend)
    , solver_(backend, communicator, timing)
    , ghosts_(backend, communicator, mesh.node_halo, 3)
    , right_hand_side_(backend.memory(), mesh.n_dofs())
  {
    for (const LoadCase &load_case : load_cases_)
      {
        std::vector<Number> forces(load_case.forces.begin(), load_case.forces.end());
        forces.resize(mesh.n_dofs(), Number(0));
        forces_.emplace_back(backend.memory(), forces);
        displacements_.emplace_back(backend.memory(), mesh.n_dofs());
      }
    if (matrix_.has_prescribed_displacements())
      lifting_ = Array<Number>(backend.memory(), mesh.n_dofs());
  }

  void set_stiffness(const Array<double> &factors) override
  {
    TimingTable::Scope scope(timing_, "stiffness update", &backend_);
    matrix_.set_stiffness(factors);
    preconditioner_.update(matrix_);
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
      }
    else
      vectors.copy(matrix_.n_owned(), forces_[l], right_hand_side_);
    matrix_.zero_constrained(right_hand_side_);

    if (settings_.warm_start)
      matrix_.zero_constrained(u);
    else
      u.set_zero();
    SolverReport report;
    try
      {
        report = solver_.solve(settings_.control, matrix_, preconditioner_, right_hand_side_, u);
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

  OperatorCost operator_cost() const override
  {
    return matrix_.element_operator().cost();
  }

private:
  Backend &backend_;
  Communicator communicator_;
  StateSettings settings_;
  TimingTable &timing_;
  std::vector<LoadCase> load_cases_;
  ElasticityOperator<Number> matrix_;
  JacobiPreconditioner<Number> preconditioner_;
  ConjugateGradient<Number> solver_;
  HaloExchange<Number> ghosts_;
  Array<Number> right_hand_side_;
  Array<Number> lifting_; ///< only with prescribed displacements
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
                                               TimingTable &timing)
{
  if (precision == "double")
    return std::make_unique<StateSolverImplementation<double>>(
      backend, communicator, mesh, material, std::move(load_cases), settings, timing);
  if (precision == "float")
    return std::make_unique<StateSolverImplementation<float>>(
      backend, communicator, mesh, material, std::move(load_cases), settings, timing);
  throw Error("There is no precision '" + precision + "'. Available: double, float.");
}
} // namespace strut
