// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"
#include "source/base/packed_values.h"

#include <strut/solvers/state/state_solver.h>

namespace strut::test
{
namespace
{
class StateSolverTest : public StrategyTest
{
protected:
  bool is_double() const
  {
    return GetParam().precision == Precision::fp64;
  }
  /// Tolerance 1e-12, or 1e-5 in single precision, the best possible.
  double tolerance() const
  {
    return is_double() ? 1e-12 : 1e-5;
  }

  std::unique_ptr<StateSolver> make(const BoxMesh &box,
                                    const std::vector<LoadCase> &loads,
                                    const std::vector<double> &factors,
                                    const InitialGuess initial_guess = InitialGuess::extrapolated,
                                    const double tolerance_of_solves = 0.)
  {
    StateSettings settings;
    settings.strategy          = GetParam().strategy;
    settings.control.tolerance = tolerance_of_solves > 0. ? tolerance_of_solves : tolerance();
    settings.initial_guess     = initial_guess;
    settings.precision         = GetParam().precision;
    auto state                 = make_state_solver(execution(), {box.mesh}, loads, settings);
    state->set_stiffness(Array<double>(memory(), factors));
    return state;
  }
};

Position linear(const Position &x)
{
  return {{0.1 + 0.3 * x[0] - 0.2 * x[1] + 0.5 * x[2],
           -0.2 + 0.4 * x[0] + 0.1 * x[1] - 0.3 * x[2],
           0.3 - 0.1 * x[0] + 0.2 * x[1] + 0.6 * x[2]}};
}

// Patch test: u = a + H x, prescribed on the boundary of a distorted mesh, is the displacement
// inside, for any H (with rotation) and uniform material.
TEST_P(StateSolverTest, PassesThePatchTest)
{
  for (const unsigned int seed : {1u, 2u})
    {
      BoxMesh box = make_box(BoxOptions::wild({{5, 4, 4}}, seed));
      prescribe(
        box,
        [&](const Position &X, int) {
          for (std::size_t d = 0; d < 3; ++d)
            if (X[d] < 1e-12 || X[d] > box.options.size[d] - 1e-12)
              return true;
          return false;
        },
        [](const Position &x, const int c) { return linear(x)[static_cast<std::size_t>(c)]; });
      auto state = make(box,
                        {{"patch", 1., std::vector<double>(box.mesh.n_dofs(), 0.)}},
                        std::vector<double>(box.mesh.n_elements, 0.7));
      state->solve(0);
      std::vector<double> expected(box.mesh.n_dofs());
      for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
        for (std::size_t c = 0; c < 3; ++c)
          expected[3 * node + c] = linear(box.position(node))[c];
      EXPECT_LE(relative_difference(state->displacement(0), expected), 100. * tolerance());
      ASSERT_LT(box.mesh.constrained_dofs.size(), box.mesh.n_dofs());
    }
}

// Forces and prescribed displacements together, two load cases, unequal stiffness: displacements,
// work of the loads and energies are those of a dense factorisation.
TEST_P(StateSolverTest, EqualsADirectSolver)
{
  BoxMesh box = held_box(make_box(BoxOptions::wild({{4, 3, 2}}, 7)));
  move_right_face(box, 0.4);
  const auto E                      = random_vector(box.mesh.n_elements, 8, 0.1, 1.);
  const std::vector<LoadCase> loads = {{"down", 1., edge_load(box)},
                                       {"random", 2., random_vector(box.mesh.n_dofs(), 9)}};
  const ReferenceStiffness reference(box.mesh, {}, E);
  auto state = make(box, loads, E);
  ASSERT_EQ(state->n_load_cases(), 2u);
  for (std::size_t l = 0; l < 2; ++l)
    {
      const auto report = state->solve(l);
      EXPECT_GT(report.iterations, 0u);
      EXPECT_LE(report.residual, tolerance());
      const std::vector<double> forces = loads[l].forces.dense();
      const auto u                     = reference.solve(forces);
      EXPECT_LE(relative_difference(state->displacement(l), u), 1e3 * tolerance());
      EXPECT_NEAR(state->work_of_loads(l),
                  dot(forces, u),
                  1e3 * tolerance() * norm(forces) * norm(u));
      Array<double> c(memory(), poison<double>(box.mesh.n_elements));
      state->energies(l, c);
      EXPECT_LE(relative_difference(c.to_host(), reference.energies(u)), 1e3 * tolerance());
    }
}

// A thin bar in a soft surrounding carries little, while the moved face is held by stiff elements.
// The residual is small relative to the reactions, but not relative to the forces that would move
// the face's nodes alone.
TEST_P(StateSolverTest, MeasuresPrescribedDisplacementsByTheirReactions)
{
  BoxMesh box = held_box(make_box(BoxOptions::wild({{8, 4, 4}}, 7)));
  move_right_face(box, 0.4);
  std::vector<double> E(box.mesh.n_elements, 1e-3);
  for (std::size_t e = 0; e < E.size(); ++e)
    if (const auto &at = box.element_at[e]; at[0] > 5 || (at[1] == 1 && at[2] == 1))
      E[e] = 1.;
  const std::vector<double> none(box.mesh.n_dofs(), 0.);
  auto state        = make(box, {{"none", 1., none}}, E);
  const auto report = state->solve(0);
  const double most =
    is_double() ? 1e-11
                : 1e-2; // the precision allows little less; by |f - K g| it is 4e-9 and more
  EXPECT_LE(report.residual, most);

  const ReferenceStiffness reference(box.mesh, {}, E);
  const auto f                           = reference.apply(state->displacement(0));
  const std::vector<bool> is_constrained = constrained_flags(box.mesh);
  const auto u                           = state->displacement(0);
  double residual = 0., work = 0., moves = 0.;
  for (std::size_t dof = 0; dof < f.size(); ++dof)
    if (is_constrained[dof])
      {
        work += u[dof] * f[dof];
        moves += u[dof] * u[dof];
      }
    else
      residual += f[dof] * f[dof];
  EXPECT_GT(work, 0.);
  EXPECT_LE(std::sqrt(residual), 1.01 * most * work / std::sqrt(moves));
}

// A warm start from the solution has nothing left to do. A cold one repeats all iterations, except
// for differences by the order of atomics.
TEST_P(StateSolverTest, WarmStartBeginsWithTheLastDisplacement)
{
  BoxMesh box = held_box(make_box(BoxOptions::wild({{4, 3, 2}}, 7)));
  const std::vector<double> E(box.mesh.n_elements, 1.);
  auto cold               = make(box, {{"down", 1., edge_load(box)}}, E, InitialGuess::zero);
  const auto n_iterations = cold->solve(0).iterations;
  EXPECT_NEAR(cold->solve(0).iterations, n_iterations, 3.);
  auto warm = make(box, {{"down", 1., edge_load(box)}}, E, InitialGuess::previous);
  EXPECT_NEAR(warm->solve(0).iterations, n_iterations, 3.);
  EXPECT_LE(warm->solve(0).iterations, n_iterations / 4); // rounding may leave a step
  auto restarted = make(box, {{"down", 1., edge_load(box)}}, E, InitialGuess::previous);
  restarted->set_displacement(0, warm->displacement(0));
  EXPECT_LE(restarted->solve(0).iterations, n_iterations / 4);
}

// The line through the last two displacements, 0 and u, contains the displacement for another E, so
// nothing is left to solve.
TEST_P(StateSolverTest, ExtrapolatesAlongTheLastChange)
{
  BoxMesh box = held_box(make_box(BoxOptions::wild({{4, 3, 2}}, 7)));
  const Array<double> soft(memory(), std::vector<double>(box.mesh.n_elements, 0.25));
  const auto again = [&](const InitialGuess guess) {
    auto state    = make(box,
                      {{"down", 1., edge_load(box)}},
                      std::vector<double>(box.mesh.n_elements, 1.),
                      guess);
    const auto n  = state->solve(0).iterations;
    const auto u  = state->displacement(0);
    const auto u0 = state->displacement_before(0);
    EXPECT_EQ(u0.empty(), guess != InitialGuess::extrapolated);
    EXPECT_TRUE(std::all_of(u0.multiples.begin(), u0.multiples.end(), [](const std::int32_t i) {
      return i == 0;
    }));
    state->set_stiffness(soft);
    const auto second = state->solve(0).iterations;
    EXPECT_TRUE(guess != InitialGuess::extrapolated ||
                state->displacement_before(0).multiples != u0.multiples);
    return std::make_pair(n, second);
  };
  const auto [first, extrapolated] = again(InitialGuess::extrapolated);
  EXPECT_LE(extrapolated, first / 4); // rounding may leave a step
  EXPECT_GE(again(InitialGuess::previous).second, first / 2);
}

// Solves start where they would with both displacements in double, and take as many iterations or
// one more or less. The stiffness changes less and less, as in a run. The reference sets each start
// itself.
TEST_P(StateSolverTest, ExtrapolatesAsWithBothDisplacementsInDouble)
{
  if (!is_double())
    return;
  BoxMesh box                       = held_box(make_box(BoxOptions::wild({{6, 5, 4}}, 7)));
  const std::size_t n               = box.mesh.n_elements;
  const std::vector<double> forces  = edge_load(box);
  const std::vector<LoadCase> loads = {{"down", 1., forces}};
  std::vector<double> factors       = random_vector(n, 3, 0.1, 1.);
  const std::vector<double> changes = random_vector(n, 4, -0.5, 0.5);
  const auto state                  = make(box, loads, factors);
  const auto reference              = make(box, loads, factors, InitialGuess::previous);
  ElasticityOperator<double> K(
    backend(), Communicator(), box.mesh, Material(), GetParam().strategy);
  std::vector<double> before(box.mesh.n_dofs(), 0.);
  for (int design = 0; design < 6; ++design)
    {
      const Array<double> of_design(memory(), factors);
      state->set_stiffness(of_design);
      reference->set_stiffness(of_design);
      K.set(of_design);
      const std::vector<double> u = reference->displacement(0);
      std::vector<double> w(u.size());
      for (std::size_t i = 0; i < u.size(); ++i)
        w[i] = u[i] - before[i];
      Array<double> on_u(memory(), u), on_w(memory(), w), Ku(memory(), u.size()),
        Kw(memory(), u.size());
      K.apply(on_u, Ku);
      K.apply(on_w, Kw);
      const auto &vectors = backend().vector_operations<double>();
      Array<double> f(memory(), forces);
      K.zero_constrained(f);
      const double energy = vectors.dot(u.size(), on_w, Kw);
      const double length =
        (vectors.dot(u.size(), on_w, f) - vectors.dot(u.size(), on_w, Ku)) / energy;
      std::vector<double> start = u;
      for (std::size_t i = 0; i < u.size() && energy > 0.; ++i)
        start[i] += length * w[i];
      reference->set_displacement(0, start);
      before                = u;
      const auto expected   = reference->solve(0).iterations;
      const auto iterations = state->solve(0).iterations;
      // of some hundred that a start from zero takes
      EXPECT_NEAR(iterations, expected, 1) << design;
      EXPECT_LE(relative_difference(state->displacement(0), reference->displacement(0)), 1e-10);
      EXPECT_LE(relative_difference(to_doubles(state->displacement_before(0)), before), 1e-9);
      for (std::size_t e = 0; e < n; ++e)
        factors[e] *= 1. + changes[e] * std::pow(0.2, design);
    }
}

// Adjoint solves start from the solution that was kept under their number. For any multiple of the
// last right-hand side nothing is left to solve. Energies are those of a solve from zero.
TEST_P(StateSolverTest, AdjointsBeginWithTheKeptOnes)
{
  BoxMesh box                 = held_box(make_box(BoxOptions::wild({{4, 3, 2}}, 7)));
  const std::vector<double> E = random_vector(box.mesh.n_elements, 5, 0.5, 1.);
  const auto a = random_vector(box.mesh.n_dofs(), 1), g = random_vector(box.mesh.n_dofs(), 2);
  std::vector<double> larger = g;
  for (double &value : larger)
    value *= -1e3;
  const auto make_solved = [&](const InitialGuess guess) {
    auto state = make(box, {{"down", 1., edge_load(box)}}, E, guess);
    state->solve(0);
    return state;
  };
  Array<double> energies(memory(), box.mesh.n_elements);
  const auto iterations = [&](StateSolver &state, const std::vector<double> &g) {
    return state.adjoint_energies(0, Array<double>(memory(), g), energies).iterations;
  };
  const auto cold          = make_solved(InitialGuess::zero);
  const unsigned int n     = iterations(*cold, g);
  const auto of_cold       = energies.to_host();
  const double of_rounding = is_double() ? 1e-9 : 1e-3;
  for (const InitialGuess guess : {InitialGuess::previous, InitialGuess::extrapolated})
    {
      const auto warm = make_solved(guess);
      for (const auto &of_number : {a, g})
        {
          warm->select_adjoint(7);
          EXPECT_NEAR(iterations(*warm, of_number), n, 0.2 * n + 3.);
        }
      EXPECT_EQ(warm->adjoints(), std::vector<std::size_t>{7});
      const auto restarted = make_solved(guess);
      restarted->set_adjoint(7, warm->adjoint(7));
      for (StateSolver *const state : {warm.get(), restarted.get()})
        {
          EXPECT_NEAR(iterations(*state, larger), n, 3.); // none is selected
          const auto from_zero = energies.to_host();
          state->select_adjoint(8);
          EXPECT_NEAR(iterations(*state, larger), n, 3.); // nothing is kept there
          state->select_adjoint(7);
          EXPECT_LE(iterations(*state, larger), n / 4); // rounding may leave a step
          EXPECT_LE(relative_difference(energies.to_host(), from_zero), of_rounding);
          state->select_adjoint(7);
          EXPECT_LE(iterations(*state, std::vector<double>(g.size(), 0.)), 0u);
          EXPECT_EQ(max_norm(energies.to_host()), 0.);
          state->select_adjoint(7); // the last one is zero
          EXPECT_LE(iterations(*state, g), n + 3);
          EXPECT_LE(relative_difference(energies.to_host(), of_cold), of_rounding);
        }
      cold->select_adjoint(7);
      EXPECT_NEAR(iterations(*cold, g), n, 3.);
      EXPECT_TRUE(cold->adjoints().empty());
    }
}

// The residual of an adjoint is the true one, by its own tolerance.
TEST_P(StateSolverTest, ReportsTheResidualOfAdjoints)
{
  BoxMesh box                   = held_box(make_box(BoxOptions::wild({{4, 3, 2}}, 7)));
  const auto E                  = random_vector(box.mesh.n_elements, 5, 0.5, 1.);
  const double of_displacements = is_double() ? 1e-6 : 1e-4;
  const auto state =
    make(box, {{"down", 1., edge_load(box)}}, E, InitialGuess::extrapolated, of_displacements);
  auto g = random_vector(box.mesh.n_dofs(), 1);
  Array<double> energies(memory(), box.mesh.n_elements);
  state->select_adjoint(0);
  const auto report = state->adjoint_energies(0, Array<double>(memory(), g), energies);
  EXPECT_LE(report.residual, 10. * of_displacements);
  auto residual = ReferenceStiffness(box.mesh, {}, E).apply(state->adjoint(0));
  for (std::size_t i = 0; i < g.size(); ++i)
    residual[i] -= g[i];
  for (const LocalIndex dof : box.mesh.constrained_dofs)
    residual[dof] = g[dof] = 0.;
  EXPECT_NEAR(norm(residual) / norm(g),
              report.residual,
              (is_double() ? 1e-6 : 0.1) * report.residual);
}

TEST(AdjointToleranceTest, IsTenTimesThatOfDisplacements)
{
  SolverControl control;
  for (const auto &[tolerance, expected] : {std::make_pair(1e-10, 1e-9),
                                            std::make_pair(1e-5, 1e-4),
                                            std::make_pair(5e-4, 1e-3),
                                            std::make_pair(1e-3, 1e-3),
                                            std::make_pair(0.1, 0.1)})
    {
      control.tolerance = tolerance;
      control.criterion = SolverControl::Criterion::relative;
      EXPECT_DOUBLE_EQ(adjoint_tolerance(control), expected);
      for (const auto other :
           {SolverControl::Criterion::absolute, SolverControl::Criterion::preconditioned})
        {
          control.criterion = other;
          EXPECT_EQ(adjoint_tolerance(control), tolerance);
        }
    }
}

// u scales with 1 / E.
TEST_P(StateSolverTest, FollowsTheStiffness)
{
  BoxMesh box = held_box(make_box(BoxOptions::wild({{3, 2, 2}}, 7)));
  auto state =
    make(box, {{"down", 1., edge_load(box)}}, std::vector<double>(box.mesh.n_elements, 1.));
  state->solve(0);
  auto u = state->displacement(0);
  state->set_stiffness(Array<double>(memory(), std::vector<double>(box.mesh.n_elements, 0.25)));
  state->solve(0);
  for (double &value : u)
    value *= 4.;
  EXPECT_LE(relative_difference(state->displacement(0), u), 1e3 * tolerance());
}

INSTANTIATE_TEST_SUITE_P(Core, StateSolverTest, of_all_strategies(), strategy_case_name);

// A failure says which load case it was.
TEST(StateSolverErrors, NameTheLoadCase)
{
  const auto backend = make_cpu_backend(1);
  BoxMesh box        = held_box(BoxOptions::regular({{3, 2, 2}}));
  TimingTable timing;
  StateSettings settings;
  settings.control.max_iterations = 2;
  auto state                      = make_state_solver({*backend, Communicator(), timing},
                                 {box.mesh},
                                 {{"wind", 1., edge_load(box)}},
                                 settings);
  state->set_stiffness(
    Array<double>(backend->memory(), std::vector<double>(box.mesh.n_elements, 1.)));
  expect_error<SolverFailure>([&]() { state->solve(0); }, {"'wind'"});
  Array<double> w(backend->memory(), box.mesh.n_elements);
  const Array<double> g(backend->memory(), random_vector(box.mesh.n_dofs(), 1));
  const std::string text = message_of<SolverFailure>([&]() { state->adjoint_energies(0, g, w); });
  EXPECT_EQ(text.find("Load case 'wind', second solve for derivatives (to ten times the "
                      "tolerance, 1e-3 at most): "),
            0u)
    << text;
  const Execution execution{*backend, Communicator(), timing};
  settings.preconditioner.name = "half";
  EXPECT_THROW(make_state_solver(execution, {box.mesh}, {}, settings), Error);
  settings.preconditioner.name = "multigrid"; // for a mesh without levels
  EXPECT_THROW(make_state_solver(execution, {box.mesh}, {}, settings), Error);
  settings.preconditioner.name = "jacobi";
  settings.precision           = Precision::mixed;
  EXPECT_THROW(make_state_solver(execution, {box.mesh}, {}, settings), Error);
  settings.precision             = Precision::fp64;
  settings.preconditioner.values = {{"Sweeps", 2.}};
  EXPECT_THROW(make_state_solver(execution, {box.mesh}, {}, settings), Error);
}
} // namespace
} // namespace strut::test
