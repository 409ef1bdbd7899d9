// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Values of the shares of material in balls. Derivatives, ranks and other materials are tested with
// all responses.
#include "../fixtures/backends.h"
#include "../fixtures/cone_means.h"
#include "../fixtures/function_of_design.h"
#include "source/mesh/element_centres.h"

#include <strut/base/exceptions.h>

#include <cmath>

namespace strut::test
{
namespace
{
class LocalVolumeTest : public PlaceTest
{
protected:
  double value(const BoxMesh &box, const std::vector<double> &x, const ParameterValues &values)
  {
    const auto response =
      make_response("local volume", {backend(), Communicator(), box.mesh, {}, nullptr, values});
    FunctionOfDesign function( // without loads, so that nothing is solved
      backend(),
      box.mesh,
      {},
      {3., 1e-4},
      problem_of(*response, false));
    return function.value(x);
  }

  /// sum_i w_ei v_i x_i / sum_i w_ei v_i of each element, by all pairs.
  static std::vector<double>
  shares(const ElementMesh &mesh, const std::vector<double> &x, const double radius)
  {
    const auto centres           = element_centres(mesh);
    std::vector<double> material = mesh.volumes;
    for (std::size_t e = 0; e < x.size(); ++e)
      material[e] *= x[e];
    auto result      = cone_means(centres, x.size(), radius, material);
    const auto whole = cone_means(centres, x.size(), radius, mesh.volumes);
    for (std::size_t e = 0; e < x.size(); ++e)
      result[e] /= whole[e];
    return result;
  }
};

// On a distorted mesh, whose volumes differ, and on boxes: the mean over the design elements, and
// the largest share.
TEST_P(LocalVolumeTest, EqualsTheSumsOverAllPairs)
{
  for (const bool is_wild : {true, false})
    {
      BoxMesh box =
        held_box(is_wild ? BoxOptions::wild({{5, 6, 4}}, 3) : BoxOptions::regular({{5, 6, 4}}));
      ElementMesh &mesh = box.mesh;
      for (std::size_t e = 0; e < mesh.n_elements; e += 7)
        mesh.flags[e] = e % 2 == 0 ? DesignFlag::solid : DesignFlag::empty;
      const auto x = random_vector(mesh.n_elements, 5, 0.1, 1.);
      const auto s = shares(mesh, x, 0.35);
      double sum = 0., volume = 0., largest = 0.;
      for (std::size_t e = 0; e < s.size(); ++e)
        if (mesh.flags[e] == DesignFlag::design)
          {
            sum += mesh.volumes[e] * std::pow(s[e], 6.);
            volume += mesh.volumes[e];
            largest = std::max(largest, s[e]);
          }
      const ParameterValues values = {{"Diameter", 0.7}, {"Exponent", 6.}};
      EXPECT_NEAR(value(box, x, values), largest, 1e-12);
      ParameterValues of_mean = values;
      of_mean.insert({"Scaling", "none"});
      EXPECT_NEAR(value(box, x, of_mean), std::pow(sum / volume, 1. / 6.), 1e-12);
    }
}

// A plate whose thickness is t times the diameter has the share 2 t - 2 t^3 + t^4 of the ball in
// its middle; with t = 1 it has all of it.
TEST_P(LocalVolumeTest, OfPlates)
{
  const BoxMesh box = held_box(BoxOptions::unit_cubes({{20, 40, 20}}));
  for (const std::size_t width : {4, 8, 12, 16, 20})
    {
      std::vector<double> x(box.mesh.n_elements);
      for (std::size_t e = 0; e < x.size(); ++e)
        x[e] = box.element_at[e][1] >= 10 && box.element_at[e][1] < 10 + width ? 1. : 1e-12;
      const double t = static_cast<double>(width) / 16.;
      EXPECT_NEAR(value(box, x, {{"Diameter", 16.}}),
                  t >= 1. ? 1. : 2. * t - 2. * std::pow(t, 3.) + std::pow(t, 4.),
                  0.02)
        << width;
    }
}

TEST_P(LocalVolumeTest, RefusesBallsOfOneElement)
{
  BoxMesh box     = make_box(BoxOptions::regular({{4, 4, 4}}));
  const auto make = [&](const double diameter) {
    return make_response(
      "local volume", {backend(), Communicator(), box.mesh, {}, nullptr, {{"Diameter", diameter}}});
  };
  for (const double diameter : {0., 0.4, 0.5}) // up to two edges
    EXPECT_THROW(make(diameter), Error);
  EXPECT_NO_THROW(make(0.501));
  box.mesh.flags.assign(box.mesh.n_elements, DesignFlag::solid);
  EXPECT_THROW(make(1.), Error);
}

INSTANTIATE_TEST_SUITE_P(Core, LocalVolumeTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
