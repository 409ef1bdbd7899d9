// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Stresses at the centres of elements, and their limits by the augmented Lagrangian function.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/errors.h"
#include "../fixtures/function_of_design.h"
#include "source/backend/element_stress.h"

#include <strut/optimization/responses/response.h>

namespace strut::test
{
namespace
{
const Material steel{2.1, 0.29};

class ElementStressTest : public PlaceTest
{
protected:
  template <typename Number>
  std::vector<double> stresses_of(const BoxMesh &box, const std::vector<Number> &u)
  {
    Array<double> stress(memory(), poison<double>(box.mesh.n_elements));
    backend().make_element_stress(box.mesh)->von_mises(steel, Array<Number>(memory(), u), stress);
    return stress.to_host();
  }

  template <typename Number>
  std::vector<double>
  slopes_of(const BoxMesh &box, const std::vector<double> &factors, const std::vector<Number> &u)
  {
    Array<double> g(memory(), poison<double>(box.mesh.n_dofs()));
    backend().make_element_stress(box.mesh)->add_up_slopes(steel,
                                                           Array<double>(memory(), factors),
                                                           Array<Number>(memory(), u),
                                                           g);
    return g.to_host();
  }

  static std::vector<float> in_float(const std::vector<double> &u)
  {
    return {u.begin(), u.end()};
  }
};

// A linear displacement gives the same stress in all elements, however distorted. The test computes
// von Mises' stress from the squares of the deviator, which the code does not use.
TEST_P(ElementStressTest, OfALinearDisplacementIsExact)
{
  const double gradient[3][3] = {{0.3, -0.2, 0.5}, {0.7, -0.4, 0.1}, {-0.6, 0.2, 0.9}};
  double trace = 0., square = 0.;
  for (int i = 0; i < 3; ++i)
    trace += gradient[i][i];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      {
        const double deviator =
          steel.mu() * (gradient[i][j] + gradient[j][i] - (i == j ? 2. / 3. * trace : 0.));
        square += deviator * deviator;
      }
  const double expected = std::sqrt(1.5 * square);
  for (const std::size_t n : {1u, 3u, 31u})
    {
      const BoxMesh box = make_box(BoxOptions::wild({{n, 3, 2}}, 4));
      const auto u      = forces(box, [](const Position &, int) { return 0.; });
      auto linear       = u;
      for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            linear[3 * node + i] += gradient[i][j] * box.position(node)[j];
      for (const double stress : stresses_of(box, linear))
        EXPECT_NEAR(stress, expected, 1e-12 * expected);
      for (const double stress : stresses_of(box, in_float(linear)))
        EXPECT_NEAR(stress, expected, 1e-4 * expected);
      for (const double stress : stresses_of(box, u))
        EXPECT_EQ(stress, 0.);
    }
}

// The derivative of sum_e f_e vM_e equals differences along random directions; without stress it is
// 0.
TEST_P(ElementStressTest, SlopesEqualDifferences)
{
  for (const std::array<std::size_t, 3> &n :
       {std::array<std::size_t, 3>{{1, 1, 1}}, {{4, 3, 2}}, {{31, 1, 1}}, {{257, 1, 1}}})
    {
      const BoxMesh box = make_box(BoxOptions::wild(n, 6));
      const auto u      = random_vector(box.mesh.n_dofs(), 1);
      auto factors      = random_vector(box.mesh.n_elements, 2, 0.5, 2.);
      factors.back()    = n[0] > 1 ? 0. : 1.;
      const auto g      = slopes_of(box, factors, u);
      for (const unsigned int seed : {3, 4})
        {
          const auto direction = random_vector(u.size(), seed);
          const auto sum       = [&](const std::vector<double> &v) {
            return dot(factors, stresses_of(box, v));
          };
          EXPECT_NEAR(dot(g, direction),
                      difference_along(sum, u, direction, 5e-5),
                      1e-9 * norm(g) * norm(direction));
        }
      EXPECT_LE(relative_difference(slopes_of(box, factors, in_float(u)), g), 1e-5);
      EXPECT_TRUE(same_bits(slopes_of(box, factors, u), g));
      for (const double entry : slopes_of(box, factors, std::vector<double>(u.size(), 0.)))
        EXPECT_EQ(entry, 0.);
    }
}

using StressNormTest = PlaceTest;

class StressLimitTest : public PlaceTest
{
protected:
  std::unique_ptr<Response> make(const ElementMesh &mesh, const ParameterValues &values)
  {
    return make_response("mass with stress limits",
                         {backend(), Communicator(), mesh, {1., 0.3}, nullptr, values});
  }
};

// A bar of one density under tension: its stress is force by area and stiffness, so the response
// has a closed form. Multipliers and penalty are updated at every second design that counts,
// regardless of the load cases' weights.
TEST_P(StressLimitTest, FollowsItsFormula)
{
  BoxMesh box = make_box(BoxOptions::unit_cubes({{5, 1, 1}}));
  hold(box, [](const Position &X, const int c) { return X[c] == 0.; });
  const auto pull = [&](const double force) {
    return forces(box, [&](const Position &X, const int c) {
      return c == 0 && X[0] > 5. - 1e-9 ? force / 4. : 0.;
    });
  };
  const double limit  = 1.3;
  const auto response = make(box.mesh,
                             {{"Limit", limit},
                              {"Penalty", 3.},
                              {"Largest penalty", 5.},
                              {"Penalty growth", 1.4},
                              {"Designs per renewal", 2}});
  FunctionOfDesign function(backend(),
                            box.mesh,
                            {{"weak", 0.5, pull(0.3)}, {"strong", 2., pull(0.8)}},
                            {3., 1e-3},
                            *response);
  double lambda[2] = {0., 0.}, largest = 0., penalty = 3.;
  const double densities[] = {0.9, 0.7, 0.75, 0.8, 0.85, 0.95, 0.99, 0.999};
  for (std::size_t k = 0; k < 8; ++k)
    {
      const double rho = densities[k], E = 1e-3 + 0.999 * rho * rho * rho;
      double expected = rho;
      for (int l = 0; l < 2; ++l)
        {
          const double L = (l == 0 ? 0.3 : 0.8) / E / limit - 1.;
          const double g = E * (L * L * L + L);
          const double h = k > 0 && k % 2 == 0 ? std::max(g, -lambda[l] / penalty) : 0.;
          lambda[l] += penalty * h;
          largest = std::max(largest, lambda[l]);
        }
      if (k > 0 && k % 2 == 0)
        penalty = std::min(5., penalty * 1.4);
      for (int l = 0; l < 2; ++l)
        {
          const double L = (l == 0 ? 0.3 : 0.8) / E / limit - 1.;
          const double h = std::max(E * (L * L * L + L), -lambda[l] / penalty);
          expected += lambda[l] * h + 0.5 * penalty * h * h;
        }
      std::vector<double> gradient;
      const std::vector<double> x(5, rho);
      EXPECT_NEAR(function.value(x, &gradient), expected, 1e-10 * std::abs(expected)) << k;
      EXPECT_NEAR(function.value(x), expected, 1e-10 * std::abs(expected)) << k; // a trial
    }
  EXPECT_GT(largest, 0.);

  // the stress of the present material, 0.8, by the limit
  EXPECT_EQ(response->fault().text, "");
  const auto strict = make(box.mesh, {{"Limit", 0.76}});
  FunctionOfDesign({backend(), box.mesh, {{"strong", 1., pull(0.8)}}, {3., 1e-3}, *strict})
    .value(std::vector<double>(5, 0.5));
  EXPECT_EQ(
    strict->fault().text,
    "the largest stress is 1.05263 times its limit. This is the stress of the present material, that "
    "of the solid times its share of the stiffness");
  EXPECT_TRUE(strict->fault().falls_short);
  EXPECT_NEAR(strict->fault().largest, 0.8, 1e-12);
  EXPECT_EQ(strict->fault().limit, 0.76);
}

// A bar of negligible stiffness, and then a solid one far below its limit: multipliers grow by no
// more than 1000 mu, and vanish.
TEST_P(StressLimitTest, MultipliersRecoverFromADesignThatIsFarOff)
{
  BoxMesh box         = held_box(BoxOptions::regular({{5, 1, 1}}));
  const auto response = make(box.mesh, {{"Limit", 100.}, {"Designs per renewal", 1}});
  FunctionOfDesign function(
    backend(), box.mesh, {{"down", 1., edge_load(box)}}, {3., 1e-6}, *response);
  std::vector<double> gradient;
  const auto largest = [&]() { return max_norm(response->state().element_fields.at(0)); };
  function.value(std::vector<double>(5, 1e-4), &gradient);
  function.value(std::vector<double>(5, 1e-4), &gradient);
  EXPECT_NEAR(largest(), 10. * 1e3, 1e-9);
  function.value(std::vector<double>(5, 1.), &gradient); // the renewal begins with its stresses
  EXPECT_EQ(largest(), 0.);
  EXPECT_NE(response->fault().note.find("far from the design"), std::string::npos);
}

// With multipliers of earlier designs, the gradient for each element equals differences. There are
// solid and void elements, and several load cases.
TEST_P(StressLimitTest, GradientEqualsDifferences)
{
  BoxMesh box       = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  box.mesh.flags[3] = DesignFlag::empty;
  const auto response =
    make(box.mesh, {{"Limit", 20.}, {"Designs per renewal", 1}, {"Penalty growth", 1.5}});
  FunctionOfDesign function(backend(),
                            box.mesh,
                            {{"down", 0.5, edge_load(box)},
                             {"random", 2., random_vector(box.mesh.n_dofs(), 1)}},
                            {3., 1e-3},
                            *response);
  std::vector<double> gradient;
  for (const unsigned int seed : {7, 8, 9})
    function.value(random_vector(box.mesh.n_elements, seed, 0.3, 0.9), &gradient);
  const auto state = response->state();
  ASSERT_EQ(state.element_fields.size(), 2u);
  for (const auto &multipliers : state.element_fields)
    {
      EXPECT_GT(max_norm(multipliers), 0.);
      // both branches occur
      EXPECT_EQ(*std::min_element(multipliers.begin(), multipliers.end()), 0.);
    }
  auto rho = random_vector(box.mesh.n_elements, 3, 0.3, 0.9);
  function.value(rho, &gradient);
  const double size = max_norm(gradient);
  for (std::size_t e = 0; e < rho.size(); ++e)
    EXPECT_NEAR(gradient[e], difference(function, rho, e, 2.5e-5), 1e-6 * size) << "element " << e;
}

// The gradients of several designs in a row equal differences, although adjoint solves start from
// those of the previous design, in two load cases.
TEST_P(StressLimitTest, GradientEqualsDifferencesWithAdjointsOfBefore)
{
  BoxMesh box                       = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const std::vector<LoadCase> loads = {{"down", 0.5, edge_load(box)},
                                       {"random", 2., random_vector(box.mesh.n_dofs(), 9)}};
  for (const std::string name : {"von mises", "displacement norm", "mass with stress limits"})
    {
      SCOPED_TRACE(name);
      const ResponseContext context{
        backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, values_for(name)};
      const auto response = make_response(name, context);
      FunctionOfDesign function(backend(), box.mesh, loads, {3., 1e-3}, *response);
      for (const unsigned int seed : {3u, 4u, 5u})
        {
          auto rho = random_vector(box.mesh.n_elements, seed, 0.3, 0.9);
          std::vector<double> gradient;
          function.value(rho, &gradient);
          const double size = max_norm(gradient);
          EXPECT_GT(size, 0.);
          for (std::size_t e = seed - 3; e < rho.size(); e += 5)
            EXPECT_NEAR(gradient[e], difference(function, rho, e, 5e-4), 1e-6 * size)
              << "seed " << seed << ", element " << e;
        }
    }
}

// A missing limit is an error.
TEST_P(StressLimitTest, NeedsALimit)
{
  const BoxMesh box = make_box(BoxOptions::regular({{1, 1, 1}}));
  expect_reason([&]() { make(box.mesh, {}); }, "has no limit");
}

/// A small cantilever with a second load, across the first one.
SmallCantilever with_two_loads()
{
  SmallCantilever cantilever(std::array<std::size_t, 3>{{8, 4, 2}});
  cantilever.loads.push_back({"across", 2., forces(cantilever.box, [](const Position &X, int c) {
                                return c == 1 && X[0] > 8. - 1e-9 ? 0.1 : 0.;
                              })});
  return cantilever;
}

// Restored from its state, across updates of the multipliers, an optimization continues with the
// same bits. Without a constraint on the volume its mass falls.
TEST_P(StressLimitTest, OptimizationRestoresBitwise)
{
  SmallCantilever cantilever   = with_two_loads();
  auto &options                = cantilever.options;
  options.strategy             = "nbn";
  options.maps                 = {"density"};
  options.simp.update          = "mma";
  options.simp.volume_fraction = 0.8;
  const auto make_problem      = [&]() {
    options.problem = {
      {"response", make(cantilever.box.mesh, {{"Limit", 12.}, {"Designs per renewal", 2}})}};
    options.problem.limits_volume = false;
    return cantilever.make(backend());
  };
  for (const unsigned int n : {4u, 5u})
    {
      const auto [whole, resumed] = expect_to_restart_bitwise(make_problem, n, 9);
      const auto of_resumed = resumed->simp().state(), of_whole = whole->simp().state();
      // fields of the design, the multipliers, and MMA
      ASSERT_EQ(of_resumed.element_fields.size(), 6u);
      for (std::size_t i = 0; i < 6; ++i)
        EXPECT_TRUE(same_bits(of_resumed.element_fields[i], of_whole.element_fields[i]));
      EXPECT_GT(max_norm(of_whole.element_fields[1]), 0.);
      EXPECT_LT(whole->simp().history().back().volume_fraction, 0.75);
    }
}

// With a constraint on the norm of the stresses, in one field and in the worst of three, over two
// load cases, the restored optimization is bitwise equal, too. Adjoint solutions are part of the
// state.
TEST_P(StressNormTest, OptimizationRestoresBitwise)
{
  if (GetParam() == Place::cuda)
    GTEST_SKIP() << "sums of the maps depend on the order there";
  SmallCantilever cantilever = with_two_loads();
  auto &options              = cantilever.options;
  options.strategy           = "nbn";
  options.tolerance          = 1e-6; // so that the iterations of a solve show where it began
  options.maps               = {"density", "projection"};
  options.simp.update        = "mma";
  for (const auto kind : {RobustFields::Kind::none, RobustFields::Kind::worst_case})
    {
      const ResponseContext context{
        backend(), Communicator(), cantilever.box.mesh, {1., 0.3}, nullptr, {}};
      const auto make_problem = [&]() {
        options.problem        = minimise("compliance", context);
        options.problem.fields = {kind, 0.15, 4};
        const auto shared      = std::shared_ptr<Response>(make_response("von mises", context));
        DesignConstraint stress{{"stress", shared}, 12.};
        stress.function.over = DesignFunction::Over::worst;
        options.problem.constraints.push_back(stress);
        return cantilever.make(backend());
      };
      const std::size_t n_fields = kind == RobustFields::Kind::none ? 1 : 3;
      const auto [whole, resumed] =
        expect_to_restart_bitwise(make_problem, 4, 7, [n_fields](DesignProblem &begun) {
          EXPECT_EQ(begun.state().adjoints().size(), 2 * n_fields);
        });
      const auto of_resumed = resumed->simp().state(), of_whole = whole->simp().state();
      ASSERT_EQ(of_resumed.vectors.size(), of_whole.vectors.size());
      EXPECT_EQ(of_resumed.vectors.size(), 2 * n_fields + 2 * (n_fields - 1));
      EXPECT_EQ(of_resumed.packed.size(), 2 * (n_fields - 1));
      for (std::size_t i = 0; i < of_whole.vectors.size(); ++i)
        EXPECT_TRUE(same_bits(of_resumed.vectors[i], of_whole.vectors[i]));
      for (std::size_t i = 0; i < of_whole.packed.size(); ++i)
        EXPECT_EQ(of_resumed.packed[i].multiples, of_whole.packed[i].multiples);
      for (std::size_t i = 0; i < 7; ++i)
        {
          const IterationRecord &record = whole->simp().history()[i];
          EXPECT_EQ(resumed->simp().history()[i].solver_iterations, record.solver_iterations);
          EXPECT_LE(record.residual, options.tolerance);
          EXPECT_GT(record.adjoint_residual, 0.);
          EXPECT_LE(record.adjoint_residual, 10. * options.tolerance);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Core, ElementStressTest, at_all_places(), place_name);
INSTANTIATE_TEST_SUITE_P(Core, StressLimitTest, at_three_threads_and_cuda(), place_name);
INSTANTIATE_TEST_SUITE_P(Core, StressNormTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
