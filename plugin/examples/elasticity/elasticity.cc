// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// Linear elasticity in the style of deal.II's step-8, three times on the same mesh: with a
// SparseMatrix, with strut's operator in SolverCG, and with strut's own solver. The lines that
// differ from a program without strut are marked "strut (1)" to "strut (5)"; the README shows them
// as a diff.
//
//   elasticity [--refinements N] [--backend auto|cuda|cpu] [--no-matrix]
//
// The mesh has 250 * 8^N cubes: 4 refinements are 1,024,000 elements.

#include <deal.II/base/function.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/timer.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools.h>

// strut (1): the operator.
#include <strut/stiffness_operator.h>

#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace Elasticity
{
using namespace dealii;

struct Options
{
  unsigned int refinements = 2;
  std::string backend      = "auto";
  bool with_matrix         = true;
};

// Forces as in step-8: in the x-direction inside two balls, in the y-direction inside a third one.
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

  // Returns whether all solutions are equal.
  bool run();

private:
  void make_grid();
  void setup_system();
  void assemble_forces();
  void assemble_matrix();
  template <typename Matrix>
  void solve(const std::string &name,
             const Matrix &matrix,
             Vector<double> &u,
             const Vector<double> &rhs);
  void solve_with_products();
  void solve_on_the_backend();
  void output_results() const;

  void report(const std::string &name, double seconds, unsigned int n_iterations);

  const Options options;

  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  FESystem<3> fe;
  AffineConstraints<double> constraints;

  SparsityPattern sparsity_pattern;
  SparseMatrix<double> system_matrix;
  Vector<double> forces, system_rhs; // without and with the effect of the prescribed displacements

  // strut (2): the operator replaces the matrix.
  std::unique_ptr<strut::StiffnessOperator<double>> stiffness;

  Vector<double> solution, by_products, by_strut; // of the three methods

  // Lame's parameters are 1, as in step-8. So E = mu (3 lambda + 2 mu) / (lambda + mu), and nu =
  // lambda / 2 (lambda + mu).
  const double lambda = 1., mu = 1.;
  const strut::Material material = {2.5, 0.25};

  // Relative to the right-hand side; small for the comparison.
  const double tolerance = 1e-12;
  double setup_time      = 0.;
};

ElasticProblem::ElasticProblem(const Options &options)
  : options(options), dof_handler(triangulation), fe(FE_Q<3>(1), 3)
{}

// A bar of cubes from x = -2 to x = 2. It is refined globally from a coarse mesh, because strut's
// multigrid takes its levels from the refinements.
void ElasticProblem::make_grid()
{
  GridGenerator::subdivided_hyper_rectangle(
    triangulation, {10, 5, 5}, Point<3>(-2., -1., -1.), Point<3>(2., 1., 1.), /*colorize*/ true);
  triangulation.refine_global(options.refinements);
}

void ElasticProblem::setup_system()
{
  dof_handler.distribute_dofs(fe);
  std::cout << triangulation.n_active_cells() << " elements, " << dof_handler.n_dofs()
            << " degrees of freedom\n";

  // The left end is fixed, and the right end is displaced by 0.1: an inhomogeneous condition.
  VectorTools::interpolate_boundary_values(dof_handler,
                                           0,
                                           Functions::ZeroFunction<3>(3),
                                           constraints);
  VectorTools::interpolate_boundary_values(
    dof_handler, 1, Functions::ConstantFunction<3>(std::vector<double>{0.1, 0., 0.}), constraints);
  constraints.close();

  for (Vector<double> *v : {&system_rhs, &forces, &solution, &by_products, &by_strut})
    v->reinit(dof_handler.n_dofs());
}

// The forces, which deal.II assembles for strut, too.
void ElasticProblem::assemble_forces()
{
  VectorTools::create_right_hand_side(
    dof_handler, QGauss<3>(fe.degree + 1), BodyForce(), forces, constraints);
}

// The operator replaces all of this: pattern, element matrices, global matrix. Elimination of the
// prescribed displacements changes the right-hand side.
void ElasticProblem::assemble_matrix()
{
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints, /*keep_constrained*/ false);
  sparsity_pattern.copy_from(pattern);
  system_matrix.reinit(sparsity_pattern);
  system_rhs = forces;

  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_gradients | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_matrix(n, n);
  Vector<double> cell_rhs(n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strain(n);
  std::vector<double> divergence(n);
  const FEValuesExtractors::Vector displacement(0);

  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      cell_matrix = 0.;
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          for (unsigned int i = 0; i < n; ++i)
            {
              strain[i]     = fe_values[displacement].symmetric_gradient(i, q);
              divergence[i] = trace(strain[i]);
            }
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              cell_matrix(i, j) +=
                (lambda * divergence[i] * divergence[j] + 2. * mu * (strain[i] * strain[j])) *
                fe_values.JxW(q);
        }
      cell->get_dof_indices(dofs);
      constraints.distribute_local_to_global(
        cell_matrix, cell_rhs, dofs, system_matrix, system_rhs);
    }
}

// One function for both, because SolverCG uses only members of a matrix that the operator has.
// step-8 uses PreconditionSSOR, which needs the entries of a matrix and runs on one core; Jacobi
// uses all cores.
template <typename Matrix>
void ElasticProblem::solve(const std::string &name,
                           const Matrix &matrix,
                           Vector<double> &u,
                           const Vector<double> &rhs)
{
  Timer timer;
  SolverControl control(20000, tolerance * rhs.l2_norm());
  SolverCG<Vector<double>> cg(control);
  PreconditionJacobi<Matrix> preconditioner;
  preconditioner.initialize(matrix);
  cg.solve(matrix, u, rhs, preconditioner);
  constraints.distribute(u);
  report(name + ", SolverCG", timer.wall_time(), control.last_step());
}

// strut (3): the operator replaces the matrix. Each product moves a vector to the backend and
// another one back.
void ElasticProblem::solve_with_products()
{
  Vector<double> rhs = forces;
  stiffness->lift(rhs); // subtracts the effect of the prescribed displacements on the free DoFs
  stiffness->compute_diagonal();
  stiffness->reset_transfers();
  solve("strut's vmult()", *stiffness, by_products, rhs);
  std::cout << "    " << stiffness->transfers() << '\n';
}

// strut (4): alternatively, the whole solve on the backend, prescribed displacements included.
void ElasticProblem::solve_on_the_backend()
{
  stiffness->reset_transfers();
  const strut::SolveReport result = stiffness->solve(by_strut, forces);
  report("strut's solve(), " + result.preconditioner, result.seconds, result.iterations);
  std::cout << "    " << stiffness->transfers() << '\n';
}

void ElasticProblem::report(const std::string &name, const double seconds, const unsigned int n)
{
  std::cout << std::setprecision(3) << std::left << std::setw(30) << name << std::right
            << " set-up " << std::setw(9) << setup_time << " s, solution " << std::setw(9)
            << seconds << " s, " << n << " iterations" << std::endl;
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
  std::ofstream output("elasticity.vtu");
  data_out.write_vtu(output);
}

bool ElasticProblem::run()
{
  make_grid();
  setup_system();
  assemble_forces();

  if (options.with_matrix)
    {
      Timer timer;
      assemble_matrix();
      setup_time = timer.wall_time();
      solve("SparseMatrix", system_matrix, solution, system_rhs);
    }

  // strut (5): mesh, constraints and material are copied to the backend once.
  Timer timer;
  strut::StiffnessOptions strut_options;
  strut_options.backend   = options.backend;
  strut_options.tolerance = tolerance;
  stiffness               = std::make_unique<strut::StiffnessOperator<double>>(dof_handler,
                                                                 constraints,
                                                                 material,
                                                                 strut_options);
  setup_time              = timer.wall_time();
  solve_with_products();
  solve_on_the_backend();
  std::cout << stiffness->describe();

  if (options.refinements <= 3)
    output_results();

  const Vector<double> reference = options.with_matrix ? solution : by_products;
  by_products -= reference;
  by_strut -= reference;
  const double of_products = by_products.l2_norm() / reference.l2_norm();
  const double of_solve    = by_strut.l2_norm() / reference.l2_norm();
  std::cout << "relative difference to " << (options.with_matrix ? "the SparseMatrix" : "vmult()")
            << ": vmult() " << of_products << ", solve() " << of_solve << '\n';
  return of_products < 1e-8 && of_solve < 1e-8;
}
} // namespace Elasticity

int main(int argc, char *argv[])
{
  try
    {
      Elasticity::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      return Elasticity::ElasticProblem(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
