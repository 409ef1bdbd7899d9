// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"

#include <strut/solvers/state/state_solver.h>

namespace strut::test
{
namespace
{
// The displacement u_i = a_i s(x) with s = prod_d sin(pi x_d + phi_d), and the body force for which
// it is the solution: -f_i = (lambda + mu) d_i div u + mu laplace u_i.
constexpr double pi       = 3.14159265358979323846;
constexpr double phase[3] = {0.3, 0.5, 0.7};
constexpr double a[3]     = {1., -2., 0.5};

double displacement(const Position &x, const std::size_t i)
{
  double product = a[i];
  for (std::size_t d = 0; d < 3; ++d)
    product *= std::sin(pi * x[d] + phase[d]);
  return product;
}

double body_force(const Position &x, const std::size_t i, const Material &material)
{
  double s[3], c[3];
  for (std::size_t d = 0; d < 3; ++d)
    {
      s[d] = std::sin(pi * x[d] + phase[d]);
      c[d] = std::cos(pi * x[d] + phase[d]);
    }
  double gradient_of_divergence = 0;
  for (std::size_t j = 0; j < 3; ++j)
    gradient_of_divergence +=
      a[j] * pi * pi * (i == j ? -s[0] * s[1] * s[2] : c[i] * c[j] * s[3 - i - j]);
  const double laplace = -3. * pi * pi * a[i] * s[0] * s[1] * s[2];
  return -(material.lambda() + material.mu()) * gradient_of_divergence - material.mu() * laplace;
}

/// Calls body(point, N[8], weight) at the 4x4x4 Gauss points of an element; the weight includes the
/// volume.
template <typename Body>
void integrate(const ElementMesh &mesh, const std::size_t e, const Body &body)
{
  const double inner = std::sqrt(3. / 7. - 2. / 7. * std::sqrt(6. / 5.));
  const double outer = std::sqrt(3. / 7. + 2. / 7. * std::sqrt(6. / 5.));
  const double xi[4] = {-outer, -inner, inner, outer};
  const double wo = (18. - std::sqrt(30.)) / 36., wi = (18. + std::sqrt(30.)) / 36.;
  const double w[4] = {wo, wi, wi, wo};
  double X[3][8];
  vertices(mesh, e, X);
  for (int q = 0; q < 64; ++q)
    {
      const int k[3] = {q & 3, q >> 2 & 3, q >> 4};
      double N[8], J[3][3] = {};
      Position x{};
      for (int v = 0; v < 8; ++v)
        {
          double factor[3], slope[3];
          for (int d = 0; d < 3; ++d)
            {
              const double t = (1. + xi[k[d]]) / 2.;
              factor[d]      = (v >> d & 1) ? t : 1. - t;
              slope[d]       = (v >> d & 1) ? 1. : -1.;
            }
          N[v] = factor[0] * factor[1] * factor[2];
          for (std::size_t i = 0; i < 3; ++i)
            {
              x[i] += N[v] * X[i][v];
              for (int d = 0; d < 3; ++d)
                J[i][d] += X[i][v] * slope[d] * factor[(d + 1) % 3] * factor[(d + 2) % 3];
            }
        }
      double det = 0;
      for (int i = 0; i < 3; ++i)
        det +=
          J[0][i] * (J[1][(i + 1) % 3] * J[2][(i + 2) % 3] - J[1][(i + 2) % 3] * J[2][(i + 1) % 3]);
      body(x, N, w[k[0]] * w[k[1]] * w[k[2]] / 8. * det);
    }
}

/// || u - u_h || in L2 on a mesh of n^3 elements of the unit cube.
double error(Backend &backend, const std::size_t n, const double distortion)
{
  const Material material{1., 0.3};
  // the cube stays a cube
  BoxOptions options      = BoxOptions::wild({{n, n, n}}, 1).with_regular_surface();
  options.size            = {{1., 1., 1.}};
  options.distortion      = distortion;
  BoxMesh box             = make_box(options);
  const ElementMesh &mesh = box.mesh;
  prescribe(
    box,
    [](const Position &X, int) {
      for (const double x : X)
        if (x < 1e-12 || x > 1. - 1e-12)
          return true;
      return false;
    },
    [](const Position &x, const int c) { return displacement(x, static_cast<std::size_t>(c)); });

  std::vector<double> f(mesh.n_dofs(), 0.);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    integrate(mesh, e, [&](const Position &x, const double(&N)[8], const double weight) {
      for (std::size_t i = 0; i < 3; ++i)
        {
          const double density = body_force(x, i, material) * weight;
          for (std::size_t v = 0; v < 8; ++v)
            f[3 * mesh.connectivity[v * mesh.n_elements + e] + i] += N[v] * density;
        }
    });

  TimingTable timing;
  StateSettings settings;
  settings.control.tolerance = 1e-10;
  auto state                 = make_state_solver({backend, Communicator(), timing},
                                 {mesh, material},
                                 {{"f", 1., f}},
                                 settings);
  state->set_stiffness(Array<double>(backend.memory(), std::vector<double>(mesh.n_elements, 1.)));
  state->solve(0);
  const std::vector<double> u = state->displacement(0);

  double square = 0;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    integrate(mesh, e, [&](const Position &x, const double(&N)[8], const double weight) {
      for (std::size_t i = 0; i < 3; ++i)
        {
          double difference = -displacement(x, i);
          for (std::size_t v = 0; v < 8; ++v)
            difference += N[v] * u[3 * mesh.connectivity[v * mesh.n_elements + e] + i];
          square += difference * difference * weight;
        }
    });
  return std::sqrt(square);
}

using ManufacturedSolution = PlaceTest;

// ||u - u_h|| = O(h^2), on a regular and on a distorted mesh.
TEST_P(ManufacturedSolution, IsApproachedWithSecondOrder)
{
  for (const double distortion : {0., 0.1})
    {
      const double coarse = error(backend(), 4, distortion),
                   medium = error(backend(), 8, distortion),
                   fine   = error(backend(), 16, distortion);
      EXPECT_GT(std::log2(coarse / medium), 1.8) << "distortion " << distortion;
      EXPECT_GT(std::log2(medium / fine), 1.8) << "distortion " << distortion;
      EXPECT_LT(fine, 0.02);
    }
}

INSTANTIATE_TEST_SUITE_P(Core, ManufacturedSolution, at_all_places(), place_name);
} // namespace
} // namespace strut::test
