// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/box_mesh.h"
#include "source/mesh/rigid_motions.h"
#include "source/solvers/coarse/aggregation.h"
#include "source/solvers/coarse/assembled_stiffness.h"
#include "source/solvers/coarse/coarse_solver.h"
#include "source/solvers/coarse/smoothed_aggregation.h"
#include "source/solvers/multigrid/aggregated_levels.h"

#include <strut/backend/backend.h>
#include <strut/solvers/elasticity_operator.h>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <tuple>

namespace strut::test
{
namespace
{
constexpr int n_threads = 3;

/// A distorted box on a support, and its matrix for a random design.
struct Assembled
{
  explicit Assembled(const std::array<std::size_t, 3> &n,
                     const double contrast                                  = 1e-3,
                     const std::function<bool(const Position &, int)> &held = nullptr)
    : box(make_box(BoxOptions::wild(n, 3))), backend(make_cpu_backend(n_threads))
  {
    if (held)
      hold(box, held);
    else
      hold_left_face(box);
    elements = gather_elements(*backend, Communicator(), box.mesh);
    stiffness =
      std::make_unique<AssembledStiffness>(elements, box.mesh.n_nodes, Material(), n_threads);
    K = BlockMatrix<3, 3>(stiffness->pattern());
    for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
      factors.push_back(e % 3 == 0 ? 1. : contrast);
    stiffness->assemble({Law::factor, {factors}}, K);
  }

  BoxMesh box;
  std::unique_ptr<Backend> backend;
  std::vector<GatheredElement> elements;
  std::unique_ptr<AssembledStiffness> stiffness;
  BlockMatrix<3, 3> K;
  std::vector<double> factors;
};

template <int R, int C>
Eigen::MatrixXd dense(const BlockMatrix<R, C> &A)
{
  Eigen::MatrixXd result =
    Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(R * A.pattern.n_rows),
                          static_cast<Eigen::Index>(C * A.pattern.n_columns));
  for (std::size_t row = 0; row < A.pattern.n_rows; ++row)
    for (std::size_t k = A.pattern.begin[row]; k < A.pattern.begin[row + 1]; ++k)
      for (int i = 0; i < R; ++i)
        for (int j = 0; j < C; ++j)
          result(static_cast<Eigen::Index>(R * row) + i,
                 static_cast<Eigen::Index>(C * A.pattern.columns[k]) + j) = A.block(k)[C * i + j];
  return result;
}

/// The tentative prolongator for nodes of B degrees of freedom.
template <int B>
Eigen::MatrixXd dense(const TentativeProlongator &T, const Aggregates &aggregates)
{
  const auto n = static_cast<Eigen::Index>(aggregates.of_node.size());
  Eigen::MatrixXd result =
    Eigen::MatrixXd::Zero(B * n, static_cast<Eigen::Index>(6 * aggregates.n));
  for (Eigen::Index node = 0; node < n; ++node)
    if (const std::uint32_t a = aggregates.of_node[static_cast<std::size_t>(node)];
        a != Aggregates::none)
      for (int i = 0; i < B; ++i)
        for (int j = 0; j < 6; ++j)
          result(B * node + i, 6 * static_cast<Eigen::Index>(a) + j) =
            T.blocks[static_cast<std::size_t>(6 * (B * node + i) + j)];
  return result;
}

Eigen::MatrixXd dense(const RigidModes &modes)
{
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor>>(
    modes.data(), static_cast<Eigen::Index>(modes.size() / 6), 6);
}

Eigen::Map<const Eigen::VectorXd> dense_vector(const std::vector<double> &v)
{
  return {v.data(), static_cast<Eigen::Index>(v.size())};
}

std::vector<bool> nobody(const BlockPattern &pattern)
{
  return std::vector<bool>(pattern.n_rows, false);
}

// Every product of the matrix is that of the operator, whether or not elements are equal: with
// factors, with tangents, and with Lame's parameters. An element without any stiffness has a
// millionth of the material's.
TEST(AssembledStiffnessTest, EqualsTheOperator)
{
  for (const auto &[equal_elements, formulation] :
       {std::make_pair(false, Formulation::full_integration),
        std::make_pair(true, Formulation::full_integration),
        std::make_pair(false, Formulation::mean_dilatation)})
    {
      Material material;
      material.formulation = formulation;
      BoxMesh box          = make_box(equal_elements ? BoxOptions::regular({{5, 3, 4}})
                                            : BoxOptions::wild({{5, 3, 4}}, 2));
      hold(box,
           [](const Position &X, const int c) { return X[0] == 0. && (c != 1 || X[1] == 0.); });
      const ElementMesh &mesh = box.mesh;
      const auto backend      = make_cpu_backend(n_threads);
      AssembledStiffness stiffness(gather_elements(*backend, Communicator(), mesh),
                                   mesh.n_nodes,
                                   material,
                                   n_threads);
      BlockMatrix<3, 3> of_factors(stiffness.pattern()), of_lame(stiffness.pattern()),
        of_tangents(stiffness.pattern());
      const std::vector<double> factors = random_vector(mesh.n_elements, 5, 1e-3, 1.);
      std::vector<double> lambda        = random_vector(mesh.n_elements, 6, -0.05, 3.);
      std::vector<double> mu            = random_vector(mesh.n_elements, 7, 0.1, 1.);
      lambda[11] = mu[11] = 0.;
      stiffness.assemble({Law::factor, {factors}}, of_factors);
      stiffness.assemble({Law::lame, {lambda, mu}}, of_lame);
      lambda[11] = stiffness_of_outside * Material().lambda();
      mu[11]     = stiffness_of_outside * Material().mu();
      ElasticityOperator<double> reference(*backend, Communicator(), mesh, material, "on_the_fly");

      std::vector<double> x = random_vector(mesh.n_dofs(), 7), swept(x.size()), y(x.size());
      for (const LocalIndex dof : mesh.constrained_dofs)
        x[dof] = 0.;
      for (std::size_t i = 0; i < x.size(); ++i)
        swept[i] = x[3 * stiffness.nodes()[i / 3] + i % 3];
      HostStiffness tangents{Law::tangents, {}};
      for (unsigned int k = 0; k < n_tangent_components; ++k)
        tangents.components.push_back(random_vector(mesh.n_elements, 20 + k, -1., 1.));
      stiffness.assemble(tangents, of_tangents);
      for (const BlockMatrix<3, 3> *const matrix : {&of_factors, &of_lame, &of_tangents})
        {
          if (matrix == &of_tangents && formulation == Formulation::mean_dilatation)
            continue; // incompatible with tangents
          if (matrix == &of_tangents)
            reference.set(
              Stiffness::of_fields({Law::tangents, 1},
                                   [&](unsigned int, const unsigned int k, Array<double> &values) {
                                     values.copy_from_host(tangents.components[k]);
                                   }));
          else if (matrix == &of_factors)
            reference.set(Array<double>(backend->memory(), factors));
          else
            reference.set(Stiffness::of_lame(Array<double>(backend->memory(), lambda),
                                             Array<double>(backend->memory(), mu)));
          Array<double> on_x(backend->memory(), x), on_y(backend->memory(), x.size());
          reference.apply_unconstrained(on_x, on_y);
          const std::vector<double> expected = on_y.to_host();
          matrix->multiply(n_threads, swept, y);
          for (std::size_t i = 0; i < y.size(); ++i)
            EXPECT_NEAR(y[i],
                        stiffness.constrained()[i] != 0
                          ? 0.
                          : expected[3 * stiffness.nodes()[i / 3] + i % 3],
                        1e-12 * norm(expected));
        }
    }
}

// T is orthonormal except for columns that it leaves out, and T R = the rigid motions, exactly, on
// two levels. This holds also if an aggregate is a single node or a line of nodes.
TEST(AggregationTest, TentativeProlongatorReproducesRigidMotions)
{
  const Assembled s({{9, 7, 6}}, 1e-3, [](const Position &X, const int c) {
    return X[0] == 0. && (c == 0 || X[1] == 0.);
  });
  const RigidModes modes = rigid_modes(s.stiffness->points(), s.stiffness->constrained());
  const auto check       = [](const Eigen::MatrixXd &T,
                        const RigidModes &fine,
                        const RigidModes &coarse,
                        const Eigen::Index rank) {
    EXPECT_LT((T * dense(coarse) - dense(fine)).norm(), 1e-12 * dense(fine).norm());
    const Eigen::MatrixXd gram = T.transpose() * T;
    EXPECT_LT((gram * gram - gram).norm(), 1e-12);
    if (rank > 0)
      {
        EXPECT_NEAR(gram.trace(), static_cast<double>(rank), 1e-11);
      }
  };

  // (1) Aggregates of the mesh, and aggregates of these aggregates.
  const Aggregates first = aggregate(s.K.pattern, nobody(s.K.pattern));
  EXPECT_GT(first.n, 8u);
  EXPECT_LT(first.n, s.box.mesh.n_nodes / 8);
  const TentativeProlongator T = tentative_prolongator(n_threads, first, 3, modes);
  check(dense<3>(T, first), modes, T.coarse_modes, 0);
  const BlockPattern P      = prolongator_pattern(n_threads, s.K.pattern, first);
  const BlockPattern coarse = product_pattern(n_threads, s.K.pattern, P, TransposedPattern(P));
  const Aggregates second   = aggregate(coarse, nobody(coarse));
  EXPECT_LT(second.n, first.n);
  const TentativeProlongator T2 = tentative_prolongator(n_threads, second, 6, T.coarse_modes);
  check(dense<6>(T2, second), T.coarse_modes, T2.coarse_modes, 0);

  // (2) A single node has three motions, a line of three nodes has five, four in a square six.
  const std::vector<std::array<double, 3>> points = {{{0., 0., 0.}},
                                                     {{1., 1., 1.}},
                                                     {{2., 2., 2.}},
                                                     {{3., 3., 3.}},
                                                     {{5., 0., 0.}},
                                                     {{6., 0., 0.}},
                                                     {{5., 1., 0.}},
                                                     {{6., 1., 0.}}};
  Aggregates odd;
  odd.of_node                   = {0, 1, 1, 1, 2, 2, 2, 2};
  odd.n                         = 3;
  const RigidModes of_points    = rigid_modes(points, std::vector<std::uint8_t>(24, 0));
  const TentativeProlongator T3 = tentative_prolongator(n_threads, odd, 3, of_points);
  check(dense<3>(T3, odd), of_points, T3.coarse_modes, 3 + 5 + 6);
}

// P = (I - w D^-1 A) T and P^T A P equal those of dense matrices, on a level of 3x3 and on one of
// 6x6 blocks.
TEST(AggregationTest, ProductsEqualDenseOnes)
{
  const Assembled s({{7, 6, 5}}, 1e-9);
  const auto check = [](const auto &A, const RigidModes &modes, RigidModes &coarse_modes) {
    constexpr int B              = std::decay_t<decltype(A)>::block_size == 9 ? 3 : 6;
    const Aggregates aggregates  = aggregate(A.pattern, nobody(A.pattern));
    const TentativeProlongator T = tentative_prolongator(n_threads, aggregates, B, modes);
    std::vector<double> inverse;
    invert_diagonal(n_threads, A, inverse);
    BlockMatrix<B, 6> P(prolongator_pattern(n_threads, A.pattern, aggregates));
    const TransposedPattern transposed(P.pattern);
    smooth_prolongator(n_threads, A, inverse, 0.6, aggregates, T.blocks, P);
    BlockMatrix<6, 6> coarse(product_pattern(n_threads, A.pattern, P.pattern, transposed));
    triple_product(n_threads, A, P, transposed, coarse);

    const Eigen::MatrixXd K = dense(A);
    Eigen::MatrixXd D       = Eigen::MatrixXd::Zero(K.rows(), K.cols());
    for (Eigen::Index i = 0; i < K.rows(); i += B)
      D.block<B, B>(i, i) = Eigen::Map<const Eigen::Matrix<double, B, B, Eigen::RowMajor>>(
        &inverse[static_cast<std::size_t>(B * i)]);
    const Eigen::MatrixXd dense_T  = dense<B>(T, aggregates),
                          dense_P  = dense_T - 0.6 * D * K * dense_T,
                          expected = dense_P.transpose() * K * dense_P;
    EXPECT_LT((dense(P) - dense_P).norm(), 1e-12 * dense_P.norm());
    EXPECT_LT((dense(coarse) - expected).norm(), 1e-12 * expected.norm());

    const std::vector<double> x = random_vector(static_cast<std::size_t>(dense_P.cols()), 4),
                              r = random_vector(static_cast<std::size_t>(dense_P.rows()), 5);
    std::vector<double> Px(r.size()), PTr(x.size());
    P.multiply(n_threads, x, Px);
    P.multiply_transposed(n_threads, transposed, r, PTr);
    EXPECT_LT((dense_vector(Px) - dense_P * dense_vector(x)).norm(), 1e-12 * norm(Px));
    EXPECT_LT((dense_vector(PTr) - dense_P.transpose() * dense_vector(r)).norm(),
              1e-12 * norm(PTr));
    coarse_modes = T.coarse_modes;
    return coarse;
  };
  RigidModes of_nodes = rigid_modes(s.stiffness->points(), s.stiffness->constrained()),
             of_aggregates, unused;
  const BlockMatrix<6, 6> coarse = check(s.K, of_nodes, of_aggregates);
  check(coarse, of_aggregates, unused);
}

// Twelve steps of Lanczos approach the largest eigenvalue from below.
TEST(AggregationTest, LargestEigenvalue)
{
  for (const double contrast : {1., 1e-9})
    {
      const Assembled s({{5, 4, 3}}, contrast);
      std::vector<double> inverse;
      invert_diagonal(n_threads, s.K, inverse);
      Eigen::MatrixXd DK = dense(s.K);
      for (Eigen::Index i = 0; i < DK.rows(); i += 3)
        DK.middleRows<3>(i) = (Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
                                 &inverse[static_cast<std::size_t>(3 * i)]) *
                               DK.middleRows<3>(i))
                                .eval();
      const double exact = DK.eigenvalues().real().maxCoeff();
      const double found = largest_eigenvalue(n_threads, s.K, inverse);
      EXPECT_LE(found, exact * (1. + 1e-10));
      EXPECT_GE(found, 0.95 * exact);
    }
}

// One or two cycles are a symmetric positive definite matrix M. Eigenvalues of M A are near 1, and
// for a uniform matrix far from 0. The latter does not hold for a random design with floating
// pieces of solid.
TEST(AggregationTest, CycleIsSymmetricAndPositiveDefinite)
{
  for (const auto &[cycles, contrast, smallest, largest] :
       std::vector<std::tuple<unsigned int, double, double, double>>{
         {1, 1., 0.2, 1.05}, {2, 1., 0.5, 1.3}, {1, 1e-4, 0., 1.05}, {2, 1e-4, 0., 1.3}})
    {
      const Assembled s({{6, 5, 4}}, contrast);
      AggregationSettings settings;
      settings.cycles      = cycles;
      settings.direct_dofs = 30;
      AggregatedLevels levels(n_threads,
                              s.stiffness->pattern(),
                              s.stiffness->points(),
                              s.stiffness->constrained(),
                              settings);
      EXPECT_GE(levels.n_dofs().size(), 3u);
      levels.matrix().values = s.K.values;
      levels.renew();

      std::vector<Eigen::Index> free;
      for (std::size_t i = 0; i < s.stiffness->constrained().size(); ++i)
        if (s.stiffness->constrained()[i] == 0)
          free.push_back(static_cast<Eigen::Index>(i));
      const auto n      = static_cast<Eigen::Index>(free.size());
      const auto full_K = dense(s.K);
      Eigen::MatrixXd M(n, n), K(n, n);
      std::vector<double> r(s.stiffness->constrained().size(), 0.), x;
      for (Eigen::Index j = 0; j < n; ++j)
        {
          r[static_cast<std::size_t>(free[j])] = 1.;
          levels.solve(r, x);
          r[static_cast<std::size_t>(free[j])] = 0.;
          for (Eigen::Index i = 0; i < n; ++i)
            {
              M(i, j) = x[static_cast<std::size_t>(free[i])];
              K(i, j) = full_K(free[i], free[j]);
            }
        }
      EXPECT_LT((M - M.transpose()).norm(), 1e-11 * M.norm());
      const Eigen::MatrixXd L = K.llt().matrixL();
      const Eigen::VectorXd eigenvalues =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(L.transpose() * M * L).eigenvalues();
      EXPECT_GT(eigenvalues[0], smallest);
      EXPECT_LT(eigenvalues[n - 1], largest);
    }
}
} // namespace
} // namespace strut::test
