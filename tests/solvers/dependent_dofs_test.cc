// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/nodal_block.h"
#include "source/solvers/constraints/dependent_dofs.h"

#include "../fixtures/backends.h"
#include "../fixtures/row_maker.h"
#include "../fixtures/vectors.h"

#include <cmath>
#include <set>

namespace strut::test
{
namespace
{
/// A row of cubes, some of whose DoFs depend on random others. No element has the last node.
ElementMesh row_with_dependent_dofs(const bool of_nodes)
{
  constexpr std::size_t n = 40;
  ElementMesh mesh;
  mesh.n_elements = n;
  mesh.n_nodes = mesh.n_owned_nodes = 4 * (n + 1) + 1;
  mesh.connectivity.resize(8 * n);
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      mesh.connectivity[v * n + e] = static_cast<LocalIndex>(4 * (e + (v & 1u)) + v / 2);
  const std::vector<double> random = random_vector<double>(1000, 3, -1., 1.);
  std::size_t next                 = 0;
  AffineRows &rows                 = mesh.dependent;
  rows.offsets                     = {0};
  for (LocalIndex node = 0; node + 1 < mesh.n_nodes; node += 5)
    for (LocalIndex c = 0; c < 3; ++c)
      {
        rows.dofs.push_back(3 * node + c);
        rows.values.push_back(random[next++]);
        for (const LocalIndex k : {1u, 2u, 3u})
          {
            const LocalIndex last   = static_cast<LocalIndex>(mesh.n_nodes - 1);
            const LocalIndex master = node % 15 == 0 && k == 3 ? last : node + k;
            rows.masters.push_back(of_nodes ? 3 * master + c : 3 * master + (c + k) % 3);
            rows.weights.push_back(of_nodes ? (k == 1 ? 0.5 : 0.25) : random[next++]);
          }
        rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
      }
  return mesh;
}

class DependentDofsTest : public PlaceTest
{
protected:
  Array<double> random(const std::size_t n, const unsigned int seed, const double least) const
  {
    return Array<double>(memory(), random_vector<double>(n, seed, least, 1.));
  }

  double dot(const std::size_t n, const Array<double> &x, const Array<double> &y) const
  {
    return backend().vector_operations<double>().dot(n, x, y);
  }
};

/// Expects (C x) . y = x . (C^T y), with C the identity on the free DoFs.
TEST_P(DependentDofsTest, CondensingIsTheTransposeOfDistributing)
{
  const ElementMesh mesh = row_with_dependent_dofs(false);
  const std::size_t n    = mesh.n_dofs();
  const DependentDofs<double> dependent(backend(), mesh);
  Array<double> x = random(n, 1, -1.), y = random(n, 2, -1.);
  dependent.set(0., x);
  Array<double> Cx(memory(), x.to_host());
  dependent.distribute(Cx);
  std::vector<double> of_elements = y.to_host(); // DoFs of no element are ignored
  for (std::size_t i = n - 3; i < n; ++i)
    of_elements[i] = 0.;
  const double expected = dot(n, Cx, Array<double>(memory(), of_elements));
  dependent.condense(y);
  EXPECT_NEAR(dot(n, x, y), expected, 1e-13 * n);

  const std::vector<double> found = Cx.to_host(), given = x.to_host();
  for (std::size_t k = 0; k < mesh.dependent.dofs.size(); ++k)
    {
      double sum = 0.;
      for (std::size_t j = 3 * k; j < 3 * k + 3; ++j)
        sum += mesh.dependent.weights[j] * given[mesh.dependent.masters[j]];
      EXPECT_NEAR(found[mesh.dependent.dofs[k]], sum, 1e-15);
    }
}

/// Expects x . C^T D C x <= x . bound(D) x for diagonals, and for blocks of nodes that are
/// multiples of one matrix.
TEST_P(DependentDofsTest, BoundsAreBounds)
{
  const ElementMesh mesh = row_with_dependent_dofs(false);
  const std::size_t n    = mesh.n_dofs();
  const DependentDofs<double> dependent(backend(), mesh);
  const auto &vectors = backend().vector_operations<double>();
  const auto energy   = [&](const Array<double> &d, const Array<double> &x) {
    Array<double> dx(memory(), x.to_host());
    vectors.multiply(n, d, x, dx);
    return dot(n, dx, x);
  };
  for (unsigned int seed = 0; seed < 20; ++seed)
    {
      Array<double> d = random(n - 3, 2 * seed, 0.), x = random(n, 2 * seed + 1, -1.);
      std::vector<double> of_elements = d.to_host();
      of_elements.resize(n, 0.);
      d = Array<double>(memory(), of_elements);
      dependent.distribute(x);
      const double exact = energy(d, x);
      dependent.set(0., x);
      dependent.condense_bound(d);
      EXPECT_LE(exact, energy(d, x) * (1. + 1e-14));
    }
}

TEST_P(DependentDofsTest, BlocksGoToTheMasters)
{
  const ElementMesh mesh = row_with_dependent_dofs(true);
  const DependentDofs<double> dependent(backend(), mesh);
  Array<double> blocks             = random(6 * mesh.n_nodes, 5, 0.);
  std::vector<double> expected     = blocks.to_host();
  const std::vector<double> before = expected;
  for (std::size_t i = expected.size() - 6; i < expected.size(); ++i)
    expected[i] = 0.; // DoF of no element
  const AffineRows &rows = mesh.dependent;
  for (std::size_t k = 0; k < rows.dofs.size(); k += 3)
    for (std::size_t j = 3 * k; j < 3 * k + 3; ++j)
      for (std::size_t b = 0; b < 6; ++b)
        expected[6 * (rows.masters[j] / 3) + b] +=
          rows.weights[j] * before[6 * (rows.dofs[k] / 3) + b];
  dependent.condense_blocks(blocks);
  const std::vector<double> found = blocks.to_host();
  expect_near(found, expected, 1e-14);
}

/// No normal flux on oblique faces and edges: nodes have one or two dependent DoFs.
TEST_P(DependentDofsTest, BlocksWithMastersAtTheirNodeAreExact)
{
  ElementMesh mesh    = row_with_dependent_dofs(true);
  AffineRows &rows    = mesh.dependent;
  rows                = {};
  const auto weights  = random_vector<double>(1000, 7, -1., 1.);
  const auto add_line = [&](const LocalIndex dof, const std::vector<LocalIndex> &masters) {
    add_row(rows, dof, masters, [&](const std::size_t k) { return weights[k]; });
  };
  const auto n_nodes = static_cast<LocalIndex>(mesh.n_nodes - 1); // the last one is of no element
  for (LocalIndex node = 0; node < n_nodes; ++node)
    if (const LocalIndex dof = 3 * node; node % 3 == 0)
      add_line(dof + node % 2, {dof + 1 - node % 2, dof + 2});
    else if (node % 3 == 1)
      {
        add_line(dof, {dof + 1});
        add_line(dof + 2, {dof + 1});
      }
  const DependentDofs<double> dependent(backend(), mesh);

  const std::size_t n = 3 * std::size_t(n_nodes);
  const auto entries  = random_vector<double>(6 * mesh.n_nodes, 8, -1., 1.);
  const auto energy   = [&](const std::vector<double> &blocks, const Array<double> &x) {
    const std::vector<double> u = x.to_host();
    double sum                  = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i / 3 * 3; j < i / 3 * 3 + 3; ++j)
        sum += u[i] * u[j] *
               blocks[6 * (i / 3) + static_cast<std::size_t>(NodalBlock<double>::index(
                                      static_cast<int>(i % 3), static_cast<int>(j % 3)))];
    return sum;
  };
  Array<double> blocks(memory(), entries);
  dependent.condense_blocks(blocks);
  const std::vector<double> found = blocks.to_host();
  for (unsigned int seed = 0; seed < 5; ++seed)
    {
      Array<double> x = random(mesh.n_dofs(), seed, -1.);
      dependent.distribute(x);
      const double expected = energy(entries, x);
      dependent.set(0., x);
      EXPECT_NEAR(energy(found, x), expected, 1e-12 * n);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, DependentDofsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
