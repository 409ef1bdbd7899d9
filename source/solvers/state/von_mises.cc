// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/von_mises.h"
#include "source/element/elements.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "source/base/parallel_loop.h"
#include "source/element/gradients_of_modes.h"
#include "source/element/stress.h"
#include "source/mesh/identical_elements.h"

namespace strut
{
namespace
{
using namespace hexahedron;

/// Numbers of the Gauss points q that all elements share.
struct PointTables
{
  double gradients[8][3][8];  ///< dN_v / dxi_d, `[v][d][q]`
  double extrapolation[8][8]; ///< weight of point q in the trilinear function at corner v, `[q][v]`

  PointTables()
  {
    // Weights of a point on the side of the corner, and on the other side.
    const double weights[2] = {0.5 * (1. + std::sqrt(3.)), 0.5 * (1. - std::sqrt(3.))};
    for (int q = 0; q < 8; ++q)
      for (int v = 0; v < 8; ++v)
        {
          extrapolation[q][v] = 1.;
          for (int d = 0; d < 3; ++d)
            {
              extrapolation[q][v] *= weights[(v ^ q) >> d & 1];
              gradients[v][d][q] = reference_gradient(
                v, d, gauss_point(q & 1), gauss_point(q >> 1 & 1), gauss_point(q >> 2));
            }
        }
  }
};
} // namespace

namespace
{
/// Von Mises's stress in an element of any type, at a point of the reference element.
template <typename Element>
double stress_at(const ElementMesh &mesh,
                 const SolidsOfElements &solids,
                 const std::vector<double> &displacement,
                 const std::size_t element,
                 const double (&xi)[3])
{
  double J[3][3] = {}, D[3][3] = {};
  for (int v = 0; v < Element::n_nodes; ++v)
    {
      const std::size_t node = mesh.node(element, static_cast<std::size_t>(v));
      double g[3];
      Element::shape_gradient(v, xi, g);
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t d = 0; d < 3; ++d)
          {
            J[i][d] += mesh.coordinates[i * mesh.n_nodes + node] * g[d];
            D[i][d] += displacement[3 * node + i] * g[d];
          }
    }
  if (!solids.solids.table.empty())
    return von_mises(stress_of(solids.solids.table.of(element), J, D));
  return solids.solids.shear_ratio(solids.material, element) *
         von_mises(stress_of(solids.material, J, D));
}

/// Calls visit(xi) for each vertex of the reference element.
template <typename Element, typename Visit>
void visit_vertices(const Visit &visit)
{
  for (int v = 0; v < Element::n_vertices; ++v)
    {
      double xi[3];
      for (int d = 0; d < 3; ++d)
        xi[d] = 0.5 * Element::position(v, d);
      visit(xi);
    }
}
} // namespace

namespace
{
/// Von Mises's stress at the centre of an element and the largest at its vertices; of hex8 that is
/// extrapolated from the Gauss points.
template <typename Element>
struct StressesIn
{
  static double at_centre(const ElementMesh &mesh,
                          const SolidsOfElements &solids,
                          const double stiffness,
                          const std::vector<double> &displacement,
                          const std::size_t element)
  {
    double centre[3] = {};
    visit_vertices<Element>([&](const double(&xi)[3]) {
      for (int d = 0; d < 3; ++d)
        centre[d] += xi[d] / Element::n_vertices;
    });
    return stiffness * stress_at<Element>(mesh, solids, displacement, element, centre);
  }

  static double largest_at_corners(const ElementMesh &mesh,
                                   const SolidsOfElements &solids,
                                   const double stiffness,
                                   const std::vector<double> &displacement,
                                   const std::size_t element)
  {
    double largest = 0.;
    visit_vertices<Element>([&](const double(&xi)[3]) {
      largest = std::max(largest, stress_at<Element>(mesh, solids, displacement, element, xi));
    });
    return stiffness * largest;
  }
};

template <>
double StressesIn<Hex8>::at_centre(const ElementMesh &mesh,
                                   const SolidsOfElements &solids,
                                   const double stiffness,
                                   const std::vector<double> &displacement,
                                   const std::size_t element)
{
  // J[i][d] = dx_i / dxi_d and D[i][d] = du_i / dxi_d
  double J[3][3] = {};
  double D[3][3] = {};
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t node =
        mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + element];
      for (int d = 0; d < 3; ++d)
        {
          const double g = hexahedron::reference_gradient(v, d, 0.5, 0.5, 0.5);
          for (std::size_t i = 0; i < 3; ++i)
            {
              J[i][d] += mesh.coordinates[i * mesh.n_nodes + node] * g;
              D[i][d] += displacement[3 * node + i] * g;
            }
        }
    }
  if (!solids.solids.table.empty())
    return stiffness * von_mises(stress_of(solids.solids.table.of(element), J, D));
  return stiffness * solids.solids.shear_ratio(solids.material, element) *
         von_mises(stress_of(solids.material, J, D));
}

template <>
double StressesIn<Hex8>::largest_at_corners(const ElementMesh &mesh,
                                            const SolidsOfElements &solids,
                                            const double stiffness,
                                            const std::vector<double> &displacement,
                                            const std::size_t element)
{
  static const PointTables tables;
  double X[3][8], u[3][8];
  shape_of(mesh, element, X);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t i = 0; i < 3; ++i)
      u[i][v] = displacement[3 * std::size_t(mesh.connectivity[v * mesh.n_elements + element]) + i];
  const bool is_anisotropic = !solids.solids.table.empty();
  std::optional<ModesOfElement> modes;
  if (!is_anisotropic && solids.material.formulation == Formulation::incompatible_modes)
    modes.emplace(X, solids.material, u);

  // dx_i / dxi_d and du_i / dxi_d, `[i][d][q]`; all loops over q are loops of vector instructions
  double J[3][3][8] = {}, D[3][3][8] = {};
  for (int v = 0; v < 8; ++v)
    for (int i = 0; i < 3; ++i)
      for (int d = 0; d < 3; ++d)
        for (int q = 0; q < 8; ++q)
          {
            J[i][d][q] += X[i][v] * tables.gradients[v][d][q];
            D[i][d][q] += u[i][v] * tables.gradients[v][d][q];
          }
  double cofactors[3][3][8], determinant[8] = {}, gradient[3][3][8] = {};
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, d1 = (d + 1) % 3, d2 = (d + 2) % 3;
        for (int q = 0; q < 8; ++q)
          cofactors[i][d][q] = J[i1][d1][q] * J[i2][d2][q] - J[i1][d2][q] * J[i2][d1][q];
      }
  for (int i = 0; i < 3; ++i)
    for (int q = 0; q < 8; ++q)
      determinant[q] += J[i][0][q] * cofactors[i][0][q];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int d = 0; d < 3; ++d)
        for (int q = 0; q < 8; ++q)
          gradient[i][j][q] += D[i][d][q] * (cofactors[j][d][q] / determinant[q]);

  if (modes)
    modes->add(determinant, gradient);

  const ElasticityMatrix &solid =
    is_anisotropic ? solids.solids.table.of(element) : elasticity_matrix(solids.material);
  const int rows[6] = {0, 1, 2, 1, 0, 0}, columns[6] = {0, 1, 2, 2, 2, 1}; // of Voigt's notation
  double strain[6][8], at_points[6][8] = {}, at_corners[6][8] = {};
  for (int k = 0; k < 6; ++k)
    for (int q = 0; q < 8; ++q)
      strain[k][q] =
        gradient[rows[k]][columns[k]][q] + (k < 3 ? 0. : gradient[columns[k]][rows[k]][q]);
  for (int k = 0; k < 6; ++k)
    for (int l = 0; l < 6; ++l)
      for (int q = 0; q < 8; ++q)
        at_points[k][q] += solid.C[k][l] * strain[l][q];
  for (int k = 0; k < 6; ++k)
    for (int q = 0; q < 8; ++q)
      for (int v = 0; v < 8; ++v)
        at_corners[k][v] += tables.extrapolation[q][v] * at_points[k][q];
  double largest = 0.;
  for (int v = 0; v < 8; ++v)
    largest = std::max(largest,
                       von_mises({{at_corners[0][v],
                                   at_corners[1][v],
                                   at_corners[2][v],
                                   at_corners[5][v],
                                   at_corners[3][v],
                                   at_corners[4][v]}}));
  return stiffness * largest *
         (is_anisotropic ? 1. : solids.solids.shear_ratio(solids.material, element));
}
} // namespace

double von_mises_stress(const ElementMesh &mesh,
                        const SolidsOfElements &solids,
                        const double stiffness,
                        const std::vector<double> &displacement,
                        const std::size_t element)
{
  return with_element(mesh.type, [&](const auto type) {
    return StressesIn<std::decay_t<decltype(type)>>::at_centre(
      mesh, solids, stiffness, displacement, element);
  });
}

double largest_corner_stress(const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const double stiffness,
                             const std::vector<double> &displacement,
                             const std::size_t element)
{
  return with_element(mesh.type, [&](const auto type) {
    return StressesIn<std::decay_t<decltype(type)>>::largest_at_corners(
      mesh, solids, stiffness, displacement, element);
  });
}

LargestValues largest_values(const Communicator &communicator,
                             const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const std::vector<double> &stiffness,
                             const std::vector<double> &displacement,
                             const int n_threads)
{
  constexpr std::size_t block_size = 4096;
  std::vector<LargestValues> of_blocks((mesh.n_elements + block_size - 1) / block_size);
  with_element(mesh.type, [&](const auto type) {
    using Stresses      = StressesIn<std::decay_t<decltype(type)>>;
    const auto of_block = [&](const std::size_t begin, const std::size_t end) {
      LargestValues &largest = of_blocks[begin / block_size]; // displacement holds the square here
      for (std::size_t e = begin; e < end; ++e)
        if (stiffness[e] > 0.)
          {
            largest.stress =
              std::max(largest.stress,
                       Stresses::at_centre(mesh, solids, stiffness[e], displacement, e));
            largest.corner_stress =
              std::max(largest.corner_stress,
                       Stresses::largest_at_corners(mesh, solids, stiffness[e], displacement, e));
            for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
              {
                const double *const u = &displacement[3 * std::size_t(mesh.node(e, v))];
                largest.displacement =
                  std::max(largest.displacement, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
              }
          }
    };
    // Solid elements are not spread evenly over the mesh.
    cpu::parallel_blocks(n_threads, mesh.n_elements, block_size, of_block);
  });
  LargestValues largest;
  for (const LargestValues &of_this : of_blocks)
    {
      largest.stress        = std::max(largest.stress, of_this.stress);
      largest.corner_stress = std::max(largest.corner_stress, of_this.corner_stress);
      largest.displacement  = std::max(largest.displacement, of_this.displacement);
    }
  return {communicator.max(largest.stress),
          communicator.max(largest.corner_stress),
          communicator.max(std::sqrt(largest.displacement))};
}
} // namespace strut
