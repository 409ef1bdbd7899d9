// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids of different stiffness and mass in one body.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/dense_reference.h"
#include "../fixtures/fibres.h"
#include "../fixtures/function_of_design.h"
#include "source/backend/mass_matrix.h"
#include "source/backend/nodal_fields.h"
#include "source/solvers/state/vibration.h"

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
  static MaterialRatios halves(const BoxMesh &box, const std::optional<double> other_nu = {})
  {
    MaterialRatios ratios;
    for (const auto &place : box.element_at)
      {
        const bool is_other = 2 * place[0] >= box.options.n[0];
        ratios.stiffness.push_back(is_other ? 3.5 : 1.);
        ratios.mass.push_back(is_other ? 2.2 : 1.);
        if (other_nu)
          ratios.poisson_ratio.push_back(is_other ? *other_nu : 0.3);
      }
    return ratios;
  }

  std::unique_ptr<StateSolver> state(const BoxMesh &box,
                                     const Material &material,
                                     const MaterialRatios &ratios,
                                     const std::vector<double> &forces,
                                     const Precision precision = Precision::fp64)
  {
    StateSettings settings;
    settings.precision         = precision;
    settings.control.tolerance = precision == Precision::fp32 ? 1e-6 : 1e-13;
    const Structure structure{box.mesh, material, Structure::no_coarser_meshes(), ratios};
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
  const MaterialRatios ratios = halves(box);
  const auto E                = random_vector(box.mesh.n_elements, 3, 0.1, 1.);
  const auto forces           = edge_load(box);
  auto product                = E;
  for (std::size_t e = 0; e < E.size(); ++e)
    product[e] *= ratios.stiffness[e];
  const ReferenceStiffness reference(box.mesh, material, product);
  const auto u  = reference.solve(forces);
  const auto c0 = reference.energies(u);
  for (const Precision precision : {Precision::fp64, Precision::fp32})
    {
      SCOPED_TRACE(to_string(precision));
      const double tolerance = precision == Precision::fp32 ? 1e-4 : 1e-10;
      const auto solver      = state(box, material, ratios, forces, precision);
      const Array<double> factors(memory(), E);
      solver->set_stiffness(factors);
      solver->solve(0);
      EXPECT_LE(relative_difference(solver->displacement(0), u), tolerance);
      Array<double> energies(memory(), poison<double>(E.size()));
      solver->energies(0, energies);
      const auto found = energies.to_host();
      for (std::size_t e = 0; e < E.size(); ++e)
        EXPECT_NEAR(found[e], ratios.stiffness[e] * c0[e], 20. * tolerance * max_norm(c0));
      EXPECT_NEAR(dot(found, E), dot(forces, u), 10. * tolerance * dot(forces, u));
      EXPECT_EQ(factors.to_host(), E); // the caller's stay as they are
    }
}

// The levels of multigrid have the products, too. In either precision it gives the displacement of
// Jacobi's preconditioner.
TEST_P(SeveralMaterialsTest, WithMultigrid)
{
  const CantileverHierarchy c({{16, 8, 8}}, 2);
  const auto forces           = edge_load(c.box);
  const MaterialRatios ratios = halves(c.box);
  const Array<double> factors(memory(), random_vector(c.box.mesh.n_elements, 3, 0.1, 1.));
  const auto jacobi = state(c.box, {2., 0.3}, ratios, forces);
  jacobi->set_stiffness(factors);
  jacobi->solve(0);
  const auto expected = jacobi->displacement(0);
  for (const Precision precision : {Precision::fp64, Precision::mixed})
    {
      StateSettings settings;
      settings.precision           = precision;
      settings.preconditioner.name = "multigrid";
      settings.control.tolerance   = 1e-12;
      const Structure structure{c.box.mesh, {2., 0.3}, c.coarser, ratios};
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
  const BoxMesh box           = bar();
  const MaterialRatios ratios = halves(box);
  const auto solver           = state(box, {2., 0.}, ratios, tension(box));
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
                                ratios};
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
  const auto value_of = [&](const std::string &name, const MaterialRatios &ratios) {
    const ParameterValues values = name == "mass with stress limits"
                                     ? ParameterValues{{"Limit", 1e9}}
                                     : ParameterValues{{"Density", 3.}};
    const ResponseContext context{
      backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, values, ratios};
    const auto response = make_response(name, context);
    return FunctionOfDesign(backend(),
                            box.mesh,
                            {{"none", 1., tension(box)}},
                            {3., 1e-4},
                            problem_of(*response, find_response(name).by_load_case),
                            nullptr,
                            {},
                            ratios)
      .value(rho);
  };
  const MaterialRatios ratios = halves(box);
  double mass                 = 0.;
  for (std::size_t e = 0; e < n; ++e)
    mass += 3. * box.mesh.volumes[e] * rho[e] * ratios.mass[e];
  EXPECT_NEAR(value_of("mass", ratios), mass, 1e-13 * mass);
  const double whole = 3. * 0.5 * (1. + 2.2) * dot(box.mesh.volumes, std::vector<double>(n, 1.));
  EXPECT_NEAR(value_of("mass with stress limits", ratios), mass / whole, 1e-13);
  const MaterialRatios other{std::vector<double>(n, 3.), std::vector<double>(n, 2.)};
  const double expected = std::sqrt(1.5) * value_of("frequency", MaterialRatios::none());
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
      const MaterialRatios ratios = halves(box, other_nu);
      std::vector<Material> materials;
      for (std::size_t e = 0; e < n; ++e)
        materials.push_back(
          {2. * ratios.stiffness[e], other_nu && ratios.stiffness[e] > 1. ? *other_nu : 0.3});
      const auto solver = state(box, {2., 0.3}, ratios, tension(box));
      const auto E      = random_vector(n, 3, 0.1, 1.);
      solver->set_stiffness(Array<double>(memory(), E));
      const auto mass = backend().make_mass_matrix(box.mesh, MassKind::consistent);
      const Array<double> factors(memory(), ratios.mass);
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

// Derivatives of every response equal differences: with self weight in a load case, with one and
// two Poisson's ratios, and with fibres in one half.
TEST_P(SeveralMaterialsTest, GradientOfEveryResponse)
{
  BoxMesh box                       = held_box(BoxOptions::wild({{4, 3, 2}}, 7));
  const std::size_t n               = box.mesh.n_elements;
  const std::vector<LoadCase> loads = {
    {"down", 0.7, edge_load(box)},
    {"weight", 2., edge_load(box), random_vector(3 * n, 5, -2., 1.), true}};
  const auto x         = random_vector(n, 4, 0.3, 0.9);
  const auto direction = random_vector(n, 5, -1., 1.);
  std::vector<std::pair<ResponseEntry, MaterialRatios>> cases;
  for (const ResponseEntry &entry : responses())
    {
      for (const std::optional<double> other_nu : {std::optional<double>(), std::optional(0.45)})
        cases.emplace_back(entry, halves(box, other_nu));
      if (!entry.takes_stresses)
        cases.emplace_back(entry, half_of_fibres(box, {1., 0.3}));
    }
  for (const auto &[entry, ratios] : cases)
    {
      SCOPED_TRACE(entry.name + (!ratios.anisotropic.empty()     ? ", fibres"
                                 : !ratios.poisson_ratio.empty() ? ", two Poisson's ratios"
                                                                 : ""));
      const ResponseContext context{
        backend(), Communicator(), box.mesh, {1., 0.3}, nullptr, values_for(entry.name), ratios};
      const auto response = make_response(entry.name, context);
      FunctionOfDesign function(backend(),
                                box.mesh,
                                loads,
                                {3., 1e-4},
                                problem_of(*response, entry.by_load_case),
                                nullptr,
                                {},
                                ratios);
      expect_slope_along(function, x, direction);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, SeveralMaterialsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
