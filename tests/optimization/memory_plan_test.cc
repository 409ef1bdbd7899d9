// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/adapted_box.h"
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/row_maker.h"
#include "source/optimization/simp.h"
#include "source/solvers/multigrid/multigrid.h"

#include <strut/backend/memory_plan.h>

#include <gtest/gtest.h>

#include <cmath>

namespace strut::test
{
namespace
{
/// Compares the planned memory of objects with the memory in use after they have worked.
class MemoryPlanTest : public PlaceTest
{
protected:
  MemoryPlanTest() : c({{32, 16, 16}}, 3)
  {}

  StrategyLists strategies()
  {
    return {backend().strategies<double>(), backend().strategies<float>()};
  }

  /// Expects at most this relative difference; on a GPU a megabyte more, for partial sums.
  void expect_near(const double planned,
                   const double used,
                   const std::string &label,
                   const double share = 0.1)
  {
    EXPECT_NEAR(planned, used, share * used + (memory().is_host() ? 0. : 1e6)) << label;
  }

  /// Compares a solve without adjoints to five per cent, because programs refuse what does not fit.
  void expect_close(const Structure &structure,
                    const StateSettings &settings,
                    const std::vector<LoadCase> &load_cases,
                    const std::string &label)
  {
    const Array<double> factors(memory(), std::vector<double>(structure.mesh.n_elements, 1.));
    MemoryPlan plan;
    plan_state_solver(plan,
                      settings,
                      strategies(),
                      size_of(Communicator(), structure, !memory().is_host()),
                      planned_loads(!structure.mesh.dependent.empty(), load_cases),
                      false,
                      0);
    const std::size_t before = memory().in_use();
    const auto state         = make_state_solver(execution(), structure, load_cases, settings);
    state->set_stiffness(factors);
    state->solve(0);
    EXPECT_EQ(state->take_warnings(), "");
    expect_near(plan.total(), static_cast<double>(memory().in_use() - before), label, 0.05);
  }

  CantileverHierarchy c;
};

// All that a solve may keep: two load cases, prescribed displacements, an adjoint.
TEST_P(MemoryPlanTest, OfTheStateSolver)
{
  const Array<double> factors(memory(), c.frame(0.1));
  const std::vector<double> forces = edge_load(c.box);
  Array<double> energies(memory(), c.box.mesh.n_elements);
  ElementMesh lifted_mesh = c.box.mesh;
  lifted_mesh.constrained_values.assign(lifted_mesh.constrained_dofs.size(), 0.01);
  for (const PreconditionerEntry &entry : preconditioners())
    for (const Precision precision : {Precision::fp64, Precision::fp32, Precision::mixed})
      for (const std::size_t n_loads : {1, 2})
        for (const bool lifted : {false, true})
          for (const std::size_t n_adjoints : {0, 1, 2})
            {
              const Structure structure{lifted ? lifted_mesh : c.box.mesh, Material(), c.coarser};
              if (choose_preconditioner(entry.name, precision, Communicator(), structure).refusal !=
                  PreconditionerChoice::Refusal::none)
                continue;
              StateSettings settings;
              settings.precision           = precision;
              settings.preconditioner.name = entry.name;
              settings.control.tolerance   = 1e-1;
              MemoryPlan plan;
              plan_state_solver(plan,
                                settings,
                                strategies(),
                                size_of(Communicator(), structure, !memory().is_host()),
                                {n_loads},
                                lifted,
                                n_adjoints);

              const std::size_t before = memory().in_use();
              const auto state         = make_state_solver(execution(),
                                                   structure,
                                                   {n_loads, {"down", 1., forces}},
                                                   settings);
              state->set_stiffness(factors);
              state->solve(0);
              for (std::size_t i = 0; i < n_adjoints; ++i)
                {
                  state->select_adjoint(i);
                  state->adjoint_energies(0, Array<double>(memory(), forces), energies);
                }
              expect_near(plan.total(),
                          static_cast<double>(memory().in_use() - before),
                          entry.name + ", " + to_string(precision) + (lifted ? ", lifted" : "") +
                            ", " + std::to_string(n_adjoints) + " adjoints");
            }
}

// Equal cubes need no coordinates; the same mesh bent does. To five per cent.
TEST_P(MemoryPlanTest, OfALargerMesh)
{
  const CantileverHierarchy large({{64, 32, 32}}, 4, 0.);
  for (const bool bent : {false, true})
    {
      ElementMesh mesh      = large.box.mesh;
      MeshHierarchy coarser = large.coarser;
      const auto bend       = [&](ElementMesh &of_level) {
        for (std::size_t i = 0; i < of_level.n_nodes; ++i)
          of_level.coordinates[2 * of_level.n_nodes + i] +=
            1e-2 * of_level.coordinates[i] * of_level.coordinates[i];
      };
      for (CoarseLevel &level : coarser)
        if (bent)
          bend(level.mesh);
      if (bent)
        bend(mesh);
      const Structure structure{mesh, Material(), coarser};
      StateSettings settings;
      settings.precision           = Precision::mixed;
      settings.preconditioner.name = "multigrid";
      settings.control.tolerance   = 1e-2;
      expect_close(structure,
                   settings,
                   {{"down", 1., edge_load(large.box)}},
                   bent ? "bent" : "cubes");
    }
}

// Springs, nodes that hang, conditions on mean values, loads on many nodes: to five per cent, too.
TEST_P(MemoryPlanTest, OfConditions)
{
  const CantileverHierarchy large({{64, 32, 32}}, 4, 0.);
  const std::size_t n = large.box.mesh.n_elements;
  for (const std::string kind : {"springs", "hanging nodes", "mean values", "many loads"})
    for (const Precision precision : {Precision::fp64, Precision::mixed})
      {
        ElementMesh mesh           = large.box.mesh;
        std::vector<double> forces = edge_load(large.box);
        RowMaker rows(mesh);
        const auto vertex = [&](const std::size_t v, const std::size_t e) {
          return mesh.connectivity[v * n + e];
        };
        if (kind == "springs")
          for (LocalIndex dof = 0; dof < mesh.n_dofs(); dof += 50)
            {
              mesh.spring_dofs.push_back(dof);
              mesh.spring_stiffness.push_back(0.1);
            }
        else if (kind == "hanging nodes")
          for (std::size_t e = 0; e < n; e += 20)
            rows.add({vertex(1, e), vertex(0, e), vertex(3, e)}, 3);
        else if (kind == "mean values")
          for (std::size_t e = 0, n_made = 0; n_made < 3; e += 40)
            {
              std::vector<LocalIndex> nodes;
              for (std::size_t k = 0; k < 31; ++k)
                nodes.push_back(vertex(0, e + 500 * k));
              n_made += rows.add(nodes, 1) ? 1 : 0;
            }
        else
          for (std::size_t dof = 0; dof < mesh.n_dofs(); dof += 5)
            forces[dof] = 1e-3;
        rows.finish();
        if (mesh.dependent.dofs.empty())
          mesh.dependent = {};
        const Structure structure{mesh, Material(), large.coarser};
        StateSettings settings;
        settings.precision           = precision;
        settings.preconditioner.name = "multigrid";
        settings.control.tolerance   = 1e-2;
        const MeshSize size          = size_of(Communicator(), structure, !memory().is_host());
        EXPECT_EQ(size.n_mean_values, kind == "mean values" ? 3u : 0u);
        EXPECT_EQ(size.has_shift, kind == "springs");
        expect_close(structure,
                     settings,
                     {{"down", 1., forces}},
                     kind + ", " + to_string(precision));
      }
}

bool is_near_sphere(const double x, const double y, const double z)
{
  return std::abs(std::hypot(x - 7., y - 7., z - 7.) - 4.) < 1.;
}

// The operator itself knows the nodes that hang, without any levels.
TEST_P(MemoryPlanTest, OfAnAdaptedMeshWithJacobi)
{
  const AdaptedBox adapted(14, &is_near_sphere);
  const Structure structure{adapted.mesh, Material(), {}};
  const LoadCase load_case{"down", 1., std::vector<double>(adapted.mesh.n_dofs(), 1e-3)};
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    {
      StateSettings settings;
      settings.precision           = precision;
      settings.preconditioner.name = "jacobi";
      expect_close(structure, settings, {load_case}, to_string(precision));
    }
}

// Ratios of stiffness, and the factors times them.
TEST_P(MemoryPlanTest, OfSeveralMaterials)
{
  const std::size_t n = c.box.mesh.n_elements;
  const Solids solids =
    Solids::isotropic(std::vector<double>(n, 2.), {}, std::vector<double>(n, 3.));
  const Array<double> factors(memory(), std::vector<double>(n, 1.));
  StateSettings settings;
  settings.control.tolerance = 1e-3;
  std::array<double, 2> used, planned;
  for (const bool has_ratios : {false, true})
    {
      const Structure structure{c.box.mesh,
                                Material(),
                                c.coarser,
                                has_ratios ? solids : Solids::none()};
      MemoryPlan plan;
      plan_state_solver(plan,
                        settings,
                        strategies(),
                        size_of(Communicator(), structure, !memory().is_host()),
                        {1},
                        false,
                        0,
                        0,
                        1,
                        has_ratios);
      planned[has_ratios]      = plan.total();
      const std::size_t before = memory().in_use();
      const auto state =
        make_state_solver(execution(), structure, {{"down", 1., edge_load(c.box)}}, settings);
      state->set_stiffness(factors);
      state->solve(0);
      used[has_ratios] = static_cast<double>(memory().in_use() - before);
    }
  EXPECT_EQ(planned[1] - planned[0], 16. * static_cast<double>(n));
  EXPECT_NEAR(used[1] - used[0], 16. * static_cast<double>(n), 1024.);
}

// With several Poisson's ratios an operator consists of two, on each level.
TEST_P(MemoryPlanTest, OfPoissonRatios)
{
  const std::size_t n = c.box.mesh.n_elements;
  const Solids solids = Solids::isotropic({}, random_vector(n, 3, 0.1, 0.4));
  const Structure structure{c.box.mesh, Material(), c.coarser, solids};
  for (const char *const preconditioner : {"jacobi", "multigrid"})
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      {
        StateSettings settings;
        settings.precision           = precision;
        settings.preconditioner.name = preconditioner;
        settings.control.tolerance   = 1e-3;
        MemoryPlan plan;
        plan_state_solver(plan,
                          settings,
                          strategies(),
                          size_of(Communicator(), structure, !memory().is_host()),
                          {1},
                          false,
                          /*n_adjoints*/ 0);
        const std::size_t before = memory().in_use();
        const auto state =
          make_state_solver(execution(), structure, {{"down", 1., edge_load(c.box)}}, settings);
        state->set_stiffness(Array<double>(memory(), std::vector<double>(n, 1.)));
        state->solve(0);
        expect_near(plan.total(),
                    static_cast<double>(memory().in_use() - before),
                    std::string(preconditioner) + ", " + to_string(precision));
      }
}

// Modes of vibration, and what the response keeps beside them.
TEST_P(MemoryPlanTest, OfModes)
{
  const std::size_t n = c.box.mesh.n_elements;
  const Structure structure{c.box.mesh, Material(), c.coarser};
  StateSettings settings;
  settings.preconditioner.name = "multigrid";
  const std::vector<double> no_forces(c.box.mesh.n_dofs(), 0.);
  const ResponseEntry &entry = find_response("frequency");
  for (const std::size_t n_modes : {1, 4})
    {
      const ParameterValues values = {{"Modes", static_cast<int>(n_modes)}, {"Tolerance", 1e-3}};
      MemoryPlan plan;
      plan_state_solver(plan,
                        settings,
                        strategies(),
                        size_of(Communicator(), structure, !memory().is_host()),
                        {1},
                        false,
                        0,
                        entry.n_modes(values));
      const Array<double> ones(memory(), std::vector<double>(n, 1.));
      const std::size_t before = memory().in_use();
      const auto state =
        make_state_solver(execution(), structure, {{"none", 1., no_forces}}, settings);
      const auto response =
        entry.make({backend(), Communicator(), c.box.mesh, Material(), nullptr, values});
      state->set_stiffness(ones);
      response->evaluate({ones, Interpolation(), *state}, 0, nullptr);
      expect_near(plan.total() +
                    (entry.bytes_per_element + entry.bytes_of_type(c.box.mesh.type)) *
                      static_cast<double>(n) +
                    entry.bytes_per_node * static_cast<double>(c.box.mesh.n_nodes),
                  static_cast<double>(memory().in_use() - before),
                  std::to_string(n_modes) + " modes");
    }
}

// Elements are distorted, and weigh by volume or alike; or they are equal boxes, whose centres are
// places of a lattice.
TEST_P(MemoryPlanTest, OfMapsAndSimp)
{
  BoxMesh equal                                    = held_box(BoxOptions::regular({{32, 16, 16}}));
  const std::vector<std::vector<std::string>> maps = {{}, {"density"}, {"density", "projection"}};
  for (std::size_t i = 0; i < 3 * maps.size(); ++i)
    {
      const std::vector<std::string> &names = maps[i / 3];
      const BoxMesh &box                    = i % 3 < 2 ? c.box : equal;
      MapSettings settings_of_maps;
      settings_of_maps.radius  = 0.1;
      settings_of_maps.weights = i % 3 == 1 ? FilterWeights::count : FilterWeights::volume;
      const std::size_t n      = box.mesh.n_elements;
      StateSettings settings;
      const auto state =
        make_state_solver(execution(), {box.mesh}, {{"down", 1., edge_load(box)}}, settings);
      OptimizationSettings simp_settings;
      simp_settings.sensitivity_radius = names.empty() ? 0.1 : 0.;
      simp_settings.filter_weights     = settings_of_maps.weights;
      if (names.empty())
        {
          state->set_stiffness(Array<double>(memory(), std::vector<double>(n, 1.)));
          state->solve(0); // so that it has allocated everything
        }
      const Array<double> x(memory(), random_vector(n, 1, 0.1, 1.));
      Array<double> y(memory(), n);
      const std::size_t before = memory().in_use();
      DesignChain map =
        make_design_chain(names, backend(), Communicator(), box.mesh, settings_of_maps);
      Simp simp(execution(),
                box.mesh,
                *state,
                minimise("compliance", {backend(), Communicator(), box.mesh}),
                map,
                simp_settings);
      if (!names.empty())
        {
          map.forward(x, y);
          map.backward(x, y); // the filter keeps weights for it
        }
      else
        simp.iterate();
      // On the CPU the grid of the neighbours, or the lattice with values and sums of weights, is
      // in the host's memory, which is not counted.
      const bool on_device   = !memory().is_host();
      const double uncounted = on_device ? 0. : (&box == &equal ? 20. : 40.) * double(n);
      const double of_maps =
        names.empty()
          ? SensitivityFilter::memory_estimate(Communicator(),
                                               box.mesh,
                                               simp_settings.filter_weights,
                                               on_device)
          : chain_memory_estimate(names, Communicator(), box.mesh, on_device, {}, settings_of_maps);
      expect_near(Simp::memory_estimate(n) + DesignVolumes::memory_estimate(box.mesh.volumes) +
                    of_maps,
                  static_cast<double>(memory().in_use() - before) + uncounted,
                  std::to_string(names.size()) + " maps" +
                    (i % 3 == 2   ? ", equal boxes"
                     : i % 3 == 1 ? ", by count"
                                  : ""));
    }
}

// The PDE filter on equal boxes, and with stored matrices on other elements, including hanging
// nodes; with void around the body.
TEST_P(MemoryPlanTest, OfThePdeFilter)
{
  const BoxMesh equal = make_box(BoxOptions::regular({{32, 16, 16}}));
  AdaptedBox adapted(14, &is_near_sphere);
  adapted.mesh.flags.assign(adapted.mesh.n_elements, DesignFlag::design);
  EXPECT_GT(4 * adapted.n_hanging_elements, adapted.mesh.n_elements);
  double on_lattice = 0.; // with Neumann's condition
  for (const ElementMesh *const mesh :
       std::vector<const ElementMesh *>{&equal.mesh, &c.box.mesh, &adapted.mesh})
    for (const std::string boundary : {"neumann", "robin"})
      {
        const std::size_t n       = mesh->n_elements;
        const ValuesOfMaps values = {{"helmholtz", {{"Boundary", boundary}}}};
        const Array<double> x(memory(), random_vector(n, 1, 0., 1.));
        Array<double> y(memory(), n);
        const std::size_t before = memory().in_use();
        DesignChain map =
          make_design_chain({"helmholtz"}, backend(), Communicator(), *mesh, {0.1}, values);
        map.forward(x, y);
        const double others = 2. * sizeof(double) * static_cast<double>(n); // kept by Simp
        const double used   = static_cast<double>(memory().in_use() - before) + others;
        const double planned =
          chain_memory_estimate({"helmholtz"}, Communicator(), *mesh, !memory().is_host(), values);
        expect_near(planned, used, "PDE filter, " + boundary);
        if (mesh != &equal.mesh)
          {
            EXPECT_GT(used, 5. * on_lattice);
          }
        else if (boundary == "neumann")
          on_lattice = used;
        else
          EXPECT_NEAR(used - on_lattice, 8. * static_cast<double>(mesh->n_nodes), 1e3);
      }
}

// Responses that say how much they keep, once their derivative was asked for.
TEST_P(MemoryPlanTest, OfResponses)
{
  const std::size_t n = c.box.mesh.n_elements;
  const auto state =
    make_state_solver(execution(), {c.box.mesh}, {{"down", 1., edge_load(c.box)}}, StateSettings());
  const Array<double> ones(memory(), std::vector<double>(n, 1.));
  Array<double> work(memory(), n), sum(memory(), n);
  state->set_stiffness(ones);
  state->solve(0);
  state->adjoint_energies(0, Array<double>(memory(), edge_load(c.box)), work);
  for (const ResponseEntry &entry : responses())
    if (entry.bytes_per_element > 0. && entry.n_modes == nullptr) // OfModes() has those
      {
        const std::size_t before = memory().in_use();
        const auto response      = make_response(
          entry.name, {backend(), Communicator(), c.box.mesh, {}, nullptr, values_for(entry.name)});
        const Interpolation interpolation;
        Derivative derivative(backend(), interpolation, ones, 1., work, sum);
        response->evaluate({ones, interpolation, *state}, 0, &derivative);
        const double uncounted = // the grid of neighbours, as above
          memory().is_host() && entry.name == "local volume" ? NeighbourhoodMean::memory_estimate(n)
                                                             : 0.;
        const double of_type =
          entry.bytes_of_type == nullptr ? 0. : entry.bytes_of_type(c.box.mesh.type);
        expect_near(static_cast<double>(n) *
                        (entry.bytes_per_element + of_type + entry.bytes_per_load_case +
                         (entry.is_amount ? sizeof(double) : 0.)) +
                      entry.bytes_per_node * static_cast<double>(c.box.mesh.n_nodes),
                    static_cast<double>(memory().in_use() - before) + uncounted,
                    entry.name);
      }
}

INSTANTIATE_TEST_SUITE_P(Core,
                         MemoryPlanTest,
                         ::testing::Values(Place::cpu_1_thread, Place::cuda),
                         place_name);
} // namespace
} // namespace strut::test
