// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/errors.h"
#include "../fixtures/function_of_design.h"

#include <strut/backend/design_operations.h>
#include <strut/optimization/gradient_check.h>
#include <strut/optimization/responses/response.h>

namespace strut::test
{
namespace
{
/// Response f.u, which is the compliance if no displacement is prescribed, by an adjoint solve.
class WorkOfLoads : public DisplacementResponse
{
public:
  double value(const LoadCase &load_case, const std::vector<double> &u) override
  {
    return dot(load_case.forces.dense(), u);
  }
  std::vector<double> derivative(const LoadCase &load_case, const std::vector<double> &) override
  {
    return load_case.forces.dense();
  }
};

/// Response sum_i (u_i^4 + u_i) / 4 over every second DoF: not quadratic, and not self-adjoint.
class FourthPowers : public DisplacementResponse
{
public:
  double value(const LoadCase &, const std::vector<double> &u) override
  {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); i += 2)
      sum += (std::pow(u[i] / scale, 4) + u[i] / scale) / 4.;
    return sum;
  }
  std::vector<double> derivative(const LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(u.size());
    for (std::size_t i = 0; i < u.size(); i += 2)
      result[i] = (std::pow(u[i] / scale, 3) + 0.25) / scale;
    return result;
  }

private:
  static constexpr double scale = 50.; // typical size of the displacements
};

using GradientTest = PlaceTest;

// The compliance, and any function of the displacements by its adjoint. Its gradient over several
// load cases is the weighted sum. With prescribed displacements beside forces, 2 f . u - u . K u
// also has the gradient -E' u_e . K0_e u_e, and an adjoint vanishes on supports, also where the
// displacement does not.
TEST_P(GradientTest, EqualsDifferences)
{
  struct Case
  {
    std::string name;
    std::vector<double> weights; ///< weights of the edge load and of random loads; 0 for no load
    double motion;               ///< prescribed displacement; 0 for none
    bool has_adjoint;
  };
  unsigned int seed = 5;
  for (const Case &c : {Case{"compliance", {1.}, 0., false},
                        Case{"compliance of load cases", {0.5, 2., 0.1}, 0., false},
                        Case{"compliance with prescribed displacements", {0., 1.}, 0.7, false},
                        Case{"function of displacements", {0.5, 2.}, 0., true},
                        Case{"function of prescribed displacements", {0., 1.}, 7., true}})
    {
      SCOPED_TRACE(c.name);
      BoxMesh box = held_box(BoxOptions::wild({{4, 3, 2}}, seed++));
      if (c.motion > 0.)
        move_right_face(box, c.motion, 2);
      std::vector<LoadCase> loads;
      for (std::size_t l = 0; l < c.weights.size(); ++l)
        if (c.weights[l] > 0.)
          loads.push_back({std::to_string(l),
                           c.weights[l],
                           l == 0
                             ? edge_load(box)
                             : random_vector(box.mesh.n_dofs(), static_cast<unsigned int>(l))});
      FourthPowers powers;
      const auto compliance = make_response("compliance", {backend(), Communicator(), box.mesh});
      expect_gradient_equals_differences(backend(),
                                         box,
                                         loads,
                                         {3., loads.size() > 1 ? 1e-3 : 0.},
                                         c.has_adjoint ? static_cast<Response &>(powers)
                                                       : *compliance);
    }
}

// The adjoint of f.u is u: the same value and gradient as the compliance without a second solve.
TEST_P(GradientTest, OfTheWorkOfLoadsIsThatOfTheCompliance)
{
  BoxMesh box                       = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const std::vector<LoadCase> loads = {{"down", 1., edge_load(box)}};
  const auto rho                    = random_vector(box.mesh.n_elements, 3, 0.3, 0.9);
  const auto compliance = make_response("compliance", {backend(), Communicator(), box.mesh});
  WorkOfLoads work;
  std::vector<double> expected, gradient;
  const double C =
    FunctionOfDesign(backend(), box.mesh, loads, {3., 0.}, *compliance).value(rho, &expected);
  EXPECT_NEAR(FunctionOfDesign(backend(), box.mesh, loads, {3., 0.}, work).value(rho, &gradient),
              C,
              1e-10 * C);
  for (std::size_t e = 0; e < rho.size(); ++e)
    EXPECT_NEAR(gradient[e], expected[e], 1e-9 * max_norm(expected));
}

/// The derivative of FourthPowers is wrong by a factor.
class WrongDerivative : public FourthPowers
{
public:
  std::vector<double> derivative(const LoadCase &load_case, const std::vector<double> &u) override
  {
    std::vector<double> result = FourthPowers::derivative(load_case, u);
    for (double &d : result)
      d *= 1.001;
    return result;
  }
};

class GradientCheckTest : public PlaceTest
{
protected:
  void SetUp() override
  {
    PlaceTest::SetUp();
    if (IsSkipped())
      return;
    hold_left_face(box_);
    loads_ = {{"down", 0.5, edge_load(box_)}, {"random", 2., random_vector(box_.mesh.n_dofs(), 1)}};
    StateSettings settings;
    settings.control.tolerance = 1e-13;
    state_ = make_state_solver(execution(), {box_.mesh, {1., 0.3}}, loads_, settings);
  }

  GradientCheck check(Response &response, const GradientCheckSettings &settings = {})
  {
    return check_gradient(
      backend(), Communicator(), *state_, interpolation_, response, densities_, settings);
  }

  BoxMesh box_ = make_box(BoxOptions::wild({{3, 3, 2}}, 8));
  std::vector<LoadCase> loads_;
  const Interpolation interpolation_   = {3., 1e-3};
  const std::vector<double> densities_ = random_vector(18, 3, 0.3, 0.9);
  std::unique_ptr<StateSolver> state_;
};

// Value and derivative agree with another way to compute them. Correct derivatives pass, with and
// without displacements.
TEST_P(GradientCheckTest, PassesRightDerivatives)
{
  FourthPowers powers;
  GradientCheckSettings settings;
  settings.n_elements         = 5;
  const GradientCheck checked = check(powers, settings);
  EXPECT_LT(checked.largest_error(), 1e-7);
  EXPECT_GT(checked.size, 0.);
  std::vector<double> gradient;
  const double value = FunctionOfDesign(backend(), box_.mesh, loads_, interpolation_, powers)
                         .value(densities_, &gradient);
  EXPECT_NEAR(checked.value, value, 1e-9 * value);
  EXPECT_NEAR(checked.size, max_norm(gradient), 1e-8 * max_norm(gradient));
  ASSERT_EQ(checked.rows.size(), 5u);
  std::vector<bool> seen(18, false);
  for (const GradientCheck::Row &row : checked.rows)
    {
      EXPECT_FALSE(seen.at(row.element)); // each another one
      seen.at(row.element) = true;
      EXPECT_NEAR(row.derivative, gradient[row.element], 1e-8 * checked.size);
    }

  const ResponseContext context{backend(), Communicator(), box_.mesh};
  EXPECT_LT(check(*make_response("compliance", context)).largest_error(), 1e-7);
  settings.by_load_case = false; // linear: the differences are exact up to rounding
  EXPECT_LT(check(*make_response("volume", context), settings).largest_error(), 1e-10);

  settings            = GradientCheckSettings();
  settings.cases      = {1};
  const double of_one = check(powers, settings).value;
  settings.cases      = {0};
  EXPECT_NEAR(check(powers, settings).value + of_one, value, 1e-9 * value);
  settings.n_elements = 100; // all that there are
  EXPECT_EQ(check(powers, settings).rows.size(), 18u);
}

// A thousandth is seen.
TEST_P(GradientCheckTest, FindsAWrongDerivative)
{
  WrongDerivative wrong;
  const double error = check(wrong).largest_error();
  EXPECT_GT(error, 1e-5);
  EXPECT_LT(error, 1e-2);
}

// A name may be taken once, and an unknown one is answered with those that there are.
TEST(Responses, HaveEachNameOnce)
{
  const std::size_t n = responses().size();
  EXPECT_THROW(add_response(responses().front()), Error);
  EXPECT_EQ(responses().size(), n);
  EXPECT_EQ(message_of([]() { find_response("heat"); }),
            "There is no response 'heat'. Available: " + names_in(responses()) + ".");
}

INSTANTIATE_TEST_SUITE_P(Core, GradientCheckTest, at_all_places(), place_name);
INSTANTIATE_TEST_SUITE_P(Core, GradientTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
