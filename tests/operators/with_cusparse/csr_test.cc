// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/csr.h"

#include "../../fixtures/backends.h"
#include "../../fixtures/box_mesh.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

// A separate program, as nothing else needs cuSPARSE.
namespace strut::test
{
namespace
{
template <typename Number>
void expect_equals_ebe(const BoxOptions &options)
{
  const auto gpu          = make_cuda_backend();
  const auto cpu          = make_cpu_backend();
  const Material material = {2.5, 0.2};
  const ElementMesh mesh  = make_box(options).mesh;
  const auto csr          = cuda::csr<Number>().make(*gpu, mesh, material);
  const auto ebe          = cpu_strategies<double>().front().make(*cpu, mesh, material);
  const auto x            = random_vector<float>(mesh.n_dofs(), 1);
  const Array<Number> x_gpu(gpu->memory(), std::vector<Number>(x.begin(), x.end()));
  const Array<double> x_cpu(cpu->memory(), to_double(x));
  Array<Number> y_gpu(gpu->memory(), poison<Number>(mesh.n_dofs()));
  Array<double> y_cpu(cpu->memory(), mesh.n_dofs());
  for (unsigned int round = 0; round < 3; ++round) // first with the factors that it begins with
    {
      if (round > 0)
        {
          const auto factors = random_vector(mesh.n_elements, round, 0.01, 1.);
          csr->set_stiffness(Array<double>(gpu->memory(), factors));
          ebe->set_stiffness(Array<double>(cpu->memory(), factors));
        }
      csr->apply(x_gpu, y_gpu);
      ebe->apply(x_cpu, y_cpu);
      EXPECT_LE(relative_difference(y_gpu.to_host(), y_cpu.to_host()), rounding<Number>());
      csr->diagonal(y_gpu);
      ebe->diagonal(y_cpu);
      EXPECT_LE(relative_difference(y_gpu.to_host(), y_cpu.to_host()), rounding<Number>());
    }
  const OperatorCost cost = csr->cost();
  EXPECT_GT(cost.flops_per_apply, 0.);
  EXPECT_NEAR(cost.memory_bytes,
              cuda::csr<Number>().memory_estimate(mesh.n_elements, mesh.n_nodes),
              0.2 * cost.memory_bytes);
}

TEST(CsrTest, EqualsEbeOfTheCpu)
{
  std::string reason;
  if (n_cuda_devices(&reason) == 0)
    GTEST_SKIP() << "no CUDA backend: " << reason;
  for (const BoxOptions &options :
       {BoxOptions::regular({{5, 4, 3}}), BoxOptions::wild({{17, 12, 9}}, 2)})
    {
      expect_equals_ebe<double>(options);
      expect_equals_ebe<float>(options);
    }
}
} // namespace
} // namespace strut::test
