// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Solutions with generated matrices: the patch test, and the order of convergence to a manufactured
// solution.
#include "generated_matrix.h"
#include "source/comparison/solvers/generated_system.h"

namespace strut::test
{
namespace
{


constexpr Position box_size{{1., 1.3, 0.8}}; ///< edge lengths of the box
const double half_turn = std::acos(-1.);

struct ConvergenceCase
{
  Place place;
  ElementType type;

  friend std::ostream &operator<<(std::ostream &out, const ConvergenceCase &c)
  {
    return out << to_string(c.place) << "_" << word_of(c.type);
  }
};

std::vector<ConvergenceCase> convergence_cases()
{
  std::vector<ConvergenceCase> cases;
  for (const Place place : all_places())
    for (const ElementType &type : element_types())
      cases.push_back({place, type});
  return cases;
}

/// n elements along each edge, numbered at random, with straight lines.
ElementMesh box_of(const ElementType &type, const std::size_t n, const double distortion)
{
  BoxOptions options       = BoxOptions::wild({{n, n, n}}, 3);
  options.size             = box_size;
  options.rotate_elements  = type.n_vertices == 8;
  options.distortion       = distortion;
  options.distort_boundary = false;
  return make_box_of(type, options, /*bend*/ 0.);
}

Position position_of_node(const ElementMesh &mesh, const std::size_t node)
{
  const std::size_t n = mesh.n_nodes;
  return {{mesh.coordinates[node], mesh.coordinates[n + node], mesh.coordinates[2 * n + node]}};
}

bool on_surface(const Position &x)
{
  for (std::size_t d = 0; d < 3; ++d)
    if (x[d] < 1e-9 || x[d] > box_size[d] - 1e-9)
      return true;
  return false;
}

/// The generated matrix of a mesh on a backend, with unit stiffness factors.
class MatrixOfMesh
{
public:
  MatrixOfMesh(Backend &backend, const ElementMesh &mesh, const Material &material)
    : backend_(backend), generated_(backend, mesh, material, MatrixFormat::csr, {})
  {
    generated_.assemble(std::vector<double>(mesh.n_elements, 1.));
  }

  std::vector<double> times(const std::vector<double> &x)
  {
    Array<double> y(backend_.memory(), x.size());
    assembly_operations(backend_)
      .make_product<double>(generated_.matrix())
      ->apply(Array<double>(backend_.memory(), x), y);
    return y.to_host();
  }

  std::vector<double> solve(const std::vector<double> &f)
  {
    Array<double> u(backend_.memory(), std::vector<double>(f.size(), 0.));
    SolverControl control;
    control.tolerance = 1e-11;
    GeneratedSystem<double> system(backend_, generated_.matrix());
    EXPECT_TRUE(system.solve(control, Array<double>(backend_.memory(), f), u).converged);
    return u.to_host();
  }

private:
  Backend &backend_;
  Generated<double> generated_;
};

/// Calls `action(nodes, N, x, weight)` at each quadrature point: the nodes of its element, their
/// shape functions at the point, the point, and the weight times the Jacobian.
template <typename Action>
void for_each_point(const ElementMesh &mesh, const Action &action)
{
  with_element(mesh.type, [&](const auto element) {
    using Element = decltype(element);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        std::vector<std::size_t> nodes;
        for (int a = 0; a < Element::n_nodes; ++a)
          nodes.push_back(mesh.node(e, static_cast<std::size_t>(a)));
        for (int q = 0; q < Element::n_quadrature_points; ++q)
          {
            double xi[3];
            const double weight = Element::quadrature_point(q, xi);
            std::vector<double> shape;
            Position x{};
            double J[3][3] = {};
            for (int a = 0; a < Element::n_nodes; ++a)
              {
                const Position node = position_of_node(mesh, nodes[static_cast<std::size_t>(a)]);
                double gradient[3];
                Element::shape_gradient(a, xi, gradient);
                shape.push_back(Element::shape_value(a, xi));
                for (std::size_t d = 0; d < 3; ++d)
                  {
                    x[d] += shape.back() * node[d];
                    for (int c = 0; c < 3; ++c)
                      J[d][c] += gradient[c] * node[d];
                  }
              }
            const double det = J[0][0] * (J[1][1] * J[2][2] - J[1][2] * J[2][1]) -
                               J[0][1] * (J[1][0] * J[2][2] - J[1][2] * J[2][0]) +
                               J[0][2] * (J[1][0] * J[2][1] - J[1][1] * J[2][0]);
            action(nodes, shape, x, weight * std::abs(det));
          }
      }
  });
}

/// u_i = a_i s, s = sin(pi x / X) sin(pi y / Y) sin(pi z / Z): zero on the surface of the box.
struct Manufactured
{
  Position a{{1., -0.6, 0.3}};
  Material material;

  Position u(const Position &x) const
  {
    double s = 1.;
    for (std::size_t d = 0; d < 3; ++d)
      s *= std::sin(half_turn * x[d] / box_size[d]);
    return {{a[0] * s, a[1] * s, a[2] * s}};
  }

  /// Body force -(lambda + mu) grad div u - mu Laplace u.
  Position body_force(const Position &x) const
  {
    const double lambda = material.lambda(), mu = material.mu();
    const auto second = [&](const std::size_t i, const std::size_t j) { // second derivatives of s
      double value = 1.;
      for (std::size_t d = 0; d < 3; ++d)
        {
          const double k = half_turn / box_size[d], y = k * x[d];
          const int order = (d == i ? 1 : 0) + (d == j ? 1 : 0);
          value *= order == 0 ? std::sin(y) : order == 1 ? k * std::cos(y) : -k * k * std::sin(y);
        }
      return value;
    };
    const double laplace = second(0, 0) + second(1, 1) + second(2, 2);
    Position f{};
    for (std::size_t i = 0; i < 3; ++i)
      {
        for (std::size_t j = 0; j < 3; ++j)
          f[i] -= (lambda + mu) * a[j] * second(i, j);
        f[i] -= mu * a[i] * laplace;
      }
    return f;
  }
};

/// L2 norm of the error relative to that of the solution, with n elements along an edge.
double error_of(Backend &backend, const ElementType &type, const std::size_t n)
{
  const Manufactured exact;
  ElementMesh mesh          = box_of(type, n, /*distortion*/ 0.);
  const std::size_t n_nodes = mesh.n_nodes;
  std::vector<double> f(3 * n_nodes);
  for_each_point(mesh,
                 [&](const auto &nodes, const auto &shape, const Position &x, const double weight) {
                   const Position force = exact.body_force(x);
                   for (std::size_t a = 0; a < nodes.size(); ++a)
                     for (std::size_t d = 0; d < 3; ++d)
                       f[3 * nodes[a] + d] += weight * shape[a] * force[d];
                 });
  for (std::size_t node = 0; node < n_nodes; ++node)
    if (on_surface(position_of_node(mesh, node)))
      for (std::size_t d = 0; d < 3; ++d)
        {
          f[3 * node + d] = 0.;
          mesh.constrained_dofs.push_back(static_cast<LocalIndex>(3 * node + d));
        }
  const std::vector<double> u = MatrixOfMesh(backend, mesh, exact.material).solve(f);
  double error = 0., norm = 0.;
  for_each_point(mesh,
                 [&](const auto &nodes, const auto &shape, const Position &x, const double weight) {
                   const Position expected = exact.u(x);
                   for (std::size_t d = 0; d < 3; ++d)
                     {
                       double value = 0.;
                       for (std::size_t a = 0; a < nodes.size(); ++a)
                         value += shape[a] * u[3 * nodes[a] + d];
                       error += weight * (value - expected[d]) * (value - expected[d]);
                       norm += weight * expected[d] * expected[d];
                     }
                 });
  return std::sqrt(error / norm);
}

using GeneratedSolutionTest = TestOnBackend<ConvergenceCase>;

// A linear displacement leaves no force at the inner nodes, on distorted elements with straight
// lines. The rule of 14 points does not integrate those exactly, so its elements are
// parallelepipeds.
TEST_P(GeneratedSolutionTest, PassesThePatchTest)
{
  const ConvergenceCase c = GetParam();
  const bool irons        = c.type == type_of<Hex20Irons>();
  const ElementMesh mesh  = box_of(c.type, 3, irons ? 0. : 0.15);
  const std::size_t n     = mesh.n_nodes;
  const double G[3][3]    = {{0.3, -0.2, 0.5}, {0.1, 0.7, -0.4}, {-0.6, 0.2, 0.9}};
  std::vector<double> u(3 * n);
  for (std::size_t node = 0; node < n; ++node)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        u[3 * node + i] += G[i][j] * position_of_node(mesh, node)[j];
  const std::vector<double> f = MatrixOfMesh(backend(), mesh, Material()).times(u);
  double inside = 0., largest = 0.;
  std::size_t n_inside = 0;
  for (std::size_t node = 0; node < n; ++node)
    {
      const bool is_inside = !on_surface(position_of_node(mesh, node));
      n_inside += is_inside ? 1 : 0;
      for (std::size_t i = 0; i < 3; ++i)
        {
          double &worst = is_inside ? inside : largest;
          worst         = std::max(worst, std::abs(f[3 * node + i]));
        }
    }
  EXPECT_GE(n_inside, 8u);
  EXPECT_LT(inside, 1e-13 * largest);
}

// The error in L2 falls as h^2 with linear elements, and as h^3 with quadratic ones. On
// parallelepipeds hex20 contains all quadratic polynomials.
TEST_P(GeneratedSolutionTest, ConvergesToAManufacturedSolution)
{
  const ConvergenceCase c = GetParam();
  const bool quadratic    = c.type.n_nodes > c.type.n_vertices;
  const std::size_t n     = quadratic ? 4 : 8;
  const double coarse = error_of(backend(), c.type, n), fine = error_of(backend(), c.type, 2 * n);
  const double order = std::log2(coarse / fine);
  EXPECT_NEAR(order, quadratic ? 3. : 2., 0.2);
  EXPECT_LT(fine, quadratic ? 3e-3 : 0.03);
}

INSTANTIATE_TEST_SUITE_P(Core,
                         GeneratedSolutionTest,
                         ::testing::ValuesIn(convergence_cases()),
                         [](const auto &info) { return ::testing::PrintToString(info.param); });
} // namespace
} // namespace strut::test
