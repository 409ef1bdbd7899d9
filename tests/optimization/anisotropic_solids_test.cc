// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solids that are not isotropic.
#include "../fixtures/backends.h"
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/errors.h"
#include "../fixtures/fibres.h"
#include "source/backend/element_stress.h"

#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <cmath>
#include <numeric>

namespace strut::test
{
namespace
{
using Tensor = std::array<std::array<double, 3>, 3>;

class AnisotropicSolidsTest : public PlaceTest
{
protected:
  /// Strain of a stress, both in the axes of the mesh, from the definition of the moduli.
  static Tensor strain_of(const OrthotropicSolid &solid, const Tensor &stress)
  {
    const auto turn = [](const Tensor &t, const auto &entry) {
      Tensor turned{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l)
              turned[i][j] += entry(i, k) * entry(j, l) * t[k][l];
      return turned;
    };
    const Tensor s =
      turn(stress, [&](const std::size_t i, const std::size_t k) { return solid.axes[i][k]; });
    const auto &E  = solid.youngs_moduli;
    const auto &nu = solid.poisson_ratios;
    const auto &G  = solid.shear_moduli;
    Tensor e{};
    e[0][0] = s[0][0] / E[0] - nu[0] / E[0] * s[1][1] - nu[1] / E[0] * s[2][2];
    e[1][1] = -nu[0] / E[0] * s[0][0] + s[1][1] / E[1] - nu[2] / E[1] * s[2][2];
    e[2][2] = -nu[1] / E[0] * s[0][0] - nu[2] / E[1] * s[1][1] + s[2][2] / E[2];
    e[0][1] = e[1][0] = s[0][1] / G[0] / 2.;
    e[0][2] = e[2][0] = s[0][2] / G[1] / 2.;
    e[1][2] = e[2][1] = s[1][2] / G[2] / 2.;
    return turn(e, [&](const std::size_t i, const std::size_t k) { return solid.axes[k][i]; });
  }

  /// The operators that take any solid.
  template <typename Number>
  std::vector<std::string> strategies()
  {
    std::vector<std::string> names;
    for (const auto &strategy : backend().strategies<Number>())
      if (strategy.takes(Law::table))
        names.push_back(strategy.name);
    EXPECT_GE(names.size(), 2u);
    return names;
  }

  static AnisotropicSolids everywhere(const ElasticityMatrix &solid, const std::size_t n)
  {
    return {{solid}, std::vector<std::uint32_t>(n, 0)};
  }
};

// With u = strain x on a mesh of any shape, the work of the stresses of any two states is stress_1
// : strain_2 times the volume. No force acts on inner nodes.
TEST_P(AnisotropicSolidsTest, PatchTest)
{
  const BoxMesh box            = make_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const ElementMesh &mesh      = box.mesh;
  const OrthotropicSolid solid = fibres(0.5, 0.3);
  const std::size_t n          = mesh.n_nodes;
  const double volume          = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
  const auto entries           = random_vector(12, 4, -1., 1.);
  std::array<Tensor, 2> stress = {}, strain = {};
  std::array<std::vector<double>, 2> u;
  for (std::size_t s = 0; s < 2; ++s)
    {
      std::size_t k = 6 * s;
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          stress[s][i][j] = stress[s][j][i] = entries[k++];
      strain[s] = strain_of(solid, stress[s]);
      u[s].assign(3 * n, 0.);
      for (std::size_t node = 0; node < n; ++node)
        for (std::size_t i = 0; i < 3; ++i)
          for (std::size_t j = 0; j < 3; ++j)
            u[s][3 * node + i] += strain[s][i][j] * mesh.coordinates[j * n + node];
    }
  double expected = 0., scale = 0.;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      {
        expected += stress[0][i][j] * strain[1][i][j] * volume;
        scale += std::abs(stress[0][i][j] * strain[1][i][j]) * volume;
      }
  std::vector<int> n_elements(n, 0);
  for (const LocalIndex node : mesh.connectivity)
    ++n_elements[node];
  for (const std::string &name : strategies<double>())
    {
      SCOPED_TRACE(name);
      ElasticityOperator<double> K(backend(), Communicator(), mesh, {1., 0.3}, name);
      const auto solids = everywhere(elasticity_matrix(solid).value(), mesh.n_elements);
      const Array<double> ones(memory(), std::vector<double>(mesh.n_elements, 1.));
      K.set(Stiffness::of_solids(solids).times(ones));
      Array<double> x(memory(), u[0]), y(memory(), 3 * n);
      K.apply_unconstrained(x, y);
      const auto forces = y.to_host();
      EXPECT_NEAR(dot(forces, u[1]), expected, 1e-12 * scale);
      for (std::size_t node = 0; node < n; ++node)
        for (std::size_t i = 0; i < 3 && n_elements[node] == 8; ++i)
          EXPECT_NEAR(forces[3 * node + i], 0., 1e-12);
      Array<double> c(memory(), mesh.n_elements);
      K.energies(x, c);
      double energy = 0.;
      for (const double of_element : c.to_host())
        energy += of_element;
      EXPECT_NEAR(energy, dot(forces, u[0]), 1e-12 * std::abs(energy));
    }
}

// The elasticity matrix of an isotropic solid, written as orthotropic, is that solid.
TEST_P(AnisotropicSolidsTest, IsotropicOnes)
{
  const Material material{2., 0.3};
  OrthotropicSolid same = fibres(0.4, 1.1);
  same.youngs_moduli    = {2., 2., 2.};
  same.poisson_ratios   = {0.3, 0.3, 0.3};
  same.shear_moduli     = {material.mu(), material.mu(), material.mu()};
  const auto matrix     = elasticity_matrix(same);
  ASSERT_TRUE(matrix.has_value());
  EXPECT_NEAR(mean_shear_modulus(*matrix), material.mu(), 1e-14);
  const BoxMesh box  = make_box(BoxOptions::wild({{4, 3, 2}}, 5));
  const auto compare = [&](const auto number, const double tolerance) {
    using Number = std::decay_t<decltype(number)>;
    const auto u = random_vector(box.mesh.n_dofs(), 8, -1., 1.);
    for (const std::string &name : strategies<Number>())
      {
        SCOPED_TRACE(name);
        std::vector<std::vector<double>> products;
        for (const bool is_given : {false, true})
          {
            ElasticityOperator<Number> K(backend(), Communicator(), box.mesh, material, name);
            const Array<double> factors(memory(), random_vector(box.mesh.n_elements, 3, 0.1, 1.));
            const auto solids = everywhere(*matrix, box.mesh.n_elements);
            K.set(is_given ? Stiffness::of_solids(solids).times(factors) : factors);
            Array<Number> x(memory(), std::vector<Number>(u.begin(), u.end())),
              y(memory(), u.size());
            K.apply_unconstrained(x, y);
            const auto product = y.to_host();
            products.emplace_back(product.begin(), product.end());
          }
        EXPECT_LE(relative_difference(products[1], products[0]), tolerance);
      }
  };
  compare(0., 1e-13);
  compare(0.f, 2e-6);
}

// The derivative of the compliance of fibres beside isotropic material, with each preconditioner,
// all of which assume isotropic solids.
TEST_P(AnisotropicSolidsTest, EnergiesAreDerivatives)
{
  const CantileverHierarchy cantilever({{8, 4, 4}}, 2);
  const ElementMesh &mesh = cantilever.box.mesh;
  const std::size_t n     = mesh.n_elements;
  Solids solids{Law::table, {{}}};
  solids.table.matrices = {elasticity_matrix(Material{2., 0.3}),
                           elasticity_matrix(fibres(0.5, 0.)).value()};
  for (std::size_t e = 0; e < n; ++e)
    {
      solids.table.of_element.push_back(e % 3 == 0 ? 1 : 0);
      solids.numbers[0].push_back(mean_shear_modulus(solids.table.of(e)) / Material{2., 0.3}.mu());
    }
  const auto forces = edge_load(cantilever.box);
  const auto E      = random_vector(n, 3, 0.1, 1.);
  for (const auto &[preconditioner, precision] : {std::make_pair("jacobi", Precision::fp64),
                                                  std::make_pair("multigrid", Precision::fp64),
                                                  std::make_pair("multigrid", Precision::mixed)})
    {
      SCOPED_TRACE(std::string(preconditioner) + ", " + to_string(precision));
      StateSettings settings;
      settings.strategy            = "ebe";
      settings.precision           = precision;
      settings.preconditioner.name = preconditioner;
      settings.control.tolerance   = 1e-12;
      const auto solver            = make_state_solver(execution(),
                                            {mesh, {2., 0.3}, cantilever.coarser, solids},
                                            {{"load", 1., forces}},
                                            settings);
      const auto compliance        = [&](const std::vector<double> &factors) {
        solver->set_stiffness(Array<double>(memory(), factors));
        EXPECT_LE(solver->solve(0).iterations,
                  settings.preconditioner.name == "multigrid" ? 80u : 400u);
        return dot(forces, solver->displacement(0));
      };
      compliance(E);
      Array<double> energies(memory(), n);
      solver->energies(0, energies);
      const auto c = energies.to_host();
      EXPECT_NEAR(dot(c, E), dot(forces, solver->displacement(0)), 1e-9 * dot(c, E));
      for (const std::size_t e : {std::size_t(0), n / 2, n / 2 + 1})
        {
          const double step = 1e-4 * E[e];
          auto more = E, less = E;
          more[e] += step;
          less[e] -= step;
          EXPECT_NEAR((compliance(more) - compliance(less)) / (2. * step),
                      -c[e],
                      1e-6 * max_norm(c));
        }
      const auto stresses = backend().make_element_stress(mesh);
      Array<double> stress(memory(), n);
      EXPECT_THROW(solver->von_mises(0, *stresses, stress), Error);
    }
}

TEST_P(AnisotropicSolidsTest, RefusesWhatItMust)
{
  OrthotropicSolid solid = fibres(0., 0.);
  solid.poisson_ratios   = {0.3, 0.25, 1.2}; // |nu_23| < sqrt(10 / 8)
  EXPECT_FALSE(elasticity_matrix(solid).has_value());
  solid              = fibres(0., 0.);
  solid.shear_moduli = {5., 0., 3.};
  EXPECT_FALSE(elasticity_matrix(solid).has_value());

  const BoxMesh box = make_box(BoxOptions::regular({{2, 2, 2}}));
  const auto solids = everywhere(elasticity_matrix(fibres(0., 0.)).value(), box.mesh.n_elements);
  for (const auto &strategy : backend().strategies<double>())
    if (!strategy.takes(Law::table))
      {
        SCOPED_TRACE(strategy.name);
        ElasticityOperator<double> K(backend(), Communicator(), box.mesh, {1., 0.3}, strategy.name);
        expect_reason([&]() { K.set(Stiffness::of_solids(solids)); },
                      "Take one that does: ebe, nbn");
      }
}

INSTANTIATE_TEST_SUITE_P(Core, AnisotropicSolidsTest, at_all_places(), place_name);
} // namespace
} // namespace strut::test
