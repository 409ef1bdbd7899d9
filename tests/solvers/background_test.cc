// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/flat_structure.h"
#include "../fixtures/solve.h"
#include "../fixtures/typed_box.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
using BackgroundTest = PlaceTest;

bool is_gap(const CellIndices &at)
{
  return at[1] == 4 && at[0] < 46;
}

/// Iterations of a solve with uniform stiffness from zero to 1e-5.
template <typename Number, typename CycleNumber>
unsigned int
iterations(Backend &backend, const FlatStructure &s, const std::vector<double> &factors)
{
  return solve_with_multigrid<Number, CycleNumber>(backend,
                                                   {s.box.mesh, Material(), s.coarser},
                                                   MultigridSettings(),
                                                   factors,
                                                   edge_load(s.box),
                                                   to_tolerance(1e-5, 500))
    .iterations();
}

unsigned int iterations(Backend &backend, const FlatStructure &s)
{
  const std::vector<double> ones(s.box.mesh.n_elements, 1.);
  const unsigned int in_double = iterations<double, double>(backend, s, ones);
  const unsigned int mixed     = iterations<double, float>(backend, s, ones);
  EXPECT_LE(mixed, in_double + 1);
  return in_double;
}

// Iterations from zero to 1e-5 with uniform stiffness. A prototype takes 7 on the box, 15 to 20 on
// the bars, 22 at the slit.
TEST_P(BackgroundTest, BoxesOfAnyNumbersInAnyDirection)
{
  EXPECT_LE(iterations(backend(), FlatStructure(CellIndices{{25, 13, 13}}, 0.2)), 8u);
  EXPECT_LE(iterations(backend(), FlatStructure(CellIndices{{16, 8, 8}})), 7u);
  EXPECT_LE(iterations(backend(), FlatStructure(CellIndices{{17, 11, 5}})), 8u);
  FlatStructure turned(CellIndices{{25, 13, 13}}, 0.2);
  turn(turned.box.mesh);
  turned.finish();
  EXPECT_LE(iterations(backend(), turned), 8u);
}

TEST_P(BackgroundTest, GapsAreNotBridged)
{
  EXPECT_LE(iterations(backend(),
                       FlatStructure(CellIndices{{49, 5, 1}},
                                     0.,
                                     [](const CellIndices &at) { return at[1] == 2; })),
            12u);
  EXPECT_LE(iterations(backend(), FlatStructure(CellIndices{{49, 9, 4}}, 0., is_gap)), 13u);
  FlatStructure with_slit(CellIndices{{51, 9, 9}});
  slit(with_slit.box, 48, 4);
  with_slit.finish();
  EXPECT_LE(iterations(backend(), with_slit), 18u);
}

// Lattices and flat elements are hard: bounds of today, so that they do not grow unseen.
TEST_P(BackgroundTest, CombsAndFlatElements)
{
  EXPECT_LE(iterations(backend(),
                       FlatStructure(CellIndices{{41, 11, 11}},
                                     0.,
                                     [](const CellIndices &at) {
                                       return (at[1] % 3 == 2 || at[2] % 3 == 2) && at[0] < 38;
                                     })),
            62u);
  EXPECT_LE(iterations(backend(),
                       FlatStructure(CellIndices{{25, 13, 13}}, 0.2, nullptr, {{1., 1., 0.25}})),
            17u);
}

// Cells are no thicker than the plate: with cells that are, the preconditioner was indefinite.
TEST_P(BackgroundTest, ThinPlates)
{
  const FlatStructure plate(CellIndices{{78, 48, 2}});
  for (const CoarseLevel &level : plate.coarser)
    {
      const auto z =
        level.mesh.coordinates.begin() + static_cast<std::ptrdiff_t>(2 * level.mesh.n_nodes);
      EXPECT_EQ(*std::max_element(z, level.mesh.coordinates.end()), 2.);
    }
  EXPECT_LE(iterations(backend(), plate), 18u);
  EXPECT_LE(iterations(backend(), FlatStructure(CellIndices{{79, 45, 4}}, 0.2)), 20u);
}

// A function that is linear in space is interpolated exactly, on every level.
TEST(BackgroundLevels, InterpolateLinearFunctions)
{
  FlatStructure s(CellIndices{{25, 9, 4}}, 0.2, [](const CellIndices &at) {
    return at[1] == 4 && at[0] < 10;
  });
  turn(s.box.mesh);
  s.finish();
  const auto backend = make_cpu_backend(2);
  const auto linear  = [](const ElementMesh &mesh) {
    std::vector<double> u(mesh.n_dofs());
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      for (std::size_t c = 0; c < 3; ++c)
        {
          const double x = mesh.coordinates[node], y = mesh.coordinates[mesh.n_nodes + node],
                       z  = mesh.coordinates[2 * mesh.n_nodes + node];
          u[3 * node + c] = 1. + static_cast<double>(c) * x - 0.5 * y + 0.3 * z;
        }
    return u;
  };
  const ElementMesh *fine = &s.box.mesh;
  for (const CoarseLevel &level : s.coarser)
    {
      const auto transfer = make_grid_transfer<double>(*backend, Communicator(), *fine, level);
      const Array<double> on_coarse(backend->memory(), linear(level.mesh));
      const std::vector<double> expected = linear(*fine);
      Array<double> on_fine(backend->memory(), expected.size());
      transfer->prolongate(on_coarse, on_fine);
      const std::vector<double> found = on_fine.to_host();
      expect_near(found, expected, 1e-11);
      fine = &level.mesh;
    }
}

/// Expects that each background level has as much stiffness as the elements of the mesh.
void expect_all_stiffness(const ElementMesh &mesh, const MeshHierarchy &coarser)
{
  const double whole = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
  std::vector<double> stiffness(mesh.n_elements, 1.);
  for (std::size_t l = first_background_level(coarser); l < coarser.size(); ++l)
    {
      const CoarseLevel &level      = coarser[l];
      const StiffnessShares &shares = level.transfer.shares;
      std::vector<double> of_cells(level.mesh.n_elements, 0.);
      for (std::size_t cell = 0; cell < of_cells.size(); ++cell)
        for (std::size_t k = shares.begin[cell]; k < shares.begin[cell + 1]; ++k)
          of_cells[cell] += shares.weights[k] * stiffness[shares.elements[k]];
      ElementMesh measured = level.mesh;
      measure(measured);
      const double sum =
        std::inner_product(of_cells.begin(), of_cells.end(), measured.volumes.begin(), 0.);
      EXPECT_NEAR(sum, whole, 1e-6 * whole); // weights in float
      stiffness = of_cells;
    }
}

// The cells get the material of the elements, which may be of any type.
TEST(BackgroundLevels, ShareAllOfTheVolume)
{
  for (const CellIndices n : {CellIndices{{13, 9, 6}}, CellIndices{{25, 3, 4}}})
    {
      FlatStructure s(n, 0.2);
      turn(s.box.mesh);
      s.finish();
      expect_all_stiffness(s.box.mesh, s.coarser);
    }
  for (const ElementType &type : element_types())
    {
      SCOPED_TRACE(type.name);
      const TypedBox c(type.name, {{6, 3, 3}});
      expect_all_stiffness(c.box.mesh, c.coarser);
    }
}

// Behind quadratic elements cells are no wider than two elements, where their number is odd.
TEST(BackgroundLevels, AreNotTooWide)
{
  for (const char *const type : {"tet10", "hex20", "hex27"})
    {
      const TypedBox c(type, {{10, 5, 5}});
      const ElementMesh &cells = c.coarser[first_background_level(c.coarser)].mesh;
      EXPECT_GE(cells.n_elements, 5u * 3u * 3u);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, BackgroundTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
