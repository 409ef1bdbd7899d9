// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Eigenvalues of a box and of a plate, compared with those that ARPACK finds for matrices assembled
// by deal.II.
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/full_matrix.h>
#include <deal.II/lac/sparse_direct.h>
#include <deal.II/lac/sparse_matrix.h>

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <functional>

#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/backend/mass_matrix.h"
#include "source/solvers/state/vibration.h"

#if defined(DEAL_II_WITH_ARPACK) && defined(DEAL_II_WITH_UMFPACK)
#  include <deal.II/lac/arpack_solver.h>
#endif

namespace strut
{
namespace
{
/// A body that is held at places where `is_held` is true.
class VibratingBody
{
public:
  VibratingBody(const std::vector<unsigned int> &n,
                const dealii::Point<3> &size,
                const double distortion,
                const std::function<bool(const dealii::Point<3> &x)> &is_held)
    : fe_(dealii::FE_Q<3>(1), 3), dof_handler_(triangulation_)
  {
    dealii::GridGenerator::subdivided_hyper_rectangle(triangulation_, n, dealii::Point<3>(), size);
    if (distortion > 0.)
      dealii::GridTools::distort_random(distortion, triangulation_, true, 1);
    dof_handler_.distribute_dofs(fe_);
    for (const auto &cell : dof_handler_.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int d = 0; d < 3; ++d)
          if (is_held(cell->vertex(v)))
            held_[cell->vertex_dof_index(v, d)] = 0.;
    for (const auto &[dof, value] : held_)
      constraints_.add_line(dof);
    constraints_.close();
  }

#if defined(DEAL_II_WITH_ARPACK) && defined(DEAL_II_WITH_UMFPACK)
  /// The lowest eigenvalues, ascending.
  std::vector<double> by_arpack(const unsigned int n, const Material &material) const
  {
    dealii::DynamicSparsityPattern dynamic(dof_handler_.n_dofs());
    dealii::DoFTools::make_sparsity_pattern(dof_handler_, dynamic, constraints_, true);
    dealii::SparsityPattern pattern;
    pattern.copy_from(dynamic);
    dealii::SparseMatrix<double> K(pattern), M(pattern);
    assemble(material, K, M);
    for (const auto &[dof, value] : held_)
      M.set(dof, dof, 0.); // an eigenvalue of infinity
    dealii::SparseDirectUMFPACK inverse;
    inverse.initialize(K);

    dealii::SolverControl control(1000, 1e-12);
    dealii::ArpackSolver arpack(
      control,
      dealii::ArpackSolver::AdditionalData(4 * n, dealii::ArpackSolver::largest_magnitude, true));
    dealii::Vector<double> begin(dof_handler_.n_dofs());
    for (dealii::types::global_dof_index i = 0; i < begin.size(); ++i)
      begin(i) = held_.count(i) > 0 ? 0. : 1. + std::sin(static_cast<double>(i));
    arpack.set_initial_vector(begin);
    std::vector<std::complex<double>> values(n);
    std::vector<dealii::Vector<double>> vectors(n, begin);
    arpack.solve(K, M, inverse, values, vectors, n);
    std::vector<double> found;
    for (const std::complex<double> value : values)
      found.push_back(value.real());
    std::sort(found.begin(), found.end());
    return found;
  }
#endif

  std::vector<double> by_lobpcg(const unsigned int n, const Material &material) const
  {
    ElementMesh mesh = build_element_mesh(dof_handler_, MPI_COMM_SELF);
    set_constraints(held_, MPI_COMM_SELF, mesh);
    const auto backend = make_cpu_backend(1);
    TimingTable timing;
    const auto state = make_state_solver({*backend, Communicator(), timing},
                                         {mesh, material},
                                         {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}},
                                         StateSettings());
    const auto mass  = backend->make_mass_matrix(mesh, MassKind::consistent);
    const Array<double> ones(backend->memory(), std::vector<double>(mesh.n_elements, 1.));
    state->set_stiffness(ones);
    return state->solve_vibration(*mass, ones, {n, 1e-7, 2000}).eigenvalues;
  }

private:
  void assemble(const Material &material,
                dealii::SparseMatrix<double> &K,
                dealii::SparseMatrix<double> &M) const
  {
    const double E = material.youngs_modulus, nu = material.poisson_ratio;
    const double lambda = E * nu / ((1. + nu) * (1. - 2. * nu)), mu = 0.5 * E / (1. + nu);
    const dealii::QGauss<3> quadrature(2);
    dealii::FEValues<3> values(fe_,
                               quadrature,
                               dealii::update_values | dealii::update_gradients |
                                 dealii::update_JxW_values);
    const dealii::FEValuesExtractors::Vector u(0);
    const unsigned int n = fe_.n_dofs_per_cell();
    dealii::FullMatrix<double> of_stiffness(n, n), of_mass(n, n);
    std::vector<dealii::types::global_dof_index> dofs(n);
    for (const auto &cell : dof_handler_.active_cell_iterators())
      {
        values.reinit(cell);
        of_stiffness = 0.;
        of_mass      = 0.;
        for (unsigned int q = 0; q < quadrature.size(); ++q)
          for (unsigned int i = 0; i < n; ++i)
            for (unsigned int j = 0; j < n; ++j)
              {
                of_stiffness(i, j) +=
                  (2. * mu *
                     (values[u].symmetric_gradient(i, q) * values[u].symmetric_gradient(j, q)) +
                   lambda * values[u].divergence(i, q) * values[u].divergence(j, q)) *
                  values.JxW(q);
                of_mass(i, j) += values[u].value(i, q) * values[u].value(j, q) * values.JxW(q);
              }
        cell->get_dof_indices(dofs);
        constraints_.distribute_local_to_global(of_stiffness, dofs, K);
        constraints_.distribute_local_to_global(of_mass, dofs, M);
      }
  }

  dealii::FESystem<3> fe_;
  dealii::Triangulation<3> triangulation_;
  dealii::DoFHandler<3> dof_handler_;
  dealii::AffineConstraints<double> constraints_;
  PrescribedDofs held_;
};

void expect_the_same_eigenvalues(const VibratingBody &body)
{
#if defined(DEAL_II_WITH_ARPACK) && defined(DEAL_II_WITH_UMFPACK)
  constexpr unsigned int n = 6;
  const Material material{2., 0.3};
  const std::vector<double> expected = body.by_arpack(n, material),
                            found    = body.by_lobpcg(n, material);
  ASSERT_EQ(found.size(), n);
  for (unsigned int i = 0; i < n; ++i)
    EXPECT_NEAR(found[i], expected[i], 1e-8 * expected[i]) << i;
#else
  static_cast<void>(body);
  GTEST_SKIP() << "this deal.II has no ARPACK, or no UMFPACK";
#endif
}

TEST(VibrationByArpack, Box)
{
  expect_the_same_eigenvalues(VibratingBody(
    {8, 5, 4}, {2., 1.3, 1.}, 0.15, [](const dealii::Point<3> &x) { return x[0] < 1e-9; }));
}

// Square and clamped all around: of the second and the third mode each is the other one, turned.
TEST(VibrationByArpack, Plate)
{
  expect_the_same_eigenvalues(
    VibratingBody({12, 12, 2}, {1., 1., 0.1}, 0., [](const dealii::Point<3> &x) {
      return std::min({x[0], x[1], 1. - x[0], 1. - x[1]}) < 1e-9;
    }));
}
} // namespace
} // namespace strut
