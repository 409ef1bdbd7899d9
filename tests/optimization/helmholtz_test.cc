// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The PDE filter: `helmholtz`.
#include "../fixtures/adapted_box.h"
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/flat_structure.h"
#include "../fixtures/mapped.h"
#include "../fixtures/vectors.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/maps/helmholtz_filter.h"
#include "source/optimization/maps/helmholtz_matrices.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
const double pi = std::acos(-1.);

/// Product sum_e v_e a_e b_e.
double product(const ElementMesh &mesh, const std::vector<double> &a, std::vector<double> b)
{
  for (std::size_t e = 0; e < b.size(); ++e)
    b[e] *= mesh.volumes[e];
  return dot(a, b);
}

class HelmholtzTest : public PlaceTest
{
protected:
  DesignChain make(const ElementMesh &mesh, const double radius, const std::string &boundary)
  {
    return make_design_chain({"helmholtz"},
                             backend(),
                             Communicator(),
                             mesh,
                             {radius, 1e-3},
                             {{"helmholtz", {{"Boundary", boundary}}}});
  }

  std::vector<double> forward(const ElementMesh &mesh,
                              const double radius,
                              const std::vector<double> &x,
                              const std::string &boundary = "neumann")
  {
    DesignChain map = make(mesh, radius, boundary);
    EXPECT_TRUE(map.is_affine());
    return mapped(backend(), map, x);
  }

  std::vector<double> backward(const ElementMesh &mesh,
                               const double radius,
                               const std::vector<double> &s,
                               const std::string &boundary = "neumann")
  {
    Array<double> result(memory(), s);
    make(mesh, radius, boundary).backward(Array<double>(memory(), s.size()), result);
    return result.to_host();
  }

  /// Expects that constants and the volume are preserved, that the map is self-adjoint with respect
  /// to the volumes, and that backward() is its transpose.
  void expect_filter(const ElementMesh &mesh, const double radius)
  {
    const std::vector<double> constant(mesh.n_elements, 0.7);
    EXPECT_LE(relative_difference(forward(mesh, radius, constant), constant), 1e-12);
    const auto a  = random_vector(mesh.n_elements, 1, 0., 1.),
               b  = random_vector(mesh.n_elements, 2, -1., 1.);
    const auto Fa = forward(mesh, radius, a), Fb = forward(mesh, radius, b);
    const double volume = dot(mesh.volumes, a);
    EXPECT_NEAR(dot(mesh.volumes, Fa), volume, 1e-12 * volume);
    EXPECT_GT(relative_difference(Fa, a), 0.1);
    EXPECT_NEAR(product(mesh, a, Fb), product(mesh, b, Fa), 1e-12 * volume);
    EXPECT_NEAR(dot(a, Fb),
                dot(b, backward(mesh, radius, a)),
                1e-12 * static_cast<double>(mesh.n_elements));
  }
};

/// A box of cubes with edges of the length h.
BoxMesh cubes(const std::array<std::size_t, 3> &n, const double h)
{
  BoxOptions options = BoxOptions::regular(n);
  for (std::size_t d = 0; d < 3; ++d)
    options.size[d] = h * static_cast<double>(n[d]);
  return make_box(options);
}

/// Solves for t with linear finite elements on a line, by elimination: r^2 / h [1 -1; -1 1] + h / 2
/// [1 0; 0 1] for each element, and r at the ends with void.
std::vector<double>
solve_bar(const std::vector<double> &x, const double h, const double r, const bool has_void_behind)
{
  const std::size_t n = x.size();
  const double beside = -r * r / h;
  std::vector<double> diagonal(n + 1, 0.), t(n + 1, 0.);
  diagonal.front() = diagonal.back() = has_void_behind ? r : 0.;
  for (std::size_t e = 0; e < n; ++e)
    for (const std::size_t i : {e, e + 1})
      {
        diagonal[i] += h / 2. - beside;
        t[i] += h / 2. * x[e];
      }
  for (std::size_t i = 1; i <= n; ++i)
    {
      t[i] -= beside / diagonal[i - 1] * t[i - 1];
      diagonal[i] -= beside * beside / diagonal[i - 1];
    }
  t[n] /= diagonal[n];
  for (std::size_t i = n; i-- > 0;)
    t[i] = (t[i] - beside * t[i + 1]) / diagonal[i];
  return t;
}

TEST_P(HelmholtzTest, KeepsConstantsAndVolumeAndIsSelfAdjointOnAnyMesh)
{
  for (const double radius : {0.05, 0.4, 3.})
    expect_filter(make_box(BoxOptions::wild({{7, 5, 4}}, 3)).mesh, radius);
  AdaptedBox box(4, [](const double x, const double y, double) { return x > 2. && y > 1.; });
  box.mesh.flags.assign(box.mesh.n_elements, DesignFlag::design);
  EXPECT_GT(box.n_hanging_elements, 0u);
  expect_filter(box.mesh, 1.5);
}

// One row of cubes, without flux at its ends or with the flux of a void there, equals
// one-dimensional finite elements, solved by elimination. The long sides are planes of symmetry.
TEST_P(HelmholtzTest, EqualsLinearElementsAlongABar)
{
  constexpr std::size_t n  = 40;
  constexpr double h       = 0.3;
  BoxMesh bar              = cubes({{n, 1, 1}}, h);
  bar.mesh.symmetry_planes = {{1, 0.}, {1, h}, {2, 0.}, {2, h}};
  std::vector<double> spike(n, 0.), step(n, 0.);
  spike[13] = 1.;
  std::fill(step.begin() + n / 2, step.end(), 1.);
  for (const std::string boundary : {"neumann", "robin"})
    for (const double radius : {0.4 * h, 1.5 * h, 6. * h})
      for (const std::vector<double> &x : {spike, step})
        {
          const auto t = solve_bar(x, h, radius / std::sqrt(12.), boundary == "robin");
          const auto y = forward(bar.mesh, radius, x, boundary);
          for (std::size_t e = 0; e < n; ++e)
            {
              const std::size_t i = bar.element_at[e][0];
              EXPECT_NEAR(y[e], (t[i] + t[i + 1]) / 2., 1e-10) << boundary << ", radius " << radius;
            }
        }
}

// A body surrounded by void loses as much density as a body that fills all space would: half of it
// at a flat face. The backward map is the transpose, and nothing is lost at planes of symmetry.
TEST_P(HelmholtzTest, WithRobinsConditionThereIsVoidAround)
{
  BoxMesh box = cubes({{64, 1, 1}}, 0.1);
  const std::vector<double> ones(64, 1.);
  box.mesh.symmetry_planes = {{0, 6.4}, {1, 0.}, {1, 0.1}, {2, 0.}, {2, 0.1}};
  const double radius = 2., r = radius / std::sqrt(12.);
  const auto y = forward(box.mesh, radius, ones, "robin");
  for (std::size_t e = 0; e < y.size(); ++e)
    {
      const double X = box.mesh.centre(e)[0];
      EXPECT_NEAR(y[e], 1. - 0.5 * std::exp(-X / r), 2e-3) << X;
    }
  const BoxMesh wild = make_box(BoxOptions::wild({{5, 4, 3}}, 6));
  const auto a       = random_vector(wild.mesh.n_elements, 1, 0., 1.),
             b       = random_vector(wild.mesh.n_elements, 2, -1., 1.);
  EXPECT_NEAR(dot(a, forward(wild.mesh, 0.5, b, "robin")),
              dot(b, backward(wild.mesh, 0.5, a, "robin")),
              1e-10);
  EXPECT_LT(max_norm(forward(wild.mesh, 0.5, std::vector<double>(a.size(), 1.), "robin")), 1.);
}

// x = cos(pi X) cos(2 pi Y) has no flux through the boundary of the unit cube, and t = x / (1 + r^2
// |k|^2).
TEST_P(HelmholtzTest, ConvergesToTheSolutionOfTheEquation)
{
  constexpr double radius = 0.7;
  const double factor     = 1. / (1. + radius * radius / 12. * 5. * pi * pi);
  const auto mean         = [](const double k, const std::size_t i, const std::size_t n) {
    const double h = 1. / static_cast<double>(n), a = h * static_cast<double>(i);
    return (std::sin(k * (a + h)) - std::sin(k * a)) / (k * h);
  };
  const auto error = [&](const std::array<std::size_t, 3> &n) {
    const BoxMesh box = make_box(BoxOptions::regular(n));
    std::vector<double> x(box.mesh.n_elements);
    for (std::size_t e = 0; e < x.size(); ++e)
      x[e] = mean(pi, box.element_at[e][0], n[0]) * mean(2. * pi, box.element_at[e][1], n[1]);
    const auto y = forward(box.mesh, radius, x);
    double worst = 0.;
    for (std::size_t e = 0; e < x.size(); ++e)
      worst = std::max(worst, std::abs(y[e] - factor * x[e]));
    return worst / max_norm(x); // whose largest mean rises as elements shrink
  };
  double before = error({{4, 8, 2}});
  for (const std::size_t n : {8, 16})
    {
      const double now = error({{n, 2 * n, 2}});
      EXPECT_NEAR(std::log2(before / now), 2., 0.15) << n;
      before = now;
    }
  EXPECT_LT(before, 5e-3);
}

// No density of a design of 0 and 1 leaves these bounds, however small the radius is.
TEST_P(HelmholtzTest, KeepsBoundsOnCubes)
{
  const BoxMesh box = cubes({{8, 7, 6}}, 1.);
  auto x            = random_vector(box.mesh.n_elements, 4, 0., 1.);
  for (double &value : x)
    value = value < 0.5 ? 0. : 1.;
  for (const double radius : {0.1, 1., 1.5, 2., 5.})
    for (const double y : forward(box.mesh, radius, x))
      {
        EXPECT_GE(y, -1e-12) << "radius " << radius;
        EXPECT_LE(y, 1. + 1e-12) << "radius " << radius;
      }
}

// The boundary is a mirror: half of a symmetric body has the densities of the whole.
TEST_P(HelmholtzTest, HalfABodyHasTheDensitiesOfTheWhole)
{
  const BoxMesh half = cubes({{6, 4, 3}}, 0.5), whole = cubes({{12, 4, 3}}, 0.5);
  const auto x       = random_vector(half.mesh.n_elements, 5, 0., 1.);
  const auto element = [](const std::size_t i, const std::array<std::size_t, 3> &at) {
    return i + 6 * (at[1] + 4 * at[2]);
  };
  const auto in_half = [&](const std::size_t e) {
    const std::size_t i = whole.element_at[e][0];
    return element(std::min(i, 11 - i), whole.element_at[e]);
  };
  std::vector<double> of_whole(whole.mesh.n_elements), expected(whole.mesh.n_elements);
  const auto y = forward(half.mesh, 1.7, x);
  for (std::size_t e = 0; e < of_whole.size(); ++e)
    {
      of_whole[e] = x[in_half(e)];
      expected[e] = y[in_half(e)];
    }
  EXPECT_LE(relative_difference(forward(whole.mesh, 1.7, of_whole), expected), 1e-11);
}

/// Converts a matrix of HelmholtzMatrices.
std::vector<std::vector<double>> dense(const SlicedRows &matrix, const std::size_t n_columns)
{
  const auto rows = matrix.rows.to_host(), begin = matrix.begin.to_host(),
             columns = matrix.columns.to_host();
  const auto weights = matrix.weights.to_host();
  std::vector<std::vector<double>> result(rows.size(), std::vector<double>(n_columns, 0.));
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (std::size_t j = begin[k / SlicedRows::slice]; j < begin[k / SlicedRows::slice + 1]; ++j)
      {
        const std::size_t entry = SlicedRows::slice * j + k % SlicedRows::slice;
        result[rows[k]][columns[entry]] += weights[entry];
      }
  return result;
}

// With hanging nodes A = C^T K C + diag(C^T m) and T = C^T T'. The matrices K, m, T' are those of a
// mesh that is torn at the hanging nodes.
TEST(HelmholtzMatrices, GiveHangingNodesToThoseTheyHangOn)
{
  AdaptedBox box(3, [](const double x, const double y, double) { return x > 2. && y > 1.; });
  const ElementMesh &mesh = box.mesh;
  ElementMesh torn        = mesh;
  torn.dependent          = {};
  const std::size_t n = mesh.n_nodes, m = mesh.n_elements;
  const auto backend = make_cpu_backend(1);
  const HelmholtzMatrices with(backend->memory(), mesh, 0.6, {}, 1);
  const HelmholtzMatrices without(backend->memory(), torn, 0.6, {}, 1);

  std::vector<std::vector<double>> C(n, std::vector<double>(n, 0.));
  for (std::size_t i = 0; i < n; ++i)
    C[i][i] = 1.;
  for (std::size_t k = 0; k < mesh.dependent.dofs.size(); k += 3)
    {
      const std::size_t i = mesh.dependent.dofs[k] / 3;
      C[i][i]             = 0.;
      for (std::uint32_t j = mesh.dependent.offsets[k]; j < mesh.dependent.offsets[k + 1]; ++j)
        C[i][mesh.dependent.masters[j] / 3] = mesh.dependent.weights[j];
    }
  auto K       = dense(without.A, n);
  const auto T = dense(without.T, m), T_with = dense(with.T, m), T_t = dense(with.T_t, n),
             A = dense(with.A, n);
  std::vector<double> mass(n);
  for (std::size_t i = 0; i < n; ++i)
    {
      mass[i] = std::accumulate(T[i].begin(), T[i].end(), 0.);
      K[i][i] -= mass[i];
    }
  for (std::size_t i = 0; i < n; ++i)
    {
      for (std::size_t e = 0; e < m; ++e)
        {
          double expected = 0.;
          for (std::size_t k = 0; k < n; ++k)
            expected += C[k][i] * T[k][e];
          EXPECT_NEAR(T_with[i][e], expected, 1e-14);
          EXPECT_EQ(T_t[e][i], T_with[i][e]);
        }
      std::vector<double> KC(n, 0.); // row i of C^T K
      double of_mass = 0.;
      for (std::size_t k = 0; k < n; ++k)
        if (C[k][i] != 0.)
          {
            of_mass += C[k][i] * mass[k];
            for (std::size_t j = 0; j < n; ++j)
              KC[j] += C[k][i] * K[k][j];
          }
      for (std::size_t j = 0; j < n; ++j)
        {
          double expected = i == j ? of_mass : 0.;
          for (std::size_t k = 0; k < n; ++k)
            expected += KC[k] * C[k][j];
          EXPECT_NEAR(A[i][j], expected, 1e-14);
        }
      EXPECT_EQ(with.diagonal[i], A[i][i]);
    }
}

// No column occurs twice in a row of T. Hardly anything is stored besides the entries, as rows
// are not padded to the length of the few longest ones.
TEST(HelmholtzMatrices, StoreLittleBesideTheirEntries)
{
  const auto backend = make_cpu_backend(1);
  const AdaptedBox box(12, [](const double x, const double y, const double z) {
    return std::abs(std::hypot(x - 6., y - 6., z - 6.) - 4.) < 1.;
  });
  EXPECT_GT(box.n_hanging_elements, 1000u);
  const HelmholtzMatrices matrices(backend->memory(), box.mesh, 0.6, {}, 1);
  std::size_t all = 0;
  for (const SlicedRows *const matrix : {&matrices.A, &matrices.T, &matrices.T_t})
    {
      const auto entries  = matrix->weights.to_host();
      const auto n_zeros  = std::count(entries.begin(), entries.end(), 0.);
      const auto n_stored = static_cast<double>(entries.size());
      EXPECT_LT(static_cast<double>(n_zeros), 0.05 * n_stored);
      all += entries.size();
    }
  EXPECT_NEAR(entries_of_helmholtz_matrices(box.mesh),
              static_cast<double>(all),
              0.1 * static_cast<double>(all));
  const auto n        = box.mesh.n_nodes;
  std::size_t n_pairs = 0;
  for (const auto &row : dense(matrices.T_t, n))
    n_pairs += n - static_cast<std::size_t>(std::count(row.begin(), row.end(), 0.));
  for (const SlicedRows *const matrix : {&matrices.T, &matrices.T_t})
    {
      const auto entries = matrix->weights.to_host();
      EXPECT_EQ(entries.size() - std::count(entries.begin(), entries.end(), 0.), n_pairs);
    }
}

// On equal boxes both ways give the same densities: with holes, with any numbering, with or without
// void around, and for radii from below an edge on. Passive elements are treated like others.
TEST_P(HelmholtzTest, OnALatticeEqualsStoredMatrices)
{
  BoxOptions options       = BoxOptions::regular({{37, 9, 19}}, {{3.7, 1.1, 1.5}});
  options.shuffle_nodes    = true;
  options.shuffle_elements = true;
  options.rotate_elements  = true;
  BoxMesh whole = make_box(options), box = whole;
  Random random(8);
  leave_out(box, [&](const CellIndices &at) {
    return random(0., 1.) < 0.15 || (at[0] > 9 && at[0] < 22 && at[2] > 4 && at[2] < 13);
  });
  box.mesh.symmetry_planes = {{0, 0.}, {2, 1.5}};
  for (const BoxMesh *const tested : {&whole, &box})
    {
      const ElementMesh &mesh = tested->mesh;
      const auto x            = random_vector(mesh.n_elements, 1, 0., 1.);
      std::vector<double> m   = random_vector(mesh.n_nodes, 2, 0., 1e-3);
      for (const double r : {1e-6, 0.02, 0.09, 0.3, 1.2})
        for (const bool has_boundary : {false, true})
          {
            const auto with    = has_boundary ? m : std::vector<double>();
            const auto lattice = make_lattice_filter(backend(), Communicator(), mesh, r, with);
            ASSERT_NE(lattice, nullptr);
            const Array<double> in(memory(), x);
            Array<double> expected(memory(), x.size()), found(memory(), poison<double>(x.size()));
            make_stored_filter(backend(), Communicator(), mesh, r, with)->apply(in, expected);
            lattice->apply(in, found);
            EXPECT_LE(relative_difference(found.to_host(), expected.to_host()), 1e-11)
              << "r = " << r;
            const auto first = found.to_host();
            lattice->apply(in, found);
            EXPECT_EQ(found.to_host(), first) << "r = " << r;
          }
      expect_filter(mesh, 0.4);
    }
  // Solid and void elements keep their values, which their neighbours see.
  ElementMesh passive = box.mesh;
  auto x              = random_vector(passive.n_elements, 5, 0., 1.);
  for (std::size_t e = 0; e < passive.n_elements; e += 3)
    {
      passive.flags[e] = e % 2 == 0 ? DesignFlag::solid : DesignFlag::empty;
      x[e]             = e % 2 == 0 ? 1. : 1e-3;
    }
  for (const std::string boundary : {"neumann", "robin"})
    {
      auto expected = forward(box.mesh, 0.4, x, boundary);
      for (std::size_t e = 0; e < passive.n_elements; e += 3)
        expected[e] = x[e];
      EXPECT_EQ(forward(passive, 0.4, x, boundary), expected);
    }
}

// Distorted elements, steps in size and hanging nodes are no lattice.
TEST_P(HelmholtzTest, TakesNoOtherMeshForALattice)
{
  const auto has_lattice = [&](const ElementMesh &mesh) {
    return make_lattice_filter(backend(), Communicator(), mesh, 0.5, {}) != nullptr;
  };
  BoxMesh box = cubes({{4, 3, 3}}, 1.);
  EXPECT_TRUE(has_lattice(box.mesh));
  box.mesh.coordinates[5] += 1e-6;
  EXPECT_FALSE(has_lattice(box.mesh));
  BoxMesh long_ends = cubes({{4, 3, 3}}, 1.);
  for (std::size_t node = 0; node < long_ends.mesh.n_nodes; ++node)
    if (long_ends.mesh.coordinates[node] > 3.5)
      long_ends.mesh.coordinates[node] += 1.;
  EXPECT_FALSE(has_lattice(long_ends.mesh));
  BoxMesh torn = cubes({{4, 4, 3}}, 1.);
  slit(torn, 2, 2);
  EXPECT_FALSE(has_lattice(torn.mesh));
  const AdaptedBox adapted(4, [](const double x, const double, double) { return x > 2.; });
  EXPECT_FALSE(has_lattice(adapted.mesh));
}

INSTANTIATE_TEST_SUITE_P(Core, HelmholtzTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
