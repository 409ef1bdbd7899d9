// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The options, vectors and factors that StiffnessOperator refuses, with the whole messages.
#include <strut/backend/backend.h>

#include <limits>

#include "tests/plugin/cube.h"

namespace strut::test
{
namespace
{
TEST(StiffnessOperatorRefuses, OptionsThatAreNone)
{
  Cube cube;
  cube.options.backend = "gpu";
  EXPECT_EQ(cube.complaint(), "StiffnessOptions::backend is 'gpu'.\n  It may be: auto, cuda, cpu.");
  cube.options.backend = "cpu";
  cube.options.device  = -2;
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::device is -2.\n  It may be the number of a GPU, from 0, or -1: the "
            "ranks of a machine take its GPUs in turn.");
  cube.options.device = 5; // ignored
  int something;
  cube.options.stream = &something;
  EXPECT_EQ(
    cube.complaint(),
    "StiffnessOptions::stream is a stream of CUDA, and here the CPU computes (backend is 'cpu').\n  Leave it null, "
    "or set backend to 'cuda' where a GPU and, in the build of strut, the CUDA toolkit are.");
  cube.options.stream         = nullptr;
  cube.options.preconditioner = "amg";
  EXPECT_EQ(cube.complaint().rfind("StiffnessOptions::preconditioner is 'amg'.\n  It may be: auto, "
                                   "multigrid, jacobi", // also preconditioners of libraries
                                   0),
            0u)
    << cube.complaint();
  cube.options.preconditioner = "jacobi";
  cube.options.precision      = "float";
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::precision is 'float'.\n  It may be: auto, double, mixed.");
  cube.options.precision = "mixed";
  EXPECT_EQ(
    cube.complaint(),
    "StiffnessOptions ask for mixed precision, which means multigrid cycles in float, and for "
    "Jacobi.\n  Set precision or preconditioner to 'auto'.");
  cube.options                       = {"cpu", 1};
  cube.options.preconditioner_values = {{"Smoothing steps", 4.}};
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::preconditioner_values are those of one preconditioner, and "
            "preconditioner is 'auto'.\n  Name the preconditioner.");
  cube.options.preconditioner        = "multigrid";
  cube.options.preconditioner_values = {{"Steps", 4.}};
  EXPECT_EQ(
    cube.complaint(),
    "StiffnessOptions::preconditioner_values of 'multigrid': there is no parameter 'Steps'. "
    "There are: Smoothing steps, Coarse operators, Rigid pieces, Smoother, Damping.");
  for (const double steps : {30.5, 31.})
    {
      cube.options.preconditioner_values = {{"Smoothing steps", steps}};
      EXPECT_EQ(cube.complaint(),
                "StiffnessOptions::preconditioner_values of 'multigrid': 'Smoothing steps' is '" +
                  std::string(steps > 30.9 ? "31" : "30.5") +
                  "'. It may be a whole number from 0 to 30.");
    }
  cube.options          = {"cpu", 1};
  cube.options.strategy = "fast";
  EXPECT_CONTAINS(cube.complaint(),
                  "There is no operator of the backend 'cpu' by the name 'fast'. Available: ");
  cube.options  = {"cpu", 1};
  cube.material = {1., 0.5};
  EXPECT_EQ(
    cube.complaint(),
    "The material of the StiffnessOperator has E = 1, nu = 0.5.\n  E must be positive, and nu "
    "between -1 and 0.5.");
}

/// Enumerators are equivalent to the strings.
TEST(StiffnessOptions, TakeEnumeratorsToo)
{
  using Options = StiffnessOptions;
  Options options{Options::Backend::cpu, 1};
  EXPECT_EQ(options.backend, "cpu");
  EXPECT_TRUE(options.backend == Options::Backend::cpu);
  EXPECT_TRUE(options.backend != Options::Backend::cuda);
  options.backend = "cuda";
  EXPECT_TRUE(options.backend == Options::Backend::cuda);
  options.backend = std::string("auto");
  EXPECT_TRUE(options.backend == Options::Backend::automatic);

  Cube cube;
  const auto expect_allowed = [&](auto &option, const auto value, const std::string &name) {
    const auto before = option;
    option            = value;
    EXPECT_EQ(option, name);
    EXPECT_EQ(cube.complaint(), "") << name;
    option = before;
  };
  expect_allowed(cube.options.backend, Options::Backend::automatic, "auto");
  expect_allowed(cube.options.preconditioner, Options::Preconditioner::automatic, "auto");
  expect_allowed(cube.options.preconditioner, Options::Preconditioner::jacobi, "jacobi");
  expect_allowed(cube.options.preconditioner, Options::Preconditioner::multigrid, "multigrid");
  expect_allowed(cube.options.precision, Options::Precision::automatic, "auto");
  expect_allowed(cube.options.precision, Options::Precision::fp64, "double");
  expect_allowed(cube.options.precision, Options::Precision::mixed, "mixed");
  expect_allowed(cube.options.constrained_entries,
                 Options::ConstrainedEntries::distribute,
                 "distribute");
  expect_allowed(cube.options.constrained_entries, Options::ConstrainedEntries::zero, "zero");
  expect_allowed(cube.options.criterion, Options::Criterion::relative, "relative");
  expect_allowed(cube.options.criterion, Options::Criterion::preconditioned, "preconditioned");
  expect_allowed(cube.options.criterion, Options::Criterion::absolute, "absolute");
  cube.options.precision = Options::Precision::fp32; // for StiffnessOperator<float>
  EXPECT_EQ(cube.complaint(),
            "StiffnessOptions::precision is 'float'.\n  It may be: auto, double, mixed.");
}

TEST(StiffnessOperatorRefuses, AGpuThatIsNotThere)
{
  if (n_cuda_devices() > 0)
    GTEST_SKIP() << "there is a GPU";
  Cube cube;
  cube.options.backend = "cuda";
  EXPECT_CONTAINS(cube.complaint(),
                  "StiffnessOptions::backend is 'cuda', but there is no GPU to use: ");
  // auto says why it uses the CPU
  cube.options.backend = "auto";
  cube.complaint(
    [](auto &K) { EXPECT_CONTAINS(K.describe(), "backend: cpu (auto: no GPU was found, "); });
}

TEST(StiffnessOperatorRefuses, VectorsThatDoNotFit)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      dealii::Vector<double> x(81), y(80);
      K.vmult(y, x);
    }),
    "A vector does not fit the StiffnessOperator: it has 80 entries, and the operator has 81 "
    "degrees of freedom.\n  Make it with initialize_dof_vector(), or with the DoFHandler's "
    "locally_owned_dofs().");
  EXPECT_EQ(
    cube.complaint([](auto &K) {
      dealii::Vector<double> x(81);
      K.vmult(x, x);
    }),
    "The two vectors of a product with StiffnessOperator are one.\n  They must differ, as for "
    "deal.II's matrices.");
}

TEST(StiffnessOperatorRefuses, FactorsThatAreNone)
{
  Cube cube;
  EXPECT_EQ(cube.complaint([](auto &K) { K.set_factors(dealii::Vector<double>(7)); }),
            "There are 7 stiffness factors, and 8 active cells.\n  Give one for each, by "
            "cell->active_cell_index().");
  EXPECT_EQ(cube.complaint([](auto &K) {
    dealii::Vector<float> factors(8);
    factors    = 1.f;
    factors(3) = -2.f;
    factors(5) = 0.f;
    K.set_factors(factors);
  }),
            "Of the stiffness factors, 2 are not positive and finite, such as -2 of the cell with "
            "active_cell_index() 3.\n  Give empty cells a small factor, 1e-9 say.");
}

TEST(StiffnessOperatorRefuses, EntriesBesideTheDiagonal)
{
  Cube cube;
  EXPECT_EQ(
    cube.complaint([](auto &K) { K.el(1, 2); }),
    "StiffnessOperator::el(1, 2): a matrix-free operator knows its diagonal only.\n  Assemble "
    "a SparseMatrix for what needs the other entries.");
  EXPECT_EQ(cube.complaint([](auto &K) { K.el(1, 1); }),
            "StiffnessOperator::el() needs the diagonal.\n  Call compute_diagonal() before.");
  EXPECT_EQ(cube.complaint([](auto &K) { K.get_matrix_diagonal_inverse(); }),
            "StiffnessOperator::get_matrix_diagonal_inverse() needs the diagonal.\n  Call "
            "compute_diagonal() before.");
  EXPECT_EQ(cube.complaint([](auto &K) {
    K.compute_diagonal();
    K.el(81, 81);
  }),
            "StiffnessOperator::el(81, 81): another rank owns this degree of freedom, or there is "
            "none.\n  Ask for owned ones.");
}

TEST(StiffnessOperatorRefuses, ToPassOffWhatHasNotConverged)
{
  HeldCube cube;
  cube.options.max_iterations = 2;
  const std::string message   = cube.complaint([](auto &K) { solve_plainly(K); });
  EXPECT_CONTAINS(message, "has not converged after 2 iterations (|r| / |b| = ");
  EXPECT_CONTAINS(message,
                  ", tolerance 1e-08).\n  Raise StiffnessOptions::max_iterations or tolerance.");
}

TEST(StiffnessOperatorRefuses, AGpuBeyondThoseThereAre)
{
  const int n = n_cuda_devices();
  if (n == 0)
    GTEST_SKIP() << "no GPU";
  Cube cube;
  cube.options.backend = "cuda";
  cube.options.device  = n - 1;
  EXPECT_EQ(cube.complaint(), "");
  cube.options.device = n;
  EXPECT_CONTAINS(cube.complaint(),
                  "There is no GPU " + std::to_string(n) + ", this rank sees " + std::to_string(n) +
                    ", counted from 0.\n  Check StiffnessOptions::device");
}

TEST(StiffnessOperatorRefuses, ForcesThatAreNoNumbers)
{
  HeldCube cube;
  const auto solve_with = [&](const double number, const bool in_forces) {
    return cube.complaint([&](auto &K) {
      dealii::Vector<double> x(K.m()), f(K.m());
      (in_forces ? f : x)(K.m() - 1) = number;
      K.solve(x, f);
    });
  };
  const std::string remedy =
    ", DoF 80 (displacement along z at (1, 1, 1)).\n  Give finite numbers: look for entries that were not set, "
    "and at the integrals of that place.";
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(solve_with(std::nan(""), true), "The forces of solve() hold NaN" + remedy);
  EXPECT_EQ(solve_with(-infinity, true), "The forces of solve() hold an infinite number" + remedy);
  const std::string overflow = solve_with(1e200, true); // whose square is infinite
  EXPECT_CONTAINS(overflow, "a number that is not finite after 0 iterations.\n  Look for parts");
  EXPECT_CONTAINS(overflow, "another StiffnessOptions::preconditioner");
  EXPECT_LACKS(overflow, "Precision =");
  EXPECT_CONTAINS(overflow, "after 0 iterations; Multigrid with");
  EXPECT_LACKS(overflow, "..");
  EXPECT_EQ(solve_with(std::nan(""), false), "");
  cube.options.initial_guess = true;
  EXPECT_EQ(solve_with(infinity, false),
            "The initial guess of solve() holds an infinite number" + remedy);

  auto K = cube.make_operator();
  DeviceVector<double> x, f;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(f);
  f(80) = std::nan("");
  EXPECT_EQ(message_of<Error>([&]() { K.solve(x, f); }), "The forces of solve() hold NaN" + remedy);
}

TEST(StiffnessOptions, OfYesAndNoMayBeTrueAndFalse)
{
  HeldCube cube;
  cube.options.preconditioner = "multigrid";
  const auto complaint        = [&](const char *const value) {
    cube.options.preconditioner_values = {{"Rigid pieces", value}};
    return cube.complaint([](auto &K) {
      K.set_shift(1.);
      K.preconditioner();
    });
  };
  EXPECT_EQ(complaint("false"), "");
  EXPECT_EQ(complaint("true"), complaint("yes")); // not with a shift
  EXPECT_CONTAINS(complaint("true"), "Rigid pieces of solid know stiffness factors alone");
  EXPECT_CONTAINS(complaint("maybe"), "It may be one of: no, yes.");
}
} // namespace
} // namespace strut::test
