// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/grid_generator.h>

#include <strut/base/exceptions.h>

#include <cmath>
#include <functional>

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
/// One cube of 2 x 2 x 2 cells, for tests of messages.
class Cube
{
public:
  explicit Cube(const dealii::FiniteElement<3> &fe = dealii::FESystem<3>(dealii::FE_Q<3>(1), 3))
    : dof_handler(triangulation)
  {
    dealii::GridGenerator::subdivided_hyper_cube(triangulation, 2, 0., 1., true);
    dof_handler.distribute_dofs(fe);
  }

  /// The error when an operator is made, or in `work` with it; empty if there is none.
  std::string complaint(const std::function<void(StiffnessOperator<double> &)> &work = [](auto &) {
  })
  {
    return message_of<Error>([&]() {
      if (!constraints.is_closed() && close)
        constraints.close();
      StiffnessOperator<double> K(dof_handler, constraints, material, options);
      work(K);
    });
  }

  /// Closes the constraints and makes an operator.
  template <typename Number = double>
  StiffnessOperator<Number> make_operator()
  {
    constraints.close();
    return StiffnessOperator<Number>(dof_handler, constraints, material, options);
  }

  /// Refines all cells, or not, and numbers the DoFs.
  void refine(const unsigned int times)
  {
    triangulation.refine_global(times);
    dof_handler.distribute_dofs(dealii::FESystem<3>(dealii::FE_Q<3>(1), 3));
  }

  /// Constrains the DoFs of the face x = 0.
  void hold()
  {
    dealii::DoFTools::make_zero_boundary_constraints(dof_handler, 0, constraints);
  }

  /// A DoF of the vertex at a place.
  dealii::types::global_dof_index dof_at(const dealii::Point<3> &x, const unsigned int d) const
  {
    for (const auto &cell : dof_handler.active_cell_iterators())
      for (const unsigned int v : cell->vertex_indices())
        if (cell->vertex(v).distance(x) < 1e-12)
          return cell->vertex_dof_index(v, d);
    return dealii::numbers::invalid_dof_index;
  }

  dealii::Triangulation<3> triangulation;
  dealii::DoFHandler<3> dof_handler;
  dealii::AffineConstraints<double> constraints;
  Material material;
  StiffnessOptions options{"cpu", 1};
  bool close = true;
};

/// A cube whose face x = 0 is held.
class HeldCube : public Cube
{
public:
  explicit HeldCube(const dealii::FiniteElement<3> &fe = dealii::FESystem<3>(dealii::FE_Q<3>(1), 3))
    : Cube(fe)
  {
    hold();
  }
};

/// A vector without any symmetry.
inline dealii::Vector<double> some_vector(const unsigned int n)
{
  dealii::Vector<double> x(n);
  for (unsigned int i = 0; i < n; ++i)
    x(i) = std::sin(1. + i);
  return x;
}

/// Report of a solve with unit forces.
inline SolveReport solve_plainly(StiffnessOperator<double> &K)
{
  dealii::Vector<double> x(K.m()), f(K.m());
  f = 1.;
  return K.solve(x, f);
}
} // namespace strut::test
