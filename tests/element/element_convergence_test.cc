// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/arm.h"
#include "../fixtures/element_system.h"
#include "../fixtures/element_types.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace strut::test
{
namespace
{
const double lambda = 1.7, mu = 0.9;

template <typename Element>
class ElementConvergence : public ::testing::Test
{};

template <typename Element>
class QuadraticElement : public ::testing::Test
{};

TYPED_TEST_SUITE(ElementConvergence, AllElements, );

using QuadraticElements = ::testing::Types<Hex20, Hex20Irons, Hex27, Tet10, Tet10Curved>;
TYPED_TEST_SUITE(QuadraticElement, QuadraticElements, );

Vector3 linear_field(const Vector3 &x)
{
  return {{1. + 0.3 * x[0] - 0.7 * x[1] + 0.2 * x[2],
           -0.5 + 0.1 * x[0] + 0.6 * x[1] - 0.4 * x[2],
           0.2 - 0.9 * x[0] + 0.5 * x[1] + 0.8 * x[2]}};
}

/// A map by which parallelepipeds stay so.
Vector3 parallelepiped(const Vector3 &x)
{
  return {{x[0] + 0.3 * x[1], 1.2 * x[1] - 0.1 * x[2], 0.8 * x[2] + 0.2 * x[0]}};
}

/// Patch test: the nodal forces of a linear field vanish at inner nodes, so that it solves the
/// system.
template <typename Element>
void expect_linear_field(const ElementBoxOptions &options)
{
  const auto box = make_element_box<Element>(options);
  const ElementSystem<Element> system(box, lambda, mu);
  const Eigen::VectorXd exact = system.interpolate(linear_field);
  const Eigen::VectorXd force = system.matrix() * exact;
  for (std::size_t node = 0; node < box.nodes.size(); ++node)
    for (std::size_t i = 0; i < 3 && !box.at_boundary[node]; ++i)
      EXPECT_NEAR(force[static_cast<Eigen::Index>(3 * node + i)], 0., 1e-13);
  const Eigen::VectorXd u = system.solve(Eigen::VectorXd::Zero(exact.size()), exact);
  EXPECT_LT((u - exact).cwiseAbs().maxCoeff(), 1e-11);
}

TYPED_TEST(ElementConvergence, PatchTest)
{
  ElementBoxOptions options;
  options.n          = 3;
  options.distortion = 0.2;
  options.seed       = 3;
  options.map        = parallelepiped;
  expect_linear_field<TypeParam>(options);
}

TEST(ElementConvergence, PatchTestWithBentLines)
{
  ElementBoxOptions options;
  options.n          = 3;
  options.distortion = 0.15;
  options.bend       = 0.08;
  expect_linear_field<Hex20>(options);
  expect_linear_field<Hex27>(options);
  expect_linear_field<Tet10Curved>(options);
}

// Quadratic fields under their constant body force f = -div sigma, on parallelepipeds (Hex20) and
// on distorted tetrahedra with straight lines.
TYPED_TEST(QuadraticElement, QuadraticFieldsAreExact)
{
  // u_i = sum_kl c_ikl x_k x_l, c symmetric in kl
  Random random(5);
  double c[3][3][3];
  for (auto &component : c)
    for (int k = 0; k < 3; ++k)
      for (int l = k; l < 3; ++l)
        component[k][l] = component[l][k] = random(-1., 1.);
  const auto u = [&](const Vector3 &x) {
    Vector3 value = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l)
          value[i] += c[i][k][l] * x[k] * x[l];
    return value;
  };
  // f_i = -(lambda + mu) d_i div u - mu laplace u_i
  const auto f = [&](const Vector3 &) {
    Vector3 value = {};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k)
        value[i] -= 2. * ((lambda + mu) * c[k][k][i] + mu * c[i][k][k]);
    return value;
  };
  ElementBoxOptions options;
  options.distortion = TypeParam::n_vertices == 4 ? 0.2 : 0.;
  options.map        = parallelepiped;
  const auto box     = make_element_box<TypeParam>(options);
  const ElementSystem<TypeParam> system(box, lambda, mu);
  const Eigen::VectorXd exact = system.interpolate(u);
  EXPECT_LT((system.solve(system.load(f), exact) - exact).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LT(system.error(exact, u), 1e-14);
}

// The displacement u_i = A_i sin(k_i . x + phi_i) on the cube with curved sides. The error in L2
// falls with the third power of the mesh width if elements have midpoints, else with the second.
// The error in the norm of the energy falls with one power less.
TYPED_TEST(ElementConvergence, OrdersInL2AndInEnergy)
{
  const double A[3] = {1., -0.7, 0.5}, phi[3] = {0.3, 1.1, -0.4};
  const double k[3][3] = {{2.1, 1.3, -0.8}, {-1.1, 2.3, 1.7}, {0.9, -1.6, 2.2}};
  const auto theta     = [&](const int i, const Vector3 &x) {
    return k[i][0] * x[0] + k[i][1] * x[1] + k[i][2] * x[2] + phi[i];
  };
  const auto u = [&](const Vector3 &x) {
    return Vector3{
      {A[0] * std::sin(theta(0, x)), A[1] * std::sin(theta(1, x)), A[2] * std::sin(theta(2, x))}};
  };
  const auto f = [&](const Vector3 &x) {
    Vector3 value = {};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        value[i] += (lambda + mu) * A[j] * k[j][j] * k[j][i] * std::sin(theta(j, x)) +
                    mu * A[i] * k[i][j] * k[i][j] * std::sin(theta(i, x));
    return value;
  };
  ElementBoxOptions options;
  options.map = [](const Vector3 &x) {
    return Vector3{{x[0] + 0.1 * std::sin(2. * x[1] + x[2]),
                    x[1] + 0.1 * std::sin(2. * x[2] - x[0]),
                    x[2] + 0.1 * std::sin(2. * x[0] + 0.5)}};
  };
  const auto gradient = [&](const Vector3 &x) {
    std::array<Vector3, 3> value = {};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        value[i][j] = A[i] * k[i][j] * std::cos(theta(static_cast<int>(i), x));
    return value;
  };
  std::vector<double> in_l2, in_energy;
  for (const int n : {2, 4, 8})
    {
      options.n      = n;
      const auto box = make_element_box<TypeParam>(options);
      const ElementSystem<TypeParam> system(box, lambda, mu);
      const Eigen::VectorXd u_h = system.solve(system.load(f), system.interpolate(u));
      in_l2.push_back(system.error(u_h, u));
      in_energy.push_back(system.energy_error(u_h, gradient));
    }
  const double order = TypeParam::n_nodes > TypeParam::n_vertices ? 3. : 2.;
  for (int refinement = 0; refinement < 2; ++refinement)
    {
      const double rate = std::log2(in_l2[refinement] / in_l2[refinement + 1]);
      EXPECT_GT(rate, order - 0.25) << "refinement " << refinement;
      EXPECT_LT(rate, order + 0.5) << "refinement " << refinement;
      const double of_energy = std::log2(in_energy[refinement] / in_energy[refinement + 1]);
      EXPECT_NEAR(of_energy, order - 1., 0.25) << "refinement " << refinement;
    }
}
/// The quadratic tetrahedron with 27 conical points, exact for polynomials of degree 5.
struct Tet10Conical : Tet10
{
  static constexpr int n_quadrature_points = 27;

  template <typename Number>
  static Number quadrature_point(const int q, Number (&x)[3])
  {
    // Gauss-Jacobi points, for the weights 1, 1 - t and (1 - t)^2 on [0, 1].
    constexpr double points[3][3] = {
      {0.11270166537925831, 0.5, 0.88729833462074169},
      {0.088587959512703947, 0.40946686444073471, 0.78765946176084706},
      {0.072994024073149732, 0.34700376603835188, 0.70500220988849838}};
    constexpr double weights[3][3] = {
      {0.27777777777777778, 0.44444444444444444, 0.27777777777777778},
      {0.20093191373895963, 0.22924110635958625, 0.069826979901454123},
      {0.15713636106488661, 0.14624626925986602, 0.029950703008580702}};
    const int k = q % 3, j = q / 3 % 3, i = q / 9;
    x[2] = points[2][i];
    x[1] = points[1][j] * (1. - x[2]);
    x[0] = points[0][k] * (1. - x[1] - x[2]);
    return weights[0][k] * weights[1][j] * weights[2][i];
  }
};

/// The serendipity hexahedron with 2x2x2 points: C3D20R.
struct Hex20Reduced : Hex20
{
  static constexpr int n_quadrature_points = Hex8::n_quadrature_points;

  template <typename Number>
  static Number quadrature_point(const int q, Number (&x)[3])
  {
    return Hex8::quadrature_point(q, x);
  }
};

/// The compliance of the arm in elements of another rule than their type has.
template <typename Element>
double compliance_of_arm(const bool is_curved)
{
  const Arm arm({Element::name, Element::n_nodes, Element::n_vertices}, is_curved);
  const std::size_t n_nodes = arm.mesh.n_nodes;
  ElementBox<Element> box;
  box.elements.resize(arm.mesh.n_elements);
  for (std::size_t e = 0; e < box.elements.size(); ++e)
    for (std::size_t a = 0; a < Element::n_nodes; ++a)
      box.elements[e][a] = arm.mesh.node(e, a);
  for (std::size_t node = 0; node < n_nodes; ++node)
    {
      const double *const x = &arm.mesh.coordinates[node];
      box.nodes.push_back({{x[0], x[n_nodes], x[2 * n_nodes]}});
      box.at_boundary.push_back(arm.lattice[node][0] == 0); // held
    }
  const Material material{1., 0.3};
  const ElementSystem<Element> system(box, material.lambda(), material.mu());
  const std::vector<double> force = arm.force();
  const Eigen::VectorXd f =
    Eigen::Map<const Eigen::VectorXd>(force.data(), static_cast<Eigen::Index>(force.size()));
  return f.dot(system.solve(f, Eigen::VectorXd::Zero(f.size())));
}

// The arm's values of elements that are no type of their own.
TEST(ElementConvergence, OtherPointsGiveTheValuesOfAnotherProgram)
{
  EXPECT_NEAR(compliance_of_arm<Tet10Conical>(true), 11.46818221, 1e-7);
  EXPECT_NEAR(compliance_of_arm<Hex20Reduced>(false), 11.53105141, 1e-7);
}
} // namespace
} // namespace strut::test
