// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/typed_box.h"
#include "source/mesh/rigid_region.h"
#include "source/optimization/load_nodes.h"

#include <strut/base/exceptions.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace strut::test
{
namespace
{
using Vector = std::array<double, 3>;

/// A distorted box and the displacement of its nodes by a rigid motion.
class RigidRegionTest : public testing::Test
{
protected:
  Vector place(const LocalIndex node) const
  {
    Vector x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = mesh_.coordinates[d * mesh_.n_nodes + node];
    return x;
  }

  /// The displacement of a DoF: that of the point, and a rotation about it.
  double moved(const LocalIndex dof, const std::array<double, 6> &motion) const
  {
    const Vector x      = place(dof / 3);
    const std::size_t d = dof % 3, e = (d + 1) % 3, f = (d + 2) % 3;
    return motion[d] + motion[3 + e] * (x[f] - region_.point[f]) -
           motion[3 + f] * (x[e] - region_.point[e]);
  }

  /// Nodes of the box at which a condition on their place holds.
  template <typename Condition>
  void select(const Condition &condition)
  {
    region_.nodes.clear();
    for (LocalIndex node = 0; node < mesh_.n_nodes; ++node)
      if (condition(place(node)))
        region_.nodes.push_back(node);
  }

  /// Every motion that agrees with the prescribed ones satisfies the rows, and DoFs of the region
  /// are masters, dependent or held.
  void expect_motion(const RigidRegionRows &rows, const std::array<double, 6> &motion) const
  {
    const AffineRows &dependent = rows.dependent;
    EXPECT_TRUE(std::is_sorted(dependent.dofs.begin(), dependent.dofs.end()));
    for (std::size_t k = 0; k < dependent.dofs.size(); ++k)
      {
        double value = dependent.values[k];
        for (std::uint32_t j = dependent.offsets[k]; j < dependent.offsets[k + 1]; ++j)
          {
            value += dependent.weights[j] * moved(dependent.masters[j], motion);
            EXPECT_LT(std::abs(dependent.weights[j]), 8.);
          }
        EXPECT_NEAR(value, moved(dependent.dofs[k], motion), 1e-13);
      }
    for (std::size_t k = 0; k < rows.held_dofs.size(); ++k)
      EXPECT_NEAR(rows.held_values[k], moved(rows.held_dofs[k], motion), 1e-13);
  }

  ElementMesh mesh_ = [] {
    ElementMesh mesh = TypedBox("hex8", {{4, 4, 4}}).box.mesh;
    mesh.constrained_dofs.clear();
    mesh.constrained_values.clear();
    return mesh;
  }();
  RigidRegion region_;
  std::mt19937 random_{1};
  std::uniform_real_distribution<double> number_{-1., 1.};
};

TEST_F(RigidRegionTest, RowsHaveTheRigidMotionsAndNoOthers)
{
  select([](const Vector &x) { return x[0] > 1.2 && x[1] > 0.3; });
  const RigidRegionRows rows = rows_of_rigid_region(mesh_, region_);
  EXPECT_EQ(rows.n_free_motions, 6U);
  EXPECT_TRUE(rows.held_dofs.empty());
  // six DoFs are left, as there are six motions, so that rows have no other solutions
  EXPECT_EQ(rows.dependent.dofs.size(), 3 * region_.nodes.size() - 6);
  for (int repeat = 0; repeat < 3; ++repeat)
    {
      std::array<double, 6> motion;
      for (double &part : motion)
        part = number_(random_);
      expect_motion(rows, motion);
    }
}

TEST_F(RigidRegionTest, PrescribedMotionsAreThoseOfThePoint)
{
  select([](const Vector &x) { return x[0] > 1.2; });
  region_.point = {{-0.7, 2.1, 0.4}};
  for (unsigned int set = 0; set < 64; ++set)
    {
      std::array<double, 6> motion;
      std::size_t n_free = 6;
      for (std::size_t m = 0; m < 6; ++m)
        {
          motion[m]          = number_(random_);
          region_.motions[m] = {};
          if ((set >> m & 1) != 0)
            {
              region_.motions[m] = motion[m];
              --n_free;
            }
        }
      const RigidRegionRows rows = rows_of_rigid_region(mesh_, region_);
      EXPECT_EQ(rows.n_free_motions, n_free);
      EXPECT_EQ(rows.dependent.dofs.size() + rows.held_dofs.size(),
                3 * region_.nodes.size() - n_free);
      expect_motion(rows, motion);
    }
}

// A body and its image are one: it moves along the planes, and turns about what both have.
TEST_F(RigidRegionTest, PlanesOfSymmetryThatCutTheRegionHoldIt)
{
  select([](const Vector &x) { return x[0] > 1.2; });
  region_.is_cut       = {{false, true, false}};
  RigidRegionRows rows = rows_of_rigid_region(mesh_, region_);
  EXPECT_EQ(rows.n_free_motions, 3U);
  expect_motion(rows, {{0.3, 0., -0.2, 0., 0.7, 0.}});
  region_.is_cut = {{false, true, true}};
  rows           = rows_of_rigid_region(mesh_, region_);
  EXPECT_EQ(rows.n_free_motions, 1U);
  expect_motion(rows, {{0.3, 0., 0., 0., 0., 0.}});
  region_.motions[4] = 0.1;
  EXPECT_THROW(rows_of_rigid_region(mesh_, region_), Error);
}

// A hinge: two nodes are held, and the region turns about the line through them.
TEST_F(RigidRegionTest, SupportsOfNodesHoldTheRegion)
{
  select([](const Vector &x) { return x[0] > 1.2; });
  const LocalIndex first = region_.nodes.front(), second = region_.nodes.back();
  for (const LocalIndex node : {first, second})
    for (LocalIndex d = 0; d < 3; ++d)
      mesh_.constrained_dofs.push_back(3 * node + d);
  std::sort(mesh_.constrained_dofs.begin(), mesh_.constrained_dofs.end());
  mesh_.constrained_values.assign(6, 0.);
  const RigidRegionRows rows = rows_of_rigid_region(mesh_, region_);
  EXPECT_EQ(rows.n_free_motions, 1U);
  const Vector a = place(first), b = place(second);
  region_.point = a;
  expect_motion(rows, {{0., 0., 0., b[0] - a[0], b[1] - a[1], b[2] - a[2]}});
  mesh_.constrained_values.back() = 0.1; // along the line, or it would turn
  EXPECT_THROW(rows_of_rigid_region(mesh_, region_), Error);
}

// Files have few digits: nodes that are on a line but for these leave a hinge.
TEST_F(RigidRegionTest, DigitsOfAFileDoNotClampAHinge)
{
  select([](const Vector &x) { return x[0] > 1.2; });
  const std::vector<LocalIndex> held(region_.nodes.begin(), region_.nodes.begin() + 5);
  for (std::size_t k = 0; k < held.size(); ++k)
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double at =
          (d == 0 ? 1.5 : 0.3) + static_cast<double>(k) * (d == 2 ? 0.1 : 0.0577350269);
        mesh_.coordinates[d * mesh_.n_nodes + held[k]] = std::round(at * 1e6) * 1e-6;
        mesh_.constrained_dofs.push_back(3 * held[k] + static_cast<LocalIndex>(d));
      }
  mesh_.constrained_values.assign(mesh_.constrained_dofs.size(), 0.);
  EXPECT_EQ(rows_of_rigid_region(mesh_, region_).n_free_motions, 1U);
}

// A load on one node acts on all of a region, and a hinge is a support of its nodes.
TEST_F(RigidRegionTest, LoadsAndSupportsAreThoseOfAllNodes)
{
  select([](const Vector &x) { return x[0] > 1.2; });
  std::vector<double> forces(mesh_.n_dofs(), 0.);
  forces[3 * region_.nodes[7] + 2] = 1.;
  LoadCase load_case;
  load_case.forces = NodalForces(forces);
  for (const bool is_hinge : {false, true})
    {
      if (is_hinge)
        region_.motions = {{0., 0., 0., {}, 0., 0.}};
      mesh_.dependent = rows_of_rigid_region(mesh_, region_).dependent;
      LoadNodes nodes(Communicator(), mesh_, {});
      nodes.add(load_case);
      EXPECT_EQ(nodes.held().empty(), !is_hinge);
      if (!is_hinge)
        {
          EXPECT_EQ(nodes.loaded(), region_.nodes);
        }
    }
}

// Nodes on a line do not turn about it.
TEST_F(RigidRegionTest, NodesOnALineHaveFiveMotions)
{
  const LocalIndex first = 0, last = static_cast<LocalIndex>(mesh_.n_nodes - 1);
  region_.nodes              = {first, last};
  const RigidRegionRows rows = rows_of_rigid_region(mesh_, region_);
  EXPECT_EQ(rows.n_free_motions, 5U);
  EXPECT_EQ(rows.dependent.dofs.size(), 1U);
  expect_motion(rows, {{0.3, -0.2, 0.1, 0.5, -0.4, 0.7}});
  region_.motions[3] = 0.1;
  EXPECT_THROW(rows_of_rigid_region(mesh_, region_), Error);
}
} // namespace
} // namespace strut::test
