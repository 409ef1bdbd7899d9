// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../../fixtures/vectors.h"
#include "source/comparison/assembly/face_weights.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <numeric>

namespace strut::test
{
namespace
{
const std::vector<std::array<int, 2>> triangle_lines = {{0, 1}, {1, 2}, {2, 0}},
                                      square_lines   = {{0, 2}, {1, 3}, {0, 1}, {2, 3}};

/// The vertices, then the midpoints.
std::vector<FacePoint> with_midpoints(std::vector<FacePoint> nodes,
                                      const std::vector<std::array<int, 2>> &lines)
{
  for (const auto &[a, b] : lines)
    {
      FacePoint middle{};
      for (std::size_t d = 0; d < 3; ++d)
        middle[d] = 0.5 * (nodes[a][d] + nodes[b][d]);
      nodes.push_back(middle);
    }
  return nodes;
}

// The textbook shares of a uniform load on flat faces. Corners of quadratic triangles get nothing,
// those of the eight-node quadrilateral get minus a twelfth.
TEST(FaceWeightsTest, AreThoseOfTheTextbooks)
{
  const std::vector<FacePoint> triangle = {{{0, 0, 1}}, {{2, 0, 1}}, {{0, 3, 1}}};
  expect_near(face_weights(triangle, {}), {1., 1., 1.}, 1e-14);
  expect_near(face_weights(with_midpoints(triangle, triangle_lines), triangle_lines),
              {0., 0., 0., 1., 1., 1.},
              1e-14);

  const std::vector<FacePoint> square = {{{0, 0, 0}}, {{0, 4, 0}}, {{0, 0, 3}}, {{0, 4, 3}}};
  expect_near(face_weights(square, {}), {3., 3., 3., 3.}, 1e-14);
  expect_near(face_weights(with_midpoints(square, square_lines), square_lines),
              {-1., -1., -1., -1., 4., 4., 4., 4.},
              1e-14);
}

// Shape functions sum to one, so the sum is the area, here of a trapezium. First moments are exact
// on flat faces.
TEST(FaceWeightsTest, SumsToTheAreaAndTheFirstMoment)
{
  const std::vector<FacePoint> trapezium = {{{0, 0, 0}}, {{4, 0, 0}}, {{0, 3, 0}}, {{2, 3, 0}}};
  for (const auto &nodes : {trapezium, with_midpoints(trapezium, square_lines)})
    {
      const auto w =
        face_weights(nodes, nodes.size() == 8 ? square_lines : std::vector<std::array<int, 2>>{});
      EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.), 9., 1e-13);
      double x = 0., y = 0.;
      for (std::size_t a = 0; a < w.size(); ++a)
        {
          x += w[a] * nodes[a][0];
          y += w[a] * nodes[a][1];
        }
      EXPECT_NEAR(x, 14., 1e-12); // integral of x: 3 (16 + 8 + 4) / 6
      EXPECT_NEAR(y, 12., 1e-12); // integral of y: 4 * 4.5 - 2 * 9 / 3
    }
}

TEST(FaceWeightsTest, RefusesOtherFaces)
{
  EXPECT_THROW(face_weights(std::vector<FacePoint>(5), {}), Error);
}
} // namespace
} // namespace strut::test
