// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Other vectors in StiffnessOperator: block vectors of one block, and PETSc's. Also elements that
// have other names.
#include <deal.II/lac/block_vector.h>
#include <deal.II/lac/la_parallel_block_vector.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/trilinos_parallel_block_vector.h>

#include <strut/compat.h>

#ifdef STRUT_HAS_PETSC_VECTORS
#  include <deal.II/lac/petsc_block_vector.h>
#  include <deal.II/lac/petsc_vector.h>
#endif

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
using BlockOfDistributed = dealii::LinearAlgebra::distributed::BlockVector<double>;

class StiffnessVectorsProblem : public StiffnessProblem,
                                public testing::WithParamInterface<const char *>
{
protected:
  void SetUp() override
  {
    start("ball", "Cuthill-McKee", GetParam());
  }

  void prepare() override
  {
    application->assemble(false);
    options.tolerance = 1e-12;
    K.reinit(application->dof_handler, application->constraints, {application->material, options});
  }

  template <class Vector>
  void fill(const TrilinosVector &from, Vector &to) const
  {
    for (const auto i : application->owned)
      to(i) = from(i);
    to.compress(dealii::VectorOperation::insert);
  }

  /// Compares all members that take vectors with the matrix of the application.
  template <class Vector>
  void expect_all_members_take()
  {
    Vector x, y, forces;
    K.initialize_dof_vector(x);
    K.initialize_dof_vector(y);
    K.initialize_dof_vector(forces);
    EXPECT_EQ(x.size(), K.m());
    EXPECT_EQ(x.l2_norm(), 0.);
    const TrilinosVector random = application->random_vector(4);
    const TrilinosVector Ax     = application->product(random);
    fill(random, x);
    K.vmult(y, x);
    EXPECT_LT(application->distance(y, Ax), 1e-12);
    EXPECT_NEAR(y.l2_norm(),
                Ax.l2_norm(),
                1e-12 * Ax.l2_norm()); // the new norm, although some vectors cache the old one
    K.vmult_add(y, x);
    TrilinosVector twice(Ax);
    twice *= 2.;
    EXPECT_LT(application->distance(y, twice), 1e-12);
    EXPECT_NEAR(y.l2_norm(), twice.l2_norm(), 1e-12 * twice.l2_norm());

    K.compute_diagonal();
    const auto inverse = K.get_matrix_diagonal_inverse<Vector>();
    EXPECT_GT(inverse->get_vector().l2_norm(), 0.);
    inverse->vmult(y, x);
    Vector z(y);
    K.precondition_Jacobi(z, x, 1.);
    z -= y;
    EXPECT_LT(z.l2_norm(), 1e-14 * y.l2_norm());

    fill(application->F, forces);
    K.solve(x, forces);
    EXPECT_LT(application->distance(x, application->solution()), 1e-10);

    K.lift(forces);
    y = 0.;
    typename StiffnessOperator<double>::Preconditioner M;
    M.initialize(K);
    dealii::SolverControl control(2000, 1e-12 * forces.l2_norm());
    dealii::SolverCG<Vector>(control).solve(K, y, forces, M);
    fill(application->solution(), x);
    const double rounding = 1e-9 * x.linfty_norm();
    for (const auto i : application->owned)
      if (!application->constraints.is_constrained(i))
        {
          ASSERT_NEAR(y(i), x(i), rounding);
        }
  }

  StiffnessOperator<double> K;
};

TEST_P(StiffnessVectorsProblem, OneBlockOfDistributedVectors)
{
  expect_all_members_take<BlockOfDistributed>();
}

TEST_P(StiffnessVectorsProblem, OneBlockOfPlainVectors)
{
  if (dealii::Utilities::MPI::n_mpi_processes(application->communicator) > 1)
    GTEST_SKIP() << "several ranks";
  expect_all_members_take<dealii::BlockVector<double>>();
}

TEST_P(StiffnessVectorsProblem, OneBlockOfTrilinosVectors)
{
  dealii::TrilinosWrappers::MPI::BlockVector x(std::vector<dealii::IndexSet>{application->owned},
                                               application->communicator),
    y(x);
  x.block(0) = application->random_vector(4);
  K.vmult(y, x);
  EXPECT_LT(application->distance(y.block(0), application->product(x.block(0))), 1e-12);
}

#ifdef STRUT_HAS_PETSC_VECTORS
TEST_P(StiffnessVectorsProblem, VectorsOfPETSc)
{
  expect_all_members_take<dealii::PETScWrappers::MPI::Vector>();
}

TEST_P(StiffnessVectorsProblem, OneBlockOfPETScVectors)
{
  dealii::PETScWrappers::MPI::BlockVector x(std::vector<dealii::IndexSet>{application->owned},
                                            application->communicator),
    y(x);
  fill(application->random_vector(4), x.block(0));
  K.vmult(y, x);
  EXPECT_LT(application->distance(y.block(0), application->product(application->random_vector(4))),
            1e-12);
}

TEST_P(StiffnessVectorsProblem, RefusesGhostsOfPETSc)
{
  dealii::PETScWrappers::MPI::Vector x(application->owned,
                                       application->relevant,
                                       application->communicator),
    y;
  if (!x.has_ghost_elements())
    GTEST_SKIP() << "one rank";
  K.initialize_dof_vector(y);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.vmult(y, x); }),
                  "A PETScWrappers::MPI::Vector with ghost entries");
}
#endif

TEST_P(StiffnessVectorsProblem, RefusesSeveralBlocks)
{
  BlockOfDistributed x, y(3);
  K.initialize_dof_vector(x);
  const std::string expected =
    "StiffnessOperator takes block vectors of one block, and this one has 3.\n  Give it "
    "vector.block(i), the one of the displacements.";
  EXPECT_EQ(message_of<Error>([&]() { K.vmult(y, x); }), expected);
  EXPECT_CONTAINS(message_of<Error>([&]() { K.solve(y, x); }), expected);
  EXPECT_EQ(message_of<Error>([&]() { K.preconditioner().vmult(y, x); }), expected);
}

INSTANTIATE_TEST_SUITE_P(Backends, StiffnessVectorsProblem, testing::Values("cpu", "cuda"));

/// FE_Q(1) three times, in any nesting of FESystem.
TEST(StiffnessElements, MayBeNested)
{
  using System = dealii::FESystem<3>;
  const dealii::FE_Q<3> q(1);
  HeldCube plain;
  const auto expected            = plain.make_operator();
  const dealii::Vector<double> x = some_vector(expected.m());
  dealii::Vector<double> y(x), z(x);
  expected.vmult(y, x);
  for (const System &nested : {System(System(q, 3), 1),
                               System(System(q, 1), 3),
                               System(System(System(q, 2), 1, q, 1), 1),
                               System(q, 1, System(q, 2), 1)})
    {
      HeldCube cube(nested);
      cube.make_operator().vmult(z, x);
      z -= y;
      EXPECT_LT(z.linfty_norm(), 1e-13 * y.linfty_norm()) << nested.get_name();
    }
  for (const System &other :
       {System(System(q, 2), 1), System(System(dealii::FE_Q<3>(3), 3), 1), System(System(q, 3), 2)})
    {
      Cube cube(other);
      EXPECT_CONTAINS(cube.complaint(), other.get_name());
    }
}
} // namespace
} // namespace strut::test
