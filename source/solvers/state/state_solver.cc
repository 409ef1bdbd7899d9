// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/element_stress.h"
#include "source/backend/multigrid_operations.h"
#include "source/backend/nodal_fields.h"
#include "source/element/full_integration.h"
#include "source/solvers/state/kept_adjoints.h"
#include "source/solvers/state/load_vector.h"
#include "source/solvers/state/modes_of_all_supports.h"
#include "source/solvers/state/mutual_energies.h"
#include "source/solvers/state/self_weight.h"
#include "source/solvers/state/solids.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
template <typename Number>
class StateSolverImplementation : public StateSolver
{
public:
  StateSolverImplementation(const Execution &execution,
                            const Structure &structure,
                            std::vector<LoadCase> load_cases,
                            const StateSettings &settings)
    : backend_(execution.backend)
    , communicator_(execution.communicator)
    , timing_(execution.timing)
    , mesh_(structure.mesh)
    , material_(structure.material)
    , control_(settings.control)
    , load_cases_(std::move(load_cases))
    , law_of_solids_(law_of_solids(communicator_, structure).known())
    , matrix_(backend_,
              communicator_,
              structure.mesh,
              structure.material,
              settings.strategy,
              law_of_solids_)
    , solver_(execution, matrix_, structure, settings)
    , extrapolates_(settings.initial_guess == InitialGuess::extrapolated)
    , ghosts_(backend_, communicator_, structure.mesh.node_halo, 3)
    , adjoints_(backend_, matrix_.n_local(), settings.initial_guess)
    , shear_ratios_(backend_.memory(), shear_ratios(structure))
    , factors_(backend_.memory(), shear_ratios_.size())
  {
    if (law_of_solids_ == Law::table)
      solids_ = Stiffness::of_solids(structure.solids.table);
    else if (!law_of_solids_.answers().are_factors)
      {
        require_full_integration(material_,
                                 "A structure whose solids have Poisson's ratios of their own",
                                 "one ratio for all");
        lame_ =
          known_numbers(backend_.memory(), structure, law_of_solids(communicator_, structure));
        solids_ = Stiffness::of_arrays(law_of_solids_, lame_);
      }
    if (solids_)
      {
        const Array<double> ones(backend_.memory(), std::vector<double>(mesh_.n_elements, 1.));
        matrix_.set(solids_->times(ones));
      }
    solver_.measure_by_reactions();
    set_springs(communicator_, structure.mesh, matrix_);
    if constexpr (std::is_same_v<Number, double>)
      modes_.emplace(execution, structure, settings, law_of_solids_, matrix_, solver_);
    for (const LoadCase &load_case : load_cases_)
      {
        forces_.push_back(make_load_vector(backend_.memory(), matrix_, mesh_, load_case));
        displacements_.emplace_back(backend_.memory(), structure.mesh.n_dofs());
        if (extrapolates_)
          before_.emplace_back(backend_.memory(), matrix_.n_owned());
      }
    has_expansion_ = std::any_of(load_cases_.begin(),
                                 load_cases_.end(),
                                 [](const LoadCase &load_case) { return load_case.has_expansion; });
    if (std::any_of(load_cases_.begin(), load_cases_.end(), [](const LoadCase &load_case) {
          return load_case.follows_design();
        }))
      {
        self_weight_ = std::make_unique<SelfWeight>(structure.mesh);
        host_densities_.assign(mesh_.n_elements, 1.);
        host_factors_ = host_densities_;
        set_forces([](const LoadCase &load_case) { return load_case.follows_design(); });
      }
  }

  void set_densities(const Array<double> &densities) override
  {
    if (self_weight_ == nullptr)
      return;
    host_densities_ = densities.to_host();
    set_forces([](const LoadCase &load_case) { return load_case.has_weight; });
  }

  void set_stiffness(const Array<double> &factors) override
  {
    if (has_expansion_)
      {
        host_factors_ = factors.to_host();
        set_forces([](const LoadCase &load_case) { return load_case.has_expansion; });
      }
    TimingTable::Scope scope(timing_, "stiffness update", &backend_);
    if (!shear_ratios_.empty())
      backend_.vector_operations<double>().multiply(shear_ratios_.size(),
                                                    shear_ratios_,
                                                    factors,
                                                    factors_);
    const Array<double> &of_materials = shear_ratios_.empty() ? factors : factors_;
    const Stiffness stiffness         = solids_ ? solids_->times(factors) : of_materials;
    matrix_.set(stiffness);
    // Preconditioners that know several Poisson's ratios read the parameters of the operator.
    solver_.update(of_materials);
    if (modes_)
      modes_->set_stiffness(stiffness, of_materials);
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
    return solve_by(control_, l, before_.empty() ? nullptr : &before_[l]);
  }

  SolverReport solve_to_tolerance(const std::size_t l) override
  {
    SolverControl control  = control_;
    control.accepts_limit  = false;
    control.max_iterations = std::max(control.max_iterations, SolverControl().max_iterations);
    return solve_by(control, l, nullptr);
  }

  std::vector<double> reactions(const std::size_t l) override
  {
    Array<Number> nodal(backend_.memory(), matrix_.n_local());
    matrix_.nodal_forces(displacements_[l], nodal);
    const LoadCase &load_case = load_cases_[l];
    if (load_case.follows_design())
      {
        const std::vector<double> following = following_forces(load_case);
        Array<Number> loads(backend_.memory(),
                            std::vector<Number>(following.begin(), following.end()));
        ghosts_.add_to_owners(loads);
        backend_.template vector_operations<Number>().axpy(matrix_.n_owned(),
                                                           Number(-1),
                                                           loads,
                                                           nodal);
      }
    std::vector<double> result = to_doubles(backend_.memory(), nodal);
    result.resize(matrix_.n_owned());
    load_case.forces.for_each(
      [&](const std::size_t dof, const double force) { result[dof] -= force; });
    return result;
  }

  double work_of_loads(const std::size_t l) override
  {
    return communicator_.sum(forces_[l].get().dot(backend_, matrix_.n_owned(), displacements_[l]));
  }

  double work_of_springs(const std::size_t l) override
  {
    if (!matrix_.has_shift())
      return 0.;
    const auto &vectors = backend_.vector_operations<Number>();
    Array<Number> Su(backend_.memory(), matrix_.n_local());
    vectors.multiply(matrix_.n_owned(), matrix_.shift(), displacements_[l], Su);
    return communicator_.sum(vectors.dot(matrix_.n_owned(), Su, displacements_[l]));
  }

  void energies(const std::size_t l, Array<double> &energies) override
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    matrix_.energies(displacements_[l], energies);
    complete_energies(energies);
  }

  void sum_stresses(const std::size_t l,
                    const NodalFields &fields,
                    const Array<double> &factors,
                    Array<double> &sums) override
  {
    require_isotropic(law_of_solids_);
    ghosts_.update_ghosts(displacements_[l]);
    if (!lame_.empty())
      return sum_stresses_of_solids(backend_, lame_, displacements_[l], fields, factors, sums);
    if (shear_ratios_.empty())
      return fields.sum_stresses(material_, factors, displacements_[l], sums);
    fields.sum_stresses(material_, times_shear_ratios(factors), displacements_[l], sums);
  }

  void von_mises(const std::size_t l, const ElementStress &stresses, Array<double> &stress) override
  {
    require_isotropic(law_of_solids_);
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    ghosts_.update_ghosts(displacements_[l]);
    stresses.von_mises(material_, displacements_[l], stress);
    multiply_by_shear_ratios(stress);
  }

  void add_up_stress_slopes(const std::size_t l,
                            ElementStress &stresses,
                            const Array<double> &factors,
                            Array<double> &g) override
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    if (shear_ratios_.empty())
      return stresses.add_up_slopes(material_, factors, displacements_[l], g);
    stresses.add_up_slopes(material_, times_shear_ratios(factors), displacements_[l], g);
  }

  void select_adjoint(const std::size_t number) override
  {
    adjoints_.select(number);
  }
  /// Numbers of the adjoints, and of the modes of vibration, which are kept like adjoints.
  std::vector<std::size_t> adjoints() const override
  {
    std::vector<std::size_t> numbers = adjoints_.numbers();
    if (modes_)
      for (const std::size_t i : modes_->vectors())
        numbers.push_back(first_mode + i);
    return numbers;
  }
  std::vector<double> adjoint(const std::size_t number) const override
  {
    return number < first_mode ? adjoints_.get(number)
                               : to_host(backend_.memory(), modes_->vector(number - first_mode));
  }
  void set_adjoint(const std::size_t number, const std::vector<double> &values) override
  {
    if (number < first_mode)
      adjoints_.set(number, values);
    else if (modes_)
      modes_->set_vector(number - first_mode, values);
  }

  SolverReport
  adjoint_energies(const std::size_t l, const Array<double> &g, Array<double> &w) override
  {
    const std::size_t n = matrix_.n_owned();
    if (adjoint_forces_.empty())
      {
        adjoint_forces_ = Array<Number>(backend_.memory(), matrix_.n_local());
        energies_       = Array<double>(backend_.memory(), w.size());
      }
    Array<Number> *const kept = adjoints_.take_selected();
    if (kept == nullptr && adjoint_.empty())
      adjoint_ = Array<Number>(backend_.memory(), matrix_.n_local());
    Array<Number> &adjoint = kept == nullptr ? adjoint_ : *kept;
    adjoint_forces_.set_zero();
    if constexpr (std::is_same_v<Number, double>)
      backend_.vector_operations<Number>().copy(n, g, adjoint_forces_);
    else
      backend_.level_operations().convert(n, g, adjoint_forces_);
    matrix_.condense(adjoint_forces_);
    matrix_.zero_constrained(adjoint_forces_);
    if (kept == nullptr)
      adjoint.set_zero();
    else
      solver_.fit(adjoint_forces_, adjoint);
    SolverControl control = control_;
    control.tolerance     = adjoint_tolerance(control_);
    const bool is_looser  = control.tolerance > control_.tolerance;
    const SolverReport report =
      solve_for_case(control,
                     l,
                     std::string(", second solve for derivatives") +
                       (is_looser ? " (to ten times the tolerance, 1e-3 at most)" : ""),
                     [&]() { return solver_.solve_homogeneous(adjoint_forces_, adjoint); });
    matrix_.distribute(adjoint);
    if (load_cases_[l].has_weight)
      adjoint_work_ = work_of_weight_on(adjoint, l);

    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    mutual_energies(backend_,
                    communicator_,
                    matrix_,
                    adjoint,
                    displacements_[l],
                    adjoint_forces_, // The forces are no longer needed.
                    energies_,
                    w);
    complete_energies(w);
    if (load_cases_[l].has_expansion)
      {
        const Array<double> work(backend_.memory(), work_of_expansion_on(adjoint, l));
        backend_.vector_operations<double>().axpy(w.size(), -1., work, w);
      }
    return report;
  }

  void work_of_expansion(const std::size_t l, Array<double> &w) override
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    w.copy_from_host(work_of_expansion_on(displacements_[l], l));
  }

  void work_of_weight(const std::size_t l, Array<double> &w) override
  {
    TimingTable::Scope scope(timing_, "sensitivity", &backend_);
    w.copy_from_host(work_of_weight_on(displacements_[l], l));
  }

  void adjoint_work_of_weight(std::size_t, Array<double> &w) override
  {
    w.copy_from_host(adjoint_work_);
  }

  VibrationReport solve_vibration(const MassMatrix &mass,
                                  const Array<double> &factors,
                                  const VibrationControl &control) override
  {
    if (!modes_)
      throw Error(
        "Modes of vibration take displacements in double precision; preconditioners in float do.");
    TimingTable::Scope scope(timing_, "vibration", &backend_);
    return modes_->solve(mass, factors, control);
  }

  const Array<double> &mode(const std::size_t i) override
  {
    return modes_->mode(i);
  }

  void mode_energies(const std::size_t i, Array<double> &energies) override
  {
    modes_->energies(i, energies);
    complete_energies(energies);
  }

  std::vector<double> displacement(const std::size_t l) override
  {
    ghosts_.update_ghosts(displacements_[l]);
    return to_doubles(backend_.memory(), displacements_[l]);
  }

  std::vector<float> displacement_in_float(const std::size_t l) override
  {
    ghosts_.update_ghosts(displacements_[l]);
    return to_host_in_float(backend_.memory(), displacements_[l]);
  }

  bool extrapolates() const override
  {
    return extrapolates_;
  }

  PackedValues displacement_before(const std::size_t l) override
  {
    return before_.empty() ? PackedValues() : to_host(backend_.memory(), before_[l]);
  }

  void set_displacement(const std::size_t l,
                        const std::vector<double> &values,
                        const PackedValues &before) override
  {
    if (!before_.empty() && !before.empty())
      before_[l].set(backend_.memory(), before);
    displacements_[l].copy_from_host(std::vector<Number>(values.begin(), values.end()));
  }

  void select_displacements(const std::size_t set) override
  {
    if (set >= sets_.size())
      sets_.resize(set + 1);
    if (set == set_)
      return;
    sets_[set_] = {std::move(displacements_), std::move(before_)};
    set_        = set;
    Set &next   = sets_[set];
    if (next.displacements.empty())
      for (std::size_t l = 0; l < load_cases_.size(); ++l)
        {
          next.displacements.emplace_back(backend_.memory(), mesh_.n_dofs());
          if (extrapolates_)
            next.before.emplace_back(backend_.memory(), matrix_.n_owned());
        }
    displacements_ = std::move(next.displacements);
    before_        = std::move(next.before);
  }

  void begin_again() override
  {
    solver_.begin_again();
    if (modes_)
      modes_->begin_again();
  }

  std::string take_warnings() override
  {
    return solver_.take_warnings() + (modes_ ? modes_->take_warnings() : "");
  }

private:
  /// Returns the forces of this rank's elements that follow the design, `[3 * n_nodes]`.
  std::vector<double> following_forces(const LoadCase &load_case) const
  {
    std::vector<double> forces = load_case.weights.empty()
                                   ? std::vector<double>(mesh_.n_dofs(), 0.)
                                   : self_weight_->forces(load_case.weights, host_densities_);
    self_weight_->add_forces(load_case.uneven_weights, host_densities_, forces);
    self_weight_->add_forces(load_case.expansion, host_factors_, forces);
    return forces;
  }

  /// Sets the forces of load cases that follow the design, of those for which `changed` holds.
  /// Collective.
  template <typename Changed>
  void set_forces(const Changed &changed)
  {
    for (std::size_t l = 0; l < load_cases_.size(); ++l)
      if (const LoadCase &load_case = load_cases_[l]; changed(load_case))
        {
          set_weight(matrix_, ghosts_, load_case, following_forces(load_case), forces_[l].all);
        }
  }

  /// First number in adjoints() that belongs to a mode; a double can represent it.
  static constexpr std::size_t first_mode = std::size_t(1) << 32;

  /// Returns a copy of x times the shear ratios. Preconditioners may still read factors_.
  Array<double> times_shear_ratios(const Array<double> &x) const
  {
    Array<double> product(backend_.memory(), x.size());
    backend_.vector_operations<double>().multiply(shear_ratios_.size(), shear_ratios_, x, product);
    return product;
  }

  /// Multiply energies from the operator such that they are those of the solids.
  void complete_energies(Array<double> &energies) const
  {
    if (!solids_) // An operator with solids includes the ratios.
      multiply_by_shear_ratios(energies);
  }

  /// Multiply x_e by s_e where there are several solids; x is `[n_elements]`.
  void multiply_by_shear_ratios(Array<double> &x) const
  {
    if (!shear_ratios_.empty())
      backend_.vector_operations<double>().multiply(shear_ratios_.size(), shear_ratios_, x, x);
  }

  SolverReport
  solve_by(const SolverControl &control, const std::size_t l, PackedVector<Number> *const before)
  {
    return solve_for_case(control, l, "", [&]() {
      if (!matrix_.has_dependent() || !matrix_.has_prescribed_displacements())
        return solver_.solve(forces_[l].get(), displacements_[l], before);
      Array<Number> condensed(backend_.memory(), matrix_.n_local());
      condensed.copy_from(forces_[l].all);
      matrix_.condense(condensed);
      return solver_.solve(condensed, displacements_[l], before);
    });
  }

  /// @param which  name of the solve, for the message of a failure
  template <typename Solve>
  SolverReport solve_for_case(const SolverControl &control,
                              const std::size_t l,
                              const std::string &which,
                              const Solve &solve)
  {
    solver_.set_control(control);
    try
      {
        return solve();
      }
    catch (const SolverFailure &failure)
      {
        throw SolverFailure("Load case '" + load_cases_[l].name + "'" + which + ": " +
                              failure.reason,
                            failure.remedy,
                            failure.at_limit);
      }
  }

  /// Returns df/drho_e . u, `[n_elements]`. Collective.
  std::vector<double> work_of_weight_on(Array<Number> &u, const std::size_t l)
  {
    ghosts_.update_ghosts(u);
    const LoadCase &load_case        = load_cases_[l];
    const std::vector<double> values = to_doubles(backend_.memory(), u);
    std::vector<double> work         = self_weight_->work(load_case.weights, values);
    self_weight_->add_work(load_case.uneven_weights, values, work);
    return work;
  }

  /// Returns df/dE_e . u, `[n_elements]`. Collective.
  std::vector<double> work_of_expansion_on(Array<Number> &u, const std::size_t l)
  {
    ghosts_.update_ghosts(u);
    std::vector<double> work(mesh_.n_elements, 0.);
    self_weight_->add_work(load_cases_[l].expansion, to_doubles(backend_.memory(), u), work);
    return work;
  }

  Backend &backend_;
  Communicator communicator_;
  TimingTable &timing_;
  const ElementMesh &mesh_;
  Material material_;
  SolverControl control_;
  std::vector<LoadCase> load_cases_;
  const Law law_of_solids_;
  std::vector<Array<double>> lame_; ///< Lame's parameters of the solids, or none
  std::optional<Stiffness> solids_; ///< solids of the operator; none: one material
  ElasticityOperator<Number> matrix_;
  StiffnessSolver<Number> solver_;
  bool extrapolates_;
  HaloExchange<Number> ghosts_;
  std::vector<LoadVector<Number>> forces_;
  std::vector<Array<Number>> displacements_;
  std::vector<PackedVector<Number>> before_; ///< one for each load case, if solves extrapolate
  /// Displacements that are not the current ones, see select_displacements(). The place of the
  /// current set is empty.
  struct Set
  {
    std::vector<Array<Number>> displacements;
    std::vector<PackedVector<Number>> before;
  };
  std::vector<Set> sets_;
  std::size_t set_ = 0;          ///< number of the current set
  Array<Number> adjoint_forces_; ///< allocated by adjoint_energies()
  Array<Number> adjoint_;        ///< allocated by adjoint_energies() without select_adjoint()
  KeptAdjoints<Number> adjoints_;
  Array<double> energies_; ///< allocated by adjoint_energies()
  /// Shear ratios s and factors times s; empty with one solid. For stresses if nu differs.
  Array<double> shear_ratios_, factors_;
  std::unique_ptr<SelfWeight> self_weight_; ///< null if no load case follows the design
  bool has_expansion_ = false;              ///< whether some load case has an expansion
  /// Densities and factors of the stiffness for forces that follow the design.
  std::vector<double> host_densities_, host_factors_;
  std::vector<double> adjoint_work_;        ///< work of the last adjoint with self weight
  std::optional<ModesOfAllSupports> modes_; ///< no value for displacements in float
};
} // namespace

std::unique_ptr<StateSolver> make_state_solver(const Execution &execution,
                                               const Structure &structure,
                                               std::vector<LoadCase> load_cases,
                                               const StateSettings &settings)
{
  require_solids(execution.communicator, structure);
  const PreconditionerEntry &entry = find_preconditioner(settings.preconditioner.name);
  if (entry.obstacle != nullptr)
    if (const std::string why = entry.obstacle(execution.communicator, structure); !why.empty())
      throw Error("There can be no preconditioner '" + entry.name + "': " + why + ".",
                  Remedy::refine_coarser_mesh);
  const auto make = [&](const auto number) -> std::unique_ptr<StateSolver> {
    using Solver = StateSolverImplementation<std::decay_t<decltype(number)>>;
    return std::make_unique<Solver>(execution, structure, std::move(load_cases), settings);
  };
  if (settings.precision == Precision::fp32)
    return make(0.f);
  return make(0.);
}

void StateSolver::set_displacement(const std::size_t l, const std::vector<double> &values)
{
  set_displacement(l, values, {});
}
} // namespace strut
