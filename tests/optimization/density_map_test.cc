// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The maps from design to densities: `density`, and then `projection`.
#include "../fixtures/backends.h"
#include "../fixtures/cone_means.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/errors.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/mapped.h"
#include "source/mesh/element_centres.h"
#include <strut/design/projection.h>

#include <numeric>
#include <utility>

namespace strut::test
{
namespace
{
const double least = 1e-2;

/// Marks solid elements at the left, and void ones at the right of the lower half.
void add_passive_elements(ElementMesh &mesh)
{
  const std::size_t n = mesh.n_elements;
  const auto centres  = element_centres(mesh);
  const auto range    = std::minmax_element(centres.begin(), centres.begin() + n);
  for (std::size_t e = 0; e < n; ++e)
    {
      const double x = (mesh.centre(e)[0] - *range.first) / (*range.second - *range.first);
      mesh.flags[e]  = x < 0.2                 ? DesignFlag::solid
                       : x > 0.7 && e % 3 == 0 ? DesignFlag::empty
                                               : DesignFlag::design;
    }
}

/// Random variables in design elements, 1 and the minimum in the others.
std::vector<double> random_design(const ElementMesh &mesh, const unsigned int seed)
{
  auto x = random_vector(mesh.n_elements, seed, 0.2, 0.9);
  for (std::size_t e = 0; e < x.size(); ++e)
    if (mesh.flags[e] != DesignFlag::design)
      x[e] = mesh.flags[e] == DesignFlag::solid ? 1. : least;
  return x;
}

/// The density filter, and a projection behind it unless the sharpness is 0.
DesignChain make_chain(Backend &backend,
                       const ElementMesh &mesh,
                       const double radius,
                       const double sharpness,
                       const FilterWeights weights = FilterWeights::volume)
{
  return make_design_chain(maps_of(sharpness > 0. ? "projection" : "density"),
                           backend,
                           Communicator(),
                           mesh,
                           {radius, least, {}, weights},
                           {{"projection", {{"Sharpness", sharpness}, {"Threshold", 0.4}}}});
}

TEST(Projection, KeepsItsBoundsAndHasTheSlopeOfDifferences)
{
  for (const double beta : {0.01, 1., 8., 64.})
    for (const double eta : {0., 0.3, 0.5, 1.})
      {
        const Projection P{eta, beta, least};
        EXPECT_NEAR(P.value(least), least, 1e-15);
        EXPECT_NEAR(P.value(1.), 1., 1e-15);
        for (double x = least; x < 0.95; x += 0.05)
          {
            constexpr double h = 1e-5;
            EXPECT_NEAR(P.derivative(x), (P.value(x + h) - P.value(x - h)) / (2. * h), 1e-5);
            EXPECT_LE(P.value(x), P.value(x + 0.05));
          }
      }
}

using DensityMapTest = PlaceTest;

// In design elements rho_e = sum_i w_ei v_i x_i / sum_i w_ei v_i over all pairs, with volumes v or
// ones. In others it is the variable itself. The projection is P of that.
TEST_P(DensityMapTest, EqualsTheSumOverAllPairs)
{
  BoxMesh box = make_box(BoxOptions::wild({{8, 5, 4}}, 3));
  add_passive_elements(box.mesh);
  const ElementMesh &mesh = box.mesh;
  const std::size_t n     = mesh.n_elements;
  const auto x            = random_design(mesh, 1);
  constexpr double radius = 0.3;
  for (const FilterWeights weights : {FilterWeights::volume, FilterWeights::count})
    {
      auto mean =
        cone_means(element_centres(mesh),
                   n,
                   radius,
                   x,
                   weights == FilterWeights::volume ? mesh.volumes : std::vector<double>());
      for (std::size_t e = 0; e < n; ++e)
        if (mesh.flags[e] != DesignFlag::design)
          mean[e] = x[e];
      for (const double beta : {0., 1., 16.}) // 0: no projection
        {
          DesignChain map = make_chain(backend(), mesh, radius, beta, weights);
          EXPECT_FALSE(map.empty());
          EXPECT_EQ(map.is_affine(), beta == 0.);
          const auto rho = mapped(backend(), map, x);
          auto expected  = mean;
          if (beta > 0.)
            for (std::size_t e = 0; e < n; ++e)
              expected[e] = mesh.flags[e] == DesignFlag::design
                              ? Projection{0.4, beta, least}.value(mean[e])
                              : mean[e];
          EXPECT_LE(relative_difference(rho, expected), 1e-13);
          for (std::size_t e = 0; e < n; ++e) // equal to the bit
            if (mesh.flags[e] != DesignFlag::design)
              {
                EXPECT_EQ(rho[e], x[e]);
              }
        }
    }
}

// On equal elements both weights are the same arithmetic, there and back.
TEST_P(DensityMapTest, WeightsMakeNoDifferenceToABitOnABox)
{
  const BoxMesh box = make_box(BoxOptions::regular({{7, 5, 4}}));
  const auto x      = random_design(box.mesh, 1);
  const auto with   = [&](const FilterWeights weights) {
    DesignChain map = make_chain(backend(), box.mesh, 1.7, 0., weights);
    auto both       = mapped(backend(), map, x);
    Array<double> slopes(memory(), random_vector(x.size(), 2));
    map.backward(Array<double>(memory(), x), slopes);
    const auto back = slopes.to_host();
    both.insert(both.end(), back.begin(), back.end());
    return both;
  };
  EXPECT_TRUE(same_bits(with(FilterWeights::volume), with(FilterWeights::count)));
}

// Compliance and volume as functions of the design variables: the gradient through interpolation,
// filter, projection is that of differences, with solid and void elements among the neighbours. The
// volumes differ.
TEST_P(DensityMapTest, GradientEqualsDifferences)
{
  BoxMesh box = held_box(BoxOptions::wild({{5, 3, 2}}, 5));
  add_passive_elements(box.mesh);
  const std::size_t n   = box.mesh.n_elements;
  const auto compliance = make_response("compliance", {backend(), Communicator(), box.mesh});
  const std::vector<LoadCase> loads = {{"down", 0.7, edge_load(box)},
                                       {"random", 2., random_vector(box.mesh.n_dofs(), 1)}};
  ASSERT_FALSE(DesignVolumes::common(box.mesh.volumes).has_value());
  for (const auto &[beta, weights] :
       std::vector<std::pair<double, FilterWeights>>{{0., FilterWeights::volume},
                                                     {0., FilterWeights::count},
                                                     {1., FilterWeights::volume},
                                                     {4., FilterWeights::volume},
                                                     {16., FilterWeights::volume},
                                                     {16., FilterWeights::count}})
    {
      SCOPED_TRACE(beta);
      DesignChain map = make_chain(backend(), box.mesh, 0.5, beta, weights);
      FunctionOfDesign function(backend(), box.mesh, loads, {3., 1e-4}, *compliance, &map);
      const auto x = random_design(box.mesh, 3);
      std::vector<double> gradient;
      function.value(x, &gradient);
      Array<double> dV(memory(), box.mesh.volumes);
      map.backward(Array<double>(memory(), x), dV);
      const auto volume_gradient = dV.to_host();
      const auto volume          = [&](const std::vector<double> &design) {
        return dot(mapped(backend(), map, design), box.mesh.volumes);
      };
      for (std::size_t e = 0; e < n; ++e)
        {
          if (box.mesh.flags[e] != DesignFlag::design)
            {
              EXPECT_EQ(gradient[e], 0.);
              EXPECT_EQ(volume_gradient[e], 0.);
              continue;
            }
          if (e % 3 != 0)
            continue;
          EXPECT_NEAR(gradient[e], difference(function, x, e, 2.5e-4), 2e-6 * max_norm(gradient));
          EXPECT_NEAR(volume_gradient[e],
                      difference_of(volume, x, e, 2.5e-4),
                      1e-7 * max_norm(volume_gradient));
        }
    }
}

// Along a random direction, the derivative of every response, and of one of them through every
// chain, equals differences. New maps and responses need no addition here.
TEST_P(DensityMapTest, EveryResponseThroughEveryChain)
{
  BoxMesh box = held_box(BoxOptions::wild({{4, 3, 3}}, 7));
  add_passive_elements(box.mesh);
  const std::vector<LoadCase> loads = {{"down", 0.7, edge_load(box)},
                                       {"random", 2., random_vector(box.mesh.n_dofs(), 1)}};
  const auto x                      = random_design(box.mesh, 4);
  auto direction                    = random_vector(x.size(), 5, -1., 1.);
  for (std::size_t e = 0; e < x.size(); ++e)
    if (box.mesh.flags[e] != DesignFlag::design)
      direction[e] = 0.;
  for (const ResponseEntry &entry : responses())
    for (const std::vector<std::string> &names : chains_for(entry.name))
      {
        SCOPED_TRACE(entry.name + " through " + std::to_string(names.size()) + " maps" +
                     (names.empty() ? "" : ", first " + names.front()));
        const ResponseContext context{
          backend(), Communicator(), box.mesh, {}, nullptr, values_for(entry.name)};
        const auto response = make_response(entry.name, context);
        DesignChain map     = make_design_chain(
          names, backend(), Communicator(), box.mesh, {0.5, least}, values_for_differences());
        FunctionOfDesign function(
          backend(), box.mesh, loads, {3., 1e-4}, problem_of(*response, entry.by_load_case), &map);
        expect_slope_along(function, x, direction);
      }
}

/// The volume fraction of each analysed design, and of its solid and void elements the densities.
void expect_volume_and_passive(DesignProblem &problem,
                               const ElementMesh &mesh,
                               const double asked,
                               const int n_iterations)
{
  const double whole = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
  for (int i = 0; i < n_iterations; ++i)
    {
      const auto record = problem.simp().iterate();
      const auto rho    = problem.simp().analysed_densities();
      EXPECT_NEAR(dot(rho, mesh.volumes) / whole, asked, 1e-6 * asked) << "iteration " << i + 1;
      EXPECT_NEAR(record.volume_fraction, asked, 1e-6 * asked) << "iteration " << i + 1;
      const std::string warnings = problem.simp().take_warnings(); // sharp ones may alternate
      EXPECT_EQ(warnings.find("volume"), std::string::npos) << warnings;
      for (std::size_t e = 0; e < rho.size(); ++e)
        if (mesh.flags[e] != DesignFlag::design)
          {
            ASSERT_EQ(rho[e], mesh.flags[e] == DesignFlag::solid ? 1. : least);
          }
    }
  EXPECT_EQ(problem.simp().verdict().text, "");
}

// The physical densities have the required volume from the first design on: with the density filter
// and projections of every sharpness, with and without solid and void regions.
TEST_P(DensityMapTest, VolumeHoldsInEveryIteration)
{
  for (const bool passive : {false, true})
    for (const double beta : {0., 1., 2., 4., 8., 16.})
      {
        SCOPED_TRACE(::testing::Message() << "sharpness " << beta << ", passive " << passive);
        SmallCantilever cantilever;
        if (passive)
          add_passive_elements(cantilever.box.mesh);
        auto &options                = cantilever.options;
        options.maps                 = maps_of(beta > 0. ? "projection" : "density");
        options.radius               = 1.9;
        options.tolerance            = 1e-6;
        options.simp.volume_fraction = 0.35;
        if (beta > 0.)
          options.projection = {{"Sharpness", beta}, {"Maximum sharpness", beta}};
        DesignProblem problem(backend(), cantilever.box.mesh, cantilever.loads, options);
        expect_volume_and_passive(problem, cantilever.box.mesh, 0.35, 6);
      }
}

// Doubling the sharpness changes the densities of a design. The update before it accounts for this,
// so the volume holds there, too. The stopping rule waits for the last sharpness.
TEST_P(DensityMapTest, VolumeHoldsWhereTheSharpnessIsDoubled)
{
  SmallCantilever cantilever;
  add_passive_elements(cantilever.box.mesh);
  auto &options         = cantilever.options;
  options.maps          = maps_of("projection");
  options.tolerance     = 1e-6;
  options.projection    = {{"Maximum sharpness", 8.}, {"Iterations per sharpness", 3.}};
  options.simp.stopping = {StoppingRule::Criterion::density_change, 1., 100};
  DesignProblem problem(backend(), cantilever.box.mesh, cantilever.loads, options);
  for (int i = 1; i <= 9; ++i)
    {
      expect_volume_and_passive(problem, cantilever.box.mesh, 0.4, 1);
      EXPECT_FALSE(problem.simp().finished()) << "iteration " << i;
      ASSERT_EQ(problem.simp().notes().size(), 1u);
      EXPECT_EQ(
        problem.simp().notes().front(),
        "the filter was still changing, until iteration 10; allow 19 iterations or more for the design "
        "that it ends with");
    }
  expect_volume_and_passive(problem, cantilever.box.mesh, 0.4, 1);
  EXPECT_TRUE(problem.simp().notes().empty());
  EXPECT_TRUE(problem.simp().converged());

  // without a stopping rule, so that some designs follow
  options.simp.stopping = {StoppingRule::Criterion::none, 1., 100};
  DesignProblem endless(backend(), cantilever.box.mesh, cantilever.loads, options);
  endless.run(12);
  ASSERT_EQ(endless.simp().notes().size(), 1u);
  EXPECT_EQ(
    endless.simp().notes().front(),
    "the filter has changed in iteration 10, and the designs since are few; allow 19 iterations or more "
    "for the design that it ends with");
  endless.run(7);
  EXPECT_TRUE(endless.simp().notes().empty());
}

// The design becomes crisp: its greyness 4 sum v rho (1 - rho) / sum v falls far below that with
// the filter.
TEST_P(DensityMapTest, ProjectionMakesTheDesignCrisp)
{
  const auto greyness = [&](const std::string &filter) {
    SmallCantilever cantilever;
    cantilever.options.maps      = maps_of(filter);
    cantilever.options.tolerance = 1e-6;
    if (filter == "projection")
      cantilever.options.projection = {{"Iterations per sharpness", 8.}};
    DesignProblem problem(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
    problem.run(45);
    double sum = 0;
    for (const double rho : problem.simp().analysed_densities())
      sum += 4. * rho * (1. - rho);
    return sum / static_cast<double>(cantilever.box.mesh.n_elements);
  };
  EXPECT_LT(greyness("projection"), 0.5 * greyness("density"));
}

// From its design variables and its history the optimization continues with the same bits,
// including the sharpness.
TEST_P(DensityMapTest, RestoresBitwise)
{
  for (const std::string filter : {"density", "projection"})
    {
      SmallCantilever cantilever;
      add_passive_elements(cantilever.box.mesh);
      auto &options    = cantilever.options;
      options.strategy = "nbn";
      options.maps     = maps_of(filter);
      if (filter == "projection")
        options.projection = {{"Iterations per sharpness", 2.}};
      const auto [whole, resumed] =
        expect_to_restart_bitwise([&]() { return cantilever.make(backend()); }, 3, 6);
      EXPECT_TRUE(
        same_bits(resumed->simp().analysed_densities(), whole->simp().analysed_densities()));
    }
}

TEST_P(DensityMapTest, EveryMapAllowsAnEmptyMesh)
{
  const BoxMesh box = make_box(BoxOptions::regular({{0, 0, 0}}));
  for (const DesignMapEntry &entry : design_maps())
    {
      DesignChain map =
        make_design_chain({entry.name}, backend(), Communicator(), box.mesh, {0.5, least});
      Array<double> none(memory(), 0), densities(memory(), 0);
      map.forward(none, densities);
      map.backward(none, densities);
      EXPECT_TRUE(densities.empty());
    }
}

// Thresholds of 0 and 1 are refused of fields alone: the projection itself has slopes there.
TEST_P(DensityMapTest, ThresholdsAtTheEnds)
{
  BoxMesh box = make_box(BoxOptions::regular({{6, 4, 3}}));
  add_passive_elements(box.mesh);
  const ElementMesh &mesh     = box.mesh;
  const std::vector<double> x = random_vector(mesh.n_elements, 5, 0.2, 0.9);
  for (const double threshold : {0., 1.})
    {
      DesignChain chain = make_design_chain({"projection"},
                                            backend(),
                                            Communicator(),
                                            mesh,
                                            {1.5, 1e-2},
                                            {{"projection", {{"Threshold", threshold}}}});
      ASSERT_TRUE(chain.can_shift(0.));
      EXPECT_THROW(chain.can_shift(threshold == 0. ? -0.1 : 0.1), Error);
      const auto moved_by = [&](const double h) {
        std::vector<double> moved = x;
        for (double &value : moved)
          value += h;
        return mapped(backend(), chain, moved);
      };
      const auto more = moved_by(1e-5), less = moved_by(-1e-5);
      moved_by(0.);
      Array<double> slopes(backend().memory(), std::vector<double>(x.size(), 1.));
      chain.backward(Array<double>(backend().memory(), x), slopes);
      const std::vector<double> s = slopes.to_host();
      for (std::size_t e = 0; e < x.size(); ++e)
        EXPECT_NEAR(s[e],
                    mesh.flags[e] == DesignFlag::design ? (more[e] - less[e]) / 2e-5 : 0.,
                    1e-7);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, DensityMapTest, at_all_places(), place_name);

TEST(DesignMaps, RefuseWrongNamesValuesOfNoParameterAndAMissingRadius)
{
  const auto backend = make_cpu_backend(1);
  const BoxMesh box  = make_box(BoxOptions::regular({{1, 1, 1}}));
  const auto make    = [&](const std::vector<std::string> &names,
                        const double radius,
                        const ValuesOfMaps &values = {}) {
    make_design_chain(names, *backend, Communicator(), box.mesh, {radius, least}, values);
  };
  EXPECT_THROW(make({"density"}, 1., {{"density", {{"Sharpness", 1.}}}}), Error);
  EXPECT_THROW(make({"projection"}, 1., {{"projection", {{"Sharpnes", 1.}}}}), Error);
  EXPECT_THROW(make({"density"}, 0.), Error);
  EXPECT_THROW(make({"density", "projection", "density"}, 1.), Error);
  EXPECT_NO_THROW(make({"projection"}, 0., {{"projection", {{"Sharpness", 2.}}}}));
  std::vector<std::string> all_names;
  for (const DesignMapEntry &entry : design_maps())
    all_names.push_back(entry.name);
  expect_error([&]() { make({"densities"}, 1.); }, all_names);
}
} // namespace
} // namespace strut::test
