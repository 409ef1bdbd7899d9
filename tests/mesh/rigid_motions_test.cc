// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"

#include <strut/mesh/rigid_motions.h>

#include <gtest/gtest.h>

namespace strut::testing
{
namespace
{
using Motions = std::vector<std::string>;

/// A regular box far from the origin would be as good: supports are picked by the regular position.
BoxMesh make(const bool distorted)
{
  BoxOptions options = BoxOptions::wild({{3, 3, 3}}, 2);
  if (!distorted)
    options.distortion = 0.;
  return make_box(options);
}

Motions free_motions(const BoxMesh &box)
{
  Motions motions = free_rigid_motions(Communicator(), box.mesh);
  std::sort(motions.begin(), motions.end());
  return motions;
}

std::size_t count(const Motions &motions, const std::string &beginning)
{
  std::size_t n = 0;
  for (const std::string &motion : motions)
    n += motion.rfind(beginning, 0) == 0;
  return n;
}

TEST(FreeRigidMotions, AllSixWithoutSupports)
{
  const Motions motions = free_motions(make(true));
  EXPECT_EQ(motions.size(), 6u);
  EXPECT_EQ(count(motions, "translation along"), 3u);
  EXPECT_EQ(count(motions, "rotation about"), 3u);
}

TEST(FreeRigidMotions, NoneIfAFaceIsHeld)
{
  for (const bool distorted : {false, true})
    {
      BoxMesh box = make(distorted);
      hold_left_face(box);
      EXPECT_EQ(free_motions(box), Motions());
    }
}

// A face that may not move along its normal still slides along its two directions and turns about
// the normal.
TEST(FreeRigidMotions, SlidingOnAFace)
{
  BoxMesh box = make(false);
  hold(box, [](const Position &X, const int c) { return X[0] == 0. && c == 0; });
  EXPECT_EQ(free_motions(box),
            Motions(
              {"rotation about an axis along x", "translation along y", "translation along z"}));
}

// Symmetry in x and in y leaves the way along z.
TEST(FreeRigidMotions, TwoPlanesOfSymmetry)
{
  BoxMesh box = make(false);
  hold(box, [](const Position &X, const int c) {
    return c < 2 && X[static_cast<std::size_t>(c)] == 0.;
  });
  EXPECT_EQ(free_motions(box), Motions({"translation along z"}));
}

TEST(FreeRigidMotions, ThreePlanesOfSymmetryHold)
{
  BoxMesh box = make(false);
  hold(box, [](const Position &X, const int c) { return X[static_cast<std::size_t>(c)] == 0.; });
  EXPECT_EQ(free_motions(box), Motions());
}

// A body on a pin turns about it, in three ways.
TEST(FreeRigidMotions, OnePoint)
{
  for (const bool distorted : {false, true})
    {
      BoxMesh box = make(distorted);
      hold(box, [](const Position &X, int) { return X[0] == 0. && X[1] == 0. && X[2] == 0.; });
      const Motions motions = free_motions(box);
      EXPECT_EQ(motions.size(), 3u);
      EXPECT_EQ(count(motions, "rotation about an axis along"), 3u);
    }
}

// A body on a hinge turns about that.
TEST(FreeRigidMotions, OneEdge)
{
  BoxMesh box = make(false);
  hold(box, [](const Position &X, int) { return X[0] == 0. && X[1] == 0.; });
  EXPECT_EQ(free_motions(box), Motions({"rotation about an axis along z"}));
}

// Planes through the diagonal: x held where y = z, y where z = x, z where x = y. The rotation about
// (1, 1, 1) is all that moves them within themselves.
TEST(FreeRigidMotions, SkewAxis)
{
  BoxMesh box = make_box(BoxOptions::regular({{3, 3, 3}}));
  hold(box, [](const Position &X, const int c) {
    return X[static_cast<std::size_t>(c + 1) % 3] == X[static_cast<std::size_t>(c + 2) % 3];
  });
  EXPECT_EQ(free_motions(box), Motions({"rotation about an axis along (0.577, 0.577, 0.577)"}));
}

// The size of the mesh and where it lies do not matter: six motions scale with the body.
TEST(FreeRigidMotions, DoNotDependOnUnits)
{
  for (const double scale : {1e-6, 1e6})
    {
      BoxMesh box = make(false);
      hold(box, [](const Position &X, int) { return X[0] == 0. && X[1] == 0.; });
      for (double &coordinate : box.mesh.coordinates)
        coordinate = scale * (coordinate + 3.);
      EXPECT_EQ(free_motions(box), Motions({"rotation about an axis along z"}));
      hold_left_face(box);
      EXPECT_EQ(free_motions(box), Motions());
    }
}
} // namespace
} // namespace strut::testing
