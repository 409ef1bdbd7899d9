// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The Laplacian, an equation with one component per node, by the operators, the levels and the
// smoother that displacements have.
#include "../fixtures/backends.h"
#include "../fixtures/box_hierarchy.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"
#include "../fixtures/solve.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <Eigen/Dense>

namespace strut::test
{
namespace
{
using ScalarTest = PlaceTest;

/// A box with one component per node.
BoxMesh scalar_box(const BoxOptions &options)
{
  BoxMesh box           = make_box(options);
  box.mesh.n_components = 1;
  return box;
}

BoxOptions distorted(const std::array<std::size_t, 3> &n, const double distortion = 0.15)
{
  return BoxOptions::regular(n, {{1., 1., 1.}}, distortion).with_regular_surface().shuffled();
}

/// Holds the temperature 2 on the face x = 0 and -1 on a part of the face x = 1 that ends between
/// nodes of coarser meshes.
void hold_temperatures(BoxMesh &box)
{
  const auto is_cold = [](const Position &X) { return X[0] > 1. - 1e-9 && X[1] < 0.7; };
  prescribe(
    box,
    [&](const Position &X, int) { return X[0] == 0. || is_cold(X); },
    [](const Position &x, int) { return x[0] < 0.5 ? 2. : -1.; });
}

/// Conductivities with a contrast of `contrast` in blocks of two elements.
std::vector<double> conductivities(const BoxMesh &box, const double contrast)
{
  std::vector<double> factors;
  for (const auto &at : box.element_at)
    factors.push_back((at[0] / 2 + at[1] / 2 + at[2] / 2) % 2 == 0 ? 1. : contrast);
  return factors;
}

/// The matrix `int grad N_a . grad N_b` of an element, from the gradients in the strains of a
/// textbook.
Eigen::Matrix<double, 8, 8> reference_laplacian(const ElementMesh &mesh, const std::size_t e)
{
  double X[3][8];
  vertices(mesh, e, X);
  Eigen::Matrix<double, 8, 8> K = Eigen::Matrix<double, 8, 8>::Zero();
  for (int q = 0; q < 8; ++q)
    {
      const auto [B, det] = reference_strain(X, q);
      for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b)
          for (int d = 0; d < 3; ++d)
            K(a, b) += det * B[d][3 * a + d] * B[d][3 * b + d];
    }
  return K;
}

Eigen::MatrixXd reference_matrix(const ElementMesh &mesh, const std::vector<double> &factors)
{
  const auto n      = static_cast<Eigen::Index>(mesh.n_dofs());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const auto of_element = reference_laplacian(mesh, e);
      for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b)
          K(mesh.connectivity[a * mesh.n_elements + e],
            mesh.connectivity[b * mesh.n_elements + e]) +=
            factors[e] * of_element(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b));
    }
  return K;
}

Eigen::VectorXd as_eigen(const std::vector<double> &x)
{
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

std::vector<double> as_vector(const Eigen::VectorXd &x)
{
  return {x.data(), x.data() + x.size()};
}

/// The solution of `K u = f` with the prescribed values, by a dense factorisation.
std::vector<double> reference_solution(const ElementMesh &mesh,
                                       const std::vector<double> &factors,
                                       const std::vector<double> &f)
{
  Eigen::MatrixXd K = reference_matrix(mesh, factors);
  Eigen::VectorXd b = as_eigen(f);
  for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
    {
      const auto dof = static_cast<Eigen::Index>(mesh.constrained_dofs[k]);
      b -= mesh.constrained_values[k] * K.col(dof);
      K.row(dof).setZero();
      K.col(dof).setZero();
      K(dof, dof) = 1.;
    }
  for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
    b(static_cast<Eigen::Index>(mesh.constrained_dofs[k])) = mesh.constrained_values[k];
  return as_vector(K.ldlt().solve(b));
}

/// Solves `K u = f` with the prescribed values, by conjugate gradients with a cycle of multigrid.
template <typename CycleNumber>
Solution solve(Backend &backend,
               const ElementMesh &mesh,
               const MeshHierarchy &coarser,
               const std::vector<double> &factors,
               const std::vector<double> &f,
               MultigridSettings settings = {})
{
  settings.strategy = "nbn";
  ElasticityOperator<double> K(backend, Communicator(), mesh, Material(), "nbn");
  const Array<double> on_backend(backend.memory(), factors);
  K.set(on_backend);
  Array<double> g(backend.memory(), mesh.n_dofs()), lifting(backend.memory(), mesh.n_dofs());
  K.lift(g, lifting);
  std::vector<double> b             = lifting.to_host();
  const std::vector<double> of_held = g.to_host();
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = f[i] - b[i];
  const auto M =
    make_multigrid<double, CycleNumber>(backend, {mesh, Material(), coarser}, settings);
  M->update(K, on_backend);
  Solution solution =
    solve_from_zero<double>(backend, K, *M, without_constrained(b, mesh), to_tolerance(1e-10, 100));
  for (std::size_t i = 0; i < b.size(); ++i)
    solution.u[i] += of_held[i];
  return solution;
}

TEST_P(ScalarTest, OperatorsAreTheDenseMatrix)
{
  with_both_numbers([&](const auto tag) {
    using Number                   = decltype(number_of(tag));
    const BoxMesh box              = scalar_box(BoxOptions::wild({{5, 4, 3}}, 3));
    const auto E                   = random_vector(box.mesh.n_elements, 4, 0.1, 2.);
    const auto x                   = random_vector<Number>(box.mesh.n_dofs(), 5);
    const Eigen::MatrixXd expected = reference_matrix(box.mesh, E);
    std::size_t n_tested           = 0;
    for (const Strategy<Number> &strategy : backend().template strategies<Number>())
      {
        if (!strategy.takes_scalars)
          continue;
        SCOPED_TRACE(strategy.name);
        ++n_tested;
        ElasticityOperator<Number> K(
          backend(), Communicator(), box.mesh, Material(), strategy.name);
        K.set(Array<double>(memory(), E));
        Array<Number> in(memory(), x), out(memory(), poison<Number>(x.size())),
          blocks(memory(), poison<Number>(x.size()));
        K.apply_unconstrained(in, out);
        EXPECT_LE(relative_difference(out.to_host(), as_vector(expected * as_eigen(to_double(x)))),
                  rounding<Number>());
        K.diagonal(out);
        EXPECT_LE(relative_difference(out.to_host(), as_vector(expected.diagonal())),
                  rounding<Number>());
        K.local_diagonal_blocks(blocks);
        EXPECT_LE(relative_difference(blocks.to_host(), as_vector(expected.diagonal())),
                  rounding<Number>());
        Array<double> energies(memory(), box.mesh.n_elements);
        K.energies(in, energies);
        std::vector<double> of_elements;
        for (std::size_t e = 0; e < box.mesh.n_elements; ++e)
          {
            Eigen::Matrix<double, 8, 1> u;
            for (std::size_t v = 0; v < 8; ++v)
              u(static_cast<Eigen::Index>(v)) =
                static_cast<double>(x[box.mesh.connectivity[v * box.mesh.n_elements + e]]);
            of_elements.push_back(u.dot(reference_laplacian(box.mesh, e) * u));
          }
        EXPECT_LE(relative_difference(energies.to_host(), of_elements), rounding<Number>());

        // A constant costs nothing.
        const double size = norm(out.to_host());
        in.copy_from_host(std::vector<Number>(x.size(), Number(1)));
        K.apply_unconstrained(in, out);
        EXPECT_LE(norm(out.to_host()), 1e-2 * rounding<Number>() * size);
      }
    EXPECT_EQ(n_tested, 2u);
  });
}

// Rows of a hanging node, and of a periodic one.
TEST_P(ScalarTest, DependentValuesFollowTheOthers)
{
  BoxMesh box            = scalar_box(distorted({{4, 3, 2}}));
  ElementMesh &mesh      = box.mesh;
  const auto n           = static_cast<Eigen::Index>(mesh.n_dofs());
  mesh.dependent.dofs    = {3, 17};
  mesh.dependent.offsets = {0, 2, 3};
  mesh.dependent.masters = {8, 21, 40};
  mesh.dependent.weights = {0.25, 0.75, 1.};
  mesh.dependent.values  = {0., 0.};
  Eigen::MatrixXd C      = Eigen::MatrixXd::Identity(n, n);
  C(3, 3) = C(17, 17) = 0.;
  C(3, 8)             = 0.25;
  C(3, 21)            = 0.75;
  C(17, 40)           = 1.;
  const auto E        = random_vector(mesh.n_elements, 4, 0.1, 2.);
  const auto x        = random_vector<double>(mesh.n_dofs(), 5);
  ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "nbn");
  K.set(Array<double>(memory(), E));
  Array<double> in(memory(), x), out(memory(), mesh.n_dofs());
  K.apply(in, out);
  EXPECT_LE(relative_difference(out.to_host(),
                                as_vector(C.transpose() *
                                          (reference_matrix(mesh, E) * (C * as_eigen(x))))),
            rounding<double>());
}

TEST_P(ScalarTest, BoundOfTheSmootherHolds)
{
  for (const double distortion : {0., 0.2})
    {
      const BoxMesh box       = scalar_box(distorted({{8, 4, 4}}, distortion));
      const ElementMesh &mesh = box.mesh;
      const double bound      = smoother_bound(backend(), mesh, Material());
      EXPECT_NEAR(bound, smoother_bound(mesh, Material()), 2e-3 * bound);
      ElasticityOperator<double> K(backend(), Communicator(), mesh, Material(), "nbn");
      K.set(Array<double>(memory(), conductivities(box, 1e-6)));
      Array<double> blocks(memory(), mesh.n_nodes);
      K.local_diagonal_blocks(blocks);
      backend().multigrid_operations<double>(1).invert_blocks(
        mesh.n_nodes, Array<std::uint8_t>(memory(), mesh.n_nodes), blocks);
      const double eigenvalue = eigenvalue_of_smoother(
        backend(),
        blocks,
        random_vector(mesh.n_dofs(), 5),
        [&](auto &x, auto &y) { K.apply_unconstrained(x, y); },
        60,
        1);
      EXPECT_LT(eigenvalue, bound);
      EXPECT_GT(eigenvalue, 0.6 * bound);
    }
}

// Temperatures are prescribed on two faces, and a source heats the rest.
TEST_P(ScalarTest, MultigridSolvesWithPrescribedValues)
{
  BoxMesh box = scalar_box(distorted({{8, 8, 8}}));
  hold_temperatures(box);
  const MeshHierarchy coarser = coarsen(box, 2);
  for (const CoarseLevel &level : coarser)
    EXPECT_EQ(level.mesh.n_components, 1u);
  const auto f = random_vector<double>(box.mesh.n_dofs(), 8);
  MultigridSettings all_levels;
  all_levels.direct_dofs = 0;
  for (const double contrast : {1., 1e-3})
    {
      const auto E             = conductivities(box, contrast);
      const auto expected      = reference_solution(box.mesh, E, f);
      const Solution in_double = solve<double>(backend(), box.mesh, coarser, E, f, all_levels),
                     in_mixed  = solve<float>(backend(), box.mesh, coarser, E, f, all_levels);
      EXPECT_LE(relative_difference(in_double.u, expected), 1e-8);
      EXPECT_LE(relative_difference(in_mixed.u, expected), 1e-8);
      EXPECT_LE(in_mixed.iterations(), in_double.iterations() + 1);
    }
}

// The temperature 1 + 2 x - y + z / 2 is the solution on any mesh, whatever the size.
TEST_P(ScalarTest, IterationsDoNotGrowWithTheMesh)
{
  const auto linear = [](const Position &x) { return 1. + 2. * x[0] - x[1] + 0.5 * x[2]; };
  std::vector<unsigned int> iterations;
  for (const std::size_t n : {8, 16, 32})
    {
      BoxMesh box = scalar_box(distorted({{n, n, n}}, 0.1));
      prescribe(
        box,
        [](const Position &X, int) {
          return X[0] == 0. || X[0] > 1. - 1e-9 || X[1] == 0. || X[1] > 1. - 1e-9 || X[2] == 0. ||
                 X[2] > 1. - 1e-9;
        },
        [&](const Position &x, int) { return linear(x); });
      const MeshHierarchy coarser = coarsen(box, n == 8 ? 1 : n == 16 ? 2 : 3);
      std::vector<double> expected;
      for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
        expected.push_back(linear(box.position(node)));
      const Solution solution = solve<double>(backend(),
                                              box.mesh,
                                              coarser,
                                              std::vector<double>(box.mesh.n_elements, 3.),
                                              std::vector<double>(box.mesh.n_dofs(), 0.));
      EXPECT_LE(relative_difference(solution.u, expected), 1e-9);
      iterations.push_back(solution.iterations());
    }
  EXPECT_LE(iterations[0], 12u);
  EXPECT_LE(iterations[1], iterations[0] + 2);
  EXPECT_LE(iterations[2], iterations[1] + 1);
}

TEST_P(ScalarTest, WhatIsMadeForDisplacementsRefusesScalars)
{
  BoxMesh box = scalar_box(distorted({{4, 4, 4}}));
  hold_temperatures(box);
  const MeshHierarchy coarser = coarsen(box, 1);
  const auto make             = [&](const std::string &strategy) {
    return ElasticityOperator<double>(backend(), Communicator(), box.mesh, Material(), strategy);
  };
  expect_error([&]() { make("on_the_fly"); },
               {"'on_the_fly'", "the mesh has 1 component", "ebe, nbn"});
  ElasticityOperator<double> K = make("nbn");
  const Array<double> ones(memory(), std::vector<double>(box.mesh.n_elements, 1.));
  expect_error([&]() { K.set(Stiffness::of_lame(ones, ones)); },
               {"Lame's parameters", "the mesh has 1 component"});
  for (const CoarseOperators kind : {CoarseOperators::galerkin, CoarseOperators::aggregation})
    {
      MultigridSettings settings;
      settings.strategy         = "nbn";
      settings.coarse_operators = kind;
      settings.direct_dofs      = 0;
      expect_error(
        [&]() {
          make_multigrid<double, double>(backend(), {box.mesh, Material(), coarser}, settings);
        },
        {kind == CoarseOperators::galerkin ? "Galerkin" : "aggregation", "the mesh has 1"});
    }
  MeshHierarchy of_displacements        = coarser;
  of_displacements[0].mesh.n_components = 3;
  expect_error(
    [&]() {
      make_multigrid<double, double>(backend(), {box.mesh, Material(), of_displacements}, {});
    },
    {"Level 2", "3 components", "the mesh has 1"});
  expect_error([&]() { backend().multigrid_operations<double>(2); }, {"2 components", "Take 3"});
}

INSTANTIATE_TEST_SUITE_P(Core, ScalarTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
