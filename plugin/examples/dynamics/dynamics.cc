// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// A steel block on a table that is pushed to the side and back. Implicit dynamics by Newmark's
// method with average acceleration, M a + K u = 0, with hanging nodes at the moving support. All
// vectors of the time loop stay on the GPU. For comparison, the program also uses deal.II's
// SparseMatrix. The lines that differ are marked "strut (1)" to "strut (4)".
//
//   dynamics [--refinements N] [--steps N] [--backend auto|cuda|cpu] [--no-matrix]
//
// The mesh has 16 * 8^N hexahedra, of which one in eight at the support is cut into eight. 5
// refinements give about a million elements.

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

// strut (1): the operator, and vectors in the memory where it computes.
#include <strut/device_vector.h>
#include <strut/stiffness_operator.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Dynamics
{
using namespace dealii;

struct Options
{
  unsigned int refinements = 2;
  unsigned int n_steps     = 60;
  std::string backend      = "auto";
  bool with_matrix         = true;
};

// Newmark's method with beta = 1/4 and gamma = 1/2. A step solves
//
//   (K + c M) u = M (c u_n + 4 / dt v_n + a_n),  c = 4 / dt^2.
//
// N. M. Newmark, J. Eng. Mech. Div. ASCE 85 (1959) 67-94.
template <class Vector>
struct Motion
{
  Vector u, v, a;
  Vector predictor; // the vector that M multiplies
  Vector next;      // u at the end of the step

  // Writes a guess for the solver to `next`.
  void predict(const double dt)
  {
    predictor.equ(4. / (dt * dt), u);
    predictor.add(4. / dt, v, 1., a);
    next.equ(1., u);
    next.add(dt, v);
  }

  void advance(const double dt)
  {
    v.sadd(-1., 2. / dt, next);
    v.add(-2. / dt, u);
    a.equ(4. / (dt * dt), next);
    a.add(-1., predictor);
    u.equ(1., next);
  }
};

class ShakenBlock
{
public:
  explicit ShakenBlock(const Options &options);
  // returns whether both motions were equal, and whether the energy was constant at rest
  bool run();

private:
  using DeviceVector = strut::DeviceVector<double>;

  void make_grid();
  void setup_system();
  double support(double time) const;
  void move_support(double time);
  void run_with_strut();
  double energy(const Motion<DeviceVector> &motion) const;
  void assemble_matrices();
  void run_with_matrix();
  void output_results() const;
  void report(const std::string &name, double setup, double solution, unsigned int n) const;

  const Options options;
  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  const FESystem<3> fe;
  // constraints for a support displacement of 1 in the x-direction
  AffineConstraints<double> moved_by_one;
  AffineConstraints<double> constraints; // constraints at the present time

  SparsityPattern sparsity_pattern, full_pattern;
  SparseMatrix<double> system_matrix; // K + c M with condensed constraints
  SparseMatrix<double> full_matrix;   // K + c M without constraints, for the effect of the support
  Vector<double> masses;              // lumped masses

  // strut (2): the operator replaces the matrices; a mask has zeros on constrained degrees of
  // freedom.
  strut::StiffnessOperator<double> stiffness;
  DeviceVector free_dofs;

  Vector<double> by_matrix, by_strut;
  double energy_change = 0.; // largest relative change while the support is at rest

  const strut::Material material = {200e9, 0.3}; // steel, in metres
  const double density           = 7850.;        // in kilograms per cubic metre
  const double dt                = 1e-4;         // in seconds
  const double pulse             = 2e-3;         // duration of the support's motion in seconds
  // Relative to the right-hand side; small for the comparison.
  const double tolerance = 1e-12;
};

ShakenBlock::ShakenBlock(const Options &options)
  : options(options), dof_handler(triangulation), fe(FE_Q<3>(1), 3)
{}

// The block is one metre by one, and two metres high. Elements in a part of its foot are half as
// large. So hanging nodes are on the support, and also between it and free nodes.
void ShakenBlock::make_grid()
{
  GridGenerator::subdivided_hyper_rectangle(triangulation,
                                            {2, 2, 4},
                                            Point<3>(),
                                            Point<3>(1., 1., 2.));
  for (const auto &face : triangulation.active_face_iterators())
    if (face->at_boundary() && face->center()[2] < 1e-10)
      face->set_boundary_id(1);
  triangulation.refine_global(options.refinements);
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->center()[0] < 0.5 && cell->center()[2] < 0.5)
      cell->set_refine_flag();
  triangulation.execute_coarsening_and_refinement();
}

void ShakenBlock::setup_system()
{
  dof_handler.distribute_dofs(fe);
  DoFTools::make_hanging_node_constraints(dof_handler, moved_by_one);
  const Functions::ConstantFunction<3> to_the_side(std::vector<double>{1., 0., 0.});
  VectorTools::interpolate_boundary_values(dof_handler, 1, to_the_side, moved_by_one);
  moved_by_one.close();
  constraints.copy_from(moved_by_one);
  std::cout << triangulation.n_active_cells() << " elements, " << dof_handler.n_dofs()
            << " degrees of freedom, " << constraints.n_constraints() << " of them constrained, "
            << options.n_steps << " steps\n";
}

// Displacement of the table in metres. It begins and ends without velocity and acceleration.
double ShakenBlock::support(const double time) const
{
  return time < pulse ? 1e-3 * std::pow(std::sin(numbers::PI * time / pulse), 3) : 0.;
}

// Includes hanging nodes with a neighbour on the support.
void ShakenBlock::move_support(const double time)
{
  const double displacement = support(time);
  for (const auto &line : moved_by_one.get_lines())
    constraints.set_inhomogeneity(line.index, displacement * line.inhomogeneity);
}

// strut (3): the whole time loop. The operator gets the prescribed displacements of each step, and
// only numbers come back. mass_vmult_unconstrained() computes inertia forces from the motion of all
// nodes, because the mass of hanging nodes that follow the support counts.
void ShakenBlock::run_with_strut()
{
  Timer timer;
  strut::StiffnessOptions strut_options;
  strut_options.backend       = options.backend;
  strut_options.tolerance     = tolerance;
  strut_options.initial_guess = true;
  move_support(0.);
  stiffness.reinit(dof_handler, constraints, {material, strut_options, 1, density});
  stiffness.set_shift(4. / (dt * dt));
  Motion<DeviceVector> motion;
  DeviceVector inertia;
  for (DeviceVector *v :
       {&motion.u, &motion.v, &motion.a, &motion.predictor, &motion.next, &inertia, &free_dofs})
    stiffness.initialize_dof_vector(*v);
  Vector<double> mask(dof_handler.n_dofs());
  mask = 1.;
  constraints.set_zero(mask);
  free_dofs.import_from(mask);
  const double setup = timer.wall_time();
  timer.restart();

  unsigned int n_iterations = 0;
  double first_energy       = 0.;
  for (unsigned int step = 1; step <= options.n_steps; ++step)
    {
      move_support(step * dt);
      stiffness.set_prescribed_values(constraints);
      motion.predict(dt);
      stiffness.mass_vmult_unconstrained(inertia, motion.predictor);
      n_iterations += stiffness.solve(motion.next, inertia).iterations;
      motion.advance(dt);
      if (support((step - 1) * dt) == 0. && support(step * dt) == 0.)
        {
          const double now = energy(motion);
          if (first_energy == 0.)
            first_energy = now;
          energy_change = std::max(energy_change, std::abs(now - first_energy) / first_energy);
        }
    }
  report("strut", setup, timer.wall_time(), n_iterations);
  std::cout << "  energy after the push " << std::setprecision(10) << first_energy
            << " J, changes by " << std::setprecision(2) << energy_change << " of it\n"
            << stiffness.describe();
  by_strut.reinit(dof_handler.n_dofs());
  motion.u.export_to(by_strut);
}

// strut (4): v M v / 2 + u K u / 2, which the method keeps constant while no support moves. The
// operator is K + c M, so c M is subtracted. On constrained degrees of freedom it is the identity,
// so u must be zero there. With the support at zero, the condensed operator accounts for the
// hanging nodes.
double ShakenBlock::energy(const Motion<DeviceVector> &motion) const
{
  DeviceVector u(motion.u), product(motion.u);
  stiffness.mass_vmult_unconstrained(product, motion.v);
  double result = 0.5 * (motion.v * product);
  u.scale(free_dofs);
  stiffness.vmult(product, u);
  result += 0.5 * (u * product);
  stiffness.mass_vmult(product, u);
  return result - 0.5 * 4. / (dt * dt) * (u * product);
}

void ShakenBlock::assemble_matrices()
{
  DynamicSparsityPattern pattern(dof_handler.n_dofs()), full(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints, /*keep_constrained*/ false);
  DoFTools::make_sparsity_pattern(dof_handler, full);
  sparsity_pattern.copy_from(pattern);
  full_pattern.copy_from(full);
  system_matrix.reinit(sparsity_pattern);
  full_matrix.reinit(full_pattern);
  masses.reinit(dof_handler.n_dofs());

  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacement(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_matrix(n, n);
  Vector<double> cell_masses(n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strain(n), stress(n);
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      cell_matrix = 0.;
      cell_masses = 0.;
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          for (unsigned int i = 0; i < n; ++i)
            {
              cell_masses(i) += density * fe_values.shape_value(i, q) * fe_values.JxW(q);
              strain[i] = fe_values[displacement].symmetric_gradient(i, q);
              stress[i] = material.lambda() * trace(strain[i]) * unit_symmetric_tensor<3>() +
                          2. * material.mu() * strain[i];
            }
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              cell_matrix(i, j) += stress[i] * strain[j] * fe_values.JxW(q);
        }
      for (unsigned int i = 0; i < n; ++i)
        cell_matrix(i, i) += 4. / (dt * dt) * cell_masses(i);
      cell->get_dof_indices(dofs);
      constraints.distribute_local_to_global(cell_matrix, dofs, system_matrix);
      full_matrix.add(dofs, cell_matrix);
      masses.add(dofs, cell_masses);
    }
}

void ShakenBlock::run_with_matrix()
{
  Timer timer;
  assemble_matrices();
  PreconditionSSOR<SparseMatrix<double>> preconditioner;
  preconditioner.initialize(system_matrix, 1.2);
  Motion<Vector<double>> motion;
  Vector<double> rhs, prescribed, lifting;
  for (Vector<double> *v : {&motion.u,
                            &motion.v,
                            &motion.a,
                            &motion.predictor,
                            &motion.next,
                            &rhs,
                            &prescribed,
                            &lifting})
    v->reinit(dof_handler.n_dofs());
  move_support(0.);
  AffineConstraints<double> at_rest;
  at_rest.copy_from(constraints);
  const double setup = timer.wall_time();
  timer.restart();

  unsigned int n_iterations = 0;
  for (unsigned int step = 1; step <= options.n_steps; ++step)
    {
      move_support(step * dt);
      motion.predict(dt);
      rhs = motion.predictor;
      rhs.scale(masses);
      prescribed = 0.;
      constraints.distribute(prescribed);
      full_matrix.vmult(lifting, prescribed);
      rhs -= lifting;
      at_rest.condense(rhs);
      at_rest.set_zero(motion.next);
      SolverControl control(20000, tolerance * rhs.l2_norm());
      SolverCG<Vector<double>> cg(control);
      cg.solve(system_matrix, motion.next, rhs, preconditioner);
      constraints.distribute(motion.next);
      n_iterations += control.last_step();
      motion.advance(dt);
    }
  report("SparseMatrix, SSOR", setup, timer.wall_time(), n_iterations);
  by_matrix = motion.u;
}

void ShakenBlock::report(const std::string &name,
                         const double setup,
                         const double seconds,
                         const unsigned int n) const
{
  std::cout << std::setprecision(3) << std::left << std::setw(20) << name << std::right
            << " set-up " << std::setw(8) << setup << " s, steps " << std::setw(8) << seconds
            << " s, " << double(n) / options.n_steps << " iterations a step" << std::endl;
}

void ShakenBlock::output_results() const
{
  DataOut<3> data_out;
  data_out.attach_dof_handler(dof_handler);
  data_out.add_data_vector(dof_handler,
                           by_strut,
                           std::vector<std::string>(3, "displacement"),
                           std::vector<DataComponentInterpretation::DataComponentInterpretation>(
                             3, DataComponentInterpretation::component_is_part_of_vector));
  data_out.build_patches();
  std::ofstream output("dynamics.vtu");
  data_out.write_vtu(output);
}

bool ShakenBlock::run()
{
  make_grid();
  setup_system();
  run_with_strut();
  output_results();
  double difference = 0.;
  if (options.with_matrix)
    {
      run_with_matrix();
      by_matrix -= by_strut;
      difference = by_matrix.linfty_norm() / by_strut.linfty_norm();
      std::cout << "relative difference of displacements " << difference << std::endl;
    }
  return difference < 1e-8 && energy_change < 1e-8;
}
} // namespace Dynamics

int main(int argc, char *argv[])
{
  try
    {
      Dynamics::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--steps" && i + 1 < argc)
          options.n_steps = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      return Dynamics::ShakenBlock(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
