// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Tangents from the memory where the operator computes, compared with those from the host.
#include <limits>

#include "tests/plugin/cube.h"
#include "tests/plugin/tangents_problem.h"

namespace strut::test
{
namespace
{
class DeviceTangentsProblem : public StiffnessTangentsProblem
{};

// All numbers are those of the path through the host, in products, diagonal, cycles and solve(),
// and nothing is copied. GPUs add the parts of elements in any order.
TEST_P(DeviceTangentsProblem, FromTheDeviceAreThoseOfTheHost)
{
  const std::unique_ptr<Backend> backend = backend_of_test();
  const bool exactly                     = backend->memory().is_host();
  options.tolerance                      = 1e-8;
  const auto by_host = make_operator(random_tangent), by_device = make_plain_operator();
  const TrilinosVector x = application->random_vector(2);
  TrilinosVector y, expected;
  by_host->initialize_dof_vector(y);
  by_host->initialize_dof_vector(expected);
  for (const unsigned int n_points : {8u, 1u, 8u})
    for (const auto &tangent : {plastic_tangent, smooth_tangent})
      {
        const std::vector<double> numbers = array_of(tangent, n_points);
        by_host->set_tangents(numbers);
        const Array<double> there = array_there(*backend, numbers);
        by_device->reset_transfers();
        by_device->set_device_tangents(there.data(), n_points);
        EXPECT_EQ(by_device->transfers().uploads.count, 0u);
        by_host->vmult(expected, x);
        by_device->vmult(y, x);
        EXPECT_LE(application->distance(y, expected), exactly ? 0. : 1e-14);
        by_host->compute_diagonal();
        by_device->compute_diagonal();
        for (const auto i : application->owned)
          EXPECT_NEAR(by_device->el(i, i),
                      by_host->el(i, i),
                      (exactly ? 0. : 1e-13) * std::abs(by_host->el(i, i)));
        expected = 0.;
        y        = 0.;
        EXPECT_NEAR(by_device->solve(y, application->F).iterations,
                    by_host->solve(expected, application->F).iterations,
                    exactly ? 0. : 1.);
        EXPECT_LE(application->distance(y, expected), exactly ? 0. : 1e-5);
      }
}

TEST_P(DeviceTangentsProblem, FromTheDeviceInFloat)
{
  const std::unique_ptr<Backend> backend = backend_of_test();
  const auto by_host                     = make_operator<float>(random_tangent),
             by_device                   = make_plain_operator<float>();
  const Array<double> there              = array_there(*backend, array_of(random_tangent, 8));
  by_device->set_device_tangents(there.data(), 8);
  dealii::LinearAlgebra::distributed::Vector<float> x, y, expected;
  for (auto *const v : {&x, &y, &expected})
    by_host->initialize_dof_vector(*v);
  SomeApplication::copy(application->random_vector(7), x);
  by_host->vmult(expected, x);
  by_device->vmult(y, x);
  y -= expected;
  EXPECT_LE(y.linfty_norm(), (backend->memory().is_host() ? 0.f : 1e-6f) * expected.linfty_norm());
}

// After a refusal the previous tangents stay in force, on all ranks.
TEST_P(DeviceTangentsProblem, FromTheDeviceAreRefusedIfNotFinite)
{
  const std::unique_ptr<Backend> backend = backend_of_test();
  const auto K                           = make_operator(random_tangent);
  for (const unsigned int n_points : {8u, 1u})
    for (const double bad :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
      {
        std::vector<double> numbers = array_of(smooth_tangent, n_points);
        if (!numbers.empty())
          numbers.back() = bad;
        const Array<double> there = array_there(*backend, numbers);
        const std::string text =
          message_of<Error>([&]() { K->set_device_tangents(there.data(), n_points); });
        EXPECT_CONTAINS(text, "which is not finite");
        EXPECT_EQ(contains(text, "of Gauss point 7 "), n_points == 8) << text;
        expect_product(*K, 1e-12);
      }
}

TEST_P(DeviceTangentsProblem, FromTheDeviceAreByPointsOnAllRanksOrOnNone)
{
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  const std::unique_ptr<Backend> backend = backend_of_test();
  const auto K                           = make_operator(random_tangent);
  const unsigned int n_points            = rank_in(MPI_COMM_WORLD) == 0 ? 8 : 1;
  const Array<double> there = array_there(*backend, array_of(smooth_tangent, n_points));
  const std::string text =
    message_of<Error>([&]() { K->set_device_tangents(there.data(), n_points); });
  EXPECT_CONTAINS(text, "of 8 points of each cell on one rank, and of 1 on another");
  expect_product(*K, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Problem,
                         DeviceTangentsProblem,
                         testing::Combine(testing::Values("distorted", "few", "adapted ball"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);

TEST(DeviceTangents, AreRefusedAsThoseOfTheHost)
{
  Cube cube;
  cube.options.backend    = "cpu";
  const auto complaint_of = [&](const unsigned int n_points,
                                const std::function<void(std::vector<double> &)> &change) {
    return cube.complaint([&](auto &K) {
      std::vector<double> numbers(8 * 8 * 21, 1.);
      change(numbers);
      K.set_device_tangents(numbers.data(), n_points);
    });
  };
  EXPECT_EQ(complaint_of(8, [](auto &) {}), "");
  EXPECT_EQ(
    complaint_of(8,
                 [](auto &numbers) {
                   numbers[(21 * 5 + 20) * 8 + 3] = std::numeric_limits<double>::infinity();
                   numbers[(21 * 7 + 1) * 8 + 3]  = std::numeric_limits<double>::quiet_NaN();
                   numbers[(21 * 2 + 1) * 8 + 6]  = std::numeric_limits<double>::quiet_NaN();
                 }),
    "Of the cells, 2 have tangents that a StiffnessOperator does not take, such as that of Gauss point 5 of the cell with "
    "active_cell_index() 3, which is not finite.\n  Give finite ones with C_ijkl = C_klij: a return mapping with an "
    "associated flow rule has them; take deal.II's matrices for others.");
  EXPECT_EQ(
    complaint_of(2, [](auto &) {}),
    "set_device_tangents() was asked to take tangents of 2 points of each cell.\n  It takes those of 8, the Gauss "
    "points, or one for all, 1.");
  EXPECT_EQ(
    cube.complaint([](auto &K) { K.set_device_tangents(nullptr, 1); }),
    "set_device_tangents() was given a null pointer, and there are 8 owned active cells.\n  Give 8 * 21 = 168 "
    "numbers of each, or 21 of each, in the memory of the backend.");
}

class TangentsOfTheHost : public StiffnessOperatorTest
{};

TEST_F(TangentsOfTheHost, AreRefusedByADevice)
{
  if (const std::string reason = why_not("cuda"); !reason.empty())
    GTEST_SKIP() << reason;
  Cube cube;
  cube.options.backend = "cuda";
  const std::vector<double> numbers(8 * 21, 1.);
  EXPECT_EQ(
    cube.complaint([&](auto &K) { K.set_device_tangents(numbers.data(), 1); }),
    "set_device_tangents() was given a pointer to memory of the host, or of another GPU than the operator's.\n  Give a device "
    "pointer; set_tangents() takes arrays of the host.");
}

} // namespace
} // namespace strut::test
