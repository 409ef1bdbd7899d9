// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Stresses at nodes, extrapolated from the points where they are best, and principal stresses.
#include "../fixtures/arm.h"
#include "../fixtures/typed_box.h"
#include "../fixtures/vectors.h"
#include "source/element/element_stiffness.h"
#include "source/element/principal_stresses.h"
#include "source/solvers/eigen/dense_eigen.h"
#include "source/solvers/state/nodal_stress.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace strut::test
{
namespace
{
using Vector = std::array<double, 3>;

Vector place_of(const ElementMesh &mesh, const std::size_t node)
{
  return {{mesh.coordinates[node],
           mesh.coordinates[mesh.n_nodes + node],
           mesh.coordinates[2 * mesh.n_nodes + node]}};
}

std::vector<double> field_of(const ElementMesh &mesh,
                             const std::function<Vector(const Vector &)> &u)
{
  std::vector<double> values;
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    for (const double component : u(place_of(mesh, node)))
      values.push_back(component);
  return values;
}

/// The displacement `u_i = g_ij x_j + h_ijk x_j x_k / 2`, and its gradient.
struct QuadraticField
{
  double linear[3][3] = {{0.3, -0.2, 0.5}, {0.7, -0.4, 0.1}, {-0.6, 0.2, 0.9}};
  double quadratic[3][3][3]; ///< symmetric in its last two indices

  explicit QuadraticField(const double size)
  {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 3; ++k)
          quadratic[i][j][k] = size * std::sin(1. + 9. * i + 3. * (j + k) + j * k);
  }

  Vector operator()(const Vector &x) const
  {
    Vector u{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        {
          u[i] += linear[i][j] * x[j];
          for (std::size_t k = 0; k < 3; ++k)
            u[i] += 0.5 * quadratic[i][j][k] * x[j] * x[k];
        }
    return u;
  }

  template <typename Solid>
  Stress stress(const Solid &solid, const Vector &x) const
  {
    double gradient[3][3];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        {
          gradient[i][j] = linear[i][j];
          for (std::size_t k = 0; k < 3; ++k)
            gradient[i][j] += quadratic[i][j][k] * x[k];
        }
    const double unit[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
    return stress_of(solid, unit, gradient);
  }
};

/// Expects the stresses of a function at the nodes of all elements.
void expect_stresses(const StressFields &fields,
                     const double tolerance,
                     const std::function<Stress(const Vector &)> &expected)
{
  for (std::size_t e = 0; e < fields.mesh.n_elements; ++e)
    {
      const std::vector<Stress> found = stresses_at_nodes(fields, e);
      for (std::size_t a = 0; a < found.size(); ++a)
        for (std::size_t k = 0; k < 6; ++k)
          ASSERT_NEAR(found[a].component[k],
                      expected(place_of(fields.mesh, fields.mesh.node(e, a))).component[k],
                      tolerance)
            << "component " << k << " at node " << a << " of element " << e;
    }
}

/// The forces of a pressure on the nodes of the elements, as LoadCase::expansion has them.
std::vector<double> forces_of_pressure(const ElementMesh &mesh,
                                       const std::function<double(const Vector &)> &pressure)
{
  std::vector<double> forces(3 * mesh.type.n_nodes * mesh.n_elements, 0.);
  with_element(mesh.type, [&](const auto type) {
    using Element = std::decay_t<decltype(type)>;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double X[3][Element::n_nodes], G[3][Element::n_nodes], xi[3];
          nodes_of<Element>(mesh, e, X);
          const double dx = element_stiffness::gradients<Element>(X, q, G);
          Element::quadrature_point(q, xi);
          Vector x{};
          for (int a = 0; a < Element::n_nodes; ++a)
            for (std::size_t d = 0; d < 3; ++d)
              x[d] += Element::shape_value(a, xi) * X[d][a];
          for (std::size_t a = 0; a < Element::n_nodes; ++a)
            for (std::size_t c = 0; c < 3; ++c)
              forces[(3 * a + c) * mesh.n_elements + e] += pressure(x) * G[c][a] * dx;
        }
  });
  return forces;
}

const std::vector<double> no_expansion;

Stress pressure_of(const double value)
{
  return {{-value, -value, -value, 0., 0., 0.}};
}
} // namespace

TEST(PrincipalStresses, AreThoseOfAnotherEigensolver)
{
  for (unsigned int seed = 1; seed <= 200; ++seed)
    {
      const std::vector<double> s = random_vector(6, seed, -3., 5.);
      const auto found            = principal_stresses({{s[0], s[1], s[2], s[3], s[4], s[5]}});
      const DenseEigen expected =
        dense_eigen({s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2]}, 3);
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(found[k], expected.values[2 - k], 1e-14);
      EXPECT_NEAR(found[0] + found[1] + found[2], s[0] + s[1] + s[2], 1e-14);
      const double determinant = s[0] * (s[1] * s[2] - s[4] * s[4]) -
                                 s[3] * (s[3] * s[2] - s[4] * s[5]) +
                                 s[5] * (s[3] * s[4] - s[1] * s[5]);
      EXPECT_NEAR(found[0] * found[1] * found[2], determinant, 1e-12);
    }
}

TEST(PrincipalStresses, OfEqualOnesAndOfNothing)
{
  EXPECT_EQ(principal_stresses({{0., 0., 0., 0., 0., 0.}}), (std::array<double, 3>{}));
  EXPECT_EQ(principal_stresses({{-7., 2., 2., 0., 0., 0.}}),
            (std::array<double, 3>{{2., 2., -7.}}));
  // (1, 1, 1) / sqrt(3) has 4, and all directions normal to it have 1.
  const auto found = principal_stresses({{2e8, 2e8, 2e8, 1e8, 1e8, 1e8}});
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(found[k], k == 0 ? 4e8 : 1e8, 1e-7);
}

class NodalStress : public ::testing::TestWithParam<ElementType>
{
protected:
  bool is_quadratic() const
  {
    return GetParam().n_nodes > 8;
  }
};

// The patch test at the nodes, on curved elements too: solids of every kind, and the formulations
// of hexahedra.
TEST_P(NodalStress, IsExactWhereItIsConstant)
{
  const QuadraticField field(0.);
  for (const bool is_curved : {false, true})
    {
      const Arm arm(GetParam(), is_curved);
      const std::vector<double> u = field_of(arm.mesh, field);
      const std::vector<double> factors(arm.mesh.n_elements, 0.5);
      for (const Formulation formulation : {Formulation::full_integration,
                                            Formulation::mean_dilatation,
                                            Formulation::incompatible_modes})
        if (formulation == Formulation::full_integration || GetParam() == ElementType())
          {
            const Material steel{2.1, 0.29, formulation};
            const Stress expected = field.stress(Material{0.5 * 2.1, 0.29}, {});
            expect_stresses({arm.mesh, steel, factors, u, no_expansion},
                            1e-11,
                            [&](const Vector &) { return expected; });
          }
      const Material steel{2.1, 0.29};
      const OrthotropicSolid fibres{{{3., 2., 1.}}, {{0.2, 0.1, 0.3}}, {{0.7, 0.5, 0.6}}};
      Solids solids;
      solids.law            = Law::table;
      solids.table          = {{*elasticity_matrix(fibres)},
                               std::vector<std::uint32_t>(arm.mesh.n_elements, 0)};
      const Stress expected = field.stress(solids.table.matrices[0], {});
      expect_stresses({arm.mesh, {steel, solids}, factors, u, no_expansion},
                      1e-11,
                      [&](const Vector &) {
                        Stress half = expected;
                        for (double &component : half.component)
                          component *= 0.5;
                        return half;
                      });
    }
}

// Quadratic elements have the linear stresses of quadratic displacements on distorted cells whose
// lines are straight; Hex20 has them on parallelepipeds.
TEST_P(NodalStress, OfQuadraticElementsIsExactWhereItIsLinear)
{
  if (!is_quadratic())
    GTEST_SKIP() << "linear elements have no quadratic displacements";
  const QuadraticField field(0.4);
  const Material steel{2.1, 0.29};
  const bool is_serendipity = GetParam().n_nodes == 20;
  const TypedBox slanted(Form{{{3, 2, 2}},
                              {{2., 1., 1.}},
                              [](const Position &x) {
                                return Position{{x[0] + 0.2 * x[1], x[1] - 0.3 * x[2], 0.8 * x[2]}};
                              }},
                         GetParam().name);
  const TypedBox waves(GetParam().name, {{4, 3, 3}});
  const ElementMesh &mesh     = (is_serendipity ? slanted : waves).box.mesh;
  const std::vector<double> u = field_of(mesh, field), ones(mesh.n_elements, 1.);
  expect_stresses({mesh, steel, ones, u, no_expansion}, 1e-11, [&](const Vector &x) {
    return field.stress(steel, x);
  });
}

// The pressure of a thermal expansion is found from its forces: where nothing moves, and in free
// expansions, which have no stress.
TEST_P(NodalStress, HasThePressureOfAThermalExpansion)
{
  const Material steel{2.1, 0.29};
  const double modulus = 2.1 / (1. - 2. * 0.29);
  for (const bool is_curved : {false, true})
    {
      const Arm arm(GetParam(), is_curved);
      const ElementMesh &mesh = arm.mesh;
      const std::vector<double> ones(mesh.n_elements, 1.);
      const std::vector<double> forces =
        forces_of_pressure(mesh, [&](const Vector &) { return 0.02 * modulus; });
      const std::vector<double> still(mesh.n_dofs(), 0.),
        free = field_of(mesh, [](const Vector &x) {
          return Vector{{0.02 * x[0], 0.02 * x[1], 0.02 * x[2]}};
        });
      expect_stresses({mesh, steel, ones, still, forces}, 1e-12, [&](const Vector &) {
        return pressure_of(0.02 * modulus);
      });
      expect_stresses({mesh, steel, ones, free, forces}, 1e-12, [](const Vector &) {
        return pressure_of(0.);
      });
    }
  if (GetParam() == type_of<Tet4>())
    return; // Its pressure is constant.
  const TypedBox box(GetParam().name, {{4, 3, 3}});
  const ElementMesh &mesh = box.box.mesh;
  const std::vector<double> ones(mesh.n_elements, 1.), still(mesh.n_dofs(), 0.);
  const auto pressure = [](const Vector &x) { return 1. + 0.3 * x[0] - 0.2 * x[1] + 0.7 * x[2]; };
  // In distorted hexahedra a linear function has a part in x y z, which forces of Hex8 do not show.
  expect_stresses({mesh, steel, ones, still, forces_of_pressure(mesh, pressure)},
                  mesh.type.n_vertices == 4 ? 1e-11 : 5e-3,
                  [&](const Vector &x) { return pressure_of(pressure(x)); });
}

// A free body bends by a gradient of the temperature without stress.
TEST_P(NodalStress, IsZeroInAFreeBodyWithAGradientOfTheTemperature)
{
  if (!is_quadratic())
    GTEST_SKIP() << "linear elements have no quadratic displacements";
  const TypedBox box(Form{{{3, 2, 2}}, {{2., 1., 1.}}, [](const Position &x) { return x; }},
                     GetParam().name);
  const ElementMesh &mesh = box.box.mesh;
  const Material steel{2.1, 0.29};
  const std::vector<double> ones(mesh.n_elements, 1.);
  const std::vector<double> u = field_of(mesh, [](const Vector &x) {
    return Vector{
      {0.01 * x[0] * x[2], 0.01 * x[1] * x[2], 0.005 * (x[2] * x[2] - x[0] * x[0] - x[1] * x[1])}};
  });
  const auto forces =
    forces_of_pressure(mesh, [](const Vector &x) { return 0.01 * x[2] * 2.1 / (1. - 2. * 0.29); });
  expect_stresses({mesh, steel, ones, u, forces}, 1e-12, [](const Vector &) {
    return pressure_of(0.);
  });
}

TEST_P(NodalStress, SumsAreThoseOfTheElementsForAnyNumberOfThreads)
{
  const Arm arm(GetParam(), true);
  const ElementMesh &mesh = arm.mesh;
  const Material steel{2.1, 0.29};
  const std::vector<double> u       = random_vector(mesh.n_dofs(), 3);
  const std::vector<double> factors = random_vector(mesh.n_elements, 4, 0.5, 2.);
  const StressFields fields{mesh, steel, factors, u, no_expansion};
  const auto counts = [](const std::size_t e) { return e % 3 != 1; };
  std::vector<double> expected(n_stress_sums * mesh.n_nodes, 0.);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (counts(e))
      {
        const std::vector<Stress> stresses = stresses_at_nodes(fields, e);
        for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
          {
            for (std::size_t k = 0; k < 6; ++k)
              expected[n_stress_sums * mesh.node(e, a) + k] +=
                mesh.volumes[e] * stresses[a].component[k];
            expected[n_stress_sums * mesh.node(e, a) + 6] += mesh.volumes[e];
          }
      }
  std::vector<double> of_one(expected.size(), 0.), of_three(of_one);
  add_stresses_at_nodes(fields, counts, 1, of_one);
  add_stresses_at_nodes(fields, counts, 3, of_three);
  EXPECT_EQ(of_one, of_three);
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(of_one[i], expected[i], 1e-13);
}

INSTANTIATE_TEST_SUITE_P(Elements,
                         NodalStress,
                         ::testing::ValuesIn(element_types()),
                         [](const auto &info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

// A plate of one layer in pure bending: the stress at the surface is E z with incompatible modes.
TEST(NodalStressOfModes, IsExactInBending)
{
  BoxOptions options = BoxOptions::regular({{3, 2, 1}});
  options.size       = {{4., 2., 0.5}};
  const BoxMesh box  = make_box(options);
  const Material material{3., 0.3, Formulation::incompatible_modes};
  const std::vector<double> ones(box.mesh.n_elements, 1.),
    u = field_of(box.mesh, [](const Vector &x) {
      const double z = x[2] - 0.25;
      return Vector{
        {x[0] * z, -0.3 * x[1] * z, -0.5 * (x[0] * x[0] + 0.3 * (z * z - x[1] * x[1]))}};
    });
  expect_stresses({box.mesh, material, ones, u, no_expansion}, 1e-12, [](const Vector &x) {
    return Stress{{3. * (x[2] - 0.25), 0., 0., 0., 0., 0.}};
  });
}
} // namespace strut::test
