// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/errors.h"
#include "../fixtures/lattices.h"
#include "../fixtures/solve.h"
#include "source/solvers/krylov/jacobi.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/rigid_pieces.h"

#include <strut/solvers/state/state_solver.h>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
using PieceCorrectionTest = PlaceTest;

/// Cubes of three elements that float in void, beside a plate on the support.
std::vector<double> floating_cubes(const BoxMesh &box, const double contrast)
{
  std::vector<double> factors;
  for (const auto &at : box.element_at)
    {
      const bool in_cube = at[0] % 5 < 3 && at[1] % 5 < 3 && at[2] % 5 < 3 && at[0] >= 5;
      factors.push_back(at[0] < 2 || in_cube ? 1. : contrast);
    }
  return factors;
}

/// A box without supports.
BoxMesh floating_box()
{
  BoxOptions options = BoxOptions::regular({{13, 8, 8}}, {{13., 8., 8.}}, 0.1);
  return make_box(options);
}

// Elements that share a face and a block are one piece, and others are not. Without void there are
// no pieces.
TEST(SolidPiecesTest, HangTogetherByFacesInBlocks)
{
  const BoxMesh box = make_box(BoxOptions::regular({{8, 4, 4}}));
  const SolidPiecesFinder finder(box.mesh);
  std::vector<double> factors(box.mesh.n_elements, 1e-9);
  const auto fill = [&](const std::array<std::size_t, 3> &from,
                        const std::array<std::size_t, 3> &to) {
    for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
      {
        bool inside = true;
        for (std::size_t d = 0; d < 3; ++d)
          inside = inside && box.element_at[e][d] >= from[d] && box.element_at[e][d] < to[d];
        if (inside)
          factors[e] = 1.;
      }
  };
  EXPECT_EQ(finder.find(std::vector<double>(factors.size(), 0.3), 100).n, 0u);
  fill({{0, 0, 0}}, {{2, 2, 2}});
  EXPECT_EQ(finder.find(factors, 100).n, 1u);
  fill({{2, 2, 0}}, {{4, 4, 2}}); // hinged to the first by an edge
  const SolidPieces two = finder.find(factors, 100);
  EXPECT_EQ(two.n, 2u);
  EXPECT_EQ(two.nodes.size(), 2u * 27);
  EXPECT_EQ(two.nodes.size(), two.at_node.size());
  fill({{2, 0, 0}}, {{6, 2, 2}}); // joins them, and enters the next block
  EXPECT_EQ(finder.find(factors, 100).n, 2u);
  EXPECT_EQ(finder.find(factors, 1).n, 1u); // with larger blocks
  fill({{7, 3, 3}}, {{8, 4, 4}});
  EXPECT_EQ(finder.find(factors, 2).n, 2u);
  EXPECT_EQ(finder.find(factors, 1).n, 0u); // two pieces in any block
}

// Q = Z (Z^T K Z)^-1 Z^T is symmetric, and Q K is a projection. Its range contains the rigid
// motions of pieces that touch no other: Q K Z = Z.
TEST(RigidPiecesTest, IsAProjection)
{
  BoxMesh box = floating_box();
  hold_left_face(box);
  const ElementMesh &mesh     = box.mesh;
  const auto backend          = make_cpu_backend(3);
  const double contrast       = 1e-3;
  std::vector<double> factors = floating_cubes(box, contrast);
  RigidPieces pieces(mesh, Material(), 3);
  pieces.set_stiffness(factors);
  EXPECT_GE(pieces.size(), 8u);
  ElasticityOperator<double> K(*backend, Communicator(), mesh, Material(), "on_the_fly");
  K.set(Array<double>(backend->memory(), factors));
  const auto product = [&](const std::vector<double> &x) {
    Array<double> on_x(backend->memory(), without_constrained(x, mesh)),
      y(backend->memory(), x.size());
    K.apply(on_x, y);
    return y.to_host();
  };
  const auto correct = [&](const std::vector<double> &r) {
    std::vector<double> x(r.size());
    pieces.correct(r, x);
    return x;
  };
  std::vector<std::vector<double>> r, Qr;
  for (unsigned int k = 0; k < 3; ++k)
    {
      r.push_back(random_free_vector(mesh, 20 + k));
      Qr.push_back(correct(r.back()));
      EXPECT_GT(dot(r.back(), Qr.back()), 0.);
      EXPECT_LT(relative_difference(correct(product(Qr.back())), Qr.back()), 1e-8);
    }
  EXPECT_NEAR(dot(r[0], Qr[1]), dot(r[1], Qr[0]), 1e-9 * norm(r[0]) * norm(Qr[1]));

  // one of the cubes moves and turns
  std::vector<double> z(mesh.n_dofs(), 0.);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    {
      const Position X = box.reference[node];
      if (X[0] > 4.9 && X[0] < 8.1 && X[1] < 3.1 && X[2] < 3.1)
        {
          const Position x = box.position(node);
          z[3 * node]      = 1. - 0.3 * x[1];
          z[3 * node + 1]  = -0.5 + 0.3 * x[0];
          z[3 * node + 2]  = 0.2;
        }
    }
  EXPECT_LT(relative_difference(correct(product(z)), z), 1e-8);
}

// Pieces on a support keep the motions that it leaves free: none on a wall, three on rollers.
TEST(RigidPiecesTest, KeepSupports)
{
  for (const bool rollers : {false, true})
    {
      BoxMesh box = floating_box();
      hold(box, [rollers](const Position &X, const int c) {
        return X[0] == 0. && (!rollers || c == 0);
      });
      std::vector<double> factors;
      for (const auto &at : box.element_at)
        factors.push_back(at[0] < 3 && at[1] < 3 && at[2] < 3 ? 1. : 1e-9);
      RigidPieces pieces(box.mesh, Material(), 2);
      pieces.set_stiffness(factors);
      EXPECT_EQ(pieces.size(), 1u);
      Eigen::MatrixXd moves(static_cast<Eigen::Index>(box.mesh.n_dofs()), 8);
      for (unsigned int k = 0; k < 8; ++k)
        {
          const std::vector<double> r = random_free_vector(box.mesh, k);
          std::vector<double> x(r.size());
          pieces.correct(r, x);
          for (const LocalIndex dof : box.mesh.constrained_dofs)
            EXPECT_EQ(x[dof], 0.);
          moves.col(k) = Eigen::Map<Eigen::VectorXd>(x.data(), moves.rows());
        }
      Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
      qr.setThreshold(1e-8);
      qr.compute(moves);
      EXPECT_EQ(qr.rank(), rollers ? 3 : 0);
    }
}

/// @param with_pieces  whether the cycles have the correction of pieces
Solution solve_members(Backend &backend,
                       const BoxMesh &box,
                       const MeshHierarchy &coarser,
                       const std::vector<double> &factors,
                       const bool with_pieces,
                       const double tolerance)
{
  const Structure structure{box.mesh, Material(), coarser};
  ElasticityOperator<double> K(backend, Communicator(), box.mesh, Material(), "on_the_fly");
  auto M = make_multigrid<double, double>(backend, structure);
  if (with_pieces)
    M = with_piece_correction<double>(backend, structure, std::move(M));
  return solve_from_zero(backend, K, *M, factors, edge_load(box), to_tolerance(tolerance, 5000));
}

// Winding members close to one another, and islands, at a contrast of 1e-9. Without pieces they
// take 268 and 944 iterations.
TEST_P(PieceCorrectionTest, Islands)
{
  const auto iterations = [&](const auto &s, const double width) {
    const auto factors = random_members(s.box.mesh, width, 0.3, 1e-9);
    return solve_members(backend(), s.box, s.coarser, factors, true, 1e-5).report.iterations;
  };
  EXPECT_LE(iterations(FlatStructure(CellIndices{{25, 13, 13}}, 0.2), 2.5), 60u);
  EXPECT_LE(iterations(CantileverHierarchy({{32, 16, 16}}, 2), 2.5 / 16.), 60u);
}

// The solution is that without them.
TEST_P(PieceCorrectionTest, SolutionIsTheSame)
{
  const FlatStructure flat(CellIndices{{15, 9, 9}}, 0.2);
  const std::vector<double> factors = random_members(flat.box.mesh, 2.5, 0.4, 1e-4);
  const auto solve                  = [&](const bool with_pieces) {
    return solve_members(backend(), flat.box, flat.coarser, factors, with_pieces, 1e-12);
  };
  const Solution with = solve(true), without = solve(false);
  EXPECT_LT(with.report.iterations, without.report.iterations);
  EXPECT_LT(relative_difference(with.u, without.u), 1e-8);
}

// Incompatible choices are refused by name, before anything is allocated.
TEST(PieceCorrection, HasConflicts)
{
  FlatStructure flat(CellIndices{{5, 3, 3}});
  PreconditionerSettings settings{"multigrid", {{"Rigid pieces", "yes"}}};
  const Communicator alone;
  const Structure structure{flat.box.mesh, Material(), flat.coarser};
  EXPECT_FALSE(find_conflict(settings, {alone, structure}).has_value());
  EXPECT_NE(
    find_conflict(settings, {alone, structure, Law::lame})->reason.find("Lame's parameters"),
    std::string::npos);
  EXPECT_NE(find_conflict(settings, {alone, structure, Law::factor, true})->reason.find("a shift"),
            std::string::npos);
  flat.box.mesh.dependent.dofs.push_back(100);
  EXPECT_EQ(
    find_conflict(settings, {alone, structure})->reason,
    "Rigid pieces of solid know no hanging nodes, no tied faces, no rigid regions and no oblique sliding, and the mesh has some: do "
    "without them.");
}

TEST(PieceCorrection, RefusesAShift)
{
  FlatStructure flat(CellIndices{{5, 3, 3}});
  const auto backend = make_cpu_backend(1);
  const Communicator communicator;
  ElasticityOperator<double> K(*backend, communicator, flat.box.mesh, Material(), "on_the_fly");
  K.set_shift(std::vector<double>(flat.box.mesh.n_owned_dofs(), 1.));
  const auto pieces =
    with_piece_correction<double>(*backend, {flat.box.mesh, Material(), {}}, nullptr);
  const Array<double> factors(backend->memory(), flat.box.mesh.n_elements);
  EXPECT_EQ(message_of([&]() { pieces->update(K, factors); }),
            "Rigid pieces of solid know stiffness factors alone, and the operator has Lame's "
            "parameters, tangents or a shift: do without them.");
}

INSTANTIATE_TEST_SUITE_P(Core, PieceCorrectionTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
