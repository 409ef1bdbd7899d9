// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// The lowest vibration modes of a steel bracket, K x = lambda M x, by LOBPCG. It needs products
// with K and M and a preconditioner, but no matrix. For comparison, the program uses deal.II's
// matrices and ARPACK. The lines that differ are marked "strut (1)" to "strut (5)".
//
//   eigenmodes [--refinements N] [--modes N] [--backend auto|cuda|cpu] [--device] [--free]
//              [--no-matrix]
//
// The mesh has 30 * 8^N hexahedra, and some more at the inner corner. 5 refinements give about a
// million elements.

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
#include <deal.II/lac/arpack_solver.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>
#include <deal.II/lac/vector.h>

#include <deal.II/numerics/data_out.h>
#include <deal.II/numerics/vector_tools.h>

// strut (1): the operator, and vectors in the memory where it computes.
#include <strut/device_vector.h>
#include <strut/stiffness_operator.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "lobpcg.h"

namespace Eigenmodes
{
using namespace dealii;

struct Options
{
  unsigned int refinements = 2;
  unsigned int n_modes     = 6;
  std::string backend      = "auto";
  bool device              = false; // DeviceVector replaces LinearAlgebra::distributed::Vector
  bool free                = false; // no clamp: the first six modes are rigid
  bool with_matrix         = true;
};

using HostVector   = LinearAlgebra::distributed::Vector<double>;
using DeviceVector = strut::DeviceVector<double>;

void copy(HostVector &to, const HostVector &from)
{
  to = from;
}
void copy(DeviceVector &to, const HostVector &from)
{
  to.import_from(from);
}
void copy(HostVector &to, const DeviceVector &from)
{
  from.export_to(to);
}

class Bracket
{
public:
  explicit Bracket(const Options &options);
  bool run(); // returns whether all eigenvalues are equal

private:
  void make_grid();
  void setup_system();
  HostVector random_vector();
  template <class Vector>
  std::vector<double> modes_by_strut();
  std::vector<double> modes_by_matrix();
  double lowest_by_solve();
  void assemble(SparseMatrix<double> &stiffness_matrix, SparseMatrix<double> &mass_matrix) const;
  void output_results();
  void report(const std::string &name, double setup, double solution, unsigned int n) const;

  const Options options;
  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  const FESystem<3> fe;
  AffineConstraints<double> constraints;
  SparsityPattern sparsity_pattern;

  // strut (2): the operator replaces the matrices.
  strut::StiffnessOperator<double> stiffness;
  std::vector<HostVector> modes;

  const strut::Material material = {200e9, 0.3}; // steel, in metres
  const double density           = 7850.;        // in kilograms per cubic metre
  const double tolerance         = 1e-6;         // for the residuals; eigenvalues have its square

  // A body without supports has a singular stiffness, but K + shift M is positive definite, with
  // the same modes. solve() needs it for the same reason. Its order is that of the lowest
  // eigenvalues, (2 pi 200 Hz)^2.
  const double shift = 1.6e6;
  const double shift_of_modes;
  std::mt19937 random;
};

Bracket::Bracket(const Options &options)
  : options(options)
  , dof_handler(triangulation)
  , fe(FE_Q<3>(1), 3)
  , shift_of_modes(options.free ? shift : 0.)
{}

// Two legs of 20 cm, 5 cm wide and 2.5 cm thick. Elements at the inner corner are half as large,
// which makes hanging nodes.
void Bracket::make_grid()
{
  GridGenerator::subdivided_hyper_L(
    triangulation, {8, 2, 8}, Point<3>(), Point<3>(0.2, 0.05, 0.2), {-7, 2, -7});
  for (const auto &face : triangulation.active_face_iterators())
    if (face->at_boundary() && face->center()[2] > 0.2 - 1e-10)
      face->set_boundary_id(1); // end of the upright leg
  triangulation.refine_global(options.refinements);
  const Point<3> corner(0.025, 0., 0.025);
  for (const auto &cell : triangulation.active_cell_iterators())
    {
      const Tensor<1, 3> d = cell->center() - corner;
      if (d[0] * d[0] + d[2] * d[2] < 0.015 * 0.015)
        cell->set_refine_flag();
    }
  triangulation.execute_coarsening_and_refinement();
}

void Bracket::setup_system()
{
  dof_handler.distribute_dofs(fe);
  DoFTools::make_hanging_node_constraints(dof_handler, constraints);
  if (!options.free)
    VectorTools::interpolate_boundary_values(dof_handler,
                                             1,
                                             Functions::ZeroFunction<3>(3),
                                             constraints);
  constraints.close();
  std::cout << triangulation.n_active_cells() << " elements, " << dof_handler.n_dofs()
            << " degrees of freedom, " << constraints.n_constraints() << " of them constrained\n";
}

// Vectors are zero on constrained degrees of freedom, and remain so in the iteration. Products with
// M and the preconditioner give zeros there, and K is the identity.
HostVector Bracket::random_vector()
{
  HostVector result;
  stiffness.initialize_dof_vector(result);
  std::uniform_real_distribution<double> uniform(-1., 1.);
  for (double &value : result)
    value = uniform(random);
  constraints.set_zero(result);
  return result;
}

// strut (3): K, M and the preconditioner for LOBPCG. With DeviceVector, vectors stay on the GPU,
// and only numbers come back.
template <class Vector>
std::vector<double> Bracket::modes_by_strut()
{
  Timer timer;
  strut::StiffnessOptions strut_options;
  strut_options.backend             = options.backend;
  strut_options.tolerance           = 1e-10;
  strut_options.constrained_entries = "zero"; // for the result of solve(), see below
  stiffness.reinit(dof_handler,
                   constraints,
                   {material, strut_options, 1, density, strut::MassKind::consistent});
  stiffness.set_shift(shift_of_modes);
  const auto preconditioner = stiffness.preconditioner();
  const double setup        = timer.wall_time();
  timer.restart();

  std::vector<Vector> x(options.n_modes);
  for (Vector &v : x)
    {
      stiffness.initialize_dof_vector(v);
      copy(v, random_vector());
    }
  Pencil<Vector> pencil;
  pencil.stiffness      = [&](Vector &dst, const Vector &src) { stiffness.vmult(dst, src); };
  pencil.mass           = [&](Vector &dst, const Vector &src) { stiffness.mass_vmult(dst, src); };
  pencil.preconditioner = [&](Vector &dst, const Vector &src) { preconditioner.vmult(dst, src); };
  stiffness.reset_transfers();
  unsigned int n_iterations  = 0;
  std::vector<double> result = lobpcg(pencil, x, tolerance, n_iterations);
  report("strut, LOBPCG", setup, timer.wall_time(), n_iterations);
  std::cout << "    " << stiffness.transfers() << '\n';

  modes.assign(options.n_modes, random_vector());
  for (unsigned int i = 0; i < options.n_modes; ++i)
    copy(modes[i], x[i]);
  return result;
}

// strut (4): the lowest eigenvalue of K + shift M again, by inverse iteration with solve(). The
// option makes its solution zero on constrained degrees of freedom, which are no part of the
// eigenvalue problem.
double Bracket::lowest_by_solve()
{
  stiffness.set_shift(shift);
  Timer timer;
  HostVector x = random_vector(), mx(x), kx(x);
  double value = 0., before = 0.;
  unsigned int n_iterations = 0;
  do
    {
      stiffness.mass_vmult(mx, x);
      stiffness.solve(x, mx);
      before = value;
      stiffness.vmult(kx, x);
      stiffness.mass_vmult(mx, x);
      value = (x * kx) / (x * mx);
      x /= std::sqrt(x * mx);
  } while (++n_iterations < 500 && std::abs(value - before) > 1e-10 * value);
  report("strut, inverse iteration", 0., timer.wall_time(), n_iterations);

  // strut (5): modes near a frequency would need K - omega^2 M, which is not positive definite. The
  // preconditioner and solve() refuse it. Products accept it, in an operator without a
  // preconditioner.
  try
    {
      stiffness.set_shift(-shift);
    }
  catch (const strut::Error &error)
    {
      std::cout << "    a negative shift: " << error.what() << '\n';
    }
  return value;
}

// Assembles K + shift M and M with condensed constraints. Rows of constrained degrees of freedom
// get a diagonal entry. In M it is removed, so that they give no modes.
void Bracket::assemble(SparseMatrix<double> &stiffness_matrix,
                       SparseMatrix<double> &mass_matrix) const
{
  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_values | update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacement(0);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_stiffness(n, n), cell_mass(n, n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strain(n), stress(n);
  std::vector<Tensor<1, 3>> value(n);
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      cell_stiffness = 0.;
      cell_mass      = 0.;
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          for (unsigned int i = 0; i < n; ++i)
            {
              value[i]  = fe_values[displacement].value(i, q);
              strain[i] = fe_values[displacement].symmetric_gradient(i, q);
              stress[i] = material.lambda() * trace(strain[i]) * unit_symmetric_tensor<3>() +
                          2. * material.mu() * strain[i];
            }
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              {
                cell_stiffness(i, j) += stress[i] * strain[j] * fe_values.JxW(q);
                cell_mass(i, j) += density * value[i] * value[j] * fe_values.JxW(q);
              }
        }
      cell_stiffness.add(shift_of_modes, cell_mass);
      cell->get_dof_indices(dofs);
      constraints.distribute_local_to_global(cell_stiffness, dofs, stiffness_matrix);
      constraints.distribute_local_to_global(cell_mass, dofs, mass_matrix);
    }
  for (const auto &line : constraints.get_lines())
    mass_matrix.set(line.index, line.index, 0.);
}

// ARPACK's iteration with the factorized matrix. If deal.II was built without it, LOBPCG uses these
// factors.
std::vector<double> Bracket::modes_by_matrix()
{
  Timer timer;
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints, /*keep_constrained*/ false);
  sparsity_pattern.copy_from(pattern);
  SparseMatrix<double> stiffness_matrix(sparsity_pattern), mass_matrix(sparsity_pattern);
  assemble(stiffness_matrix, mass_matrix);
  SparseDirectUMFPACK inverse;
  inverse.initialize(stiffness_matrix);
  const double setup = timer.wall_time();
  timer.restart();

  std::vector<Vector<double>> x(options.n_modes, Vector<double>(dof_handler.n_dofs()));
  std::vector<double> result(options.n_modes);
#ifdef DEAL_II_WITH_ARPACK
  SolverControl control(500, 1e-11);
  ArpackSolver arpack(control,
                      ArpackSolver::AdditionalData(4 * options.n_modes,
                                                   ArpackSolver::largest_magnitude,
                                                   /*symmetric*/ true));
  Vector<double> start(dof_handler.n_dofs());
  for (double &entry : start)
    entry = std::uniform_real_distribution<double>(-1., 1.)(random);
  constraints.set_zero(start);
  arpack.set_initial_vector(start);
  std::vector<std::complex<double>> eigenvalues(options.n_modes);
  arpack.solve(stiffness_matrix, mass_matrix, inverse, eigenvalues, x);
  for (unsigned int i = 0; i < options.n_modes; ++i)
    result[i] = eigenvalues[i].real();
  std::sort(result.begin(), result.end());
  report("SparseMatrix, ARPACK", setup, timer.wall_time(), control.last_step());
#else
  for (Vector<double> &v : x)
    for (double &entry : v)
      entry = std::uniform_real_distribution<double>(-1., 1.)(random);
  Pencil<Vector<double>> pencil;
  pencil.stiffness      = [&](auto &dst, const auto &src) { stiffness_matrix.vmult(dst, src); };
  pencil.mass           = [&](auto &dst, const auto &src) { mass_matrix.vmult(dst, src); };
  pencil.preconditioner = [&](auto &dst, const auto &src) { inverse.vmult(dst, src); };
  for (Vector<double> &v : x)
    constraints.set_zero(v);
  unsigned int n_iterations = 0;
  result                    = lobpcg(pencil, x, tolerance, n_iterations);
  report("SparseMatrix, LOBPCG", setup, timer.wall_time(), n_iterations);
#endif
  return result;
}

void Bracket::report(const std::string &name,
                     const double setup,
                     const double seconds,
                     const unsigned int n) const
{
  std::cout << std::setprecision(3) << std::left << std::setw(26) << name << std::right
            << " set-up " << std::setw(8) << setup << " s, solution " << std::setw(8) << seconds
            << " s, " << n << " iterations" << std::endl;
}

void Bracket::output_results()
{
  DataOut<3> data_out;
  data_out.attach_dof_handler(dof_handler);
  for (unsigned int i = 0; i < modes.size(); ++i)
    {
      constraints.distribute(modes[i]); // interpolates hanging nodes again
      data_out.add_data_vector(
        dof_handler,
        modes[i],
        std::vector<std::string>(3, "mode_" + std::to_string(i + 1)),
        std::vector<DataComponentInterpretation::DataComponentInterpretation>(
          3, DataComponentInterpretation::component_is_part_of_vector));
    }
  data_out.build_patches();
  std::ofstream output("eigenmodes.vtu");
  data_out.write_vtu(output);
}

bool Bracket::run()
{
  make_grid();
  setup_system();
  // Eigenvalues of (K + shift M, M) are those of (K, M) plus the shift.
  const std::vector<double> eigenvalues =
    options.device ? modes_by_strut<DeviceVector>() : modes_by_strut<HostVector>();
  std::cout << stiffness.describe();
  output_results();
  const double lowest = lowest_by_solve();
  double worst        = std::abs(lowest - (eigenvalues[0] - shift_of_modes + shift)) / lowest;
  std::cout << "    relative difference to LOBPCG " << worst << '\n';

  const std::vector<double> reference = options.with_matrix ? modes_by_matrix() : eigenvalues;
  std::cout << "mode  frequency, Hz\n";
  for (unsigned int i = 0; i < options.n_modes; ++i)
    {
      worst = std::max(worst, std::abs(eigenvalues[i] - reference[i]) / reference[i]);
      std::cout << std::setw(4) << i + 1 << std::setw(15) << std::fixed
                << std::sqrt(std::max(0., eigenvalues[i] - shift_of_modes)) / (2. * numbers::PI)
                << std::defaultfloat << '\n';
    }
  std::cout << "largest relative difference of eigenvalues " << worst << std::endl;
  return worst < 1e-8;
}
} // namespace Eigenmodes

int main(int argc, char *argv[])
{
  try
    {
      Eigenmodes::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--device")
          options.device = true;
        else if (option == "--free")
          options.free = true;
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--modes" && i + 1 < argc)
          options.n_modes = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      if (options.free)
        options.n_modes += 6;
      return Eigenmodes::Bracket(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
