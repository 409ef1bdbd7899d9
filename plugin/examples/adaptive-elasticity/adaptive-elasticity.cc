// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// deal.II's step-8 in three dimensions: a cube that is refined by Kelly's estimator, so that the
// mesh has hanging nodes. Each cycle solves twice: as step-8 does, with a SparseMatrix and SSOR,
// and with strut. The lines that differ are marked "strut (1)" to "strut (3)".
//
//   adaptive-elasticity [--cycles N] [--backend auto|cuda|cpu] [--no-matrix]

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/timer.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_refinement.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

// strut (1): the operator.
#include <strut/stiffness_operator.h>

#include <algorithm>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace AdaptiveElasticity
{
using namespace dealii;

struct Options
{
  unsigned int n_cycles = 5;
  std::string backend   = "auto";
  bool with_matrix      = true;
};

// The forces of step-8: in the x-direction inside two balls, in the y-direction inside a third one.
class BodyForce : public Function<3>
{
public:
  BodyForce() : Function<3>(3)
  {}

  double value(const Point<3> &x, const unsigned int component) const override
  {
    if (component == 0)
      return x.distance(Point<3>(0.5, 0., 0.)) < 0.2 || x.distance(Point<3>(-0.5, 0., 0.)) < 0.2;
    return component == 1 && x.distance(Point<3>()) < 0.2;
  }
};

class ElasticProblem
{
public:
  explicit ElasticProblem(const Options &options);
  bool run(); // returns whether both solutions were equal in every cycle

private:
  void setup_system();
  void assemble_system();
  void solve();
  void solve_with_strut();
  void refine_grid();
  void output_results() const;
  void report(const std::string &name, double setup, double solution, unsigned int n) const;

  const Options options;
  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  const FESystem<3> fe;
  AffineConstraints<double> constraints;
  SparsityPattern sparsity_pattern;
  SparseMatrix<double> system_matrix;
  Vector<double> forces, solution, by_strut;

  // strut (2): the operator replaces the matrix; it is made anew for each mesh.
  strut::StiffnessOperator<double> stiffness;

  // Lame's parameters are 1, as in step-8.
  const double lambda = 1., mu = 1.;
  const double tolerance = 1e-10; // relative to the right-hand side
};

ElasticProblem::ElasticProblem(const Options &options)
  : options(options), dof_handler(triangulation), fe(FE_Q<3>(1), 3)
{}

void ElasticProblem::setup_system()
{
  dof_handler.distribute_dofs(fe);
  for (Vector<double> *v : {&forces, &solution, &by_strut})
    v->reinit(dof_handler.n_dofs());
  constraints.clear();
  DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  VectorTools::interpolate_boundary_values(dof_handler,
                                           0,
                                           Functions::ZeroFunction<3>(3),
                                           constraints);
  constraints.close();
  VectorTools::create_right_hand_side(
    dof_handler, QGauss<3>(fe.degree + 1), BodyForce(), forces, constraints);
}

void ElasticProblem::assemble_system()
{
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints, /*keep_constrained*/ false);
  sparsity_pattern.copy_from(pattern);
  system_matrix.reinit(sparsity_pattern);

  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacement(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_matrix(n, n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strain(n);
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      cell_matrix = 0.;
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          for (unsigned int i = 0; i < n; ++i)
            strain[i] = fe_values[displacement].symmetric_gradient(i, q);
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              cell_matrix(i, j) +=
                (lambda * trace(strain[i]) * trace(strain[j]) + 2. * mu * (strain[i] * strain[j])) *
                fe_values.JxW(q);
        }
      cell->get_dof_indices(dofs);
      constraints.distribute_local_to_global(cell_matrix, dofs, system_matrix);
    }
}

void ElasticProblem::solve()
{
  Timer timer;
  assemble_system();
  PreconditionSSOR<SparseMatrix<double>> preconditioner;
  preconditioner.initialize(system_matrix, 1.2);
  const double setup = timer.wall_time();
  timer.restart();
  SolverControl control(20000, tolerance * forces.l2_norm());
  SolverCG<Vector<double>> cg(control);
  cg.solve(system_matrix, solution, forces, preconditioner);
  constraints.distribute(solution);
  report("SparseMatrix, SSOR", setup, timer.wall_time(), control.last_step());
}

// strut (3): sets up mesh and constraints of the cycle, and solves on the backend, hanging nodes
// included.
void ElasticProblem::solve_with_strut()
{
  strut::StiffnessOptions strut_options;
  strut_options.backend   = options.backend;
  strut_options.tolerance = tolerance;
  Timer timer;
  stiffness.reinit(dof_handler,
                   constraints,
                   {strut::Material::from_lame(lambda, mu), strut_options});
  const double setup              = timer.wall_time();
  const strut::SolveReport result = stiffness.solve(by_strut, forces);
  report("strut, " + result.preconditioner, setup, result.seconds, result.iterations);
}

void ElasticProblem::report(const std::string &name,
                            const double setup,
                            const double seconds,
                            const unsigned int n) const
{
  std::cout << "  " << std::setprecision(3) << std::left << std::setw(20) << name << std::right
            << " set-up " << std::setw(8) << setup << " s, solution " << std::setw(8) << seconds
            << " s, " << n << " iterations" << std::endl;
}

void ElasticProblem::refine_grid()
{
  Vector<float> errors(triangulation.n_active_cells());
  KellyErrorEstimator<3>::estimate(dof_handler,
                                   QGauss<2>(fe.degree + 1),
                                   std::map<types::boundary_id, const Function<3> *>(),
                                   by_strut,
                                   errors);
  GridRefinement::refine_and_coarsen_fixed_number(triangulation, errors, 0.2, 0.03);
  stiffness.clear(); // the operator refers to the mesh that is about to change
  triangulation.execute_coarsening_and_refinement();
}

void ElasticProblem::output_results() const
{
  DataOut<3> data_out;
  data_out.attach_dof_handler(dof_handler);
  data_out.add_data_vector(dof_handler,
                           by_strut,
                           std::vector<std::string>(3, "displacement"),
                           std::vector<DataComponentInterpretation::DataComponentInterpretation>(
                             3, DataComponentInterpretation::component_is_part_of_vector));
  data_out.build_patches();
  std::ofstream output("adaptive-elasticity.vtu");
  data_out.write_vtu(output);
}

bool ElasticProblem::run()
{
  GridGenerator::hyper_cube(triangulation, -1., 1.);
  triangulation.refine_global(3);
  double worst = 0.;
  for (unsigned int cycle = 0; cycle < options.n_cycles; ++cycle)
    {
      if (cycle > 0)
        refine_grid();
      setup_system();
      std::cout << "cycle " << cycle << ": " << triangulation.n_active_cells() << " elements, "
                << dof_handler.n_dofs() << " degrees of freedom, " << constraints.n_constraints()
                << " of them constrained\n";
      solve_with_strut();
      if (!options.with_matrix)
        continue;
      solve();
      solution -= by_strut;
      worst = std::max(worst, solution.linfty_norm() / by_strut.linfty_norm());
      std::cout << "  largest relative difference so far " << worst << std::endl;
    }
  std::cout << stiffness.describe();
  output_results();
  return worst < 1e-7;
}
} // namespace AdaptiveElasticity

int main(int argc, char *argv[])
{
  try
    {
      AdaptiveElasticity::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--cycles" && i + 1 < argc)
          options.n_cycles = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      return AdaptiveElasticity::ElasticProblem(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
