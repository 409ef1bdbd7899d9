// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Responses, filter and projection for a given field, compared with values of an independent
// program. They agree to a unit of the last digit that it printed.
#include "../fixtures/backends.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/mapped.h"

#include <strut/optimization/responses/response.h>

namespace strut::test
{
namespace
{
/// 8 x 4 x 4 unit cubes, held at x = 0; E = 1e-9 + (1 - 1e-9) x^3, nu = 0.3.
class ResponseValuesTest : public PlaceTest
{
protected:
  /// Finds the node (8, 4, 4) for any region.
  struct Corner : RegionFinder
  {
    explicit Corner(const BoxMesh &box) : box(box)
    {}
    std::vector<LocalIndex> nodes(const ResponseRegion &) const override
    {
      return {node_at(box, 8, 4, 4)};
    }
    std::vector<LocalIndex> elements(const ResponseRegion &) const override
    {
      return {};
    }
    const BoxMesh &box;
  };

  ResponseValuesTest() : box_(make_box(options())), x_(box_.mesh.n_elements)
  {
    hold_left_face(box_);
    for (std::size_t e = 0; e < x_.size(); ++e)
      {
        const auto &[i, j, k] = box_.element_at[e];
        x_[e]                 = 0.2 + 0.08 * static_cast<double>((3 * i + 5 * j + 7 * k) % 11);
      }
    down_.name   = "down";
    down_.forces = edge_load(box_);
  }

  static BoxOptions options()
  {
    BoxOptions options = BoxOptions::unit_cubes({{8, 4, 4}});
    return options;
  }

  static LocalIndex
  node_at(const BoxMesh &box, const std::size_t i, const std::size_t j, const std::size_t k)
  {
    for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
      {
        const Position X = box.position(n);
        if (std::hypot(X[0] - static_cast<double>(i),
                       X[1] - static_cast<double>(j),
                       X[2] - static_cast<double>(k)) < 1e-9)
          return static_cast<LocalIndex>(n);
      }
    return 0;
  }

  std::size_t element_at(const std::size_t i, const std::size_t j, const std::size_t k) const
  {
    const std::array<std::size_t, 3> place{{i, j, k}};
    return static_cast<std::size_t>(
      std::find(box_.element_at.begin(), box_.element_at.end(), place) - box_.element_at.begin());
  }

  /// Value, and the derivatives for the first and the last element.
  std::array<double, 3> evaluate(const std::string &name,
                                 const LoadCase &load_case,
                                 const ParameterValues &values = {},
                                 DesignChain *map              = nullptr)
  {
    const Corner corner(box_);
    ResponseContext context{
      backend(), Communicator(), box_.mesh, {1., 0.3}, &corner, values, solids_};
    const auto response = make_response(name, context);
    FunctionOfDesign function(backend(),
                              box_.mesh,
                              {load_case},
                              {3., 1e-9},
                              problem_of(*response, find_response(name).by_load_case),
                              map,
                              {},
                              solids_);
    std::vector<double> gradient;
    std::array<double, 3> result{{function.value(x_, &gradient)}};
    const std::array<std::size_t, 2> ends{{element_at(0, 0, 0), element_at(7, 3, 3)}};
    for (std::size_t i = 0; i < 2; ++i)
      {
        result[i + 1] = gradient[ends[i]];
        EXPECT_NEAR(difference(function, x_, ends[i], 1e-3),
                    result[i + 1],
                    1e-7 * std::abs(result[i + 1]));
      }
    return result;
  }

  BoxMesh box_;
  std::vector<double> x_;
  LoadCase down_;
  Solids solids_; ///< empty unless a test sets them
};

// Nodes in a plane of symmetry belong to both halves. A quarter has the means of the whole, whose
// displacement is symmetric.
TEST_P(ResponseValuesTest, MeansOverTheNodesOfAQuarterAreThoseOfTheWhole)
{
  BoxOptions of_quarter        = options();
  of_quarter.n                 = {{4, 2, 4}};
  of_quarter.size              = {{4., 2., 4.}};
  BoxMesh quarter              = make_box(of_quarter);
  quarter.mesh.symmetry_planes = {{0, 4.}, {1, 2.}};
  const auto value_of          = [&](const std::string &name, const BoxMesh &box) {
    const auto made =
      make_response(name, {backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, {}, solids_});
    auto &response = dynamic_cast<DisplacementResponse &>(*made);
    std::vector<double> u(box.mesh.n_dofs());
    for (std::size_t n = 0; n < box.mesh.n_nodes; ++n)
      {
        const Position at = box.position(n);
        const double x = at[0] - 4., y = at[1] - 2., z = at[2];
        u[3 * n]     = x * (1. + y * y) * z;
        u[3 * n + 1] = y * std::cos(x);
        u[3 * n + 2] = std::exp(-0.1 * x * x) + y * y * z;
      }
    const double value = response.value(down_, u);
    // for a homogeneous function of degree one: the derivative along u is its value
    const auto slopes = response.derivative(down_, u);
    EXPECT_NEAR(dot(slopes, u), value, 1e-13 * std::abs(value));
    return value;
  };
  for (const std::string name : {"displacement", "displacement norm"})
    {
      const double of_whole = value_of(name, box_);
      EXPECT_NEAR(value_of(name, quarter), of_whole, 1e-13 * of_whole) << name;
    }
}

TEST_P(ResponseValuesTest, ComplianceAndDisplacement)
{
  const auto compliance = evaluate("compliance", down_);
  EXPECT_NEAR(compliance[0], 952.169354624, 1e-9);
  EXPECT_NEAR(compliance[1], -40.44207534, 1e-8);
  EXPECT_NEAR(compliance[2], -1.050812914, 1e-9);

  const auto displacement = evaluate("displacement", down_, {{"Expression", "the corner"}});
  EXPECT_NEAR(displacement[0], -166.260447402, 1e-9);

  EXPECT_NEAR(evaluate("volume", down_)[0], 77.2 / 128., 1e-14);
  EXPECT_NEAR(evaluate("mass", down_, {{"Density", 7850.}})[0], 77.2 * 7850., 1e-9);
  EXPECT_NEAR(evaluate("volume", down_)[1], 1. / 128., 1e-16);
}

TEST_P(ResponseValuesTest, VonMisesStress)
{
  const auto norm = evaluate("von mises", down_, {{"Scaling", "none"}});
  EXPECT_NEAR(norm[0], 6.51143658834, 1e-11);
  // the other program's derivatives are differences with few valid digits; ours agree with our own
  // differences to 1e-7
  EXPECT_NEAR(norm[1], -0.019258963, 1e-8);
  EXPECT_NEAR(norm[2], -0.0052759259, 1e-8);
  EXPECT_NEAR(evaluate("von mises", down_)[0], 11.6341785903, 1e-10);
  EXPECT_NEAR(evaluate("von mises", down_, {{"Relaxation", 0.}})[0], 17.5391841492, 1e-10);
}

TEST_P(ResponseValuesTest, SelfWeight)
{
  LoadCase weight;
  weight.name       = "weight";
  weight.forces     = std::vector<double>(box_.mesh.n_dofs(), 0.);
  weight.has_weight = true;
  weight.weights.assign(3 * x_.size(), 0.);
  std::fill(weight.weights.begin() + 2 * static_cast<std::ptrdiff_t>(x_.size()),
            weight.weights.end(),
            -1.);
  const auto work = evaluate("compliance", weight);
  EXPECT_NEAR(work[0], 33625.3324528, 1e-7);
  // differences, as above
  EXPECT_NEAR(work[1], -1919.70898, 1e-3);
  EXPECT_NEAR(work[2], 1841.39531, 1e-3);
}

TEST_P(ResponseValuesTest, Frequency)
{
  const ParameterValues linear = {{"Mass of low densities", "linear"}, {"Tolerance", 1e-11}};
  const auto with              = [&](ParameterValues more) {
    more.insert(linear.begin(), linear.end());
    return more;
  };
  const auto squared = [](const double frequency) { return std::pow(2. * M_PI * frequency, 2.); };
  const auto first   = evaluate("frequency", down_, with({{"Modes", 1}}));
  EXPECT_NEAR(squared(first[0]), .0012624205948, 1e-13);
  const double slope = 8. * M_PI * M_PI * first[0]; // derivative of squared()
  EXPECT_NEAR(slope * first[1], 1.196466053e-4, 1e-13);
  EXPECT_NEAR(slope * first[2], -5.224194958e-5, 1e-14);

  // the mean of six, from the list of the other program
  double sum = 0.;
  for (const double value : {.0012624205948,
                             .0014582465271,
                             .0055389251899,
                             .017189790513,
                             .018117319386,
                             .019528885711})
    sum += std::pow(value, -2.);
  const auto mean = evaluate("frequency", down_, with({{"Modes", 6}, {"Exponent", 2.}}));
  EXPECT_NEAR(squared(mean[0]), 1. / std::sqrt(sum), 1e-13);
  const auto heavy = evaluate("frequency", down_, with({{"Modes", 1}, {"Density", 4.}}));
  EXPECT_NEAR(heavy[0], 0.5 * first[0], 1e-12 * first[0]);
  const auto lumped = evaluate("frequency", down_, with({{"Mass", "lumped"}, {"Modes", 1}}));
  EXPECT_NEAR(lumped[0], first[0], 0.05 * first[0]);
}

TEST_P(ResponseValuesTest, FilterAndProjection)
{
  DesignChain filter =
    make_design_chain({"density"}, backend(), Communicator(), box_.mesh, {1.5, 0.});
  const auto filtered = mapped(backend(), filter, x_);
  EXPECT_NEAR(std::accumulate(filtered.begin(), filtered.end(), 0.), 77.1422502183, 1e-10);
  EXPECT_NEAR(filtered[element_at(0, 0, 0)], .424229295892, 1e-12);
  EXPECT_NEAR(filtered[element_at(7, 3, 3)], .587358628231, 1e-12);

  const std::array<std::array<double, 3>, 3> expected = {{{{0.3, 126.420080828, 249.74446853}},
                                                          {{0.5, 102.782342302, 451.740763973}},
                                                          {{0.7, 27.0105865431, 39318.6400396}}}};
  for (const auto &[eta, sum, C] : expected)
    {
      DesignChain maps =
        make_design_chain({"density", "projection"},
                          backend(),
                          Communicator(),
                          box_.mesh,
                          {1.5, 0.},
                          {{"projection", {{"Threshold", eta}, {"Sharpness", 8.}}}});
      const auto projected = mapped(backend(), maps, x_);
      EXPECT_NEAR(std::accumulate(projected.begin(), projected.end(), 0.), sum, 1e-9);
      EXPECT_NEAR(evaluate("compliance", down_, {}, &maps)[0], C, C > 1e4 ? 1e-7 : 1e-8);
    }
}

// Half of the beam is of a soft material, a part of the rest of a stiff and heavy one.
TEST_P(ResponseValuesTest, SeveralMaterials)
{
  solids_.numbers.resize(1);
  for (const auto &[i, j, k] : box_.element_at)
    {
      const int m = i >= 4 ? 2 : j < 2 ? 1 : 0;
      solids_.numbers[0].push_back(m == 2 ? 0.25 : m == 1 ? 3. : 1.);
      solids_.mass.push_back(m == 2 ? 0.5 : m == 1 ? 2.9 : 1.);
    }
  const auto compliance = evaluate("compliance", down_);
  EXPECT_NEAR(compliance[0], 1515.65711344, 1e-8);
  EXPECT_NEAR(compliance[1], -32.65555168, 1e-8);
  EXPECT_NEAR(compliance[2], -4.147049576, 1e-9);
  EXPECT_NEAR(evaluate("displacement", down_, {{"Expression", "the corner"}})[0],
              -211.28065076,
              1e-8);
  EXPECT_NEAR(evaluate("von mises", down_, {{"Scaling", "none"}})[0], 7.52403866697, 1e-11);
  EXPECT_NEAR(evaluate("von mises", down_)[0], 11.6575045344, 1e-10);
  EXPECT_NEAR(evaluate("von mises", down_, {{"Relaxation", 0.}})[0], 19.9392929532, 1e-10);
  EXPECT_NEAR(evaluate("mass", down_, {{"Density", 7850.}})[0], 95.248 * 7850., 1e-8);
  EXPECT_NEAR(evaluate("volume", down_)[0], 77.2 / 128., 1e-14);

  const ParameterValues one = {{"Mass of low densities", "linear"},
                               {"Tolerance", 1e-11},
                               {"Modes", 1}};
  const double first        = evaluate("frequency", down_, one)[0];
  EXPECT_NEAR(std::pow(2. * M_PI * first, 2.), .00238290760687, 1e-14);
  ParameterValues six = one;
  six["Modes"]        = 6;
  six["Exponent"]     = 2.;
  double sum          = 0.;
  for (const double value : {.00238290760687,
                             .00265246817513,
                             .0067323481497,
                             .0135176885878,
                             .0155558703843,
                             .0231707617528})
    sum += std::pow(value, -2.);
  EXPECT_NEAR(std::pow(2. * M_PI * evaluate("frequency", down_, six)[0], 2.),
              1. / std::sqrt(sum),
              1e-13);
}

// Printed upwards, 45 degrees, P 40, epsilon 1e-4, eight samples, what carries a place at most 1.
TEST_P(ResponseValuesTest, OverhangFilter)
{
  DesignChain map = make_design_chain(
    {"overhang"}, backend(), Communicator(), box_.mesh, {0., 0.}, {{"overhang", {{"Samples", 8}}}});
  const auto printed = mapped(backend(), map, x_);
  EXPECT_NEAR(std::accumulate(printed.begin(), printed.end(), 0.), 76.110740590, 1e-9);
  EXPECT_NEAR(printed[element_at(0, 0, 0)], .2049687512, 1e-10);
  EXPECT_NEAR(printed[element_at(7, 3, 3)], .3649196737, 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Core, ResponseValuesTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
