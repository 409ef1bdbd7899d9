// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/nodal_stress.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "source/base/parallel_loop.h"
#include "source/element/element_stiffness.h"
#include "source/element/elements.h"
#include "source/element/gradients_of_modes.h"
#include "source/element/stress_points.h"

namespace strut
{
namespace
{
/// The pressure of a thermal expansion in an element, as a polynomial of its reference coordinates.
/// It is constant in linear tetrahedra and linear in quadratic ones. Hexahedra have 1, x, y, z, xy,
/// yz and zx, of which the forces on the nodes show every coefficient.
template <typename Element>
class ExpansionPressure
{
public:
  static constexpr int n = Element::n_vertices == 8 ? 7 : Element::n_nodes == 4 ? 1 : 4;

  /// Fits the polynomial by least squares.
  /// @param expansion  LoadCase::expansion
  ExpansionPressure(const double (&X)[3][Element::n_nodes],
                    const std::vector<double> &expansion,
                    const std::size_t n_elements,
                    const std::size_t e)
  {
    double forces[3 * Element::n_nodes][n] = {}; // of each polynomial
    for (int q = 0; q < Element::n_quadrature_points; ++q)
      {
        double G[3][Element::n_nodes], xi[3], values[n];
        const double dx = element_stiffness::gradients<Element>(X, q, G);
        Element::quadrature_point(q, xi);
        polynomials(xi, values);
        for (int a = 0; a < Element::n_nodes; ++a)
          for (int c = 0; c < 3; ++c)
            for (int k = 0; k < n; ++k)
              forces[3 * a + c][k] += G[c][a] * values[k] * dx;
      }
    double A[n][n] = {};
    for (int row = 0; row < 3 * Element::n_nodes; ++row)
      for (int k = 0; k < n; ++k)
        {
          coefficients_[k] +=
            forces[row][k] * expansion[static_cast<std::size_t>(row) * n_elements + e];
          for (int l = 0; l < n; ++l)
            A[k][l] += forces[row][k] * forces[row][l];
        }
    // Gauss's elimination needs no pivots, as A is positive definite.
    for (int k = 0; k < n; ++k)
      for (int i = k + 1; i < n; ++i)
        {
          const double factor = A[i][k] / A[k][k];
          for (int j = k; j < n; ++j)
            A[i][j] -= factor * A[k][j];
          coefficients_[i] -= factor * coefficients_[k];
        }
    for (int k = n - 1; k >= 0; --k)
      {
        for (int j = k + 1; j < n; ++j)
          coefficients_[k] -= A[k][j] * coefficients_[j];
        coefficients_[k] /= A[k][k];
      }
  }

  double at(const double (&xi)[3]) const
  {
    double values[n], sum = 0.;
    polynomials(xi, values);
    for (int k = 0; k < n; ++k)
      sum += coefficients_[k] * values[k];
    return sum;
  }

private:
  static void polynomials(const double (&xi)[3], double (&values)[n])
  {
    values[0] = 1.;
    for (int k = 1; k < n; ++k)
      {
        const int d = (k - 1) % 3;
        values[k]   = k < 4 ? xi[d] - 0.5 : (xi[d] - 0.5) * (xi[(d + 1) % 3] - 0.5);
      }
  }

  double coefficients_[n] = {};
};

/// Computes the stresses of an element at its nodes, as stresses_at_nodes() does.
template <typename Element>
void stresses_of_element(const StressFields &fields, const std::size_t e, Stress *const at_nodes)
{
  using Points = StressPoints<Element>;
  static const Points points;
  constexpr int n         = Points::n;
  const ElementMesh &mesh = fields.mesh;
  const Solids &solids    = fields.solids.solids;
  Material solid          = solids.isotropic_solid(fields.solids.material, e);

  // (1) Gradients of the displacement at the points, `[i][j][q]`.
  double X[3][Element::n_nodes], u[3][Element::n_nodes];
  nodes_of<Element>(mesh, e, X);
  for (std::size_t a = 0; a < Element::n_nodes; ++a)
    for (std::size_t i = 0; i < 3; ++i)
      u[i][a] = fields.displacement[3 * std::size_t(mesh.node(e, a)) + i];
  double gradients[3][3][n] = {}, determinants[n];
  for (int q = 0; q < n; ++q)
    {
      double J[3][3] = {}, D[3][3] = {}, inverse[3][3];
      for (int a = 0; a < Element::n_nodes; ++a)
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 3; ++d)
            {
              J[i][d] += X[i][a] * points.gradients[q][a][d];
              D[i][d] += u[i][a] * points.gradients[q][a][d];
            }
      determinants[q] = hexahedron::invert(J, inverse);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          for (int d = 0; d < 3; ++d)
            gradients[i][j][q] += D[i][d] * inverse[d][j];
    }
  double excess[n] = {}; // of the mean dilatation over that of the point
  if constexpr (std::is_same_v<Element, Hex8>)
    {
      if (solid.formulation == Formulation::incompatible_modes)
        hexahedron::ModesOfElement(X, solid, u).add(determinants, gradients);
      if (solid.formulation == Formulation::mean_dilatation)
        {
          double mean = 0., volume = 0.;
          for (int q = 0; q < n; ++q)
            {
              excess[q] = -(gradients[0][0][q] + gradients[1][1][q] + gradients[2][2][q]);
              mean -= determinants[q] * excess[q];
              volume += determinants[q];
            }
          for (double &of_point : excess)
            of_point += mean / volume;
        }
    }

  // (2) Stresses at the points.
  Stress stresses[n];
  for (int q = 0; q < n; ++q)
    {
      double gradient[3][3];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          gradient[i][j] = gradients[i][j][q];
      // The gradient is along x, y and z already.
      constexpr double unit[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
      stresses[q]                 = solids.table.empty() ? stress_of(solid, unit, gradient)
                                                         : stress_of(solids.table.of(e), unit, gradient);
      for (int i = 0; i < 3; ++i)
        stresses[q].component[i] += solid.lambda() * excess[q];
    }
  if (!fields.expansion.empty())
    {
      const ExpansionPressure<Element> pressure(X, fields.expansion, mesh.n_elements, e);
      for (int q = 0; q < n; ++q)
        for (int i = 0; i < 3; ++i)
          stresses[q].component[i] -= pressure.at(points.places[q]);
    }

  // (3) Stresses at the nodes.
  for (int a = 0; a < Element::n_nodes; ++a)
    for (int k = 0; k < 6; ++k)
      {
        double sum = 0.;
        for (int q = 0; q < n; ++q)
          sum += points.extrapolation[a][q] * stresses[q].component[k];
        at_nodes[a].component[k] = fields.stiffness[e] * sum;
      }
}
} // namespace

std::vector<Stress> stresses_at_nodes(const StressFields &fields, const std::size_t element)
{
  std::vector<Stress> stresses(fields.mesh.type.n_nodes);
  with_element(fields.mesh.type, [&](const auto type) {
    stresses_of_element<std::decay_t<decltype(type)>>(fields, element, stresses.data());
  });
  return stresses;
}

void add_stresses_at_nodes(const StressFields &fields,
                           const std::function<bool(std::size_t)> &counts,
                           const int n_threads,
                           std::vector<double> &sums)
{
  const ElementMesh &mesh = fields.mesh;
  // The threads compute the stresses of a block of elements, and one of them adds them in order.
  constexpr std::size_t block_size = 8192;
  std::vector<Stress> stresses(block_size * mesh.type.n_nodes);
  with_element(mesh.type, [&](const auto type) {
    using Element = std::decay_t<decltype(type)>;
    for (std::size_t begin = 0; begin < mesh.n_elements; begin += block_size)
      {
        const std::size_t end = std::min(begin + block_size, mesh.n_elements);
        cpu::parallel_for_long(n_threads, end - begin, [&](const std::size_t i) {
          if (counts(begin + i))
            stresses_of_element<Element>(fields, begin + i, &stresses[i * Element::n_nodes]);
        });
        for (std::size_t e = begin; e < end; ++e)
          if (counts(e))
            for (std::size_t a = 0; a < Element::n_nodes; ++a)
              {
                double *const sum = &sums[n_stress_sums * mesh.node(e, a)];
                for (std::size_t k = 0; k < 6; ++k)
                  sum[k] +=
                    mesh.volumes[e] * stresses[(e - begin) * Element::n_nodes + a].component[k];
                sum[6] += mesh.volumes[e];
              }
      }
  });
}
} // namespace strut
