// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// Linear elasticity on a distributed mesh (p4est) in the style of deal.II's step-40: a tube is
// twisted, and sags under its weight. With several cycles Kelly's estimator refines the mesh. The
// program solves with a TrilinosWrappers::SparseMatrix and algebraic multigrid, with strut's
// operator in SolverCG, and with strut's own solver, with one GPU (or share of the cores) per rank.
// The lines that differ from a program without strut are marked "strut (1)" to "strut (6)".
//
//   mpirun -np P parallel-elasticity [--refinements N] [--cycles N] [--backend auto|cuda|cpu]
//                                   [--no-matrix | --solve-only]
//
// The mesh of the first cycle has 32 * 8^N hexahedra: 5 refinements are 1,048,576 elements. Vectors
// are those of LinearAlgebra::distributed, or of TrilinosWrappers::MPI with WITH_TRILINOS_VECTORS:
// the operator takes both.

#include <deal.II/base/conditional_ostream.h>
#include <deal.II/base/function.h>
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/timer.h>

#include <deal.II/distributed/grid_refinement.h>
#include <deal.II/distributed/tria.h>

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/sparsity_tools.h>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <deal.II/numerics/error_estimator.h>
#include <deal.II/numerics/vector_tools.h>

// strut (1): the operator.
#include <strut/stiffness_operator.h>

#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ParallelElasticity
{
using namespace dealii;

struct Options
{
  unsigned int refinements = 2;
  unsigned int n_cycles    = 1;
  std::string backend      = "auto";
  bool with_matrix         = true;
  bool with_products       = true;
};

#ifdef WITH_TRILINOS_VECTORS
using VectorType = TrilinosWrappers::MPI::Vector;
#else
using VectorType = LinearAlgebra::distributed::Vector<double>;
#endif

// A rotation about the z-axis by a small angle, linearised.
class Twist : public Function<3>
{
public:
  Twist() : Function<3>(3)
  {}

  double value(const Point<3> &x, const unsigned int component) const override
  {
    const double angle = 0.05;
    return component == 0 ? -angle * x[1] : component == 1 ? angle * x[0] : 0.;
  }
};

class ElasticProblem
{
public:
  explicit ElasticProblem(const Options &options);

  // Returns whether all solutions are equal.
  bool run();
  bool run_cycle();

private:
  using Operator = strut::StiffnessOperator<double>;

  void make_grid();
  void refine_grid();
  void setup_system();
  void assemble();
  void solve_with_matrix();
  void solve_with_products();
  void solve_on_the_backend();
  void report(const std::string &name, double seconds, unsigned int n_iterations);

  const Options options;
  const MPI_Comm communicator = MPI_COMM_WORLD;
  ConditionalOStream pcout; // prints on the first rank

  parallel::distributed::Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  FESystem<3> fe;
  IndexSet locally_owned_dofs, locally_relevant_dofs;
  AffineConstraints<double> constraints;

  TrilinosWrappers::SparseMatrix system_matrix;
  // right-hand side for the matrix, which includes the prescribed displacements
  VectorType system_rhs;

  // strut (2): the operator replaces the matrix.
  std::unique_ptr<Operator> stiffness;
  VectorType forces;

  VectorType solution, by_products, by_strut; // of the three methods

  const strut::Material material = {200e9, 0.3}; // steel, in metres
  const double weight            = 7850. * 9.81; // in newtons per cubic metre

  // Relative to the right-hand side; small for the comparison.
  const double tolerance = 1e-12;
  double setup_time      = 0.;
};

// strut (3): multigrid on several ranks uses the levels of a globally refined mesh, if the
// triangulation distributes them too. With a triangulation's default settings it uses background
// cells, and a few more iterations.
ElasticProblem::ElasticProblem(const Options &options)
  : options(options)
  , pcout(std::cout, Utilities::MPI::this_mpi_process(communicator) == 0)
  , triangulation(communicator,
                  Triangulation<3>::limit_level_difference_at_vertices,
                  parallel::distributed::Triangulation<3>::construct_multigrid_hierarchy)
  , dof_handler(triangulation)
  , fe(FE_Q<3>(1), 3)
{}

// A tube along the z-axis on its curved manifold. Boundary ids: 1 at its bottom, 2 at its top.
void ElasticProblem::make_grid()
{
  const double length = 2.;
  GridGenerator::cylinder_shell(triangulation, length, 0.5, 1., 8, 4);
  for (const auto &face : triangulation.active_face_iterators())
    if (face->at_boundary())
      {
        const double z = face->center()[2];
        face->set_boundary_id(z < 1e-10 ? 1 : z > length - 1e-10 ? 2 : 0);
      }
  triangulation.refine_global(options.refinements);
}

// As in step-40; the estimator needs the displacements of ghost cells. The operator refers to the
// mesh that is about to change.
void ElasticProblem::refine_grid()
{
  stiffness.reset();
  VectorType displacements;
  displacements.reinit(locally_owned_dofs, locally_relevant_dofs, communicator);
  displacements = by_strut;
#ifndef WITH_TRILINOS_VECTORS
  displacements.update_ghost_values();
#endif
  Vector<float> errors(triangulation.n_active_cells());
  KellyErrorEstimator<3>::estimate(dof_handler,
                                   QGauss<2>(fe.degree + 1),
                                   std::map<types::boundary_id, const Function<3> *>(),
                                   displacements,
                                   errors);
  parallel::distributed::GridRefinement::refine_and_coarsen_fixed_number(triangulation,
                                                                         errors,
                                                                         0.2,
                                                                         0.03);
  triangulation.execute_coarsening_and_refinement();
}

void ElasticProblem::setup_system()
{
  dof_handler.distribute_dofs(fe);
  pcout << triangulation.n_global_active_cells() << " elements, " << dof_handler.n_dofs()
        << " degrees of freedom; ranks: " << Utilities::MPI::n_mpi_processes(communicator) << '\n';
  locally_owned_dofs = dof_handler.locally_owned_dofs();
  DoFTools::extract_locally_relevant_dofs(dof_handler, locally_relevant_dofs);

  constraints.reinit(locally_relevant_dofs);
  DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  VectorTools::interpolate_boundary_values(dof_handler,
                                           1,
                                           Functions::ZeroFunction<3>(3),
                                           constraints);
  VectorTools::interpolate_boundary_values(dof_handler, 2, Twist(), constraints);
  constraints.close();

  for (VectorType *v : {&forces, &system_rhs, &solution, &by_products, &by_strut})
#ifdef WITH_TRILINOS_VECTORS
    v->reinit(locally_owned_dofs, communicator);
#else
    v->reinit(locally_owned_dofs, locally_relevant_dofs, communicator);
#endif
}

// The forces, and the matrix if it is needed.
void ElasticProblem::assemble()
{
  if (options.with_matrix)
    {
      DynamicSparsityPattern pattern(locally_relevant_dofs);
      DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints, false);
      SparsityTools::distribute_sparsity_pattern(pattern,
                                                 locally_owned_dofs,
                                                 communicator,
                                                 locally_relevant_dofs);
      system_matrix.reinit(locally_owned_dofs, locally_owned_dofs, pattern, communicator);
    }

  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_matrix(n, n);
  Vector<double> cell_forces(n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strain(n), stress(n);
  const FEValuesExtractors::Vector displacement(0);

  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        fe_values.reinit(cell);
        cell_matrix = 0.;
        cell_forces = 0.;
        for (const unsigned int q : fe_values.quadrature_point_indices())
          for (unsigned int i = 0; i < n; ++i)
            cell_forces(i) -= weight * fe_values[displacement].value(i, q)[2] * fe_values.JxW(q);
        cell->get_dof_indices(dofs);
        constraints.distribute_local_to_global(cell_forces, dofs, forces);
        if (!options.with_matrix)
          continue;

        for (const unsigned int q : fe_values.quadrature_point_indices())
          {
            for (unsigned int i = 0; i < n; ++i)
              {
                strain[i] = fe_values[displacement].symmetric_gradient(i, q);
                stress[i] = fe_values.JxW(q) *
                            (material.lambda() * trace(strain[i]) * unit_symmetric_tensor<3>() +
                             2. * material.mu() * strain[i]);
              }
            for (unsigned int i = 0; i < n; ++i)
              for (unsigned int j = 0; j < n; ++j)
                cell_matrix(i, j) += stress[i] * strain[j];
          }
        constraints.distribute_local_to_global(
          cell_matrix, cell_forces, dofs, system_matrix, system_rhs);
      }
  forces.compress(VectorOperation::add);
  system_rhs.compress(VectorOperation::add);
  if (options.with_matrix)
    system_matrix.compress(VectorOperation::add);
}

void ElasticProblem::solve_with_matrix()
{
  Timer timer;
  TrilinosWrappers::PreconditionAMG preconditioner;
  TrilinosWrappers::PreconditionAMG::AdditionalData data;
  DoFTools::extract_constant_modes(dof_handler, ComponentMask(3, true), data.constant_modes);
  preconditioner.initialize(system_matrix, data);

  SolverControl control(2000, tolerance * system_rhs.l2_norm());
  SolverCG<VectorType> cg(control);
  cg.solve(system_matrix, solution, system_rhs, preconditioner);
  constraints.distribute(solution);
  report("Trilinos, SolverCG, AMG", timer.wall_time(), control.last_step());
}

// strut (4): SolverCG with the operator. Algebraic multigrid needs a matrix, so the preconditioner
// is the diagonal, which takes many cheap iterations.
void ElasticProblem::solve_with_products()
{
  Timer timer;
  VectorType rhs(forces);
  stiffness->lift(rhs); // subtracts the effect of the prescribed displacements on the free DoFs
  stiffness->compute_diagonal();
  stiffness->reset_transfers();

  SolverControl control(20000, tolerance * rhs.l2_norm());
  SolverCG<VectorType> cg(control);
  cg.solve(*stiffness, by_products, rhs, *stiffness->get_matrix_diagonal_inverse<VectorType>());
  constraints.distribute(by_products);
  report("strut's vmult(), SolverCG", timer.wall_time(), control.last_step());
  pcout << "    rank 0: " << stiffness->transfers() << std::endl;
}

// strut (5): alternatively, the whole solve on the backend, prescribed displacements included.
void ElasticProblem::solve_on_the_backend()
{
  stiffness->reset_transfers();
  const strut::SolveReport result = stiffness->solve(by_strut, forces);
  report("strut's solve(), " + result.preconditioner, result.seconds, result.iterations);
  pcout << "    rank 0: " << stiffness->transfers() << std::endl;

  // The first solve has made the levels of multigrid, so the second one shows the time of a solve
  // alone.
  by_strut                         = 0.;
  const strut::SolveReport another = stiffness->solve(by_strut, forces);
  report("another one", another.seconds, another.iterations);
}

void ElasticProblem::report(const std::string &name, const double seconds, const unsigned int n)
{
  pcout << std::setprecision(3) << std::left << std::setw(30) << name << std::right << " set-up "
        << std::setw(9) << setup_time << " s, solution " << std::setw(9) << seconds << " s, " << n
        << " iterations" << std::endl;
}

bool ElasticProblem::run()
{
  make_grid();
  bool all_the_same = true;
  for (unsigned int cycle = 0; cycle < options.n_cycles; ++cycle)
    {
      if (cycle > 0)
        refine_grid();
      all_the_same = run_cycle() && all_the_same;
    }
  return all_the_same;
}

bool ElasticProblem::run_cycle()
{
  setup_system();

  Timer timer;
  assemble();
  setup_time = timer.wall_time();
  if (options.with_matrix)
    solve_with_matrix();

  // strut (6): mesh, constraints and material are copied to the backend once.
  timer.restart();
  strut::StiffnessOptions strut_options;
  strut_options.backend   = options.backend;
  strut_options.tolerance = tolerance;
  stiffness  = std::make_unique<Operator>(dof_handler, constraints, material, strut_options);
  setup_time = timer.wall_time();
  if (options.with_products)
    solve_with_products();
  solve_on_the_backend();
  pcout << stiffness->describe() << std::flush;
  if (!options.with_products)
    return true; // nothing to compare with

  const VectorType reference = options.with_matrix ? solution : by_products;
  by_products -= reference;
  VectorType difference(by_strut); // the estimator for the next mesh uses it
  difference -= reference;
  const double of_products = by_products.l2_norm() / reference.l2_norm();
  const double of_solve    = difference.l2_norm() / reference.l2_norm();
  pcout << "relative difference to " << (options.with_matrix ? "the matrix" : "vmult()")
        << ": vmult() " << of_products << ", solve() " << of_solve << std::endl;
  return of_products < 1e-8 && of_solve < 1e-8;
}
} // namespace ParallelElasticity

int main(int argc, char *argv[])
{
  using namespace ParallelElasticity;
  try
    {
      Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
      Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--solve-only")
          options.with_matrix = options.with_products = false;
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--cycles" && i + 1 < argc)
          options.n_cycles = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      return ElasticProblem(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
