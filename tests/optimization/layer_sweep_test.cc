// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Maps that proceed from layer to layer, `overhang` and `casting`: their guarantees, checked by
// columns of cubes.
#include "../fixtures/backends.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/errors.h"
#include "../fixtures/mapped.h"
#include "../fixtures/vectors.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace strut::test
{
namespace
{
using Cube = std::array<int, 3>;

Cube cube_of(const ElementMesh &mesh, const std::size_t e)
{
  Cube cube;
  for (std::size_t d = 0; d < 3; ++d)
    cube[d] = static_cast<int>(std::floor(mesh.centre(e)[d]));
  return cube;
}

/// Whether a cube holds material.
std::map<Cube, bool> material(const ElementMesh &mesh, const std::vector<double> &rho)
{
  std::map<Cube, bool> result;
  for (std::size_t e = 0; e < rho.size(); ++e)
    result[cube_of(mesh, e)] = rho[e] > 0.5;
  return result;
}

class LayerSweepTest : public PlaceTest
{
protected:
  std::vector<double> forward(const std::string &name,
                              const ElementMesh &mesh,
                              const std::vector<double> &x,
                              const ParameterValues &values = {})
  {
    DesignChain map =
      make_design_chain({name}, backend(), Communicator(), mesh, {0., 1e-3}, {{name, values}});
    EXPECT_FALSE(map.is_affine());
    return mapped(backend(), map, x);
  }

  /// Returns whether each cube of a cantilever with n elements holds material after an
  /// optimization.
  /// @param map  between filter and projection; none if it is empty
  std::map<Cube, bool> optimized(const std::array<std::size_t, 3> &n,
                                 const std::string &map       = "",
                                 const std::string &direction = "")
  {
    SmallCantilever cantilever(n);
    cantilever.options.maps = {"density", "projection"};
    if (!map.empty())
      {
        cantilever.options.maps       = {"density", map, "projection"};
        cantilever.options.map_values = {{map, {{"Direction", direction}}}};
      }
    cantilever.options.projection = {{"Iterations per sharpness", 8.}, {"Maximum sharpness", 16.}};
    cantilever.options.tolerance  = 1e-6;
    DesignProblem problem(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
    problem.run(45);
    return material(cantilever.box.mesh, problem.simp().analysed_densities());
  }
};

/// Number of cubes with material that nothing supports: not on the plate, and without material in
/// the five cubes below.
int n_in_the_air(const std::map<Cube, bool> &design, const std::size_t axis, const int up)
{
  const auto height = [&](const Cube &cube) { return up * cube[axis]; };
  int plate         = 1000;
  for (const auto &[cube, is_solid] : design)
    plate = std::min(plate, height(cube));
  int n = 0;
  for (const auto &[cube, is_solid] : design)
    {
      if (!is_solid || height(cube) == plate)
        continue;
      bool carried = false;
      for (const auto &[side, step] :
           std::vector<std::pair<std::size_t, int>>{{0, 0}, {1, 1}, {1, -1}, {2, 1}, {2, -1}})
        {
          Cube below = cube;
          below[axis] -= up;
          below[(axis + side) % 3] += side == 0 ? 0 : step;
          const auto found = design.find(below);
          carried          = carried || (found != design.end() && found->second);
        }
      n += carried ? 0 : 1;
    }
  return n;
}

/// The cubes without material under one that has some, seen from above.
int n_undercut(const std::map<Cube, bool> &design, const std::size_t axis, const int up)
{
  int n = 0;
  for (const auto &[cube, is_solid] : design)
    {
      Cube above = cube;
      above[axis] += up;
      const auto found = design.find(above);
      n += !is_solid && found != design.end() && found->second ? 1 : 0;
    }
  return n;
}

TEST_P(LayerSweepTest, NothingIsPrintedInTheAir)
{
  for (const auto &[direction, axis, up] : std::vector<std::tuple<std::string, std::size_t, int>>{
         {"0, 0, 1", 2, 1}, {"0, 0, -1", 2, -1}, {"2, 0, 0", 0, 1}, {"-1, 0, 0", 0, -1}})
    {
      SCOPED_TRACE(direction);
      EXPECT_EQ(n_in_the_air(optimized({{16, 4, 8}}, "overhang", direction), axis, up), 0);
    }
  EXPECT_GT(n_in_the_air(optimized({{16, 4, 8}}), 2, 1), 0); // without the map there are some
}

TEST_P(LayerSweepTest, CastingsHaveNoUndercut)
{
  for (const auto &[direction, axis, up] : std::vector<std::tuple<std::string, std::size_t, int>>{
         {"0, 0, 1", 2, 1}, {"0, 0, -1", 2, -1}, {"0, 1, 0", 1, 1}, {"-1, 0, 0", 0, -1}})
    {
      SCOPED_TRACE(direction);
      const auto design = optimized({{16, 6, 8}}, "casting", direction);
      EXPECT_EQ(n_undercut(design, axis, up), 0);
      int n_solid = 0;
      for (const auto &[cube, is_solid] : design)
        n_solid += is_solid ? 1 : 0;
      EXPECT_GT(n_solid, 100);
      EXPECT_LT(n_solid, 600);
    }
}

// For one solid element, casting makes everything below it solid, within the draft angle; a print
// needs support below.
TEST_P(LayerSweepTest, OneElement)
{
  const BoxMesh box = make_box(BoxOptions::unit_cubes({{5, 5, 4}}));
  std::vector<double> x(box.mesh.n_elements, 1e-3);
  for (std::size_t e = 0; e < x.size(); ++e)
    if (cube_of(box.mesh, e) == Cube{{2, 2, 2}})
      x[e] = 1.;
  const auto cast  = forward("casting", box.mesh, x);
  const auto lean  = forward("casting", box.mesh, x, {{"Draft angle", 45.}});
  const auto print = forward("overhang", box.mesh, x);
  for (std::size_t e = 0; e < x.size(); ++e)
    {
      const Cube cube     = cube_of(box.mesh, e);
      const int off       = std::abs(cube[0] - 2) + std::abs(cube[1] - 2);
      const bool is_below = cube[2] <= 2;
      EXPECT_NEAR(cast[e], is_below && off == 0 ? 1. : 1e-3, 2e-3);
      EXPECT_NEAR(lean[e], is_below && off <= 2 - cube[2] ? 1. : 1e-3, 4e-3);
      EXPECT_LT(print[e], 0.02); // nothing carries it
    }
}

// Densities stay in [0, 1] although the smooth maximum of many supporting neighbours exceeds 1. A
// full body stays full.
TEST_P(LayerSweepTest, DensitiesStayBetweenZeroAndOne)
{
  const BoxMesh box = make_box(BoxOptions::unit_cubes({{6, 5, 8}}));
  for (const ParameterValues &values : std::vector<ParameterValues>{
         {}, {{"Samples", 12.}}, {{"Angle", 60.}}, {{"Smoothing", 1e-2}}})
    {
      for (const double value :
           forward("overhang", box.mesh, std::vector<double>(box.mesh.n_elements, 1.), values))
        EXPECT_NEAR(value, 1., 1e-12);
      std::vector<double> x = random_vector(box.mesh.n_elements, 5, 0.9, 1.);
      for (std::size_t e = 0; e < x.size(); e += 2)
        x[e] = e % 4 == 0 ? 0. : 1.;
      for (const double value : forward("overhang", box.mesh, x, values))
        {
          EXPECT_GE(value, 0.);
          EXPECT_LE(value, 1.);
        }
    }
}

// If the smooth maximum is limited to 1, the derivative is that of the limited one, as differences
// show.
TEST_P(LayerSweepTest, TheDerivativeKnowsOfTheLargestDensity)
{
  const BoxMesh box                 = make_box(BoxOptions::unit_cubes({{4, 3, 5}}));
  const std::size_t n               = box.mesh.n_elements;
  const std::vector<double> x       = random_vector(n, 9, 0.97, 1.),
                            weights = random_vector(n, 10, -1., 1.);
  DesignChain map                   = make_design_chain(
    {"overhang"}, backend(), Communicator(), box.mesh, {0., 1e-3}, {{"overhang", {}}});
  const auto value = [&](const std::vector<double> &design) {
    return dot(weights, mapped(backend(), map, design));
  };
  value(x);
  Array<double> slopes(memory(), weights);
  map.backward(Array<double>(memory(), x), slopes);
  const std::vector<double> found = slopes.to_host();
  constexpr double step           = 1e-6;
  for (std::size_t e = 0; e < n; e += 3)
    {
      std::vector<double> above = x, below = x;
      above[e] += step;
      below[e] -= step;
      EXPECT_NEAR(found[e], (value(above) - value(below)) / (2. * step), 1e-5) << e;
    }
}

// The numbering of the mesh is of no matter.
TEST_P(LayerSweepTest, IsTheSameInAnyNumbering)
{
  BoxOptions options    = BoxOptions::unit_cubes({{6, 5, 4}});
  const BoxMesh box     = make_box(options);
  options.shuffle_nodes = options.shuffle_elements = options.rotate_elements = true;
  const BoxMesh shuffled                                                     = make_box(options);
  const auto values    = random_vector(6 * 5 * 4, 3, 0.05, 1.);
  const auto variables = [&](const ElementMesh &mesh) {
    std::vector<double> x;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        const Cube cube = cube_of(mesh, e);
        x.push_back(values[static_cast<std::size_t>(cube[0] + 6 * (cube[1] + 5 * cube[2]))]);
      }
    return x;
  };
  for (const std::string name : {"overhang", "casting"})
    {
      std::map<Cube, double> expected;
      const auto a = forward(name, box.mesh, variables(box.mesh), {{"Direction", "0, 3, 0"}});
      for (std::size_t e = 0; e < a.size(); ++e)
        expected[cube_of(box.mesh, e)] = a[e];
      const auto b =
        forward(name, shuffled.mesh, variables(shuffled.mesh), {{"Direction", "0, 1, 0"}});
      for (std::size_t e = 0; e < b.size(); ++e)
        EXPECT_NEAR(b[e], expected.at(cube_of(shuffled.mesh, e)), 1e-12) << name;
    }
}

// Half of a box with its plane of symmetry along the direction, a quarter, and the whole have the
// same densities and derivatives. Elements may also be no cubes, with the grid elsewhere.
TEST_P(LayerSweepTest, AHalfGivesTheDesignOfTheWhole)
{
  for (const double edge : {1., 1.3})
    for (const std::size_t n_planes : {1u, 2u})
      {
        BoxOptions options        = BoxOptions::regular({{6, 4, 4}}, {{6. * edge, 4., 4.}});
        const BoxMesh box         = make_box(options);
        options.n                 = {{3, n_planes > 1 ? 2u : 4u, 4}};
        options.size              = {{3. * edge, n_planes > 1 ? 2. : 4., 4.}};
        BoxMesh part              = make_box(options);
        part.mesh.symmetry_planes = {{0, 3. * edge}};
        if (n_planes > 1)
          part.mesh.symmetry_planes.push_back({1, 2.});
        const auto in_part = [&](std::array<std::size_t, 3> at) {
          at[0] = std::min(at[0], 5 - at[0]);
          at[1] = n_planes > 1 ? std::min(at[1], 3 - at[1]) : at[1];
          return std::size_t(std::find(part.element_at.begin(), part.element_at.end(), at) -
                             part.element_at.begin());
        };
        const auto spread = [&](const std::vector<double> &x) {
          std::vector<double> all;
          for (const auto &at : box.element_at)
            all.push_back(x[in_part(at)]);
          return all;
        };
        const auto x = random_vector(part.mesh.n_elements, 5, 0.05, 1.),
                   s = random_vector(part.mesh.n_elements, 6, -1., 1.);
        for (const auto &[name, values] : std::vector<std::pair<std::string, ParameterValues>>{
               {"overhang", {}},
               {"overhang", {{"Direction", "0, 0, -1"}, {"Angle", 55.}, {"Samples", 8u}}},
               {"casting", {{"Draft angle", 45.}}}})
          {
            SCOPED_TRACE(name + (edge > 1. ? ", long elements" : ""));
            const auto both_ways =
              [&, &name = name, &values = values](const ElementMesh &mesh,
                                                  const std::vector<double> &in,
                                                  const std::vector<double> &by) {
                DesignChain map = make_design_chain(
                  {name}, backend(), Communicator(), mesh, {0., 1e-3}, {{name, values}});
                const Array<double> variables(memory(), in);
                Array<double> rho(memory(), in.size()), derivative(memory(), by);
                map.forward(variables, rho);
                map.backward(variables, derivative);
                return std::make_pair(rho.to_host(), derivative.to_host());
              };
            const auto of_part  = both_ways(part.mesh, x, s);
            const auto of_whole = both_ways(box.mesh, spread(x), spread(s));
            EXPECT_LE(relative_difference(spread(of_part.first), of_whole.first), 1e-12);
            EXPECT_LE(relative_difference(spread(of_part.second), of_whole.second), 1e-10);
          }
      }
}

// Behind a plane across the direction the image goes another way.
TEST_P(LayerSweepTest, RefusesPlanesWhoseImageGoesAnotherWay)
{
  BoxMesh box          = make_box(BoxOptions::unit_cubes({{3, 3, 3}}));
  const auto complaint = [&](const std::string &name,
                             const std::string &direction,
                             const std::vector<SymmetryPlane> &planes,
                             const double draft = 0.) {
    box.mesh.symmetry_planes = planes;
    ParameterValues values   = {{"Direction", direction}};
    if (draft > 0.)
      values.emplace("Draft angle", draft);
    return message_of([&]() { forward(name, box.mesh, std::vector<double>(27, 0.5), values); });
  };
  EXPECT_NE(complaint("overhang", "0, 1, 0", {{1, 0.}})
              .find("The map 'overhang' cannot take the plane of symmetry y = 0: "),
            std::string::npos);
  EXPECT_NE(complaint("overhang", "0, -1, 0", {{1, 0.}}), "");
  EXPECT_NE(complaint("overhang", "0, 1, 1", {{1, 0.}}), "");
  EXPECT_EQ(complaint("overhang", "1, 0, 1", {{1, 0.}}), "");
  EXPECT_NE(complaint("overhang", "0, 0, 1", {{1, 0.}, {1, 3.}}).find("faces it"),
            std::string::npos);
  // a mould that is drawn off to both sides is parted in the plane
  EXPECT_EQ(complaint("casting", "0, 1, 0", {{1, 0.}}), "");
  EXPECT_EQ(complaint("casting", "0, -1, 0", {{1, 3.}}), "");
  EXPECT_NE(complaint("casting", "0, -1, 0", {{1, 0.}}), "");
  EXPECT_NE(complaint("casting", "0, 1, 1", {{1, 0.}}), "");
  EXPECT_EQ(complaint("casting", "0, 0, 1", {{1, 0.}}), "");
  EXPECT_EQ(complaint("casting", "0, 0, 1", {{1, 0.}, {0, 3.}}, 45.), "");
  EXPECT_NE(complaint("casting", "0, 0, 1", {{1, 0.}, {1, 3.}}, 45.), "");
}

// Features that the grid cannot resolve are refused, so that designs are not silently wrong.
TEST_P(LayerSweepTest, RefusesWhatTheGridCannotTell)
{
  const BoxMesh tall = make_box(BoxOptions::regular({{4, 4, 3}}, {{4., 4., 12.}}));
  const std::vector<double> x(tall.mesh.n_elements, 1.);
  EXPECT_THROW(forward("overhang", tall.mesh, x), Error); // empty layers
  const auto rho = forward("overhang", tall.mesh, x, {{"Cell size", 4.}});
  for (const double value : rho)
    EXPECT_GT(value, 0.9); // a full box stands
  EXPECT_THROW(forward("casting", tall.mesh, x, {{"Draft angle", 3.}}), Error);
  EXPECT_THROW(forward("overhang", tall.mesh, x, {{"Cell size", 4.}, {"Exponent", 2.}}), Error);
  for (const double size : {1e-12, 1e-30, 1e-300})
    EXPECT_THROW(forward("casting", tall.mesh, x, {{"Cell size", size}}), Error);
}

INSTANTIATE_TEST_SUITE_P(Core, LayerSweepTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
