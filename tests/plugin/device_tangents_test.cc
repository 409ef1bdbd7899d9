// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Tangents from the memory where the operator computes, compared with those from the host.
#include <strut/backend/backend.h>

#include <limits>

#include "tests/plugin/cube.h"
#include "tests/plugin/stiffness_laws.h"

namespace strut::test
{
namespace
{
class DeviceTangentsProblem : public StiffnessMeshProblem
{
protected:
  void prepare() override
  {
    assemble({nullptr, random_tangent});
    backend = options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend();
    exactly = backend->memory().is_host();
  }

  /// The tangents of cells or points, by the cells.
  std::vector<double> numbers_of(Tangent (*const tangent)(const dealii::Point<3> &, unsigned int),
                                 const unsigned int n_points) const
  {
    application->solid.tangent = tangent;
    return array_of_tangents(*application, n_points);
  }

  /// The numbers as `[n_points][21][n_cells]`, in the memory of a backend of the same kind.
  Array<double> there(const std::vector<double> &by_cells, const unsigned int n_points) const
  {
    const std::size_t of_cell = std::size_t(21) * n_points, n_cells = by_cells.size() / of_cell;
    std::vector<double> by_numbers;
    for (std::size_t k = 0; k < of_cell; ++k)
      for (std::size_t c = 0; c < n_cells; ++c)
        by_numbers.push_back(by_cells[of_cell * c + k]);
    return Array<double>(backend->memory(), by_numbers);
  }

  std::unique_ptr<Backend> backend;
  bool exactly = false; ///< whether sums are the same in each run
};

// All numbers are those of the path through the host, in products, diagonal, cycles and solve(),
// and nothing is copied. GPUs add the parts of elements in any order.
TEST_P(DeviceTangentsProblem, FromTheDeviceAreThoseOfTheHost)
{
  options.tolerance  = 1e-8;
  const auto by_host = make_operator(), by_device = make_plain_operator();
  const TrilinosVector x = application->random_vector(2);
  TrilinosVector y, expected;
  by_host->initialize_dof_vector(y);
  by_host->initialize_dof_vector(expected);
  for (const unsigned int n_points : {8u, 1u, 8u})
    for (const auto &tangent : {plastic_tangent, smooth_tangent})
      {
        const std::vector<double> numbers = numbers_of(tangent, n_points);
        by_host->set_tangents(numbers);
        const Array<double> on_device = there(numbers, n_points);
        by_device->reset_transfers();
        by_device->set_device_tangents(on_device.data(), n_points);
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
  const auto by_host = make_operator<float>(), by_device = make_plain_operator<float>();
  const Array<double> on_device = there(numbers_of(random_tangent, 8), 8);
  by_device->set_device_tangents(on_device.data(), 8);
  dealii::LinearAlgebra::distributed::Vector<float> x, y, expected;
  for (auto *const v : {&x, &y, &expected})
    by_host->initialize_dof_vector(*v);
  SomeApplication::copy(application->random_vector(7), x);
  by_host->vmult(expected, x);
  by_device->vmult(y, x);
  y -= expected;
  EXPECT_LE(y.linfty_norm(), (exactly ? 0.f : 1e-6f) * expected.linfty_norm());
}

// After a refusal the previous tangents stay in force, on all ranks.
TEST_P(DeviceTangentsProblem, FromTheDeviceAreRefusedIfNotFinite)
{
  const auto K = make_operator();
  for (const unsigned int n_points : {8u, 1u})
    for (const double bad :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
      {
        std::vector<double> numbers = numbers_of(smooth_tangent, n_points);
        if (!numbers.empty())
          numbers.back() = bad;
        const Array<double> on_device = there(numbers, n_points);
        const std::string text =
          message_of<Error>([&]() { K->set_device_tangents(on_device.data(), n_points); });
        EXPECT_CONTAINS(text, "which is not finite");
        EXPECT_EQ(contains(text, "of Gauss point 7 "), n_points == 8) << text;
        application->expect_product(*K, 1e-12);
      }
}

TEST_P(DeviceTangentsProblem, FromTheDeviceAreByPointsOnAllRanksOrOnNone)
{
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    GTEST_SKIP() << "one rank";
  const auto K                  = make_operator();
  const unsigned int n_points   = rank_in(MPI_COMM_WORLD) == 0 ? 8 : 1;
  const Array<double> on_device = there(numbers_of(smooth_tangent, n_points), n_points);
  const std::string text =
    message_of<Error>([&]() { K->set_device_tangents(on_device.data(), n_points); });
  EXPECT_CONTAINS(text, "of 8 points of each cell on one rank, and of 1 on another");
  application->expect_product(*K, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Problem,
                         DeviceTangentsProblem,
                         testing::Combine(testing::Values("distorted", "few", "adapted ball"),
                                          testing::Values("cpu", "cuda")),
                         name_of_parameters);

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
