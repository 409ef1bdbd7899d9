// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// The effective stiffness of a composite: a soft block with stiff balls in it is strained in six
// ways. The mean stresses are the columns of its 6x6 stiffness. One operator serves six right-hand
// sides: mesh and preconditioner are copied to the GPU once, and only the prescribed displacements
// change. For comparison, the program also uses a SparseMatrix. The lines that differ are marked
// "strut (1)" to "strut (5)".
//
//   material-study [--refinements N] [--backend auto|cuda|cpu] [--no-matrix]
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

#include <deal.II/numerics/vector_tools.h>

// strut (1): the operator.
#include <strut/stiffness_operator.h>

#include <algorithm>
#include <array>
#include <iomanip>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace MaterialStudy
{
using namespace dealii;

struct Options
{
  unsigned int refinements = 2;
  std::string backend      = "auto";
  bool with_matrix         = true;
  unsigned int n_cases     = 6; // number of strains, in the order xx, yy, zz, xy, xz, yz
};

constexpr unsigned int n_strains = SymmetricTensor<2, 3>::n_independent_components;

// Displacements u = strain x of a macroscopic strain, which is one of the six unit tensors in
// Voigt's order (xx, yy, zz, xy, xz, yz). Shears are engineering shears, gamma = 2 epsilon = 1.
class MacroscopicStrain : public Function<3>
{
public:
  explicit MacroscopicStrain(const unsigned int load_case) : Function<3>(3)
  {
    const TableIndices<2> ij = SymmetricTensor<2, 3>::unrolled_to_component_indices(load_case);
    strain[ij]               = ij[0] == ij[1] ? 1. : 0.5;
  }

  double value(const Point<3> &x, const unsigned int component) const override
  {
    return (strain * x)[component];
  }

private:
  SymmetricTensor<2, 3> strain;
};

// Young's modulus at a point, relative to that of the soft matrix: two balls, one of them larger.
double relative_stiffness(const Point<3> &x)
{
  const Point<3> one(0.5, 0.5, 0.5), other(1.4, 0.5, 0.5);
  return x.distance(one) < 0.3 || x.distance(other) < 0.4 ? 50. : 1.;
}

class Composite
{
public:
  explicit Composite(const Options &options)
    : options(options)
    , n_cases(std::min(options.n_cases, n_strains))
    , dof_handler(triangulation)
    , fe(FE_Q<3>(1), 3)
  {}

  bool run(); // returns whether all solutions are equal

private:
  using Operator  = strut::StiffnessOperator<double>;
  using LoadCases = std::array<Vector<double>, n_strains>;

  void setup_system();
  void assemble_matrix();
  template <typename Matrix, typename RightHandSide>
  void solve(const std::string &, const Matrix &, LoadCases &, const RightHandSide &);
  void solve_with_products();
  void solve_on_the_backend();
  SymmetricTensor<2, 3> stress(unsigned int cell, const SymmetricTensor<2, 3> &strain) const;
  FullMatrix<double> effective_stiffness(const LoadCases &displacements) const;
  void report(const std::string &name, const double seconds, const unsigned int n) const
  {
    std::cout << std::setprecision(3) << std::left << std::setw(30) << name << std::right
              << " set-up " << std::setw(9) << setup_time << " s, solution " << std::setw(9)
              << seconds << " s, " << n << " iterations" << std::endl;
  }

  const Options options;
  const unsigned int n_cases;

  Triangulation<3> triangulation;
  DoFHandler<3> dof_handler;
  FESystem<3> fe;
  std::array<AffineConstraints<double>, n_strains> constraints; // same DoFs, different values
  Vector<double> stiffness_factors;                             // by cell

  SparsityPattern sparsity_pattern;
  SparseMatrix<double> system_matrix;
  LoadCases system_rhs;
  // strut (2): the operator replaces the matrix and its six right-hand sides.
  std::unique_ptr<Operator> stiffness;
  LoadCases solution, by_products, by_strut; // of the three methods

  const strut::Material material = {1., 0.3};
  // relative to the right-hand side; small for the comparison
  const double tolerance = 1e-12;
  double setup_time      = 0.;
};

// The block [0, 2] x [0, 1]^2, whose whole surface follows the macroscopic strain.
void Composite::setup_system()
{
  const Point<3> corner(2., 1., 1.);
  GridGenerator::subdivided_hyper_rectangle(triangulation, {10, 5, 5}, Point<3>(), corner);
  triangulation.refine_global(options.refinements);
  dof_handler.distribute_dofs(fe);
  std::cout << triangulation.n_active_cells() << " elements, " << dof_handler.n_dofs()
            << " degrees of freedom, " << n_cases << " load cases\n";

  stiffness_factors.reinit(triangulation.n_active_cells());
  for (const auto &cell : triangulation.active_cell_iterators())
    stiffness_factors[cell->active_cell_index()] = relative_stiffness(cell->center());

  for (unsigned int k = 0; k < n_cases; ++k)
    {
      const MacroscopicStrain strain(k);
      VectorTools::interpolate_boundary_values(dof_handler, 0, strain, constraints[k]);
      constraints[k].close();
      for (LoadCases *vectors : {&system_rhs, &solution, &by_products, &by_strut})
        (*vectors)[k].reinit(dof_handler.n_dofs());
    }
}

// Hooke's law in a cell.
SymmetricTensor<2, 3> Composite::stress(const unsigned int cell,
                                        const SymmetricTensor<2, 3> &strain) const
{
  return stiffness_factors[cell] * (material.lambda() * trace(strain) * unit_symmetric_tensor<3>() +
                                    2. * material.mu() * strain);
}

// Assembles one matrix, and a right-hand side for each of the six constraints.
void Composite::assemble_matrix()
{
  DynamicSparsityPattern pattern(dof_handler.n_dofs());
  DoFTools::make_sparsity_pattern(dof_handler, pattern, constraints[0], /*keep*/ false);
  sparsity_pattern.copy_from(pattern);
  system_matrix.reinit(sparsity_pattern);

  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_gradients | update_JxW_values);
  const unsigned int n = fe.n_dofs_per_cell();
  FullMatrix<double> cell_matrix(n, n);
  const Vector<double> no_forces(n);
  std::vector<types::global_dof_index> dofs(n);
  std::vector<SymmetricTensor<2, 3>> strains(n), stresses(n);
  const FEValuesExtractors::Vector displacement(0);
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      cell_matrix = 0.;
      for (const unsigned int q : fe_values.quadrature_point_indices())
        {
          for (unsigned int i = 0; i < n; ++i)
            {
              strains[i]  = fe_values[displacement].symmetric_gradient(i, q);
              stresses[i] = stress(cell->active_cell_index(), strains[i]);
            }
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              cell_matrix(i, j) += stresses[i] * strains[j] * fe_values.JxW(q);
        }
      cell->get_dof_indices(dofs);
      constraints[0].distribute_local_to_global(cell_matrix, dofs, system_matrix);
      for (unsigned int k = 0; k < n_cases; ++k)
        constraints[k].distribute_local_to_global(no_forces, dofs, system_rhs[k], cell_matrix);
    }
}

// One function for both, because SolverCG uses only members of a matrix that the operator has.
template <typename Matrix, typename RightHandSide>
void Composite::solve(const std::string &name,
                      const Matrix &matrix,
                      LoadCases &displacements,
                      const RightHandSide &right_hand_side)
{
  Timer timer;
  unsigned int n_iterations = 0;
  PreconditionJacobi<Matrix> preconditioner;
  preconditioner.initialize(matrix);
  for (unsigned int k = 0; k < n_cases; ++k)
    {
      const Vector<double> rhs = right_hand_side(k);
      SolverControl control(20000, tolerance * rhs.l2_norm());
      SolverCG<Vector<double>> cg(control);
      cg.solve(matrix, displacements[k], rhs, preconditioner);
      constraints[k].distribute(displacements[k]);
      n_iterations += control.last_step();
    }
  report(name + ", SolverCG", timer.wall_time(), n_iterations);
}

// strut (3): the operator replaces the matrix. It gets the prescribed displacements of each case.
void Composite::solve_with_products()
{
  stiffness->compute_diagonal();
  stiffness->reset_transfers();
  solve("strut's vmult()", *stiffness, by_products, [&](const unsigned int k) {
    Vector<double> rhs(dof_handler.n_dofs());
    stiffness->set_prescribed_values(constraints[k]);
    stiffness->lift(rhs); // the block has no other loads
    return rhs;
  });
  std::cout << "    " << stiffness->transfers() << '\n';
}

// strut (4): alternatively, the whole solve on the backend. The first case builds the
// preconditioner for all.
void Composite::solve_on_the_backend()
{
  Timer timer;
  strut::SolveReport result;
  unsigned int n_iterations = 0;
  stiffness->reset_transfers();
  const Vector<double> no_forces(dof_handler.n_dofs());
  for (unsigned int k = 0; k < n_cases; ++k)
    {
      stiffness->set_prescribed_values(constraints[k]);
      result = stiffness->solve(by_strut[k], no_forces);
      n_iterations += result.iterations;
    }
  report("strut's solve(), " + result.preconditioner, timer.wall_time(), n_iterations);
  std::cout << "    " << stiffness->transfers() << '\n';
}

// The mean stress of each case as a column: 1/V int sigma(u_k).
FullMatrix<double> Composite::effective_stiffness(const LoadCases &displacements) const
{
  FullMatrix<double> result(n_strains, n_cases);
  const double volume = 2.;
  const QGauss<3> quadrature(fe.degree + 1);
  FEValues<3> fe_values(fe, quadrature, update_gradients | update_JxW_values);
  const FEValuesExtractors::Vector displacement(0);
  std::vector<SymmetricTensor<2, 3>> strains(quadrature.size());
  for (const auto &cell : dof_handler.active_cell_iterators())
    {
      fe_values.reinit(cell);
      for (unsigned int k = 0; k < n_cases; ++k)
        {
          fe_values[displacement].get_function_symmetric_gradients(displacements[k], strains);
          for (const unsigned int q : fe_values.quadrature_point_indices())
            for (unsigned int i = 0; i < n_strains; ++i)
              result(i, k) += stress(cell->active_cell_index(), strains[q]).access_raw_entry(i) *
                              fe_values.JxW(q) / volume;
        }
    }
  return result;
}

bool Composite::run()
{
  setup_system();
  if (options.with_matrix)
    {
      Timer timer;
      assemble_matrix();
      setup_time = timer.wall_time();
      solve("SparseMatrix", system_matrix, solution, [&](const unsigned int k) {
        return system_rhs[k];
      });
    }

  // strut (5): mesh, constraints, material and stiffness factors are copied to the backend once.
  Timer timer;
  strut::StiffnessOptions strut_options;
  strut_options.backend   = options.backend;
  strut_options.tolerance = tolerance;
  stiffness = std::make_unique<Operator>(dof_handler, constraints[0], material, strut_options);
  stiffness->set_factors(stiffness_factors);
  setup_time = timer.wall_time();
  solve_with_products();
  solve_on_the_backend();
  std::cout << stiffness->describe();

  std::cout << "effective stiffness (xx, yy, zz, xy, xz, yz):\n";
  effective_stiffness(by_strut).print_formatted(std::cout, 4, false, 9, "0", 1., 5e-5);

  const LoadCases reference = options.with_matrix ? solution : by_products;
  double of_products = 0., of_solve = 0.; // largest differences of all cases
  for (unsigned int k = 0; k < n_cases; ++k)
    {
      by_products[k] -= reference[k];
      by_strut[k] -= reference[k];
      of_products = std::max(of_products, by_products[k].l2_norm() / reference[k].l2_norm());
      of_solve    = std::max(of_solve, by_strut[k].l2_norm() / reference[k].l2_norm());
    }
  std::cout << "relative difference to " << (options.with_matrix ? "the SparseMatrix" : "vmult()")
            << ": vmult() " << of_products << ", solve() " << of_solve << '\n';
  return of_products < 1e-8 && of_solve < 1e-8;
}
} // namespace MaterialStudy

int main(int argc, char *argv[])
{
  try
    {
      MaterialStudy::Options options;
      for (int i = 1; i < argc; ++i)
        if (const std::string option = argv[i]; option == "--no-matrix")
          options.with_matrix = false;
        else if (option == "--refinements" && i + 1 < argc)
          options.refinements = static_cast<unsigned int>(std::stoul(argv[++i]));
        else if (option == "--backend" && i + 1 < argc)
          options.backend = argv[++i];
        else if (option == "--cases" && i + 1 < argc)
          options.n_cases = static_cast<unsigned int>(std::stoul(argv[++i]));
        else
          throw std::runtime_error("unknown option, or no value: " + option);
      return MaterialStudy::Composite(options).run() ? 0 : 1;
    }
  catch (const std::exception &error)
    {
      std::cerr << error.what() << '\n';
      return 1;
    }
}
