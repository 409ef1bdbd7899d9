// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The patch test of incompatible modes with hanging nodes.
#include <deal.II/base/function_lib.h>
#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/numerics/vector_tools_boundary.h>

#include "tests/plugin/stiffness_operator_fixture.h"

#include <string>
#include <tuple>

namespace strut::test
{
namespace
{
class StiffnessModesProblem : public StiffnessMeshProblem
{
protected:
  const char *numbering() const override
  {
    return "random";
  }

  void prepare() override
  {
    ASSERT_TRUE(application->triangulation->has_hanging_nodes());
    application->material.formulation = Formulation::incompatible_modes;
    options.tolerance                 = 1e-12;
    options.max_iterations            = 20000;
  }
};

/// A displacement with constant gradients.
class LinearDisplacement : public dealii::Function<3>
{
public:
  LinearDisplacement() : dealii::Function<3>(3)
  {}

  double value(const dealii::Point<3> &x, const unsigned int component) const override
  {
    const double H[3][3] = {{0.3, -0.2, 0.5}, {0.1, 0.4, -0.3}, {-0.6, 0.2, 0.1}};
    return H[component][0] * x[0] + H[component][1] * x[1] + H[component][2] * x[2];
  }
};

// A linear displacement of the boundary continues inside, across faces with hanging nodes.
TEST_P(StiffnessModesProblem, PassesThePatchTest)
{
  if (std::get<0>(GetParam()) == std::string("adapted ball"))
    GTEST_SKIP()
      << "nodes of a curved mesh hang beside the middle of their parents, where no linear displacement is";
  dealii::AffineConstraints<double> &constraints = application->constraints;
  constraints.reinit(application->relevant);
  dealii::DoFTools::make_hanging_node_constraints(application->dof_handler, constraints);
  for (const auto id : application->triangulation->get_boundary_ids())
    dealii::VectorTools::interpolate_boundary_values(application->dof_handler,
                                                     id,
                                                     LinearDisplacement(),
                                                     constraints);
  constraints.close();
  TrilinosVector expected(application->owned, application->communicator);
  std::vector<dealii::types::global_dof_index> dofs(application->fe.n_dofs_per_cell());
  for (const auto &cell : application->dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        cell->get_dof_indices(dofs);
        for (unsigned int i = 0; i < dofs.size(); ++i)
          if (application->owned.is_element(dofs[i]))
            {
              const auto [component, vertex] = application->fe.system_to_component_index(i);
              expected(dofs[i]) = LinearDisplacement().value(cell->vertex(vertex), component);
            }
      }
  expected.compress(dealii::VectorOperation::insert);
  for (const char *const preconditioner : {"jacobi", "multigrid"})
    {
      options.preconditioner = preconditioner;
      const auto K           = make_plain_operator();
      TrilinosVector x, forces(application->owned, application->communicator);
      K->initialize_dof_vector(x);
      EXPECT_TRUE(K->solve(x, forces).converged);
      EXPECT_LT(application->distance(x, expected), 1e-10);
    }
}

INSTANTIATE_TEST_SUITE_P(Adapted,
                         StiffnessModesProblem,
                         testing::Combine(testing::Values("adapted distorted", "adapted ball"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
} // namespace
} // namespace strut::test
