// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The x of solve() in products: energies and eigenvalues with dependent degrees of freedom.

#include <deal.II/dofs/dof_tools.h>

#include <cmath>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
/// A beam with hanging nodes, held at the end x = 0.
class Beam : public Cube
{
public:
  Beam()
  {
    dof_handler.clear();
    triangulation.clear();
    dealii::GridGenerator::subdivided_hyper_rectangle(
      triangulation, {4, 2, 1}, {0., 0., 0.}, {4., 2., 1.}, true);
    triangulation.refine_global(1);
    for (const auto &cell : triangulation.active_cell_iterators())
      if (cell->center()[0] < 2. && cell->center()[1] < 1.)
        cell->set_refine_flag();
    triangulation.execute_coarsening_and_refinement();
    dof_handler.reinit(triangulation);
    refine(0);
    dealii::DoFTools::make_hanging_node_constraints(dof_handler, constraints);
    hold();
    constraints.close();
    options.tolerance = 1e-12;
  }
};

using Vector = dealii::Vector<double>;

TEST(StiffnessOperatorEnergy, IsTheWorkOfTheForces)
{
  Beam beam;
  for (const bool zero : {true, false})
    {
      beam.options.constrained_entries = zero ? "zero" : "distribute";
      beam.options.initial_guess       = true;
      auto K                           = beam.make_operator();
      Vector x(K.m()), y(K.m()), forces(K.m());
      for (unsigned int i = 0; i < forces.size(); ++i)
        forces(i) = std::sin(0.1 * i);
      K.solve(x, forces);
      EXPECT_LE(K.solve(x, forces).iterations, 1u); // begins with the previous solution
      Vector distributed(x);
      beam.constraints.distribute(distributed);
      const double work = distributed * forces;
      if (zero)
        for (const auto &line : beam.constraints.get_lines())
          EXPECT_EQ(x(line.index), 0.);
      else
        {
          distributed -= x;
          EXPECT_LT(distributed.linfty_norm(), 1e-12 * x.linfty_norm());
          K.vmult(y, x);
          EXPECT_GT(x * y, 1.001 * work); // the identity on hanging nodes adds to it
          beam.constraints.set_zero(x);
        }
      K.vmult(y, x);
      EXPECT_NEAR(x * y, work, 1e-10 * work);
    }
}

// Inverse iteration: K x_new = M x, whose Rayleigh quotients converge to the smallest eigenvalue.
TEST(StiffnessOperatorEnergy, GivesEigenvalues)
{
  Beam beam;
  beam.options.constrained_entries = "zero";
  auto K                           = beam.make_operator();
  Vector x(K.m()), Kx(K.m()), Mx(K.m());
  for (unsigned int i = 0; i < x.size(); ++i)
    x(i) = std::cos(0.3 * i);
  double lambda = 0.;
  for (unsigned int k = 0; k < 25; ++k)
    {
      K.mass_vmult(Mx, x);
      K.solve(x, Mx);
      x /= x.l2_norm();
      K.vmult(Kx, x);
      K.mass_vmult(Mx, x);
      lambda = (x * Kx) / (x * Mx);
    }
  Kx.add(-lambda, Mx);
  EXPECT_LT(Kx.l2_norm(), 1e-6 * lambda * Mx.l2_norm());
}

TEST(StiffnessOperatorHangingNodes, AreRefusedByGalerkinsOperators)
{
  Beam beam;
  beam.options.preconditioner        = "multigrid";
  beam.options.preconditioner_values = {{"Coarse operators", "galerkin"}};
  EXPECT_EQ(
    beam.complaint([](auto &K) { solve_plainly(K); }),
    "StiffnessOptions::preconditioner_values, 'Coarse operators': Galerkin's coarse operators know no hanging "
    "nodes, no tied faces, no rigid regions, no periodicity and no oblique sliding, and the mesh has some: take the rediscretised ones.");
  beam.options.preconditioner_values = {{"Coarse operators", "aggregation"}};
  EXPECT_EQ(beam.complaint([](auto &K) { solve_plainly(K); }), "");
}

TEST(StiffnessOperatorEnergy, RefusesOtherEntries)
{
  Cube cube;
  cube.options.constrained_entries = "none";
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::constrained_entries is 'none'.\n  It may be: distribute, zero.");
}
} // namespace
} // namespace strut::test
