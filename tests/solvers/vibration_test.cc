// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The lowest modes of vibration: the eigenvalue solver, and the modes of structures.
#include "../fixtures/adapted_box.h"
#include "../fixtures/backends.h"
#include "../fixtures/box_hierarchy.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/errors.h"
#include "../fixtures/vectors.h"
#include "source/backend/mass_matrix.h"
#include "source/solvers/eigen/dense_eigen.h"
#include "source/solvers/state/vibration.h"

#include <strut/solvers/state/state_solver.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace strut::test
{
namespace
{
// 2 - 2 cos(k pi / (n + 1)): the second difference.
TEST(DenseEigen, OfTheSecondDifference)
{
  constexpr std::size_t n = 12;
  std::vector<double> A(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
    {
      A[i * n + i] = 2.;
      if (i > 0)
        A[i * n + i - 1] = A[(i - 1) * n + i] = -1.;
    }
  const DenseEigen eigen = dense_eigen(A, n);
  for (std::size_t k = 0; k < n; ++k)
    {
      EXPECT_NEAR(eigen.values[k],
                  2. - 2. * std::cos(static_cast<double>(k + 1) * M_PI / (n + 1.)),
                  1e-14);
      for (std::size_t l = 0; l <= k; ++l)
        {
          double product = 0.;
          for (std::size_t i = 0; i < n; ++i)
            product += eigen.vectors[i * n + k] * eigen.vectors[i * n + l];
          EXPECT_NEAR(product, k == l ? 1. : 0., 1e-14);
        }
    }
}

// If the second matrix of a pair has a null space, vectors are orthonormal in B, and so are steps
// with them.
TEST(DenseEigen, OfAPairWithANullSpace)
{
  constexpr std::size_t n = 7, m = 2;
  const std::vector<double> R = random_vector(n * n, 3);
  std::vector<double> A(n * n, 0.), B(n * n, 0.);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k)
        {
          A[i * n + j] += R[k * n + i] * R[k * n + j];
          B[i * n + j] += k < n - 2 ? R[i * n + k] * R[j * n + k] : 0.; // has rank n - 2
        }
  const RitzVectors ritz = lowest_ritz_vectors(A, B, n, m);
  ASSERT_TRUE(ritz.found);
  ASSERT_EQ(ritz.n_steps, m);
  std::vector<std::vector<double>> all;
  for (std::size_t j = 0; j < 2 * m; ++j)
    {
      std::vector<double> column(n);
      for (std::size_t i = 0; i < n; ++i)
        column[i] = j < m ? ritz.vectors[i * m + j] : ritz.steps[i * m + j - m];
      all.push_back(column);
    }
  const auto form = [&](const std::vector<double> &M, const std::size_t p, const std::size_t q) {
    double sum = 0.;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        sum += all[p][i] * M[i * n + j] * all[q][j];
    return sum;
  };
  for (std::size_t p = 0; p < 2 * m; ++p)
    for (std::size_t q = 0; q < 2 * m; ++q)
      {
        EXPECT_NEAR(form(B, p, q), p == q ? 1. : 0., 1e-9);
        if (p < m && q < m)
          {
            EXPECT_NEAR(form(A, p, q), p == q ? ritz.values[p] : 0., 1e-8 * ritz.values[1]);
          }
      }
}

class VibrationTest : public PlaceTest
{
protected:
  /// Expects that the energies of each mode balance, and that modes are orthonormal in the mass.
  VibrationReport modes_of(const ElementMesh &mesh,
                           const MassKind kind,
                           const std::size_t n,
                           const bool random      = false,
                           const double tolerance = 1e-9)
  {
    const auto state                    = make_state_solver(execution(),
                                         {mesh, {2., 0.3}},
                                         {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}},
                                         StateSettings());
    const std::vector<double> stiffness = random_vector(mesh.n_elements, 1, 0.2, 1.);
    const std::vector<double> masses    = random_vector(mesh.n_elements, 2, 0.2, 1.);
    const std::vector<double> ones(mesh.n_elements, 1.);
    const auto &E = random ? stiffness : ones, &m = random ? masses : ones;
    state->set_stiffness(Array<double>(memory(), E));
    const auto mass = backend().make_mass_matrix(mesh, kind);
    const Array<double> factors(memory(), m);
    const VibrationReport report = state->solve_vibration(*mass, factors, {n, tolerance, 2000});
    Array<double> energies(memory(), mesh.n_elements), product(memory(), mesh.n_dofs());
    for (std::size_t i = 0; i < n; ++i)
      {
        state->mode_energies(i, energies);
        EXPECT_NEAR(dot(E, energies.to_host()),
                    report.eigenvalues[i],
                    1e-10 * report.eigenvalues[i]);
        mass->energies(state->mode(i), energies);
        EXPECT_NEAR(dot(m, energies.to_host()), 1., 1e-10);
        mass->apply(factors, state->mode(i), product);
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_NEAR(dot(product.to_host(), state->mode(j).to_host()), 0., 1e-9);
      }
    return report;
  }
};

// A bar of square section. Its bending modes come in pairs, and equal those of a slender beam,
// (1.8751 / L)^4 E I / (rho A), except for shear.
TEST_P(VibrationTest, PairsOfABar)
{
  const BoxMesh box = held_box(BoxOptions::regular({{24, 3, 3}}, {{24., 1., 1.}}));
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped})
    {
      const VibrationReport report =
        modes_of(box.mesh, kind, 3, false, 1e-6); // K is 1e6 times lambda M
      // rounding of K x alone is 2e-10 of them
      EXPECT_NEAR(report.eigenvalues[0], report.eigenvalues[1], 1e-9 * report.eigenvalues[0]);
      EXPECT_GT(report.eigenvalues[2], 10. * report.eigenvalues[1]);
    }
}

// For axial motion of bars, K and M of linear elements have omega^2 = 6 E / (rho h^2) (1 - cos a) /
// (2 + cos a). With a lumped mass it is 2 E / (rho h^2) (1 - cos a). The first mode has a = pi / (2
// n).
TEST_P(VibrationTest, AxialMotionOfABar)
{
  constexpr std::size_t n = 10;
  BoxMesh box = make_box(BoxOptions::regular({{n, 1, 1}}, {{static_cast<double>(n), 1., 1.}}));
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    for (LocalIndex c = 0; c < 3; ++c)
      if (c > 0 || box.mesh.coordinates[node] < 1e-9)
        {
          box.mesh.constrained_dofs.push_back(3 * static_cast<LocalIndex>(node) + c);
          box.mesh.constrained_values.push_back(0.);
        }
  // Poisson's ratio 0.3, held sideways: lambda + 2 mu in place of E
  const double modulus = 2. * 0.7 / (1.3 * 0.4), c = std::cos(0.5 * M_PI / n);
  const double consistent = 6. * modulus * (1. - c) / (2. + c), lumped = 2. * modulus * (1. - c);
  EXPECT_NEAR(modes_of(box.mesh, MassKind::consistent, 1).eigenvalues[0], consistent, 1e-10);
  EXPECT_NEAR(modes_of(box.mesh, MassKind::lumped, 1).eigenvalues[0], lumped, 1e-10);
}

// Hanging nodes follow: random stiffness and mass.
TEST_P(VibrationTest, HangingNodes)
{
  const AdaptedBox box(4, [](const double x, const double y, double) { return x > 2. && y > 1.; });
  ASSERT_GT(box.n_hanging_elements, 0u);
  for (const MassKind kind : {MassKind::consistent, MassKind::lumped})
    modes_of(box.mesh, kind, 4, true);
}

/// Eigenvalues of several designs, one after the other, with one solver.
class ModesOfDesigns
{
public:
  ModesOfDesigns(Backend &backend,
                 const ElementMesh &mesh,
                 const StateSettings &settings = StateSettings())
    : backend_(backend)
    , mesh_(mesh)
    , state_(make_state_solver({backend, Communicator(), timing_},
                               {mesh, {2., 0.3}},
                               {{"none", 1., std::vector<double>(mesh.n_dofs(), 0.)}},
                               settings))
    , mass_(backend.make_mass_matrix(mesh, MassKind::consistent))
  {}

  VibrationReport solve(const std::vector<double> &stiffness,
                        const std::vector<double> &masses,
                        const std::size_t n,
                        const double tolerance = 1e-9)
  {
    state_->set_stiffness(Array<double>(backend_.memory(), stiffness));
    factors_ = Array<double>(backend_.memory(), masses);
    return state_->solve_vibration(*mass_, factors_, {n, tolerance, 2000});
  }

  /// The product of mode i with a vector, in the mass of the last design.
  double product(const std::size_t i, const std::vector<double> &x) const
  {
    Array<double> Mx(backend_.memory(), mesh_.n_dofs());
    mass_->apply(factors_, state_->mode(i), Mx);
    return dot(Mx.to_host(), x);
  }

  std::vector<double> mode(const std::size_t i) const
  {
    return state_->mode(i).to_host();
  }

private:
  Backend &backend_;
  const ElementMesh &mesh_;
  TimingTable timing_;
  std::unique_ptr<StateSolver> state_;
  std::unique_ptr<MassMatrix> mass_;
  Array<double> factors_;
};

// The modes of a similar design are a better start than waves, and lead to the same result, also
// for more or fewer modes.
TEST_P(VibrationTest, BeginsWithTheModesOfBefore)
{
  BoxMesh box                    = held_box(BoxOptions::wild({{6, 4, 4}}, 1));
  const std::size_t n_elements   = box.mesh.n_elements;
  const std::vector<double> ones = std::vector<double>(n_elements, 1.),
                            near = random_vector(n_elements, 1, 0.95, 1.05),
                            far  = random_vector(n_elements, 2, 0.1, 1.);
  ModesOfDesigns warm(backend(), box.mesh);
  warm.solve(ones, ones, 3);
  for (const auto &design : {near, far})
    for (const std::size_t n : {3, 5, 2})
      {
        ModesOfDesigns cold(backend(), box.mesh);
        const VibrationReport expected = cold.solve(design, design, n);
        const VibrationReport found    = warm.solve(design, design, n);
        ASSERT_EQ(found.eigenvalues.size(), n);
        for (std::size_t i = 0; i < n; ++i)
          EXPECT_NEAR(found.eigenvalues[i],
                      expected.eigenvalues[i],
                      1e-12 * expected.eigenvalues[i]);
        if (design == near)
          {
            EXPECT_LT(found.iterations, expected.iterations) << n << " modes";
          }
      }
}

// A body with two planes of symmetry, first with a heavy core, whose lowest modes bend and stretch
// it. Then its edges are so heavy that the lowest mode rotates it. The previous modes have no such
// component.
TEST_P(VibrationTest, FindsAModeThatComesFromAbove)
{
  const BoxMesh box = held_box(BoxOptions::unit_cubes({{2, 4, 4}}));
  const std::vector<double> ones(box.mesh.n_elements, 1.);
  std::vector<double> core = ones, edges = ones;
  for (std::size_t e = 0; e < ones.size(); ++e)
    {
      const bool outer[2] = {box.element_at[e][1] % 3 == 0, box.element_at[e][2] % 3 == 0};
      if (!outer[0] && !outer[1])
        core[e] = 30.;
      if (outer[0] && outer[1])
        edges[e] = 30.;
    }
  ModesOfDesigns warm(backend(), box.mesh), cold(backend(), box.mesh);
  warm.solve(ones, core, 3); // so that the whole block of one mode has converged
  const VibrationReport expected = cold.solve(ones, edges, 1);
  for (std::size_t i = 0; i < 3; ++i) // that block
    ASSERT_NEAR(cold.product(0, warm.mode(i)), 0., 1e-3) << i;
  // loosely, so that it does not grow from rounding
  const VibrationReport found = warm.solve(ones, edges, 1, 1e-2);
  EXPECT_NEAR(found.eigenvalues[0], expected.eigenvalues[0], 1e-2 * expected.eigenvalues[0]);

  ModesOfDesigns roughly(backend(), box.mesh); // vectors beyond the mode are only near to modes
  roughly.solve(ones, core, 1);
  EXPECT_NEAR(roughly.solve(ones, edges, 1, 1e-2).eigenvalues[0],
              expected.eigenvalues[0],
              1e-2 * expected.eigenvalues[0]);
}

// Many modes of slender bodies, whose long waves are nearly dependent. Bending modes of a square
// section come in pairs with the same eigenvalue, so a missing mode would change the number of
// pairs.
TEST_P(VibrationTest, ManyModesOfSlenderBodies)
{
  struct Body
  {
    std::size_t n;
    double width, height;
  };
  for (const auto &[n, width, height] : {Body{20, 1., 1.}, Body{40, 1., 0.8}})
    for (const std::size_t n_modes : {22, 30})
      {
        BoxMesh box =
          held_box(BoxOptions::regular({{n, 1, 1}}, {{static_cast<double>(n), width, height}}));
        const std::vector<double> ones(box.mesh.n_elements, 1.);
        ModesOfDesigns bar(backend(), box.mesh);
        const VibrationReport report = bar.solve(ones, ones, n_modes, 1e-6);
        ASSERT_EQ(report.eigenvalues.size(), n_modes) << n;
        if (n_modes < 30)
          continue;
        // fewer modes have the same eigenvalues
        const VibrationReport few = ModesOfDesigns(backend(), box.mesh).solve(ones, ones, 12, 1e-6);
        for (std::size_t i = 0; i < 12; ++i)
          EXPECT_NEAR(report.eigenvalues[i], few.eigenvalues[i], 1e-8 * few.eigenvalues[i]) << i;
      }
}

/// Constrained DoFs of a part of a bar that is held at x = 0, and ends at planes along y and z.
/// @param odd  whether displacements change their sign at the plane of that component
std::vector<LocalIndex> held_at_planes(const BoxMesh &box,
                                       const std::array<bool, 3> &is_plane,
                                       const std::array<bool, 3> &odd)
{
  std::vector<LocalIndex> dofs;
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    for (std::size_t c = 0; c < 3; ++c)
      {
        bool is_held = box.reference[node][0] < 1e-9;
        for (const std::size_t normal : {1, 2})
          is_held = is_held || (is_plane[normal] && box.reference[node][normal] < 1e-9 &&
                                (c == normal) != odd[normal]);
        if (is_held)
          dofs.push_back(static_cast<LocalIndex>(3 * node + c));
      }
  return dofs;
}

// A half and a quarter of a bar have all modes of the whole, by multigrid in no more iterations for
// each kind. Factors are constant across the section, so that they are symmetric.
TEST_P(VibrationTest, PartsOfASymmetricBodyHaveAllOfItsModes)
{
  constexpr std::size_t n_modes = 8;
  StateSettings settings;
  settings.preconditioner.name = "multigrid";
  const auto solve             = [&](const std::array<bool, 3> &is_plane, const bool all = true) {
    const auto n    = [&](const std::size_t d) -> std::size_t { return is_plane[d] ? 4 : 8; };
    const auto size = [&](const std::size_t d, const double whole) {
      return is_plane[d] ? 0.5 * whole : whole;
    };
    BoxMesh box = make_box(
      BoxOptions::regular({{16, n(1), n(2)}}, {{8., size(1, 1.), size(2, 1.5)}}).shuffled());
    box.mesh.constrained_dofs = held_at_planes(box, is_plane, {});
    box.mesh.constrained_values.assign(box.mesh.constrained_dofs.size(), 0.);
    const MeshHierarchy coarser = coarsen(box, 2);
    std::vector<std::vector<LocalIndex>> others;
    for (const bool odd_y : {false, true})
      for (const bool odd_z : {false, true})
        if ((odd_y || odd_z) && (!odd_y || is_plane[1]) && (!odd_z || is_plane[2]))
          others.push_back(held_at_planes(box, is_plane, {{false, odd_y, odd_z}}));
    const auto state = make_state_solver(execution(),
                                         {box.mesh, {2., 0.3}, coarser, Solids::none(), others},
                                         {{"none", 1., std::vector<double>(box.mesh.n_dofs(), 0.)}},
                                         settings);
    std::vector<double> E;
    for (const auto &at : box.element_at)
      E.push_back(0.2 + static_cast<double>(at[0] * 7 % 16) / 16.);
    state->set_stiffness(Array<double>(memory(), E));
    const auto mass = backend().make_mass_matrix(box.mesh, MassKind::consistent);
    const Array<double> factors(memory(), std::vector<double>(box.mesh.n_elements, 1.));
    VibrationReport report = state->solve_vibration(*mass, factors, {n_modes, 1e-9, 2000, all});
    Array<double> energies(memory(), box.mesh.n_elements);
    for (std::size_t i = 0; i < n_modes; ++i)
      {
        state->mode_energies(i, energies);
        EXPECT_NEAR(dot(E, energies.to_host()),
                    report.eigenvalues[i],
                    1e-9 * report.eigenvalues[i]);
      }
    report.iterations /= static_cast<unsigned int>(all ? 1 + others.size() : 1);
    return report;
  };
  const VibrationReport whole = solve({});
  for (const std::array<bool, 3> &is_plane :
       {std::array<bool, 3>{{false, true, false}}, std::array<bool, 3>{{false, true, true}}})
    {
      const VibrationReport part = solve(is_plane);
      for (std::size_t i = 0; i < n_modes; ++i)
        EXPECT_NEAR(part.eigenvalues[i], whole.eigenvalues[i], 1e-9 * whole.eigenvalues[i]) << i;
      EXPECT_LE(part.iterations, whole.iterations + 5);
      EXPECT_GT(solve(is_plane, false).eigenvalues[0], 1.5 * whole.eigenvalues[0]);
    }
}

// Masses of nodes as those of the lumped matrix halve the eigenvalues, and modes are orthonormal in
// the sum of both.
TEST_P(VibrationTest, MassesOfNodes)
{
  const BoxMesh box   = held_box(BoxOptions::wild({{6, 3, 2}}, 3));
  const std::size_t n = box.mesh.n_elements;
  const auto lumped   = backend().make_mass_matrix(box.mesh, MassKind::lumped);
  const Array<double> factors(memory(), random_vector(n, 2, 0.2, 1.));
  Array<double> of_nodes(memory(), box.mesh.n_dofs());
  lumped->apply(factors,
                Array<double>(memory(), std::vector<double>(box.mesh.n_dofs(), 1.)),
                of_nodes);
  const std::vector<double> of_dofs = of_nodes.to_host();
  std::vector<double> masses;
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    masses.push_back(2. * of_dofs[3 * node]);
  const auto solve = [&](const std::vector<double> &masses, const double factor) {
    const auto state = make_state_solver(execution(),
                                         {box.mesh,
                                          {2., 0.3},
                                          Structure::no_coarser_meshes(),
                                          Solids::none(),
                                          Structure::no_other_supports(),
                                          masses},
                                         {{"none", 1., std::vector<double>(box.mesh.n_dofs(), 0.)}},
                                         StateSettings());
    state->set_stiffness(Array<double>(memory(), random_vector(n, 1, 0.2, 1.)));
    const VibrationReport report =
      state->solve_vibration(*lumped, factors, {4, 1e-9, 2000, false, factor});
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        {
          const std::vector<double> a = state->mode(i).to_host(), b = state->mode(j).to_host();
          double product = 0.;
          for (std::size_t dof = 0; dof < a.size(); ++dof)
            product +=
              a[dof] * b[dof] * (of_dofs[dof] + (masses.empty() ? 0. : factor * masses[dof / 3]));
          EXPECT_NEAR(product, i == j ? 1. : 0., 1e-9);
        }
    return report.eigenvalues;
  };
  const std::vector<double> without = solve({}, 1.), with = solve(masses, 0.5);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(with[i], 0.5 * without[i], 1e-9 * without[i]);
}

// Numbers that are none are said so, and the next solve begins anew.
TEST_P(VibrationTest, RefusesWhatIsNoNumber)
{
  BoxMesh box = held_box(BoxOptions::regular({{4, 2, 2}}));
  const std::vector<double> ones(box.mesh.n_elements, 1.),
    none(box.mesh.n_elements, std::numeric_limits<double>::quiet_NaN());
  ModesOfDesigns structure(backend(), box.mesh);
  const double expected = structure.solve(ones, ones, 2).eigenvalues[0];
  expect_error<SolverFailure>([&]() { structure.solve(ones, none, 2); }, {"no numbers"});
  EXPECT_NEAR(structure.solve(ones, ones, 2).eigenvalues[0], expected, 1e-12 * expected);
}

// With deterministic settings a solve has the same bits, regardless of previous solves.
TEST_P(VibrationTest, HasTheSameBitsWhateverWasSolvedBefore)
{
  if (GetParam() == Place::cuda)
    GTEST_SKIP() << "sums depend on the order there";
  BoxMesh box = held_box(BoxOptions::wild({{6, 4, 4}}, 1));
  const std::vector<double> ones(box.mesh.n_elements, 1.),
    other = random_vector(box.mesh.n_elements, 1, 0.5, 1.);
  StateSettings settings;
  settings.preconditioner.deterministic = true;
  ModesOfDesigns once(backend(), box.mesh, settings), twice(backend(), box.mesh, settings);
  twice.solve(other, ones, 3);
  EXPECT_TRUE(
    same_bits(once.solve(ones, ones, 3).eigenvalues, twice.solve(ones, ones, 3).eigenvalues));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_TRUE(same_bits(once.mode(i), twice.mode(i)));
}

// No more than there are, of so small a structure.
TEST_P(VibrationTest, RefusesMoreModesThanThereAre)
{
  BoxMesh box = make_box(BoxOptions::regular({{1, 1, 1}})); // twelve DoFs are free
  hold_left_face(box);
  const std::vector<double> ones(1, 1.);
  ModesOfDesigns structure(backend(), box.mesh);
  EXPECT_EQ(structure.solve(ones, ones, 10).eigenvalues.size(), 10u);
  expect_error<SolverFailure>([&]() { structure.solve(ones, ones, 11); },
                              {"fewer modes of vibration than 13"});
}

INSTANTIATE_TEST_SUITE_P(Core, VibrationTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
