// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/mass_matrix.h"
#include "source/element/full_integration.h"
#include "source/element/hexahedron.h"
#include "source/element/types/hex8.h"
#include "source/mesh/node_to_element.h"

namespace strut
{
/// The data of the mass of an element, for a thread: the volumes w_q of its 2x2x2 quadrature
/// points, `[8][n_elements]`.
struct MassOfElements
{
  /// Returns N_v at point q.
  STRUT_HOST_DEVICE static double shape(const int v, const int q)
  {
    double x[3];
    Hex8::quadrature_point(q, x);
    return Hex8::shape_value(v, x);
  }

  /// Interpolates values at the vertices to the quadrature points in place, one direction after
  /// another.
  STRUT_HOST_DEVICE static void to_points(double (&values)[8])
  {
    const double near = hexahedron::gauss_point(1), far = hexahedron::gauss_point(0);
    for (int d = 0; d < 3; ++d)
      for (int v = 0; v < 8; ++v)
        if ((v >> d & 1) == 0)
          {
            const double lower = values[v], upper = values[v | 1 << d];
            values[v]          = near * lower + far * upper;
            values[v | 1 << d] = far * lower + near * upper;
          }
  }

  std::size_t n_elements;
  const double *points;
  const LocalIndex *connectivity;
};

/// Computes the volumes with a thread per element.
///
/// @param volumes  volumes of the quadrature points, `[8][n_elements]`
template <typename Loops>
void volumes_of_points(const Loops &loops,
                       const std::size_t n_nodes,
                       const std::size_t n_elements,
                       const double *const coordinates,
                       const LocalIndex *const connectivity,
                       double *const volumes)
{
  loops.for_each(n_elements, [=] STRUT_BODY(const std::size_t e) {
    double X[3][8], gradients[3][8];
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        X[d][v] = coordinates[d * n_nodes + connectivity[v * n_elements + e]];
    for (int q = 0; q < 8; ++q)
      volumes[q * n_elements + e] = hexahedron::gradients(X, q, gradients);
  });
}

/// MassMatrix for both backends.
///
/// Product: a thread per node, over the elements around it in ascending order,
/// `y_n = sum_e m_e sum_q N_n w_q sum_a N_a x_a`. Of each element it reads eight nodes (24 bytes of
/// x, mostly from the cache), 64 bytes of volumes and the factor, and does some 250 operations.
/// Energies: a thread per element, the same bytes. No atomics.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class MassLoops : public MassMatrix
{
public:
  MassLoops(const Loops &loops, Memory &memory, const ElementMesh &mesh, const MassKind kind)
    : loops_(loops)
    , n_nodes_(mesh.n_nodes)
    , n_elements_(mesh.n_elements)
    , is_lumped_(kind == MassKind::lumped)
    , connectivity_(memory, mesh.connectivity)
    , points_(memory, 8 * mesh.n_elements)
  {
    require_hex8(mesh, "Mass matrices");
    const NodeToElement around = NodeToElement::build(mesh);
    begin_                     = Array<LocalIndex>(memory, around.begin);
    entries_                   = Array<LocalIndex>(memory, around.entries);
    const Array<double> coordinates(memory, mesh.coordinates);
    volumes_of_points(
      loops_, n_nodes_, n_elements_, coordinates.data(), connectivity_.data(), points_.data());
  }

  void apply(const Array<double> &factors, const Array<double> &x, Array<double> &y) const override
  {
    const MassOfElements mass       = elements();
    const LocalIndex *const begin   = begin_.data();
    const LocalIndex *const entries = entries_.data();
    const double *const factor      = factors.data();
    const double *const xs          = x.data();
    double *const ys                = y.data();
    const bool is_lumped            = is_lumped_;
    loops_.for_each(n_nodes_, [=] STRUT_BODY(const std::size_t n) {
      double sum[3] = {};
      for (LocalIndex k = begin[n]; k < begin[n + 1]; ++k)
        {
          const std::size_t e = entries[k] / 8;
          const int v         = static_cast<int>(entries[k] % 8);
          double weights[8]; // m_e w_q N_v
          double whole = 0.;
          for (int q = 0; q < 8; ++q)
            {
              weights[q] =
                factor[e] * mass.points[q * mass.n_elements + e] * MassOfElements::shape(v, q);
              whole += weights[q];
            }
          for (int c = 0; c < 3; ++c)
            if (is_lumped)
              sum[c] += whole * xs[3 * n + c];
            else
              {
                double values[8];
                for (int a = 0; a < 8; ++a)
                  values[a] = xs[3 * std::size_t(mass.connectivity[a * mass.n_elements + e]) + c];
                MassOfElements::to_points(values);
                for (int q = 0; q < 8; ++q)
                  sum[c] += weights[q] * values[q];
              }
        }
      for (int c = 0; c < 3; ++c)
        ys[3 * n + c] = sum[c];
    });
  }

  void energies(const Array<double> &x, Array<double> &energies) const override
  {
    const MassOfElements mass = elements();
    const double *const xs    = x.data();
    double *const out         = energies.data();
    const bool is_lumped      = is_lumped_;
    loops_.for_each(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      double sum = 0.;
      for (int c = 0; c < 3; ++c)
        {
          double values[8];
          for (int a = 0; a < 8; ++a)
            values[a] = xs[3 * std::size_t(mass.connectivity[a * mass.n_elements + e]) + c];
          if (!is_lumped)
            MassOfElements::to_points(values);
          for (int q = 0; q < 8; ++q)
            {
              const double w = mass.points[q * mass.n_elements + e];
              if (!is_lumped)
                sum += w * values[q] * values[q];
              else
                for (int a = 0; a < 8; ++a)
                  sum += w * MassOfElements::shape(a, q) * values[a] * values[a];
            }
        }
      out[e] = sum;
    });
  }

  void interpolate(const MassInterpolation &interpolation,
                   const Array<double> &densities,
                   Array<double> &factors) const override
  {
    const double *const rho = densities.data();
    double *const out       = factors.data();
    loops_.for_each(n_elements_,
                    [=] STRUT_BODY(const std::size_t e) { out[e] = interpolation.mass(rho[e]); });
  }

  void add_sensitivities(const MassInterpolation &interpolation,
                         const double factor,
                         const Array<double> &densities,
                         const Array<double> &by_mass,
                         Array<double> &sum) const override
  {
    const double *const rho = densities.data();
    const double *const by  = by_mass.data();
    double *const out       = sum.data();
    loops_.for_each(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      out[e] += factor * interpolation.derivative(rho[e]) * by[e];
    });
  }

private:
  MassOfElements elements() const
  {
    return {n_elements_, points_.data(), connectivity_.data()};
  }

  const Loops loops_;
  std::size_t n_nodes_, n_elements_;
  bool is_lumped_;
  Array<LocalIndex> connectivity_;
  Array<double> points_;
  Array<LocalIndex> begin_, entries_; ///< arrays of NodeToElement
};
} // namespace strut
