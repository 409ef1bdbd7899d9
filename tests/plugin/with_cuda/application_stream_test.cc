// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// A StiffnessOperator on a stream of the application. Its work is ordered with copies that the
// application submits, without synchronization.
#include "cuda/base/check.h"

#include <strut/base/exceptions.h>
#include <strut/device_vector.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/stiffness_operator_fixture.h"

namespace strut::test
{
namespace
{
/// Parameters: the stream, and the operator's strategy; `ebeSym` has several streams.
class StreamProblem : public StiffnessOperatorTest,
                      public testing::WithParamInterface<std::tuple<const char *, const char *>>
{
protected:
  void SetUp() override
  {
    if (const std::string reason = why_not("cuda"); !reason.empty())
      GTEST_SKIP() << reason;
    // under mpirun each rank takes another GPU, as long as there are enough
    const char *const rank = std::getenv("OMPI_COMM_WORLD_LOCAL_RANK");
    STRUT_CUDA_CHECK(cudaGetDeviceCount(&n_devices));
    device = rank == nullptr ? 0 : std::atoi(rank) % n_devices;
    STRUT_CUDA_CHECK(cudaSetDevice(device));
    const std::string kind = std::get<0>(GetParam());
    if (kind == "legacy")
      stream = cudaStreamLegacy;
    else
      STRUT_CUDA_CHECK(
        cudaStreamCreateWithFlags(&stream,
                                  kind == "blocking" ? cudaStreamDefault : cudaStreamNonBlocking));

    application = std::make_unique<SomeApplication>("adapted ball", "random");
    application->assemble(false);
    K.reinit(application->dof_handler, application->constraints, data());
    n = application->owned.n_elements();
    STRUT_CUDA_CHECK(cudaMallocHost(&on_host, std::max<std::size_t>(n, 1) * sizeof(double)));
  }

  void TearDown() override
  {
    K.clear(); // before its stream
    cudaFreeHost(on_host);
    if (stream != nullptr && stream != cudaStreamLegacy)
      cudaStreamDestroy(stream);
  }

  StiffnessOperator<double>::AdditionalData data() const
  {
    StiffnessOptions options = on("cuda");
    options.device           = device;
    options.stream           = stream;
    options.strategy         = std::get<1>(GetParam());
    options.tolerance        = 1e-10;
    return {application->material, options};
  }

  /// Submits a copy of x that starts late.
  void copy_late(const TrilinosVector &x, DeviceVector<double> &there)
  {
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream)); // on_host is free
    std::copy(x.begin(), x.end(), on_host);
    STRUT_CUDA_CHECK(cudaLaunchHostFunc(
      stream, [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, nullptr));
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(there.data(), on_host, n * sizeof(double), cudaMemcpyHostToDevice, stream));
  }

  /// Error max |x - reference| / max |reference|, by a copy after all other work of the stream.
  double distance(const DeviceVector<double> &x, const TrilinosVector &reference)
  {
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(on_host, x.data(), n * sizeof(double), cudaMemcpyDeviceToHost, stream));
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
    TrilinosVector found(reference);
    std::copy(on_host, on_host + n, found.begin());
    return application->distance(found, reference);
  }

  int n_devices       = 0;
  int device          = 0;
  cudaStream_t stream = nullptr;
  std::size_t n       = 0;
  double *on_host     = nullptr; ///< `[n]`, page-locked
  std::unique_ptr<SomeApplication> application;
  StiffnessOperator<double> K;
};

TEST_P(StreamProblem, ProductsComeAfterTheCopiesBefore)
{
  DeviceVector<double> x, y;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(y);
  EXPECT_EQ(x.stream(), static_cast<void *>(stream));
  for (const unsigned int seed : {1, 2})
    {
      const TrilinosVector source = application->random_vector(seed);
      TrilinosVector expected(source);
      K.vmult(expected, source);
      copy_late(source, x);
      K.vmult(y, x);
      EXPECT_LT(distance(y, expected), 1e-14);
    }
}

TEST_P(StreamProblem, SolvesComeAfterTheCopiesBefore)
{
  DeviceVector<double> x, forces;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(forces);
  const TrilinosVector expected = application->solution();
  for (int k = 0; k < 2; ++k) // the second one has graphs, if there are any
    {
      forces = 0.;
      copy_late(application->F, forces);
      EXPECT_TRUE(K.solve(x, forces).converged);
      EXPECT_LT(distance(x, expected), 1e-8);
    }
}

// A copy that begins late fills the tangents; they are overwritten behind the call.
TEST_P(StreamProblem, TangentsAreReadInStreamOrder)
{
  if (std::get<1>(GetParam()) != std::string("on_the_fly"))
    GTEST_SKIP() << "no tangents";
  const std::size_t n_cells = application->triangulation->n_active_cells();
  if (dealii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
    GTEST_SKIP() << "several ranks";
  constexpr std::size_t of_cell = 8 * 21;
  const std::size_t bytes       = of_cell * n_cells * sizeof(double);
  double *numbers = nullptr, *there = nullptr; // page-locked; on the device
  STRUT_CUDA_CHECK(cudaMallocHost(&numbers, bytes));
  STRUT_CUDA_CHECK(cudaMalloc(&there, bytes));
  DeviceVector<double> x, y;
  K.initialize_dof_vector(x);
  K.initialize_dof_vector(y);
  const TrilinosVector source = application->random_vector(1);
  TrilinosVector expected(source);
  for (const unsigned int seed : {3, 4})
    {
      std::mt19937 generator(seed);
      std::uniform_real_distribution<double> number(-1., 1.);
      std::vector<double> by_cells(of_cell * n_cells);
      for (std::size_t i = 0; i < by_cells.size(); ++i)
        numbers[i % of_cell * n_cells + i / of_cell] = by_cells[i] = number(generator);
      K.set_tangents(dealii::ArrayView<const double>(by_cells.data(), by_cells.size()));
      K.vmult(expected, source);
      K.set_factors([](const auto &) { return 1.; });
      copy_late(source, x);
      STRUT_CUDA_CHECK(cudaMemsetAsync(there, 0, bytes, stream));
      STRUT_CUDA_CHECK(cudaLaunchHostFunc(
        stream,
        [](void *) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); },
        nullptr));
      STRUT_CUDA_CHECK(cudaMemcpyAsync(there, numbers, bytes, cudaMemcpyHostToDevice, stream));
      K.set_device_tangents(there, 8);
      STRUT_CUDA_CHECK(cudaMemsetAsync(there, 0xff, bytes, stream)); // no numbers
      K.vmult(y, x);
      EXPECT_LT(distance(y, expected), 1e-13);
    }
  STRUT_CUDA_CHECK(cudaFree(there));
  STRUT_CUDA_CHECK(cudaFreeHost(numbers));
}

TEST_P(StreamProblem, OtherStreamsAreRefused)
{
  StiffnessOperator<double> other;
  const auto complaint = [&](const int on_device, void *const of) {
    auto changed           = data();
    changed.options.device = on_device;
    changed.options.stream = of;
    return message_of<Error>(
      [&]() { other.reinit(application->dof_handler, application->constraints, changed); });
  };
  EXPECT_CONTAINS(complaint(device, cudaStreamPerThread), "cudaStreamPerThread");
  if (n_devices == 1 || stream == cudaStreamLegacy) // the legacy stream, which every device has
    return;
  const std::string text = complaint((device + 1) % n_devices, stream);
  EXPECT_CONTAINS(text, "is one of CUDA device " + std::to_string(device));
}

INSTANTIATE_TEST_SUITE_P(Streams,
                         StreamProblem,
                         testing::Combine(testing::Values("non_blocking", "blocking", "legacy"),
                                          testing::Values("on_the_fly", "ebeSym")),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param)) + "_" +
                                  std::get<1>(info.param);
                         });
} // namespace
} // namespace strut::test
