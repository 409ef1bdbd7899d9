// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/comparators/comparators.h"

#include "../../fixtures/backends.h"
#include "../../fixtures/box_mesh.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

// A separate program, as strut does without the comparators.
namespace strut::test
{
namespace
{
template <typename Number>
void expect_equals_ebe(const Strategy<Number> &strategy, const BoxOptions &options)
{
  SCOPED_TRACE(strategy.name);
  const auto gpu          = make_cuda_backend();
  const auto cpu          = make_cpu_backend();
  const Material material = {2.5, 0.2};
  const ElementMesh mesh  = make_box(options).mesh;
  const auto K            = strategy.make(*gpu, mesh, material);
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
          K->set_stiffness(Array<double>(gpu->memory(), factors));
          ebe->set_stiffness(Array<double>(cpu->memory(), factors));
        }
      K->apply(x_gpu, y_gpu);
      ebe->apply(x_cpu, y_cpu);
      EXPECT_LE(relative_difference(y_gpu.to_host(), y_cpu.to_host()), rounding<Number>());
      K->diagonal(y_gpu);
      ebe->diagonal(y_cpu);
      EXPECT_LE(relative_difference(y_gpu.to_host(), y_cpu.to_host()), rounding<Number>());
    }
  const OperatorCost cost = K->cost();
  EXPECT_GT(cost.flops_per_apply, 0.);
  EXPECT_NEAR(cost.memory_bytes,
              strategy.memory_estimate({mesh.n_elements, mesh.n_nodes}),
              0.2 * cost.memory_bytes);
}

template <typename Number>
void expect_all_equal_ebe()
{
  for (const Strategy<Number> &strategy : cuda::comparators<Number>())
    for (const BoxOptions &options :
         {BoxOptions::regular({{5, 4, 3}}), BoxOptions::wild({{17, 12, 9}}, 2)})
      expect_equals_ebe<Number>(strategy, options);
}

TEST(ComparatorsTest, OperatorsEqualEbeOfTheCpu)
{
  std::string reason;
  if (n_cuda_devices(&reason) == 0)
    GTEST_SKIP() << "no CUDA backend: " << reason;
  expect_all_equal_ebe<double>();
  expect_all_equal_ebe<float>();
}

template <typename Number>
void expect_thrust_equals_updates()
{
  const auto gpu      = make_cuda_backend();
  Memory &memory      = gpu->memory();
  const std::size_t n = 12345;
  const auto random   = [&](const unsigned int seed) {
    return Array<Number>(memory, random_vector<Number>(n, seed, 0.1, 1.));
  };
  const Array<float> d(memory, random_vector<float>(n, 1, 0.1, 1.));
  const Array<Number> q = random(2);
  Array<Number> p = random(3), r = random(4), x = random(5), z(memory, n);
  Array<Number> p_thrust = random(3), r_thrust = random(4), x_thrust = random(5);
  const double rz = 0.7;
  const KrylovSums sums =
    cuda::ThrustIteration(*gpu).run(rz, d, q, p_thrust, r_thrust, z, x_thrust);

  const auto updates = gpu->vector_operations<Number>().make_krylov_updates();
  KrylovSums before;
  before.rz_next = rz;
  updates->set_sums(before);
  updates->curvature(n, p, q);
  updates->reduce_residual(n, q, d, r);
  updates->advance(n, d, r, p, x);
  const KrylovSums ours = updates->sums();
  EXPECT_NEAR(sums.pq, ours.pq, rounding<Number>() * ours.pq);
  EXPECT_NEAR(sums.rz_next, ours.rz_next, rounding<Number>() * ours.rz_next);
  EXPECT_LE(relative_difference(p_thrust.to_host(), to_double(p.to_host())), rounding<Number>());
  EXPECT_LE(relative_difference(r_thrust.to_host(), to_double(r.to_host())), rounding<Number>());
  EXPECT_LE(relative_difference(x_thrust.to_host(), to_double(x.to_host())), rounding<Number>());
}

TEST(ComparatorsTest, IterationByThrustEqualsOurs)
{
  std::string reason;
  if (n_cuda_devices(&reason) == 0)
    GTEST_SKIP() << "no CUDA backend: " << reason;
  expect_thrust_equals_updates<double>();
  expect_thrust_equals_updates<float>();
}
} // namespace
} // namespace strut::test
