// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/rigid_motions.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using Motions = std::vector<std::string>;

/// Makes a regular or a distorted box; supports are picked by the regular position.
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

// Rows without masters are supports. Leaving out any six that hold the box gives the same result as
// if they had never existed.
TEST(FreeRigidMotions, AsIfRowsThatAreLeftOutWereNotThere)
{
  const BoxMesh box = make(true);
  const auto last   = static_cast<LocalIndex>(box.mesh.n_nodes - 1);
  const std::vector<LocalIndex> dofs{0, 1, 2, 3 * 3 + 1, 3 * 3 + 2, 3 * last + 2};
  ElementMesh all       = box.mesh;
  all.dependent.dofs    = dofs;
  all.dependent.values  = std::vector<double>(dofs.size(), 0.);
  all.dependent.offsets = std::vector<std::uint32_t>(dofs.size() + 1, 0);
  std::size_t n_held    = 0;
  for (unsigned int kept = 0; kept < 64; ++kept)
    {
      ElementMesh some = box.mesh;
      AffineRows &rows = some.dependent;
      rows.offsets     = {0};
      std::vector<std::size_t> left_out;
      for (std::size_t k = 0; k < dofs.size(); ++k)
        if ((kept >> k & 1) == 0)
          left_out.push_back(k);
        else
          {
            rows.dofs.push_back(dofs[k]);
            rows.values.push_back(0.);
            rows.offsets.push_back(0);
          }
      const Motions motions = free_rigid_motions(Communicator(), all, left_out);
      EXPECT_EQ(motions, free_rigid_motions(Communicator(), some)) << kept;
      EXPECT_EQ(motions.size(), left_out.size()) << kept;
      n_held += motions.empty() ? 1 : 0;
    }
  EXPECT_EQ(n_held, 1u);
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
// the normal. Symmetry in x and in y leaves the way along z; a third plane holds. A body on a hinge
// turns about that.
TEST(FreeRigidMotions, OnPlanesAndEdges)
{
  const auto held_by = [](const auto &is_held) {
    BoxMesh box = make(false);
    hold(box, is_held);
    return free_motions(box);
  };
  const auto at_zero = [](const Position &X, const int c) {
    return X[static_cast<std::size_t>(c)] == 0.;
  };
  EXPECT_EQ(held_by([&](const Position &X, const int c) { return c == 0 && at_zero(X, 0); }),
            Motions(
              {"rotation about an axis along x", "translation along y", "translation along z"}));
  EXPECT_EQ(held_by([&](const Position &X, const int c) { return c < 2 && at_zero(X, c); }),
            Motions({"translation along z"}));
  EXPECT_EQ(held_by(at_zero), Motions());
  EXPECT_EQ(held_by([&](const Position &X, int) { return at_zero(X, 0) && at_zero(X, 1); }),
            Motions({"rotation about an axis along z"}));
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
/// A regular box of elements as two bodies: its layers below and above i elements along x. The
/// check sees no contact between them; only its hinges join them.
Bodies two_bodies(const BoxMesh &box, const std::size_t i)
{
  Bodies bodies;
  const double cut = double(i) / double(box.options.n[0]);
  bodies.boxes     = {{{{0., 0., 0.}}, {{cut, 1., 1.}}}, {{{cut, 0., 0.}}, {{1., 1., 1.}}}};
  std::vector<LocalIndex> of_element;
  for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
    of_element.push_back(box.mesh.centre(e)[0] > cut ? 1 : 0);
  bodies.of_node = bodies_of_nodes(box.mesh, of_element);
  return bodies;
}

// The left body is held at its left face; the right one is free, hangs on a ball joint or on a
// hinge, or is held.
TEST(FreeRigidMotions, OfBodiesThatShareFewNodes)
{
  BoxMesh box               = held_box(BoxOptions::regular({{4, 2, 2}}));
  Bodies bodies             = two_bodies(box, 2);
  const auto number_of_free = [&]() {
    const auto motions = free_rigid_motions(Communicator(), box.mesh, bodies);
    for (const FreeMotion &motion : motions)
      EXPECT_EQ(motion.body, 1u);
    return motions.size();
  };
  EXPECT_EQ(number_of_free(), 6u);
  bodies.hinges = {{0, 1, {{0.5, 0., 0.}}}};
  EXPECT_EQ(number_of_free(), 3u);
  bodies.hinges.push_back({1, 0, {{0.5, 1., 0.}}});
  const auto motions = free_rigid_motions(Communicator(), box.mesh, bodies);
  ASSERT_EQ(motions.size(), 1u);
  EXPECT_EQ(motions[0].text, "rotation about an axis along y");
  EXPECT_EQ(motions[0].body, 1u);
  bodies.hinges.push_back({0, 1, {{0.5, 0., 1.}}});
  EXPECT_EQ(number_of_free(), 0u);
}

// Springs hold as supports do.
TEST(FreeRigidMotions, OnSprings)
{
  BoxMesh box = make(false);
  for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
    if (box.reference[n][0] == 0.)
      for (std::size_t c = 0; c < 2; ++c)
        {
          box.mesh.spring_dofs.push_back(static_cast<LocalIndex>(3 * n + c));
          box.mesh.spring_stiffness.push_back(1.);
        }
  EXPECT_EQ(free_motions(box), Motions({"translation along z"}));
}

// The right body follows the left one in some components at some nodes: each row holds one motion.
TEST(FreeRigidMotions, OfBodiesThatAreTied)
{
  BoxMesh box         = held_box(BoxOptions::regular({{4, 2, 2}}));
  const Bodies bodies = two_bodies(box, 2);
  const auto node_at  = [&](const Position &X) {
    std::size_t n = 0;
    while (box.reference[n] != X)
      ++n;
    return static_cast<LocalIndex>(n);
  };
  const LocalIndex far[3]                    = {node_at({{1., 0., 0.}}),
                                                node_at({{1., 1., 0.}}),
                                                node_at({{1., 0., 1.}})},
                   near[3]                   = {node_at({{0.25, 0., 0.}}),
                                                node_at({{0.25, 1., 0.}}),
                                                node_at({{0.25, 0., 1.}})};
  const std::vector<std::pair<int, int>> six = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}};
  AffineRows &rows                           = box.mesh.dependent;
  rows.offsets                               = {0};
  for (std::size_t k = 0; k <= six.size(); ++k)
    {
      const auto motions = free_rigid_motions(Communicator(), box.mesh, bodies);
      EXPECT_EQ(motions.size(), six.size() - k) << k;
      for (const FreeMotion &motion : motions)
        EXPECT_EQ(motion.body, 1u);
      if (k == six.size())
        break;
      const auto [node, component] = six[k];
      rows.dofs.push_back(3 * far[node] + static_cast<LocalIndex>(component));
      rows.masters.push_back(3 * near[node] + static_cast<LocalIndex>(component));
      rows.weights.push_back(1.);
      rows.values.push_back(0.);
      rows.offsets.push_back(static_cast<std::uint32_t>(k + 1));
    }
}

// A chain by ball joints, of more bodies than the matrices can hold, counts as one body.
TEST(FreeRigidMotions, OfAVeryLongChain)
{
  BoxMesh box         = make_box(BoxOptions::regular({{400, 1, 1}}));
  const auto chain_of = [&](const std::size_t n) {
    Bodies bodies;
    std::vector<LocalIndex> of_element;
    for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
      of_element.push_back(static_cast<LocalIndex>(box.mesh.centre(e)[0] * static_cast<double>(n)));
    bodies.of_node = bodies_of_nodes(box.mesh, of_element);
    for (std::size_t b = 0; b < n; ++b)
      {
        const double step = 1. / static_cast<double>(n), lower = static_cast<double>(b) * step;
        bodies.boxes.push_back({{{lower, 0., 0.}}, {{lower + step, 1., 1.}}});
        if (b > 0)
          bodies.hinges.push_back({b - 1, b, {{lower, 0.5, 0.5}}});
      }
    return bodies;
  };
  EXPECT_EQ(free_rigid_motions(Communicator(), box.mesh, chain_of(400)).size(), 6u);
  EXPECT_EQ(free_rigid_motions(Communicator(), box.mesh, chain_of(10)).size(), 6u + 3 * 9);
  hold_left_face(box);
  EXPECT_TRUE(free_rigid_motions(Communicator(), box.mesh, chain_of(400)).empty());
  EXPECT_EQ(free_rigid_motions(Communicator(), box.mesh, chain_of(10)).size(), 3u * 9);
}

// A small body far from a large one is judged by its own size.
TEST(FreeRigidMotions, OfASmallBodyFarAway)
{
  BoxMesh box   = make_box(BoxOptions::regular({{4, 2, 2}}));
  Bodies bodies = two_bodies(box, 2);
  for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
    if (box.reference[n][0] > 0.5)
      for (std::size_t d = 0; d < 3; ++d)
        box.mesh.coordinates[d * box.mesh.n_nodes + n] =
          1e4 + 1e-2 * box.mesh.coordinates[d * box.mesh.n_nodes + n];
  for (std::size_t d = 0; d < 3; ++d)
    {
      bodies.boxes[1].lower[d] = 1e4;
      bodies.boxes[1].upper[d] = 1e4 + 1e-2;
    }
  hold(box, [](const Position &X, int) { return X[0] == 0. || (X[0] == 1. && X[1] == 0.); });
  const auto motions = free_rigid_motions(Communicator(), box.mesh, bodies);
  ASSERT_EQ(motions.size(), 1u);
  EXPECT_EQ(motions[0].body, 1u);
  EXPECT_EQ(motions[0].text, "rotation about an axis along z");
  hold(box, [](const Position &X, const int c) { return X[0] == 1. && X[1] == 1. && c == 0; });
  EXPECT_TRUE(free_rigid_motions(Communicator(), box.mesh, bodies).empty());
}
} // namespace
} // namespace strut::test
