// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/design_problem.h"
#include "../fixtures/function_of_design.h"
#include "source/base/packed_values.h"
#include "source/solvers/state/self_weight.h"

#include <strut/base/exceptions.h>

#include <numeric>

namespace strut::test
{
namespace
{
/// Response sum_i (u_i^2 + u_i) over every second DoF; not self-adjoint.
class Squares : public DisplacementResponse
{
public:
  double value(const LoadCase &, const std::vector<double> &u) override
  {
    double sum = 0;
    for (std::size_t i = 0; i < u.size(); i += 2)
      sum += u[i] * u[i] + u[i];
    return sum;
  }
  std::vector<double> derivative(const LoadCase &, const std::vector<double> &u) override
  {
    std::vector<double> result(u.size());
    for (std::size_t i = 0; i < u.size(); i += 2)
      result[i] = 2. * u[i] + 1.;
    return result;
  }
};

/// Weights that differ from element to element.
std::vector<double> random_weights(const ElementMesh &mesh)
{
  return random_vector(3 * mesh.n_elements, 5, -2., 1.);
}

/// Forces on the nodes of the elements, as of an expansion or of weights that vary within them.
std::vector<double> random_element_forces(const ElementMesh &mesh, const unsigned int seed)
{
  return random_vector(3 * mesh.type.n_nodes * mesh.n_elements, seed, -0.3, 0.2);
}

// The shares of an element sum to its volume; on a parallelepiped each vertex has an eighth.
TEST(SelfWeight, SharesAreIntegralsOfShapeFunctions)
{
  const BoxMesh box   = make_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const auto shares   = std::vector<double>(SelfWeight(box.mesh).shares());
  const std::size_t n = box.mesh.n_elements;
  for (std::size_t e = 0; e < n; ++e)
    {
      double sum = 0;
      for (std::size_t v = 0; v < 8; ++v)
        sum += shares[v * n + e];
      EXPECT_NEAR(sum, box.mesh.volumes[e], 1e-14);
    }
  const BoxMesh regular = make_box(BoxOptions::regular({{3, 2, 2}}));
  const SelfWeight of_regular(regular.mesh);
  for (const double share : of_regular.shares())
    EXPECT_NEAR(share, regular.mesh.volumes[0] / 8., 1e-15);
}

class SelfWeightTest : public PlaceTest
{
protected:
  std::unique_ptr<StateSolver> state(const ElementMesh &mesh,
                                     const LoadCase &load_case,
                                     const Precision precision = Precision::fp64)
  {
    StateSettings settings;
    settings.precision         = precision;
    settings.control.tolerance = precision == Precision::fp64 ? 1e-13 : 1e-5;
    return make_state_solver(execution(), {mesh}, {load_case}, settings);
  }
};

// Forces are sum_e rho_e s_ve g_e, summed here element by element. They give the same displacement
// as if prescribed, in either precision, with and without prescribed displacements.
TEST_P(SelfWeightTest, ActsAsTheForcesOfTheDensities)
{
  for (const bool prescribed : {false, true})
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      {
        BoxMesh box = held_box(BoxOptions::wild({{5, 3, 2}}, 6));
        if (prescribed)
          move_right_face(box, 0.7, 2);
        const ElementMesh &mesh = box.mesh;
        const std::size_t n     = mesh.n_elements;
        const auto rho          = random_vector(n, 2, 0.1, 1.);
        const auto weights      = random_weights(mesh);
        const auto forces       = edge_load(box);
        const auto shares       = std::vector<double>(SelfWeight(mesh).shares());
        auto all                = forces;
        for (std::size_t e = 0; e < n; ++e)
          for (std::size_t v = 0; v < 8; ++v)
            for (std::size_t c = 0; c < 3; ++c)
              all[3 * mesh.connectivity[v * n + e] + c] +=
                rho[e] * shares[v * n + e] * weights[c * n + e];

        const Array<double> E(memory(), random_vector(n, 3, 0.1, 1.));
        const auto heavy = state(mesh, {"1", 1., forces, weights, true}, precision);
        const auto plain = state(mesh, {"1", 1., all}, precision);
        for (StateSolver *solver : {heavy.get(), plain.get()})
          {
            solver->set_stiffness(E);
            solver->set_densities(Array<double>(memory(), rho));
            solver->solve(0);
          }
        const double tolerance = precision == Precision::fp64 ? 1e-11 : 1e-3;
        EXPECT_LE(relative_difference(heavy->displacement(0), plain->displacement(0)), tolerance);
        EXPECT_NEAR(heavy->work_of_loads(0),
                    plain->work_of_loads(0),
                    tolerance * std::abs(plain->work_of_loads(0)));
      }
}

// Forces of weights that vary within elements are those of the mean and of the rest, both by the
// density. Forces of an expansion scale with the stiffness.
TEST_P(SelfWeightTest, ForcesOnNodesOfElementsFollowDensityAndStiffness)
{
  const BoxMesh box       = held_box(BoxOptions::wild({{5, 3, 2}}, 6));
  const ElementMesh &mesh = box.mesh;
  const std::size_t n     = mesh.n_elements;
  const auto rho = random_vector(n, 2, 0.1, 1.), E = random_vector(n, 3, 0.1, 1.);
  LoadCase load_case       = {"1", 1., edge_load(box), random_weights(mesh), true};
  load_case.uneven_weights = random_element_forces(mesh, 7);
  load_case.expansion      = random_element_forces(mesh, 8);
  load_case.has_expansion  = true;
  auto all                 = SelfWeight(mesh).forces(load_case.weights, rho);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] += load_case.forces[i];
  for (std::size_t e = 0; e < n; ++e)
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t c = 0; c < 3; ++c)
        {
          const std::size_t i = (3 * v + c) * n + e;
          all[3 * mesh.connectivity[v * n + e] + c] +=
            rho[e] * load_case.uneven_weights[i] + E[e] * load_case.expansion[i];
        }
  const auto following = state(mesh, load_case);
  const auto plain     = state(mesh, {"1", 1., all});
  for (StateSolver *solver : {following.get(), plain.get()})
    {
      solver->set_stiffness(Array<double>(memory(), E));
      solver->set_densities(Array<double>(memory(), rho));
      solver->solve(0);
    }
  EXPECT_LE(relative_difference(following->displacement(0), plain->displacement(0)), 1e-11);
  EXPECT_NEAR(following->work_of_loads(0),
              plain->work_of_loads(0),
              1e-11 * std::abs(plain->work_of_loads(0)));
}

// The work of a body of density 1 on a translation is its volume times the weight: u . f with u =
// (1, 1, 1) everywhere.
TEST_P(SelfWeightTest, WorkOnATranslationIsTheWeight)
{
  BoxMesh box             = make_box(BoxOptions::wild({{4, 3, 3}}, 7));
  const ElementMesh &mesh = box.mesh;
  const std::size_t n     = mesh.n_elements;
  hold_left_face(box);
  const auto weights = random_weights(mesh);
  const auto solver = state(mesh, {"1", 1., std::vector<double>(mesh.n_dofs(), 0.), weights, true});
  solver->set_displacement(0, std::vector<double>(mesh.n_dofs(), 1.));
  Array<double> work(memory(), poison<double>(n));
  solver->work_of_weight(0, work);
  for (std::size_t e = 0; e < n; ++e)
    EXPECT_NEAR(work.to_host()[e],
                mesh.volumes[e] * (weights[e] + weights[n + e] + weights[2 * n + e]),
                1e-13);
}

/// The gradient of the compliance or a function of displacements equals differences. There are
/// several load cases: one without weight, others with forces that vary within elements or follow
/// the stiffness. There may be a filter, solid and void elements, and prescribed displacements.
TEST_P(SelfWeightTest, GradientEqualsDifferences)
{
  for (const bool prescribed : {false, true})
    for (const bool filtered : {false, true})
      {
        BoxMesh box = held_box(BoxOptions::wild({{4, 3, 2}}, 8));
        if (prescribed)
          move_right_face(box, 0.7, 2);
        std::vector<LoadCase> loads = {
          {"tip", 0.5, edge_load(box)},
          {"weight",
           2.,
           std::vector<double>(box.mesh.n_dofs(), 0.),
           random_weights(box.mesh),
           true},
          {"both", 1., edge_load(box), random_weights(box.mesh), true},
          {"rotation", 0.7, edge_load(box), random_weights(box.mesh), true},
          {"expansion", 1.3, std::vector<double>(box.mesh.n_dofs(), 0.)},
          {"all", 1.1, edge_load(box), random_weights(box.mesh), true}};
        for (const std::size_t l : {3, 5})
          loads[l].uneven_weights = random_element_forces(box.mesh, 7);
        for (const std::size_t l : {4, 5})
          {
            loads[l].expansion     = random_element_forces(box.mesh, 8);
            loads[l].has_expansion = true;
          }
        auto x = random_vector(box.mesh.n_elements, 3, 0.3, 0.9);
        if (filtered)
          for (std::size_t e = 0; e < x.size(); e += 4)
            {
              box.mesh.flags[e] = e % 8 == 0 ? DesignFlag::solid : DesignFlag::empty;
              x[e]              = e % 8 == 0 ? 1. : 1e-2;
            }
        DesignChain map       = make_design_chain(maps_of(filtered ? "projection" : "none"),
                                            backend(),
                                            Communicator(),
                                            box.mesh,
                                            {0.5, 1e-2},
                                            {{"projection", {{"Sharpness", 3.}}}});
        const auto compliance = make_response("compliance", {backend(), Communicator(), box.mesh});
        Squares squares;
        for (Response *response : {compliance.get(), static_cast<Response *>(&squares)})
          {
            FunctionOfDesign function(backend(), box.mesh, loads, {3., 1e-4}, *response, &map);
            std::vector<double> gradient;
            function.value(x, &gradient);
            for (std::size_t e = 1; e < x.size(); e += 3)
              {
                if (box.mesh.flags[e] != DesignFlag::design)
                  continue;
                EXPECT_NEAR(gradient[e],
                            difference(function, x, e, 2.5e-4),
                            2e-6 * max_norm(gradient))
                  << "element " << e;
              }
          }
      }
}

// A cantilever under its weight alone: the mass stays, it gathers at the support, and gets stiffer.
TEST_P(SelfWeightTest, ADesignUnderItsWeightGetsStiffer)
{
  SmallCantilever cantilever;
  const std::size_t n  = cantilever.box.mesh.n_elements;
  LoadCase &load_case  = cantilever.loads[0];
  load_case.forces     = std::vector<double>(load_case.forces.size(), 0.);
  load_case.has_weight = true;
  load_case.weights.assign(3 * n, 0.);
  std::fill(load_case.weights.begin() + 2 * n, load_case.weights.end(), -1.);
  cantilever.options.maps = {"density"};
  DesignProblem problem(backend(), cantilever.box.mesh, cantilever.loads, cantilever.options);
  const auto history = problem.run(20);
  EXPECT_LT(history.back(), 0.5 * history.front());
  const auto rho = problem.simp().analysed_densities();
  double left = 0, right = 0;
  for (std::size_t e = 0; e < n; ++e)
    (cantilever.box.mesh.centre(e)[0] < 6. ? left : right) += rho[e];
  EXPECT_GT(left, 2. * right);
  for (const auto &record : problem.simp().history()) // the volume may not be exceeded
    EXPECT_LE(record.volume_fraction, 0.4 * (1. + 1e-5));
}

INSTANTIATE_TEST_SUITE_P(Core, SelfWeightTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
