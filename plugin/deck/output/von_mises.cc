// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/von_mises.h"

#include <strut/solvers/structure.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "source/base/parallel_loop.h"
#include "source/element/incompatible_modes.h"
#include "source/element/stress.h"
#include "source/mesh/identical_elements.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
namespace
{
using namespace hexahedron;

/// Contribution of an element's incompatible modes to the displacement gradient.
class ModesOfElement
{
public:
  /// @param u  displacements of the vertices, `[3][8]`
  ModesOfElement(const double (&X)[3][8], const Material &material, const double (&u)[3][8])
    : modes_(X, material.lambda(), material.mu())
  {
    // Solves K_aa a = -K_au u.
    for (int v = 0; v < 8; ++v)
      for (int i = 0; i < 3; ++i)
        {
          double column[incompatible_modes::n];
          modes_.reduced_column(modes_.h[v], i, column);
          for (int m = 0; m < incompatible_modes::n; ++m)
            coefficients_[m] -= column[m] * u[i][v];
        }
    incompatible_modes::back_substitute(modes_.L, coefficients_);
    double G[3][3];
    centre_ = incompatible_modes::centre_gradients(X, G);
  }

  /// @param dx  Jacobian determinant times weight at Gauss point q
  void add(const int q, const double dx, double (&gradient)[3][3]) const
  {
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          gradient[c][d] += coefficients_[3 * i + c] * incompatible_modes::sign(i, q) * centre_ /
                            dx * modes_.G[i][d];
  }

private:
  incompatible_modes::Condensation<double> modes_;
  double coefficients_[incompatible_modes::n] = {};
  double centre_                              = 0.;
};
} // namespace

double von_mises_stress(const ElementMesh &mesh,
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
  if (!solids.ratios.anisotropic.empty())
    return stiffness * von_mises(stress_of(solids.ratios.anisotropic.of(element), J, D));
  return stiffness * shear_ratio_of(element, solids.material, solids.ratios) *
         von_mises(stress_of(solids.material, J, D));
}

double largest_corner_stress(const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const double stiffness,
                             const std::vector<double> &displacement,
                             const std::size_t element)
{
  double X[3][8], u[3][8];
  shape_of(mesh, element, X);
  for (std::size_t v = 0; v < 8; ++v)
    for (std::size_t i = 0; i < 3; ++i)
      u[i][v] = displacement[3 * std::size_t(mesh.connectivity[v * mesh.n_elements + element]) + i];
  const bool is_anisotropic = !solids.ratios.anisotropic.empty();
  std::optional<ModesOfElement> modes;
  if (!is_anisotropic && solids.material.has_incompatible_modes())
    modes.emplace(X, solids.material, u);

  constexpr double unit[3][3] = {{1., 0., 0.}, {0., 1., 0.}, {0., 0., 1.}};
  Stress at_points[8];
  for (int q = 0; q < 8; ++q)
    {
      double of_shapes[3][8], gradient[3][3] = {};
      const double dx = gradients(X, q, of_shapes);
      for (int v = 0; v < 8; ++v)
        for (int i = 0; i < 3; ++i)
          for (int d = 0; d < 3; ++d)
            gradient[i][d] += u[i][v] * of_shapes[d][v];
      if (modes)
        modes->add(q, dx, gradient);
      at_points[q] = is_anisotropic
                       ? stress_of(solids.ratios.anisotropic.of(element), unit, gradient)
                       : stress_of(solids.material, unit, gradient);
    }

  // Weights of a Gauss point on the side of the corner, and on the other side.
  const double weights[2] = {0.5 * (1. + std::sqrt(3.)), 0.5 * (1. - std::sqrt(3.))};
  double largest          = 0.;
  for (unsigned int v = 0; v < 8; ++v)
    {
      Stress stress = {};
      for (unsigned int q = 0; q < 8; ++q)
        {
          double weight = 1.;
          for (unsigned int d = 0; d < 3; ++d)
            weight *= weights[(v ^ q) >> d & 1u];
          for (int k = 0; k < 6; ++k)
            stress.component[k] += weight * at_points[q].component[k];
        }
      largest = std::max(largest, von_mises(stress));
    }
  return stiffness * largest *
         (is_anisotropic ? 1. : shear_ratio_of(element, solids.material, solids.ratios));
}

std::vector<double> stiffness_of_design(std::vector<double> stiffness,
                                        const std::vector<double> &densities,
                                        const int n_threads)
{
  cpu::parallel_for(n_threads, stiffness.size(), [&](const std::size_t e) {
    if (densities[e] < DesignPiece::least_density)
      stiffness[e] = 0.;
  });
  return stiffness;
}

LargestValues largest_values(const Communicator &communicator,
                             const ElementMesh &mesh,
                             const SolidsOfElements &solids,
                             const std::vector<double> &stiffness,
                             const std::vector<double> &displacement,
                             const int n_threads)
{
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    LargestValues largest; // displacement holds the square here
    for (std::size_t e = begin; e < end; ++e)
      if (stiffness[e] > 0.)
        {
          largest.stress =
            std::max(largest.stress, von_mises_stress(mesh, solids, stiffness[e], displacement, e));
          largest.corner_stress =
            std::max(largest.corner_stress,
                     largest_corner_stress(mesh, solids, stiffness[e], displacement, e));
          for (std::size_t v = 0; v < 8; ++v)
            {
              const double *const u =
                &displacement[3 * std::size_t(mesh.connectivity[v * mesh.n_elements + e])];
              largest.displacement =
                std::max(largest.displacement, u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
            }
        }
    return largest;
  };
  LargestValues largest;
  for (const LargestValues &of_this : cpu::values_of_blocks(n_threads, mesh.n_elements, of_block))
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
