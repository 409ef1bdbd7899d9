// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/topology_optimization.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>
#include <strut/compat.h>
#include <strut/solvers/state/state_solver.h>

#include <utility>
#include <vector>

#include "plugin/application/checks.h"
#include "plugin/base/attempt.h"
#include "plugin/base/choose_backend.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/base/packed_values.h"
#include "source/optimization/simp.h"
#include "source/solvers/state/vibration.h"

namespace strut
{
/// The cells of the elements: in cellwise vectors of deal.II, and in the order of strut's elements.
class CellwiseVectors
{
public:
  CellwiseVectors(const dealii::Triangulation<3, 3> &triangulation, const ElementMesh &mesh)
    : n_cells_(triangulation.n_active_cells())
  {
    std::vector<unsigned int> owned;
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->is_locally_owned())
        owned.push_back(cell->active_cell_index());
    for (const LocalIndex cell : mesh.element_to_cell)
      cells_.push_back(owned[cell]);
  }

  dealii::Vector<double> zeros() const
  {
    return dealii::Vector<double>(n_cells_);
  }

  dealii::Vector<double> of_cells(const std::vector<double> &of_elements) const
  {
    dealii::Vector<double> values = zeros();
    for (std::size_t e = 0; e < cells_.size(); ++e)
      values(cells_[e]) = of_elements[e];
    return values;
  }

  template <typename Values>
  auto of_elements(const Values &of_cells) const
  {
    std::vector<std::decay_t<decltype(of_cells[0])>> values;
    for (const unsigned int cell : cells_)
      values.push_back(of_cells[cell]);
    return values;
  }

private:
  std::size_t n_cells_;
  std::vector<unsigned int> cells_; ///< active_cell_index() of each element
};

/// The displacements of an application as Simp sees them: one load case, which the application
/// solves. The compliance asks for work and energies alone.
class StateOfApplication : public StateSolver
{
public:
  StateOfApplication(const CellwiseVectors &cellwise, TopologyOptimization::Analysis analysis)
    : cellwise_(cellwise), analysis_(std::move(analysis))
  {
    load_case_.name = "forces of the application";
  }

  void set_stiffness(const Array<double> &factors) override
  {
    factors_ = cellwise_.of_cells(factors.to_host());
  }
  SolverReport solve(std::size_t) override
  {
    energies_ = cellwise_.zeros();
    work_     = analysis_(factors_, energies_);
    if (energies_.size() != factors_.size())
      throw Error("The analysis leaves " + std::to_string(energies_.size()) + " energies, and " +
                  std::to_string(factors_.size()) +
                  " cells are active.\n  Fill those that it gets.");
    SolverReport report;
    report.converged = true;
    return report;
  }
  SolverReport solve_to_tolerance(const std::size_t l) override
  {
    return solve(l);
  }
  double work_of_loads(std::size_t) override
  {
    return work_;
  }
  double work_of_springs(std::size_t) override
  {
    return 0.;
  }
  void energies(std::size_t, Array<double> &energies) override
  {
    energies.copy_from_host(cellwise_.of_elements(energies_));
  }
  std::size_t n_load_cases() const override
  {
    return 1;
  }
  const LoadCase &load_case(std::size_t) const override
  {
    return load_case_;
  }
  void set_densities(const Array<double> &) override
  {}
  void select_displacements(std::size_t) override
  {}
  void begin_again() override
  {}
  void select_adjoint(std::size_t) override
  {}
  bool extrapolates() const override
  {
    return false;
  }
  std::string take_warnings() override
  {
    return {};
  }

  // Nobody asks for these where the compliance is minimised.
  void
  sum_stresses(std::size_t, const NodalFields &, const Array<double> &, Array<double> &) override
  {
    not_there();
  }
  void von_mises(std::size_t, const ElementStress &, Array<double> &) override
  {
    not_there();
  }
  void add_up_stress_slopes(std::size_t,
                            ElementStress &,
                            const Array<double> &,
                            Array<double> &) override
  {
    not_there();
  }
  std::vector<std::size_t> adjoints() const override
  {
    return {};
  }
  std::vector<double> adjoint(std::size_t) const override
  {
    not_there();
  }
  void set_adjoint(std::size_t, const std::vector<double> &) override
  {
    not_there();
  }
  SolverReport adjoint_energies(std::size_t, const Array<double> &, Array<double> &) override
  {
    not_there();
  }
  void work_of_weight(std::size_t, Array<double> &) override
  {
    not_there();
  }
  void work_of_expansion(std::size_t, Array<double> &) override
  {
    not_there();
  }
  void adjoint_work_of_weight(std::size_t, Array<double> &) override
  {
    not_there();
  }
  VibrationReport
  solve_vibration(const MassMatrix &, const Array<double> &, const VibrationControl &) override
  {
    not_there();
  }
  const Array<double> &mode(std::size_t) override
  {
    not_there();
  }
  void mode_energies(std::size_t, Array<double> &) override
  {
    not_there();
  }
  std::vector<double> displacement(std::size_t) override
  {
    not_there();
  }
  std::vector<float> displacement_in_float(std::size_t) override
  {
    not_there();
  }
  PackedValues displacement_before(std::size_t) override
  {
    not_there();
  }
  void set_displacement(std::size_t, const std::vector<double> &, const PackedValues &) override
  {
    not_there();
  }

private:
  [[noreturn]] static void not_there()
  {
    throw Error("The displacements are the application's.");
  }

  const CellwiseVectors &cellwise_;
  TopologyOptimization::Analysis analysis_;
  LoadCase load_case_;
  dealii::Vector<double> factors_, energies_;
  double work_ = 0.;
};

namespace
{
/// Throw Error for what Simp and filters would not refuse by themselves in words of applications.
void check(const TopologyOptions &options, const TopologyOptimization::Analysis &analysis)
{
  const auto require = [](const bool condition, const std::string &text) {
    if (!condition)
      throw Error(text);
  };
  const OptimalityCriteria &criteria = options.criteria;
  require(analysis != nullptr, "There is no analysis.\n  Give a function that solves.");
  require(options.filter == "sensitivity" || options.filter == "density" ||
            options.filter == "none",
          "There is no filter '" + options.filter +
            "'. Allowed are sensitivity, density and none.");
  require(options.filter == "none" || options.filter_radius > 0.,
          "The filter '" + options.filter +
            "' needs a positive filter_radius.\n  One and a half elements at least keep "
            "checkerboards away.");
  require(options.filter_weights == "volumes" || options.filter_weights == "count",
          "There are no filter_weights '" + options.filter_weights +
            "'. Allowed are volumes and count.");
  require(criteria.minimum_density > 0. && criteria.minimum_density < options.volume_fraction &&
            options.volume_fraction <= 1.,
          "The volume fraction must lie between the minimum density, which is positive, and 1.");
  require(criteria.move_limit > 0. && criteria.move_limit <= 1. && criteria.damping > 0. &&
            criteria.damping <= 1.,
          "Move limit and damping must lie in (0, 1].");
  require(criteria.volume_tolerance > 0., "The volume tolerance must be positive.");
  require(options.interpolation.penalization >= 1. &&
            options.interpolation.minimum_stiffness >= 0. &&
            options.interpolation.minimum_stiffness < 1.,
          "The penalization must be 1 at least, and the minimum stiffness lie in [0, 1).");
  require(options.stopping_tolerance > 0. && options.max_iterations > 0,
          "The stopping tolerance and the limit of iterations must be positive.");
}

ElementMesh mesh_of(const dealii::DoFHandler<3, 3> &dof_handler,
                    const Communicator &communicator,
                    const TopologyOptions &options,
                    const TopologyOptimization::Analysis &analysis)
{
  attempt_together(communicator, [&]() {
    check(options, analysis);
    check_dof_handler(dof_handler);
  });
  return build_element_mesh(dof_handler, communicator.mpi());
}

FilterWeights weights_of(const TopologyOptions &options)
{
  return options.filter_weights == "count" ? FilterWeights::count : FilterWeights::volume;
}

DesignChain make_chain(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const TopologyOptions &options)
{
  MapSettings settings;
  settings.radius          = options.filter_radius;
  settings.weights         = weights_of(options);
  settings.minimum_density = options.criteria.minimum_density;
  std::vector<std::string> names;
  if (options.filter == "density")
    names.push_back(options.filter);
  return make_design_chain(names, backend, communicator, mesh, settings);
}

OptimizationSettings settings_of(const TopologyOptions &options)
{
  OptimizationSettings settings;
  settings.volume_fraction         = options.volume_fraction;
  settings.interpolation           = options.interpolation;
  settings.criteria                = options.criteria;
  settings.sensitivity_radius      = options.filter == "sensitivity" ? options.filter_radius : 0.;
  settings.filter_weights          = weights_of(options);
  settings.stopping.tolerance      = options.stopping_tolerance;
  settings.stopping.max_iterations = options.max_iterations;
  return settings;
}
} // namespace

class TopologyOptimization::Implementation
{
public:
  Implementation(const dealii::DoFHandler<3, 3> &dof_handler,
                 const TopologyOptions &options,
                 const Analysis &analysis,
                 const std::function<DesignFlag(const Cell &)> &flag)
    : communicator(compat::mpi_communicator(dof_handler.get_triangulation()))
    , mesh(mesh_of(dof_handler, communicator, options, analysis))
    , backend(choose_backend(options.backend, 0, communicator).backend)
    , cellwise(dof_handler.get_triangulation(), mesh)
    , state(cellwise, analysis)
  {
    if (backend == nullptr)
      throw Error("There is no GPU here.\n  Set backend = \"auto\" or \"cpu\".");
    if (flag)
      attempt_together(communicator, [&]() {
        std::vector<DesignFlag> flags(dof_handler.get_triangulation().n_active_cells());
        for (const auto &cell : dof_handler.get_triangulation().active_cell_iterators())
          if (cell->is_locally_owned())
            flags[cell->active_cell_index()] = flag(cell);
        mesh.flags = cellwise.of_elements(flags);
      });
    map  = make_chain(*backend, communicator, mesh, options);
    simp = std::make_unique<Simp>(Execution{*backend, communicator, timing},
                                  mesh,
                                  state,
                                  minimise("compliance", {*backend, communicator, mesh}),
                                  map,
                                  settings_of(options));
  }

  Communicator communicator;
  ElementMesh mesh;
  std::shared_ptr<Backend> backend;
  CellwiseVectors cellwise;
  StateOfApplication state;
  TimingTable timing;
  DesignChain map;
  std::unique_ptr<Simp> simp;
};

TopologyOptimization::TopologyOptimization(const dealii::DoFHandler<3, 3> &dof_handler,
                                           const TopologyOptions &options,
                                           const Analysis &analysis,
                                           const std::function<DesignFlag(const Cell &)> &flag)
  : implementation_(std::make_unique<Implementation>(dof_handler, options, analysis, flag))
{}

TopologyOptimization::~TopologyOptimization() = default;

TopologyRecord TopologyOptimization::iterate()
{
  const IterationRecord record = implementation_->simp->iterate();
  return {record.iteration,
          record.objective,
          record.volume_fraction,
          record.values.at(Simp::density_change)};
}

bool TopologyOptimization::finished() const
{
  return implementation_->simp->finished();
}

dealii::Vector<double> TopologyOptimization::densities() const
{
  return implementation_->cellwise.of_cells(implementation_->simp->analysed_densities());
}

std::string TopologyOptimization::take_warnings()
{
  return implementation_->simp->take_warnings();
}
} // namespace strut
