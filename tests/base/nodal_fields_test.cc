// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/vectors.h"
#include "source/backend/nodal_fields.h"
#include "source/element/iso_cell.h"
#include "source/element/stress.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
const Material steel = {210., 0.31};

/// Stress of the solid under the displacement gradient G, by Hooke's law.
Stress stress_of(const double (&G)[3][3])
{
  const double trace = G[0][0] + G[1][1] + G[2][2];
  Stress stress;
  for (int i = 0; i < 3; ++i)
    {
      const int j             = (i + 1) % 3;
      stress.component[i]     = steel.lambda() * trace + 2. * steel.mu() * G[i][i];
      stress.component[3 + i] = steel.mu() * (G[i][j] + G[j][i]);
    }
  return stress;
}

const double gradient[3][3] = {{0.3, -0.1, 0.7}, {0.2, -0.5, 0.4}, {-0.6, 0.1, 0.9}};

/// Displacements u = G x + constant, `[3 * n_nodes]`.
std::vector<double> linear_displacement(const BoxMesh &box)
{
  std::vector<double> u(box.mesh.n_dofs());
  for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
    for (std::size_t i = 0; i < 3; ++i)
      {
        u[3 * n + i] = 0.2 * static_cast<double>(i);
        for (std::size_t d = 0; d < 3; ++d)
          u[3 * n + i] += gradient[i][d] * box.position(n)[d];
      }
  return u;
}

/// The textbook formula, which cancels if the mean stress is large.
double equivalent(const Stress &s)
{
  const auto &c = s.component;
  return std::sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2] - c[0] * c[1] - c[1] * c[2] -
                   c[2] * c[0] + 3. * (c[3] * c[3] + c[4] * c[4] + c[5] * c[5]));
}

TEST(Stress, VonMisesIsThatOfTheTextbook)
{
  const auto numbers = random_vector(600, 1);
  for (std::size_t i = 0; i < numbers.size(); i += 6)
    {
      Stress stress;
      std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i), 6, stress.component);
      EXPECT_NEAR(von_mises(stress), equivalent(stress), 1e-14);
    }
}

// The gradients of all eight shape functions there, summed up, give the same.
TEST(Stress, AtAVertexThreeNeighboursSuffice)
{
  const BoxMesh box             = make_box(BoxOptions::wild({{3, 2, 2}}, 4));
  const ElementMesh &mesh       = box.mesh;
  const std::vector<double> all = random_vector(mesh.n_dofs(), 5);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (int v = 0; v < 8; ++v)
      {
        double J[3][3] = {}, D[3][3] = {}, X[3][4], u[3][4];
        for (int w = 0; w < 8; ++w)
          {
            const std::size_t node =
              mesh.connectivity[static_cast<std::size_t>(w) * mesh.n_elements + e];
            for (int i = 0; i < 3; ++i)
              {
                const double x =
                  mesh.coordinates[static_cast<std::size_t>(i) * mesh.n_nodes + node];
                const double y = all[3 * node + static_cast<std::size_t>(i)];
                for (int d = 0; d < 3; ++d)
                  {
                    const double g = hexahedron::reference_gradient(
                      w, d, 1. * (v & 1), 1. * (v >> 1 & 1), 1. * (v >> 2));
                    J[i][d] += x * g;
                    D[i][d] += y * g;
                  }
                const int c = w == v         ? 0
                              : (w ^ v) == 1 ? 1
                              : (w ^ v) == 2 ? 2
                              : (w ^ v) == 4 ? 3
                                             : -1;
                if (c >= 0)
                  {
                    X[i][c] = x;
                    u[i][c] = y;
                  }
              }
          }
        const Stress expected = stress_of(steel, J, D), found = stress_at_vertex(steel, X, u);
        for (int c = 0; c < 6; ++c)
          EXPECT_NEAR(found.component[c],
                      expected.component[c],
                      1e-13 * (1. + von_mises(expected)));
      }
}

class NodalFieldsTest : public PlaceTest
{};

TEST_P(NodalFieldsTest, StressesOfALinearDisplacementAreExact)
{
  const BoxMesh box       = make_box(BoxOptions::wild({{5, 4, 3}}, 2));
  const ElementMesh &mesh = box.mesh;
  const auto factors      = random_vector(mesh.n_elements, 3, 0.1, 1.);
  const auto u            = linear_displacement(box);
  const auto fields       = backend().make_nodal_fields(mesh);
  Array<double> sums(memory(), NodalFields::n_sums * mesh.n_nodes);

  std::vector<double> factor_of(mesh.n_nodes), count(mesh.n_nodes);
  for (std::size_t k = 0; k < mesh.connectivity.size(); ++k)
    {
      factor_of[mesh.connectivity[k]] += factors[k % mesh.n_elements];
      count[mesh.connectivity[k]] += 1.;
    }
  const Stress exact = stress_of(gradient);
  const auto check   = [&](const double tolerance) {
    const std::vector<double> found = sums.to_host();
    for (std::size_t n = 0; n < mesh.n_nodes; ++n)
      {
        for (std::size_t c = 0; c < 6; ++c)
          EXPECT_NEAR(found[7 * n + c],
                      factor_of[n] * exact.component[c],
                      tolerance * factor_of[n] * equivalent(exact));
        EXPECT_EQ(found[7 * n + 6], count[n]);
      }
  };
  fields->sum_stresses(steel, Array<double>(memory(), factors), Array<double>(memory(), u), sums);
  check(1e-12);

  // the largest of two fields, one of them mirrored at every third node
  std::vector<std::uint8_t> mirrors(mesh.n_nodes);
  for (std::size_t n = 0; n < mesh.n_nodes; n += 3)
    mirrors[n] = 1; // normal in x: xy and zx vanish
  Stress mirrored       = exact;
  mirrored.component[3] = mirrored.component[5] = 0.;
  std::vector<double> others(mesh.n_nodes, 0.);
  others[1] = 1e6;
  Array<double> stress(memory(), others);
  fields->raise_to_von_mises(sums, Array<std::uint8_t>(memory(), mirrors), 2., stress);
  const std::vector<double> found = stress.to_host();
  EXPECT_EQ(found[1], 1e6);
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    if (n != 1)
      {
        const double expected =
          2. * equivalent(mirrors[n] == 1 ? mirrored : exact) * factor_of[n] / count[n];
        EXPECT_NEAR(found[n], expected, 1e-12 * expected);
      }

  fields->sum_stresses(steel,
                       Array<double>(memory(), factors),
                       Array<float>(memory(), std::vector<float>(u.begin(), u.end())),
                       sums);
  check(1e-4);
}

/// The share of each element by iso_cell, on the host.
std::vector<double>
shares(const ElementMesh &mesh, const std::vector<double> &field, const double level)
{
  std::vector<double> share(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], values[8];
      vertices(mesh, e, X);
      for (std::size_t v = 0; v < 8; ++v)
        values[v] = field[mesh.connectivity[v * mesh.n_elements + e]];
      share[e] = iso_cell::volume(X, values, level) / mesh.volumes[e];
    }
  return share;
}

TEST_P(NodalFieldsTest, PartsOfElementsAreThoseOfTheIsoCell)
{
  for (const bool wild : {false, true})
    {
      BoxMesh box =
        make_box(wild ? BoxOptions::wild({{6, 5, 4}}, 7) : BoxOptions::regular({{6, 5, 4}}));
      ElementMesh &mesh = box.mesh;
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        mesh.flags[e] = e % 9 == 2   ? DesignFlag::solid
                        : e % 7 == 5 ? DesignFlag::empty
                                     : DesignFlag::design;
      const auto field  = random_vector(mesh.n_nodes, 8);
      const auto fields = backend().make_nodal_fields(mesh);
      const Array<double> values(memory(), field);
      const Array<DesignFlag> flags(memory(), mesh.flags);
      Array<double> fractions(memory(), mesh.n_elements);
      for (const double level : {-2., -0.3, 0.1, 0.8, 2.})
        {
          const std::vector<double> expected = shares(mesh, field, level);
          double volume                      = 0.;
          const double found = fields->fractions_above(values, level, flags, fractions);
          const std::vector<double> share = fractions.to_host();
          for (std::size_t e = 0; e < mesh.n_elements; ++e)
            {
              const bool is_design = mesh.flags[e] == DesignFlag::design;
              EXPECT_NEAR(share[e],
                          is_design                            ? expected[e]
                          : mesh.flags[e] == DesignFlag::solid ? 1.
                                                               : 0.,
                          2e-14);
              volume += is_design ? expected[e] * mesh.volumes[e] : 0.;
            }
          EXPECT_NEAR(found, volume, 1e-12);
          EXPECT_EQ(fields->volume_above(values, level, flags), found);
        }
    }
}

// The level decides about volume and fractions alike, and higher ones leave less.
TEST_P(NodalFieldsTest, VolumeFallsAsTheLevelRises)
{
  const BoxMesh box = make_box(BoxOptions::regular({{8, 8, 8}}));
  std::vector<double> field(box.mesh.n_nodes);
  for (std::size_t n = 0; n < field.size(); ++n)
    {
      const auto x = box.position(n);
      field[n]     = std::sin(5. * x[0]) + std::cos(4. * x[1] + x[2]);
    }
  const auto fields = backend().make_nodal_fields(box.mesh);
  const Array<double> values(memory(), field);
  const Array<DesignFlag> flags(memory(), box.mesh.flags);
  double last = fields->volume_above(values, -2., flags);
  EXPECT_NEAR(last, std::accumulate(box.mesh.volumes.begin(), box.mesh.volumes.end(), 0.), 1e-12);
  for (double level = -1.9; level < 2.1; level += 0.1)
    {
      const double volume = fields->volume_above(values, level, flags);
      EXPECT_LE(volume, last + 1e-12);
      last = volume;
    }
  EXPECT_EQ(last, 0.);
}

INSTANTIATE_TEST_SUITE_P(Core, NodalFieldsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
