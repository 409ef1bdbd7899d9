// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The smoother of multigrid with its stored blocks, packed in float, compared with double.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/random_structure.h"
#include "../fixtures/solve.h"
#include "../fixtures/vectors.h"
#include "source/element/packed_block.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
class StoredBlocksTest : public PlaceTest
{
protected:
  template <typename CycleNumber>
  unsigned int iterations(const BoxMesh &box,
                          const MeshHierarchy &coarser,
                          const std::vector<double> &stiffness,
                          const std::vector<double> &load,
                          const Material &material = {})
  {
    return solve_with_multigrid<double, CycleNumber>(backend(),
                                                     {box.mesh, material, coarser},
                                                     {},
                                                     stiffness,
                                                     load,
                                                     to_tolerance(1e-5, 2000))
      .iterations();
  }
};

// Each step, beside the same with PackedBlock on the host.
TEST_P(StoredBlocksTest, StepsMultiplyWithThem)
{
  const std::size_t n = 1000;
  Random random(1);
  std::vector<float> blocks;
  std::vector<std::uint8_t> constrained;
  std::vector<PackedBlock> packed;
  for (std::size_t node = 0; node < n; ++node)
    {
      const double s[3] = {random(0.1, 3.), random(0.1, 3.), random(0.1, 3.)};
      const double c[3] = {random(-0.45, 0.45), random(-0.45, 0.45), random(-0.45, 0.45)};
      const auto number = [](const double value) { return static_cast<float>(value); };
      const NodalBlock<float> block{{number(s[0] * s[0]),
                                     number(s[0] * s[1] * c[0]),
                                     number(s[0] * s[2] * c[1]),
                                     number(s[1] * s[1]),
                                     number(s[1] * s[2] * c[2]),
                                     number(s[2] * s[2])}};
      blocks.insert(blocks.end(), block.entry, block.entry + 6);
      constrained.push_back(static_cast<std::uint8_t>(random.below(3) == 0 ? random.below(8) : 0));
      packed.push_back(PackedBlock::of_free_part(block, constrained.back()));
    }
  const auto &multigrid = backend().multigrid_operations<float>();
  StoredBlocks<float> B(memory(), 3 * n);
  multigrid.invert_blocks(n,
                          Array<std::uint8_t>(memory(), constrained),
                          Array<float>(memory(), blocks),
                          B);
  const auto product = [&](const std::vector<double> &r) {
    std::vector<double> z;
    for (std::size_t node = 0; node < n; ++node)
      {
        float x[3], y[3];
        for (std::size_t c = 0; c < 3; ++c)
          x[c] = static_cast<float>(r[3 * node + c]);
        packed[node].multiply(x, y);
        z.insert(z.end(), y, y + 3);
      }
    return z;
  };
  const auto q  = random_vector<float>(3 * n, 2);
  const float a = 0.7f, b = 0.3f;
  for (const bool has_q : {false, true})
    {
      std::vector<double> r = to_double(random_vector<float>(3 * n, 3)), d, x;
      Array<float> on_r(memory(), random_vector<float>(3 * n, 3)), on_d(memory(), 3 * n),
        on_x(memory(), 3 * n);
      const Array<float> on_q = has_q ? Array<float>(memory(), q) : Array<float>();
      const auto subtract     = [&]() {
        for (std::size_t i = 0; i < 3 * n && has_q; ++i)
          r[i] -= static_cast<double>(q[i]);
      };
      const auto compare = [&](const char *const step) {
        EXPECT_LT(relative_difference(on_r.to_host(), r), 1e-6) << step;
        EXPECT_LT(relative_difference(on_d.to_host(), d), 1e-5) << step;
        EXPECT_LT(relative_difference(on_x.to_host(), x), 1e-5) << step;
      };

      multigrid.smooth_from_zero(n, B, a, on_r, on_d, on_x);
      d = product(r);
      for (double &value : d)
        value *= static_cast<double>(a);
      x = d;
      compare("from zero");

      multigrid.smooth_next(n, B, a, b, on_q, on_r, on_d, on_x);
      subtract();
      auto z = product(r);
      for (std::size_t i = 0; i < 3 * n; ++i)
        x[i] += d[i] = static_cast<double>(b) * d[i] + static_cast<double>(a) * z[i];
      compare("next");

      multigrid.smooth_first(n, B, a, on_q, on_r, on_d, on_x);
      subtract();
      z = product(r);
      for (std::size_t i = 0; i < 3 * n; ++i)
        {
          x[i] += d[i];
          x[i] += d[i] = static_cast<double>(a) * z[i];
        }
      compare("first");
    }
}

// The bound is made for exact blocks. The largest eigenvalue with packed blocks is below that with
// exact ones, and near to it.
TEST_P(StoredBlocksTest, KeepTheBoundOfTheSmoother)
{
  const CantileverHierarchy c({{8, 4, 4}}, 1);
  const ElementMesh &mesh = c.box.mesh;
  const auto largest      = [&](const auto tag) {
    using Number = decltype(number_of(tag));
    ElasticityOperator<Number> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
    K.set(Array<double>(memory(), c.frame(1e-6)));
    Array<Number> blocks(memory(), 6 * mesh.n_nodes);
    K.element_operator().diagonal_blocks(blocks);
    StoredBlocks<Number> B(memory(), StoredBlock<Number>::n_words(3) * mesh.n_nodes);
    const auto &multigrid = backend().multigrid_operations<Number>();
    multigrid.invert_blocks(mesh.n_nodes, Array<std::uint8_t>(memory(), mesh.n_nodes), blocks, B);
    const auto product = [&](Array<Number> &x, Array<Number> &y) { K.apply_unconstrained(x, y); };
    return eigenvalue_of_smoother(
      backend(), B, random_vector<Number>(mesh.n_dofs(), 5), product, 200);
  };
  const double exact = largest(NumberTag<double>()), packed = largest(NumberTag<float>());
  EXPECT_LT(packed, exact);
  EXPECT_GT(packed, 0.997 * exact);
  EXPECT_LT(exact, smoother_bound(mesh, Material()));
}

// It takes about as many iterations as with cycles in double, for random structures in void of
// 1e-9, flat elements, and nearly incompressible material. Most of the difference is due to float
// itself. With exact blocks structures 32 and 33 also take two more than in double, and elements
// 1:100 take 133 instead of 116.
TEST_P(StoredBlocksTest, TakeNoMoreIterations)
{
  double of_double = 0., of_float = 0.; // totals
  const auto compare = [&](const BoxMesh &box,
                           const MeshHierarchy &coarser,
                           const std::vector<double> &stiffness,
                           const std::vector<double> &load,
                           const std::string &label,
                           const double share,
                           const Material &material = {}) {
    const auto in_double = iterations<double>(box, coarser, stiffness, load, material);
    const auto mixed     = iterations<float>(box, coarser, stiffness, load, material);
    EXPECT_NEAR(static_cast<double>(mixed), static_cast<double>(in_double), 2. + share * in_double)
      << label;
    of_double += in_double;
    of_float += mixed;
  };
  for (unsigned int seed = 20; seed < 40; ++seed)
    {
      const RandomStructure c(seed);
      if (c.contrast == 1.)
        continue;
      std::vector<double> stiffness = c.factors;
      for (double &factor : stiffness)
        factor = factor == 1. ? 1. : 1e-9;
      compare(c.box, c.coarser, stiffness, c.load, "structure " + std::to_string(seed), 0.03);
    }
  EXPECT_LE(of_float, 1.02 * of_double);
  for (const double flat : {10., 100.})
    {
      const CantileverHierarchy c({{8, 4, 4}}, 1, 0., {{2. * flat, flat, 1.}});
      compare(c.box,
              c.coarser,
              c.frame(flat < 100. ? 1e-9 : 1.),
              edge_load(c.box),
              "flat",
              flat < 100. ? 0.1 : 0.4);
    }
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  compare(c.box,
          c.coarser,
          c.frame(1.),
          edge_load(c.box),
          "nearly incompressible",
          0.03,
          {1., 0.4999, Formulation::mean_dilatation});
}

// New blocks are made in the vector that is lent, whatever it contains, and take no additional
// memory.
TEST_P(StoredBlocksTest, AreMadeInTheVectorThatIsLent)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const ElementMesh &mesh = c.box.mesh;
  const Structure structure{mesh, Material(), c.coarser};
  const Array<double> r(memory(), edge_load(c.box));
  ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "on_the_fly");
  const auto alone     = make_multigrid<double, float>(backend(), structure);
  const auto with_loan = make_multigrid<double, float>(backend(), structure);
  Array<double> z(memory(), mesh.n_dofs()), lent(memory(), poison<double>(mesh.n_dofs()));
  bool is_lent = false;
  for (const double contrast : {1., 1e-3, 1e-9})
    {
      const Array<double> factors(memory(), c.frame(contrast));
      K.set(factors);
      alone->update(K, factors);
      if (is_lent)
        lent.copy_from_host(poison<double>(mesh.n_dofs()));
      {
        const std::size_t before = memory().in_use();
        const Array<std::uint8_t> up_to_the_peak(memory(), memory().peak() - before);
        const std::size_t peak = memory().peak();
        with_loan->update(K, factors);
        if (is_lent)
          {
            EXPECT_LT(memory().peak() - peak, 6 * sizeof(float) * mesh.n_nodes / 2);
          }
      }
      with_loan->lend(lent);
      is_lent = true;
      alone->apply(r, z);
      const std::vector<double> expected = z.to_host();
      with_loan->apply(r, z);
      EXPECT_LT(relative_difference(z.to_host(), expected), 1e-6) << contrast;
    }
}

INSTANTIATE_TEST_SUITE_P(Core, StoredBlocksTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
