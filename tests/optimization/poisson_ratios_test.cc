// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids of different Poisson's ratios in one body.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"
#include "source/backend/element_stress.h"
#include "source/backend/nodal_fields.h"

#include <strut/solvers/state/state_solver.h>

#include <cmath>

namespace strut::test
{
namespace
{
class PoissonRatiosTest : public PlaceTest
{
protected:
  /// Another stiffness and Poisson's ratio in the half x > 0.5 of a box.
  static Solids
  halves(const BoxMesh &box, const double nu, const double other_nu, const double stiffness)
  {
    std::vector<double> stiffnesses, ratios;
    for (const auto &place : box.element_at)
      {
        const bool is_other = 2 * place[0] >= box.options.n[0];
        stiffnesses.push_back(is_other ? stiffness : 1.);
        ratios.push_back(is_other ? other_nu : nu);
      }
    return Solids::isotropic(stiffnesses, ratios);
  }

  /// Arbitrary ratios by element, from auxetic to nearly incompressible.
  static Solids any(const std::size_t n)
  {
    return Solids::isotropic(random_vector(n, 6, 0.3, 3.), random_vector(n, 7, -0.3, 0.47));
  }

  static std::vector<Material> materials(const double E, const Solids &solids)
  {
    std::vector<Material> result;
    for (std::size_t e = 0; e < solids.numbers[0].size(); ++e)
      result.push_back({E * solids.numbers[0][e], solids.numbers[1][e]});
    return result;
  }

  std::unique_ptr<StateSolver> state(const Structure &structure,
                                     const std::vector<double> &forces,
                                     const StateSettings &settings)
  {
    return make_state_solver(execution(), structure, {{"load", 1., forces}}, settings);
  }

  static StateSettings settings_for(const Precision precision)
  {
    StateSettings settings;
    settings.precision         = precision;
    settings.control.tolerance = precision == Precision::fp32 ? 1e-6 : 1e-13;
    return settings;
  }
};

// With every operator, displacement, energies and compliance are those of the matrix of the
// elements' own materials, assembled and factored independently. The meshes are a box and, for
// operators that support it, a mesh of any shape.
TEST_P(PoissonRatiosTest, EqualsTheDenseReference)
{
  for (const bool is_wild : {false, true})
    for (const Precision precision : {Precision::fp64, Precision::fp32})
      {
        BoxMesh box =
          held_box(is_wild ? BoxOptions::wild({{4, 3, 2}}, 5) : BoxOptions::regular({{4, 3, 2}}));
        const Solids solids = any(box.mesh.n_elements);
        const auto E        = random_vector(box.mesh.n_elements, 3, 0.1, 1.);
        const auto forces   = edge_load(box);
        const ReferenceStiffness reference(box.mesh, E, materials(2., solids));
        const auto u  = reference.solve(forces);
        const auto c0 = reference.energies(u);
        std::vector<std::string> names;
        for (const auto &strategy : backend().strategies<double>())
          if (!is_wild || strategy.name.rfind("on_the_fly", 0) == 0)
            names.push_back(strategy.name);
        for (const std::string &name : names)
          {
            SCOPED_TRACE(name + ", " + to_string(precision) + (is_wild ? ", wild" : ""));
            const double tolerance = precision == Precision::fp32 ? 1e-4 : 1e-10;
            StateSettings settings = settings_for(precision);
            settings.strategy      = name;
            const auto solver = state({box.mesh, {2., 0.3}, Structure::no_coarser_meshes(), solids},
                                      forces,
                                      settings);
            solver->set_stiffness(Array<double>(memory(), E));
            solver->solve(0);
            EXPECT_LE(relative_difference(solver->displacement(0), u), tolerance);
            Array<double> energies(memory(), poison<double>(E.size()));
            solver->energies(0, energies);
            const auto found = energies.to_host();
            for (std::size_t e = 0; e < E.size(); ++e)
              EXPECT_NEAR(found[e], c0[e], 20. * tolerance * max_norm(c0));
            EXPECT_NEAR(dot(found, E), dot(forces, u), 10. * tolerance * dot(forces, u));
          }
      }
}

// One ratio everywhere, given by element, acts like the material's, also if it differs from it.
TEST_P(PoissonRatiosTest, OfOneSolid)
{
  BoxMesh box         = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const std::size_t n = box.mesh.n_elements;
  const auto forces   = edge_load(box);
  const Array<double> factors(memory(), random_vector(n, 3, 0.1, 1.));
  const Solids solids = Solids::isotropic(std::vector<double>(n, 1.5), std::vector<double>(n, 0.4));
  const auto find     = [&](const Material &material, const Solids &of_elements) {
    const auto solver = state({box.mesh, material, Structure::no_coarser_meshes(), of_elements},
                              forces,
                              settings_for(Precision::fp64));
    solver->set_stiffness(factors);
    solver->solve(0);
    const auto stresses = backend().make_element_stress(box.mesh);
    Array<double> stress(memory(), n);
    solver->von_mises(0, *stresses, stress);
    return std::make_pair(solver->displacement(0), stress.to_host());
  };
  const auto expected = find({3., 0.4}, Solids::none()), found = find({2., 0.1}, solids);
  EXPECT_LE(relative_difference(found.first, expected.first), 1e-10);
  EXPECT_LE(relative_difference(found.second, expected.second), 1e-10);
}

// A bar of two halves, pulled along x by a total force of 1, and held against lateral motion
// everywhere. The strain is uniaxial in each half. With M = lambda + 2 mu the stress is (1, lambda
// / M, lambda / M) / A, von Mises' stress 2 mu / (M A), and the compliance sum_i L_i / (A M_i).
TEST_P(PoissonRatiosTest, UniaxialStrainOfTwoHalves)
{
  BoxMesh box = make_box(BoxOptions::regular({{6, 2, 2}}, {{3., 0.5, 0.8}}));
  hold(box, [](const Position &X, const int c) { return c > 0 || X[0] == 0.; });
  const double area = 0.4, E = 2.;
  const Solids solids = halves(box, 0.1, 0.45, 3.);
  const std::size_t n = box.mesh.n_elements;
  const std::vector<double> ones(n, 1.);
  const Array<double> factors(memory(), ones);
  const auto solver = state({box.mesh, {E, 0.3}, Structure::no_coarser_meshes(), solids},
                            tension(box),
                            settings_for(Precision::fp64));
  solver->set_stiffness(factors);
  solver->solve(0);

  const Material halves_of[2] = {{E, 0.1}, {3. * E, 0.45}};
  double compliance           = 0., von_mises[2];
  for (int h = 0; h < 2; ++h)
    {
      const Matrix6 D = hooke(halves_of[h]); // D_00 = M, D_33 = mu
      compliance += 1.5 / (area * D[0][0]);
      von_mises[h] = 2. * D[3][3] / (D[0][0] * area);
    }
  EXPECT_NEAR(solver->work_of_loads(0), compliance, 1e-10 * compliance);
  Array<double> energies(memory(), n), stress(memory(), n);
  solver->energies(0, energies);
  EXPECT_NEAR(dot(energies.to_host(), ones), compliance, 1e-10 * compliance);

  solver->von_mises(0, *backend().make_element_stress(box.mesh), stress);
  const auto of_elements = stress.to_host();
  for (std::size_t e = 0; e < n; ++e)
    EXPECT_NEAR(of_elements[e], von_mises[2 * box.element_at[e][0] >= 6 ? 1 : 0], 1e-9);

  // At nodes all components are averaged over the surrounding elements, whose number is that of the
  // node.
  const auto fields = backend().make_nodal_fields(box.mesh);
  Array<double> sums(memory(), poison<double>(NodalFields::n_sums * box.mesh.n_nodes));
  solver->sum_stresses(0, *fields, factors, sums);
  const auto found = sums.to_host();
  std::vector<double> around(box.mesh.n_nodes, 0.);
  for (const LocalIndex node : box.mesh.connectivity)
    around[node] += 1.;
  for (std::size_t node = 0; node < box.mesh.n_nodes; ++node)
    {
      const double x          = box.reference[node][0];
      const double *const sum = &found[NodalFields::n_sums * node];
      EXPECT_EQ(sum[6], around[node]);
      if (std::abs(x - 1.5) < 1e-9)
        continue; // in both halves
      const Matrix6 D = hooke(halves_of[x > 1.5 ? 1 : 0]);
      for (int c = 0; c < 6; ++c)
        EXPECT_NEAR(sum[c] / sum[6], c < 3 ? D[c][0] / (D[0][0] * area) : 0., 1e-9);
    }
}

// Multigrid with means of Lame's parameters on coarser levels gives the displacement of Jacobi's
// preconditioner. It takes about as many iterations as with the larger ratio everywhere; so does
// aggregation.
TEST_P(PoissonRatiosTest, WithMultigrid)
{
  const CantileverHierarchy c({{24, 12, 12}},
                              2); // more on the second level than is solved directly
  const auto forces = edge_load(c.box);
  const Array<double> factors(memory(), random_vector(c.box.mesh.n_elements, 3, 0.1, 1.));
  const auto solve = [&](const Solids &solids, const StateSettings &settings) {
    const auto solver = state({c.box.mesh, {2., 0.3}, c.coarser, solids}, forces, settings);
    solver->set_stiffness(factors);
    const unsigned int iterations = solver->solve(0).iterations;
    EXPECT_EQ(solver->take_warnings(), "");
    return std::make_pair(iterations, solver->displacement(0));
  };
  for (const auto &[nu, other_nu] : {std::make_pair(0.1, 0.45), std::make_pair(0.05, 0.49)})
    {
      const Solids solids = halves(c.box, nu, other_nu, 3.5);
      const auto expected = solve(solids, settings_for(Precision::fp64)).second;
      for (const Precision precision : {Precision::fp64, Precision::mixed})
        for (const char *const coarse : {"rediscretised", "aggregation"})
          {
            SCOPED_TRACE(to_string(precision) + ", " + coarse + ", " + std::to_string(other_nu));
            StateSettings settings       = settings_for(precision);
            settings.preconditioner.name = "multigrid";
            settings.preconditioner.values.insert_or_assign("Coarse operators",
                                                            std::string(coarse));
            settings.control.tolerance     = 1e-11;
            const auto [iterations, found] = solve(solids, settings);
            EXPECT_LE(relative_difference(found, expected), 1e-9);
            const Solids stiffness = Solids::isotropic(solids.numbers[0]);
            const auto one =
              state({c.box.mesh, {2., other_nu}, c.coarser, stiffness}, forces, settings);
            one->set_stiffness(factors);
            const unsigned int of_one = one->solve(0).iterations;
            EXPECT_LE(iterations, of_one + of_one / 5);
          }
    }
}

// Springs and prescribed displacements: K u + S u = f on free degrees of freedom, with K of the
// elements' own materials.
TEST_P(PoissonRatiosTest, SpringsAndPrescribedDisplacements)
{
  CantileverHierarchy c({{8, 4, 4}}, 1);
  ElementMesh &mesh               = c.box.mesh;
  const Solids solids             = any(mesh.n_elements);
  const auto E                    = random_vector(mesh.n_elements, 3, 0.1, 1.);
  const auto forces               = edge_load(c.box);
  mesh.constrained_values         = random_vector(mesh.constrained_dofs.size(), 4, -0.01, 0.01);
  const std::vector<bool> is_held = constrained_flags(mesh);
  for (LocalIndex dof = 0; dof < mesh.n_dofs(); dof += 7)
    if (!is_held[dof])
      {
        mesh.spring_dofs.push_back(dof);
        mesh.spring_stiffness.push_back(0.1 + 0.01 * (dof % 5));
      }
  const ReferenceStiffness reference(mesh, E, materials(2., solids));
  for (const char *const preconditioner : {"jacobi", "multigrid"})
    {
      SCOPED_TRACE(preconditioner);
      StateSettings settings       = settings_for(Precision::fp64);
      settings.control.tolerance   = 1e-12;
      settings.preconditioner.name = preconditioner;
      const auto solver            = state({mesh, {2., 0.3}, c.coarser, solids}, forces, settings);
      solver->set_stiffness(Array<double>(memory(), E));
      solver->solve(0);
      const auto u = solver->displacement(0);
      auto r       = reference.apply(u);
      for (std::size_t k = 0; k < mesh.spring_dofs.size(); ++k)
        r[mesh.spring_dofs[k]] += mesh.spring_stiffness[k] * u[mesh.spring_dofs[k]];
      const double size = max_norm(r);
      for (LocalIndex dof = 0; dof < mesh.n_dofs(); ++dof)
        EXPECT_NEAR(is_held[dof] ? forces[dof] : r[dof], forces[dof], 1e-9 * size);
      for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
        EXPECT_DOUBLE_EQ(u[mesh.constrained_dofs[k]], mesh.constrained_values[k]);
    }
}

// Objects that support one ratio only refuse several.
TEST_P(PoissonRatiosTest, Refusals)
{
  const CantileverHierarchy c({{4, 2, 2}}, 1);
  Solids solids        = halves(c.box, 0.1, 0.45, 1.);
  const auto complaint = [&](const Material &material, const StateSettings &settings) {
    return message_of([&]() {
      state({c.box.mesh, material, c.coarser, solids}, edge_load(c.box), settings);
    });
  };
  StateSettings settings;
  const std::string subject = "A structure whose solids have Poisson's ratios of their own ";
  EXPECT_EQ(complaint({1., 0.3, Formulation::mean_dilatation}, settings).rfind(subject, 0), 0u);
  EXPECT_EQ(complaint(with_modes(1., 0.3), settings).rfind(subject, 0), 0u);
  settings.preconditioner.name = "multigrid";
  for (const auto &[name, value, text] :
       {std::array<std::string, 3>{"Coarse operators",
                                   "galerkin",
                                   "Galerkin's coarse operators know stiffness factors alone,"},
        std::array<std::string, 3>{"Rigid pieces",
                                   "yes",
                                   "Rigid pieces of solid know stiffness factors alone,"}})
    {
      settings.preconditioner.values = {};
      settings.preconditioner.values.insert_or_assign(name, value);
      EXPECT_EQ(complaint({1., 0.3}, settings).rfind(text, 0), 0u)
        << complaint({1., 0.3}, settings);
    }
  settings.preconditioner = {};
  for (const auto &[nu, text] :
       {std::make_pair(0.5, "0.5"), std::make_pair(-1., "-1"), std::make_pair(std::nan(""), "nan")})
    {
      solids.numbers[1][5] = nu;
      EXPECT_EQ(complaint({1., 0.3}, settings)
                  .rfind(std::string("Element 5 has no solid: the law 'several Poisson's ratios' "
                                     "makes of 1 ") +
                           text + " lambda = ",
                         0),
                0u);
    }
  solids.numbers[1].resize(4);
  EXPECT_EQ(
    complaint({1., 0.3}, settings),
    "The law 'several Poisson's ratios' has 2 components of 16 elements, and there are 2 components "
    "of 16 and 4.");
}

INSTANTIATE_TEST_SUITE_P(Core, PoissonRatiosTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
