// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/directed_displacements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace strut::test
{
namespace
{
class DirectedDisplacementsTest : public testing::Test
{
protected:
  double number()
  {
    return std::uniform_real_distribution<double>(-1., 1.)(generator_);
  }

  std::array<double, 3> direction()
  {
    std::array<double, 3> d{{number(), number(), number()}};
    const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    for (double &part : d)
      part /= norm;
    return d;
  }

  /// Returns a displacement with random free components.
  std::array<double, 3> displacement(const NodeDisplacements &u)
  {
    std::array<double, 3> free{}, result;
    for (std::size_t c = 0; c < 3; ++c)
      if (u.is_free[c])
        free[c] = number();
    for (std::size_t c = 0; c < 3; ++c)
      {
        result[c] = u.is_free[c] ? free[c] : u.values[c];
        for (std::size_t d = 0; d < 3; ++d)
          result[c] += u.weights[c][d] * free[d];
      }
    return result;
  }

  static std::size_t n_free(const NodeDisplacements &u)
  {
    return static_cast<std::size_t>(u.is_free[0]) + static_cast<std::size_t>(u.is_free[1]) +
           static_cast<std::size_t>(u.is_free[2]);
  }

private:
  std::mt19937 generator_;
};

TEST_F(DirectedDisplacementsTest, AllDisplacementsHaveThePrescribedOnes)
{
  for (int repeat = 0; repeat < 100; ++repeat)
    for (std::size_t n = 0; n <= 3; ++n)
      {
        std::vector<DirectedDisplacement> prescribed;
        for (std::size_t k = 0; k < n; ++k)
          prescribed.push_back({direction(), number()});
        const auto u = displacements_along(prescribed);
        ASSERT_TRUE(u);
        EXPECT_EQ(n_free(*u), 3 - n);
        const auto x = displacement(*u);
        for (const auto &[d, value] : prescribed)
          EXPECT_NEAR(d[0] * x[0] + d[1] * x[1] + d[2] * x[2], value, 1e-9);
        if (n != 1)
          continue;
        for (const auto &row : u->weights)
          for (const double weight : row)
            EXPECT_LE(std::abs(weight), 1.);
      }
}

// Directions of the coordinates leave exact values and no weights.
TEST_F(DirectedDisplacementsTest, CoordinatesArePrescribedExactly)
{
  const auto u = displacements_along({{{{0., 0., -1.}}, 0.3}, {{{1., 0., 0.}}, 0.7}});
  ASSERT_TRUE(u);
  EXPECT_EQ(u->is_free, (std::array<bool, 3>{{false, true, false}}));
  EXPECT_EQ(u->values, (std::array<double, 3>{{0.7, 0., -0.3}}));
  EXPECT_EQ(u->weights, (std::array<std::array<double, 3>, 3>()));
}

TEST_F(DirectedDisplacementsTest, EquationsAgreeOrContradictEachOther)
{
  for (int repeat = 0; repeat < 100; ++repeat)
    {
      const auto a = direction(), b = direction();
      const double value = 0.5;
      auto nearly        = a;
      nearly[0] += 1e-7; // six digits of coordinates
      const auto same = displacements_along({{a, value}, {nearly, value}});
      ASSERT_TRUE(same);
      EXPECT_EQ(n_free(*same), 2u);
      EXPECT_FALSE(displacements_along({{a, value}, {nearly, value + 0.1}}));
      // Four directions in space, of which the last follows from the others.
      const auto c = direction(), d = direction();
      const std::array<double, 3> x{{number(), number(), number()}};
      const auto along = [&](const std::array<double, 3> &e) {
        return e[0] * x[0] + e[1] * x[1] + e[2] * x[2];
      };
      const auto all =
        displacements_along({{a, along(a)}, {b, along(b)}, {c, along(c)}, {d, along(d)}});
      ASSERT_TRUE(all);
      EXPECT_FALSE(
        displacements_along({{a, along(a)}, {b, along(b)}, {c, along(c)}, {d, along(d) + 1.}}));
    }
}

// Forces along the directions of supports are found again from their sum, unless directions are
// alike, which share theirs.
TEST_F(DirectedDisplacementsTest, ForcesAreSharedOutAlongTheDirections)
{
  for (int repeat = 0; repeat < 100; ++repeat)
    for (std::size_t n = 1; n <= 3; ++n)
      {
        std::vector<DirectedDisplacement> prescribed;
        std::vector<double> forces;
        std::array<double, 3> sum{};
        const auto press = [&](const std::array<double, 3> &along, const double force) {
          prescribed.push_back({along, 0.});
          forces.push_back(force);
          for (std::size_t d = 0; d < 3; ++d)
            sum[d] += force * along[d];
        };
        for (std::size_t k = 0; k < n; ++k)
          press(direction(), number());
        const auto expect = [&]() {
          const auto parts = forces_along(prescribed);
          for (std::size_t k = 0; k < parts.size(); ++k)
            for (std::size_t c = 0; c < 3; ++c)
              {
                double force = 0.;
                for (std::size_t d = 0; d < 3; ++d)
                  force += parts[k][c][d] * sum[d];
                EXPECT_NEAR(force, forces[k] * prescribed[k].direction[c], 1e-7);
              }
        };
        expect();
        const std::array<double, 3> first = prescribed[0].direction;
        press(first, forces[0]);
        expect();
      }
}
} // namespace
} // namespace strut::test
