// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids of different stiffness and mass in one body.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/errors.h"
#include "../fixtures/fibres.h"
#include "../fixtures/function_of_design.h"
#include "../fixtures/random_solids.h"
#include "source/backend/element_stress.h"
#include "source/backend/mass_matrix.h"
#include "source/backend/nodal_fields.h"
#include "source/solvers/state/vibration.h"
#include "source/solvers/state/von_mises.h"

#include <optional>

namespace strut::test
{
namespace
{
class SeveralMaterialsTest : public PlaceTest
{
protected:
  /// The half x > 0.5 is 3.5 times as stiff, and 2.2 times as heavy. @param other_nu  its Poisson's
  /// ratio, if it differs; the other half then has 0.3
  static Solids halves(const BoxMesh &box, const std::optional<double> other_nu = {})
  {
    std::vector<double> stiffness, mass, poisson_ratios;
    for (const auto &place : box.element_at)
      {
        const bool is_other = 2 * place[0] >= box.options.n[0];
        stiffness.push_back(is_other ? 3.5 : 1.);
        mass.push_back(is_other ? 2.2 : 1.);
        if (other_nu)
          poisson_ratios.push_back(is_other ? *other_nu : 0.3);
      }
    return Solids::isotropic(stiffness, poisson_ratios, mass);
  }

  std::unique_ptr<StateSolver> state(const BoxMesh &box,
                                     const Material &material,
                                     const Solids &solids,
                                     const std::vector<double> &forces,
                                     const Precision precision = Precision::fp64)
  {
    StateSettings settings;
    settings.precision         = precision;
    settings.control.tolerance = precision == Precision::fp32 ? 1e-6 : 1e-13;
    const Structure structure{box.mesh, material, Structure::no_coarser_meshes(), solids};
    return make_state_solver(execution(), structure, {{"load", 1., forces}}, settings);
  }

  /// A straight bar along x, held at its left end.
  static BoxMesh bar()
  {
    return held_box(BoxOptions::regular({{6, 2, 2}}, {{3., 0.5, 0.8}}));
  }
};

// Displacement, compliance and energies are those of the matrix of s_e E_e K0_e, assembled and
// factored independently.
TEST_P(SeveralMaterialsTest, EqualsTheDenseReference)
{
  BoxMesh box = held_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const Material material{2., 0.3};
  const Solids solids = halves(box);
  const auto E        = random_vector(box.mesh.n_elements, 3, 0.1, 1.);
  const auto forces   = edge_load(box);
  auto product        = E;
  for (std::size_t e = 0; e < E.size(); ++e)
    product[e] *= solids.numbers[0][e];
  const ReferenceStiffness reference(box.mesh, material, product);
  const auto u  = reference.solve(forces);
  const auto c0 = reference.energies(u);
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    {
      SCOPED_TRACE(to_string(precision));
      const double tolerance = precision == Precision::fp32 ? 1e-4 : 1e-10;
      const auto solver      = state(box, material, solids, forces, precision);
      const Array<double> factors(memory(), E);
      solver->set_stiffness(factors);
      solver->solve(0);
      EXPECT_LE(relative_difference(solver->displacement(0), u), tolerance);
      Array<double> energies(memory(), poison<double>(E.size()));
      solver->energies(0, energies);
      const auto found = energies.to_host();
      for (std::size_t e = 0; e < E.size(); ++e)
        EXPECT_NEAR(found[e], solids.numbers[0][e] * c0[e], 20. * tolerance * max_norm(c0));
      EXPECT_NEAR(dot(found, E), dot(forces, u), 10. * tolerance * dot(forces, u));
      EXPECT_EQ(factors.to_host(), E); // the caller's stay as they are
    }
}

// The levels of multigrid have the products, too. In either precision it gives the displacement of
// Jacobi's preconditioner.
TEST_P(SeveralMaterialsTest, WithMultigrid)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const auto forces   = edge_load(c.box);
  const Solids solids = halves(c.box);
  const Array<double> factors(memory(), random_vector(c.box.mesh.n_elements, 3, 0.1, 1.));
  const auto jacobi = state(c.box, {2., 0.3}, solids, forces);
  jacobi->set_stiffness(factors);
  jacobi->solve(0);
  const auto expected = jacobi->displacement(0);
  for (const Precision precision : {Precision::fp64, Precision::mixed})
    {
      StateSettings settings;
      settings.precision           = precision;
      settings.preconditioner.name = "multigrid";
      settings.control.tolerance   = 1e-12;
      const Structure structure{c.box.mesh, {2., 0.3}, c.coarser, solids};
      const auto multigrid =
        make_state_solver(execution(), structure, {{"load", 1., forces}}, settings);
      multigrid->set_stiffness(factors);
      EXPECT_LT(multigrid->solve(0).iterations, 40u);
      EXPECT_LE(relative_difference(multigrid->displacement(0), expected), 1e-9);
    }
}

// A bar of two halves in tension, Poisson's ratio 0: the stress is F / A in both, and the
// compliance F^2 / A sum L_i / E_i.
TEST_P(SeveralMaterialsTest, ABarOfTwoMaterials)
{
  const BoxMesh box   = bar();
  const Solids solids = halves(box);
  const auto solver   = state(box, {2., 0.}, solids, tension(box));
  const std::vector<double> ones(box.mesh.n_elements, 1.);
  const Array<double> factors(memory(), ones);
  solver->set_stiffness(factors);
  solver->solve(0);
  const double area = 0.4, expected = 1. / area * (1.5 / 2. + 1.5 / 7.);
  EXPECT_NEAR(solver->work_of_loads(0), expected, 1e-10 * expected);

  const ResponseContext context{backend(),
                                Communicator(),
                                box.mesh,
                                {2., 0.},
                                nullptr,
                                {{"Scaling", "none"}, {"Relaxation", 0.}},
                                solids};
  const AnalysedDesign design{factors, Interpolation(), *solver};
  EXPECT_NEAR(make_response("von mises", context)->evaluate(design, 0, nullptr).value, 2.5, 1e-9);

  const auto fields = backend().make_nodal_fields(box.mesh);
  Array<double> sums(memory(), NodalFields::n_sums * box.mesh.n_nodes);
  Array<double> stress(memory(), std::vector<double>(box.mesh.n_nodes, 0.));
  solver->sum_stresses(0, *fields, factors, sums);
  fields->raise_to_von_mises(sums,
                             Array<std::uint8_t>(memory(),
                                                 std::vector<std::uint8_t>(box.mesh.n_nodes, 0)),
                             1.,
                             stress);
  for (const double value : stress.to_host())
    EXPECT_NEAR(value, 2.5, 1e-9);
}

// The mass of two halves. With the same stiffness and mass everywhere, frequencies are multiplied
// by sqrt(s / r).
TEST_P(SeveralMaterialsTest, MassAndFrequency)
{
  const BoxMesh box   = bar();
  const std::size_t n = box.mesh.n_elements;
  const auto rho      = random_vector(n, 4, 0.3, 1.);
  const auto value_of = [&](const std::string &name, const Solids &solids) {
    const ParameterValues values = name == "mass with stress limits"
                                     ? ParameterValues{{"Limit", 1e9}}
                                     : ParameterValues{{"Density", 3.}};
    const ResponseContext context{
      backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, values, solids};
    const auto response = make_response(name, context);
    return FunctionOfDesign(backend(),
                            box.mesh,
                            {{"none", 1., tension(box)}},
                            {3., 1e-4},
                            problem_of(*response, find_response(name).by_load_case),
                            nullptr,
                            {},
                            solids)
      .value(rho);
  };
  const Solids solids = halves(box);
  double mass         = 0.;
  for (std::size_t e = 0; e < n; ++e)
    mass += 3. * box.mesh.volumes[e] * rho[e] * solids.mass[e];
  EXPECT_NEAR(value_of("mass", solids), mass, 1e-13 * mass);
  const double whole = 3. * 0.5 * (1. + 2.2) * dot(box.mesh.volumes, std::vector<double>(n, 1.));
  EXPECT_NEAR(value_of("mass with stress limits", solids), mass / whole, 1e-13);
  const Solids other =
    Solids::isotropic(std::vector<double>(n, 3.), {}, std::vector<double>(n, 2.));
  const double expected = std::sqrt(1.5) * value_of("frequency", Solids::none());
  EXPECT_NEAR(value_of("frequency", other), expected, 1e-9 * expected);
}

// Modes of two halves, also with different Poisson's ratios: the quotient of the energies of a mode
// is its eigenvalue, and `K phi = lambda M phi` by the reference.
TEST_P(SeveralMaterialsTest, ModesSolveTheEigenproblem)
{
  const BoxMesh box   = bar();
  const std::size_t n = box.mesh.n_elements;
  for (const std::optional<double> other_nu : {std::optional<double>(), std::optional(0.45)})
    {
      const Solids solids = halves(box, other_nu);
      std::vector<Material> materials;
      for (std::size_t e = 0; e < n; ++e)
        materials.push_back(
          {2. * solids.numbers[0][e], other_nu && solids.numbers[0][e] > 1. ? *other_nu : 0.3});
      const auto solver = state(box, {2., 0.3}, solids, tension(box));
      const auto E      = random_vector(n, 3, 0.1, 1.);
      solver->set_stiffness(Array<double>(memory(), E));
      const auto mass = backend().make_mass_matrix(box.mesh, MassKind::consistent);
      const Array<double> factors(memory(), solids.mass);
      const VibrationReport report = solver->solve_vibration(*mass, factors, {3, 1e-9, 1000});
      const ReferenceStiffness K(box.mesh, E, materials);
      for (std::size_t i = 0; i < 3; ++i)
        {
          Array<double> M_phi(memory(), box.mesh.n_dofs()), energies(memory(), n);
          mass->apply(factors, solver->mode(i), M_phi);
          const auto Mx = M_phi.to_host(), Kx = K.apply(solver->mode(i).to_host());
          const std::vector<bool> is_held = constrained_flags(box.mesh);
          for (std::size_t d = 0; d < Kx.size(); ++d)
            {
              if (is_held[d])
                continue;
              EXPECT_NEAR(Kx[d], report.eigenvalues[i] * Mx[d], 1e-6 * max_norm(Kx));
            }
          solver->mode_energies(i, energies);
          EXPECT_NEAR(dot(energies.to_host(), E),
                      report.eigenvalues[i],
                      1e-8 * report.eigenvalues[i]);
        }
    }
}

// Derivatives of every response equal differences, with self weight in a load case. The solids are
// one material and two, fibres in one half, and those of each law that others compute.
TEST_P(SeveralMaterialsTest, GradientOfEveryResponse)
{
  BoxMesh box                       = held_box(BoxOptions::wild({{4, 3, 2}}, 7));
  const std::size_t n               = box.mesh.n_elements;
  const std::vector<LoadCase> loads = {
    {"down", 0.7, edge_load(box)},
    {"weight", 2., edge_load(box), random_vector(3 * n, 5, -2., 1.), true}};
  const auto x         = random_vector(n, 4, 0.3, 0.9);
  const auto direction = random_vector(n, 5, -1., 1.);
  std::vector<std::pair<ResponseEntry, Solids>> cases;
  for (const ResponseEntry &entry : responses())
    {
      for (const std::optional<double> other_nu : {std::optional<double>(), std::optional(0.45)})
        cases.emplace_back(entry, halves(box, other_nu));
      if (!entry.takes_stresses)
        cases.emplace_back(entry, half_of_fibres(box, {1., 0.3}));
      for (const Law &law : laws())
        if (law.by != nullptr && law.known() != Law::tangents)
          cases.emplace_back(entry, random_solids(law, n));
    }
  for (const auto &[entry, solids] : cases)
    {
      SCOPED_TRACE(entry.name + ", " + solids.law.name);
      const ResponseContext context{
        backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, values_for(entry.name), solids};
      const auto response = make_response(entry.name, context);
      FunctionOfDesign function(backend(),
                                box.mesh,
                                loads,
                                {3., 1e-4},
                                problem_of(*response, entry.by_load_case),
                                nullptr,
                                {},
                                solids);
      expect_slope_along(function, x, direction);
    }
}

// Solids of each law that others compute. Multigrid's cycles solve as Jacobi's method does, and
// stresses are those of the solids. What takes one solid alone refuses the law by its name.
TEST_P(SeveralMaterialsTest, SolidsOfEveryLaw)
{
  const CantileverHierarchy c({{8, 4, 4}}, 2);
  const std::size_t n     = c.box.mesh.n_elements;
  const auto forces       = edge_load(c.box);
  const Material material = {2., 0.3};
  const Array<double> E(memory(), random_vector(n, 3, 0.1, 1.));
  for (const Law &law : laws())
    {
      if (law.by == nullptr || law.known() == Law::tangents)
        continue;
      SCOPED_TRACE(law.name);
      const Solids solids = random_solids(law, n);
      const Structure structure{c.box.mesh, material, c.coarser, solids};
      StateSettings settings;
      settings.control.tolerance = 1e-12;
      const auto make            = [&](const std::string &preconditioner) {
        settings.preconditioner.name = preconditioner;
        auto solver = make_state_solver(execution(), structure, {{"load", 1., forces}}, settings);
        solver->set_stiffness(E);
        return solver;
      };
      const auto by_jacobi = make("jacobi"), by_multigrid = make("multigrid");
      by_jacobi->solve(0);
      EXPECT_LE(by_multigrid->solve(0).iterations, 40u);
      const std::vector<double> u = by_jacobi->displacement(0);
      EXPECT_LE(relative_difference(by_multigrid->displacement(0), u), 1e-8);

      const auto stresses = backend().make_element_stress(c.box.mesh);
      Array<double> stress(memory(), n);
      by_jacobi->von_mises(0, *stresses, stress);
      const std::vector<double> found = stress.to_host();
      for (std::size_t e = 0; e < n; ++e)
        {
          const Material solid = solids.isotropic_solid(material, e);
          EXPECT_NEAR(found[e],
                      von_mises_stress(c.box.mesh, solid, 1., u, e),
                      1e-9 * max_norm(found));
        }
      if (law.known() == Law::factor)
        continue;
      settings.preconditioner.values = {{"Coarse operators", "galerkin"}};
      EXPECT_NE(message_of([&]() { make("multigrid"); }).find(law.name), std::string::npos);
    }

  // What is no solid, and what the list of laws does not have.
  Solids solids{Law{"of nobody", 1, &Law::lame, nullptr}, {std::vector<double>(n, 0.2)}};
  const auto complaint = [&]() {
    return message_of([&]() {
      make_state_solver(execution(),
                        {c.box.mesh, material, c.coarser, solids},
                        {{"load", 1., forces}},
                        {});
    });
  };
  EXPECT_EQ(
    complaint(),
    "The law of the solids, 'of nobody', is not in the list of laws.\n  Call add_law() on all "
    "ranks.");
  for (const Law &law : laws())
    if (law.known() == Law::tangents)
      {
        solids.law = law;
        EXPECT_EQ(complaint().rfind(std::string("The law '") + law.name +
                                      "' is computed by tangents, which have no designs.",
                                    0),
                  0u);
      }
}

INSTANTIATE_TEST_SUITE_P(Core, SeveralMaterialsTest, at_three_threads_and_cuda(), place_name);
} // namespace
} // namespace strut::test
