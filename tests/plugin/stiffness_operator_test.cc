// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Products, diagonals and liftings, compared with the matrices that an application assembles.
#include "tests/plugin/stiffness_operator_fixture.h"

#include <deal.II/dofs/dof_accessor.h>

namespace strut::test
{
namespace
{
class StiffnessOperatorProblem : public StiffnessNumberingProblem
{
protected:
  /// Calls `work` with a vector of each type that fits the ranks and the numbering.
  template <typename Work>
  void for_each_vector_type(const Work &work) const
  {
    if (application->owns_ranges())
      work(dealii::LinearAlgebra::distributed::Vector<double>());
    if (dealii::Utilities::MPI::n_mpi_processes(application->communicator) == 1)
      work(dealii::Vector<double>());
    work(TrilinosVector());
  }
};

TEST_P(StiffnessOperatorProblem, MultipliesAsTheAssembledMatrix)
{
  application->assemble(true);
  const auto K = make_operator();
  EXPECT_EQ(K->m(), application->dof_handler.n_dofs());
  EXPECT_EQ(K->n(), application->dof_handler.n_dofs());
  for_each_vector_type([&](auto src) {
    K->initialize_dof_vector(src);
    auto dst = src;
    for (const unsigned int seed : {1, 2})
      {
        const TrilinosVector x  = application->random_vector(seed);
        const TrilinosVector Ax = application->product(x);
        SomeApplication::copy(x, src);
        dst = 7.; // is overwritten
        K->vmult(dst, src);
        EXPECT_LT(application->distance(dst, Ax), 1e-13);
        dst = 7.;
        K->Tvmult(dst, src);
        EXPECT_LT(application->distance(dst, Ax), 1e-13);

        // dst = y + 2 A x
        const TrilinosVector y = application->random_vector(seed + 10);
        SomeApplication::copy(y, dst);
        K->vmult_add(dst, src);
        K->Tvmult_add(dst, src);
        TrilinosVector sum(y);
        sum.add(2., Ax);
        EXPECT_LT(application->distance(dst, sum), 1e-13);
      }
  });
}

TEST_P(StiffnessOperatorProblem, FloatMultipliesToItsPrecision)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges: there are Trilinos vectors of double only";
  application->assemble(true);
  const auto K    = make_operator<float>();
  const auto work = [&](auto src) {
    K->initialize_dof_vector(src);
    auto dst               = src;
    const TrilinosVector x = application->random_vector(3);
    SomeApplication::copy(x, src);
    K->vmult(dst, src);
    EXPECT_LT(application->distance(dst, application->product(x)), 1e-5);
  };
  work(dealii::LinearAlgebra::distributed::Vector<float>());
  if (dealii::Utilities::MPI::n_mpi_processes(application->communicator) == 1)
    work(dealii::Vector<float>());
}

TEST_P(StiffnessOperatorProblem, FactorsByVectorAreThoseByFunction)
{
  const auto K = make_plain_operator();
  TrilinosVector x(application->random_vector(4)), by_function(x), by_double(x), by_float(x);
  dealii::Vector<double> factors(application->triangulation->n_active_cells());
  dealii::Vector<float> in_float(factors.size());
  for (const auto &cell : application->triangulation->active_cell_iterators())
    if (cell->is_locally_owned()) // other cells are ignored
      factors(cell->active_cell_index()) = SomeApplication::factor(cell->center());
  in_float = factors;

  SomeApplication::set_factors(*K);
  K->vmult(by_function, x);
  K->set_factors(in_float);
  K->vmult(by_float, x);
  K->set_factors(factors);
  K->vmult(by_double, x);
  EXPECT_LT(application->distance(by_double, by_function), 1e-14);
  EXPECT_LT(application->distance(by_float, by_function), 1e-6);
}

TEST_P(StiffnessOperatorProblem, HasTheDiagonalOfTheAssembledMatrix)
{
  application->assemble(true);
  const auto K = make_plain_operator();
  K->compute_diagonal();
  SomeApplication::set_factors(*K);
  application->expect_diagonal(*K, 1e-13);

  for_each_vector_type([&](auto x) {
    using Vector        = decltype(x);
    const auto diagonal = K->template get_matrix_diagonal<Vector>();
    const auto inverse  = K->template get_matrix_diagonal_inverse<Vector>();
    EXPECT_EQ(diagonal->m(), K->m());
    K->initialize_dof_vector(x);
    x = 3.;
    auto y(x);
    K->precondition_Jacobi(y, x, 0.5);
    for (const auto i : application->owned)
      {
        const double reciprocal = 1. / K->el(i, i);
        ASSERT_EQ(diagonal->get_vector()(i), K->el(i, i));
        ASSERT_DOUBLE_EQ(inverse->get_vector()(i), reciprocal);
        ASSERT_DOUBLE_EQ(y(i), 1.5 * reciprocal);
      }
  });
}

TEST_P(StiffnessOperatorProblem, LiftsAsDistributeLocalToGlobal)
{
  application->assemble(true);
  const auto K                  = make_operator();
  const TrilinosVector expected = application->free_part(application->b);
  for_each_vector_type([&](auto rhs) {
    K->initialize_dof_vector(rhs);
    SomeApplication::copy(application->F, rhs);
    K->lift(rhs);
    EXPECT_LT(application->distance(rhs, expected), 1e-13);
  });
}

TEST_P(StiffnessOperatorProblem, LeavesGhostsAtZeroAndReadsOwnedEntriesOnly)
{
  if (!application->owns_ranges())
    GTEST_SKIP() << "no contiguous ranges";
  const auto K = make_plain_operator();
  dealii::LinearAlgebra::distributed::Vector<double> src, dst, other;
  K->initialize_dof_vector(src);
  K->initialize_dof_vector(dst);
  other.reinit(application->owned, application->communicator); // another layout of the ghosts
  SomeApplication::copy(application->random_vector(5), src);
  SomeApplication::copy(application->random_vector(5), other);
  src.update_ghost_values();
  dst.update_ghost_values();
  K->vmult(dst, src);
  EXPECT_FALSE(dst.has_ghost_elements());
  auto again(dst);
  K->vmult(again, other);
  again -= dst;
  EXPECT_LE(again.linfty_norm(), 1e-14 * dst.linfty_norm());

  // values added to ghosts and never sent are not sent with the product
  again.reinit(dst);
  for (const auto i : again.get_partitioner()->ghost_indices())
    again(i) += 1.;
  K->vmult(again, other);
  again.compress(dealii::VectorOperation::add);
  again -= dst;
  EXPECT_LE(again.linfty_norm(), 1e-14 * dst.linfty_norm());
}

INSTANTIATE_TEST_SUITE_P(
  Numberings,
  StiffnessOperatorProblem,
  testing::Combine(testing::Values("distorted"),
                   testing::Values("plain", "Cuthill-McKee", "component-wise", "random"),
                   testing::Values("cpu", "cuda")),
  name_of_parameters);
INSTANTIATE_TEST_SUITE_P(Meshes,
                         StiffnessOperatorProblem,
                         testing::Combine(testing::Values("box", "ball", "shell"),
                                          testing::Values("random"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);
} // namespace
} // namespace strut::test
