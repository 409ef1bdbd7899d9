// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/corner_stress.h"

#include <strut/solvers/structure.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "source/element/incompatible_modes.h"
#include "source/element/stress.h"
#include "source/mesh/identical_elements.h"

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
} // namespace strut
