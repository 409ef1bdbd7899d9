// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/mass_matrix.h"
#include "source/element/hexahedron.h"
#include "source/element/shape_tables.h"
#include "source/element/types/hex8.h"
#include "source/mesh/node_to_element.h"

#include <strut/base/exceptions.h>

#include <memory>
#include <string>

namespace strut
{
/// The parts of MassMatrix that depend on densities alone.
template <typename Loops>
class MassFactors : public MassMatrix
{
public:
  MassFactors(const Loops &loops, Memory &memory, const ElementMesh &mesh, const MassKind kind)
    : loops_(loops)
    , n_nodes_(mesh.n_nodes)
    , n_elements_(mesh.n_elements)
    , is_lumped_(kind == MassKind::lumped)
    , connectivity_(memory, mesh.connectivity)
  {
    const NodeToElement around = NodeToElement::build(mesh);
    begin_                     = Array<LocalIndex>(memory, around.begin);
    entries_                   = Array<LocalIndex>(memory, around.entries);
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

protected:
  const Loops loops_;
  std::size_t n_nodes_, n_elements_;
  bool is_lumped_;
  Array<LocalIndex> connectivity_;
  Array<LocalIndex> begin_, entries_; ///< arrays of NodeToElement
};

/// The data of the mass of a hex8, for a thread: the volumes w_q of its 2x2x2 quadrature
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

/// The mass of hex8 for both backends.
///
/// Product: a thread per node, over the elements around it in ascending order,
/// `y_n = sum_e m_e sum_q N_n w_q sum_a N_a x_a`. Of each element it reads eight nodes (24 bytes of
/// x, mostly from the cache), 64 bytes of volumes and the factor, and does some 250 operations.
/// Energies: a thread per element, the same bytes. No atomics.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class MassLoops : public MassFactors<Loops>
{
public:
  MassLoops(const Loops &loops, Memory &memory, const ElementMesh &mesh, const MassKind kind)
    : MassFactors<Loops>(loops, memory, mesh, kind), points_(memory, 8 * mesh.n_elements)
  {
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

private:
  using MassFactors<Loops>::loops_, MassFactors<Loops>::n_nodes_, MassFactors<Loops>::n_elements_,
    MassFactors<Loops>::is_lumped_, MassFactors<Loops>::connectivity_, MassFactors<Loops>::begin_,
    MassFactors<Loops>::entries_;

  MassOfElements elements() const
  {
    return {n_elements_, points_.data(), connectivity_.data()};
  }

  Array<double> points_;
};

/// The data of the mass of an element of any type, for a thread: the volumes of the points,
/// `[n_points][n_elements]`, and the shape functions there, `[n_points][n_nodes]`.
struct MassByTables
{
  /// Reads the vector at the nodes of an element, `[n_nodes][3]`.
  STRUT_HOST_DEVICE void
  read(const std::size_t e, const double *const x, double *const values) const
  {
    for (int a = 0; a < n_nodes; ++a)
      for (int c = 0; c < 3; ++c)
        values[3 * a + c] = x[3 * std::size_t(connectivity[a * n_elements + e]) + c];
  }

  /// Interpolates values at the nodes to a point.
  STRUT_HOST_DEVICE void
  interpolate(const int q, const double *const values, double (&at_point)[3]) const
  {
    at_point[0] = at_point[1] = at_point[2] = 0.;
    for (int a = 0; a < n_nodes; ++a)
      for (int c = 0; c < 3; ++c)
        at_point[c] += shapes[q * n_nodes + a] * values[3 * a + c];
  }

  int n_nodes, n_points;
  std::size_t n_elements;
  const double *volumes, *shapes;
  const LocalIndex *connectivity;
};

/// The mass of elements of any type, for both backends.
///
/// Product: a thread per element computes `z_a = m_e sum_q N_a w_q sum_b N_b x_b`, then a thread
/// per node sums z over the elements around it in ascending order: no atomics. With n nodes and p
/// points the first reads 24 n bytes of x, mostly from the cache, and 8 p of volumes. It writes 24
/// n bytes, which the second reads. There are 6 n p operations per element. Energies: a thread per
/// element, half of that.
///
/// A lumped mass is the sum of each row; a thread per node reads 8 p bytes of each element.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class MassByTablesLoops : public MassFactors<Loops>
{
public:
  MassByTablesLoops(const Loops &loops,
                    Memory &memory,
                    const ElementMesh &mesh,
                    const MassKind kind)
    : MassFactors<Loops>(loops, memory, mesh, kind)
    , n_(static_cast<int>(mesh.type.n_nodes))
    , n_points_(n_mass_points(mesh.type))
    , shapes_(memory, shapes_at_mass_points(mesh.type))
    , volumes_(memory, volumes_of_mass_points(mesh))
    , products_(memory, is_lumped_ ? 0 : 3 * mesh.type.n_nodes * mesh.n_elements)
  {
    if (const std::string obstacle = obstacle_to_lumped_mass(mesh.type);
        is_lumped_ && !obstacle.empty())
      throw Error(obstacle);
  }

  void apply(const Array<double> &factors, const Array<double> &x, Array<double> &y) const override
  {
    const MassByTables mass    = elements();
    const double *const factor = factors.data();
    const double *const xs     = x.data();
    double *const ys           = y.data();
    double *const products     = products_.data();
    const bool is_lumped       = is_lumped_;
    if (!is_lumped)
      loops_.for_each(n_elements_, [=] STRUT_BODY(const std::size_t e) {
        double values[3 * most_nodes_of_element], sums[3 * most_nodes_of_element], at_point[3];
        mass.read(e, xs, values);
        for (int k = 0; k < 3 * mass.n_nodes; ++k)
          sums[k] = 0.;
        for (int q = 0; q < mass.n_points; ++q)
          {
            mass.interpolate(q, values, at_point);
            const double w = factor[e] * mass.volumes[q * mass.n_elements + e];
            for (int c = 0; c < 3; ++c)
              at_point[c] *= w;
            for (int a = 0; a < mass.n_nodes; ++a)
              for (int c = 0; c < 3; ++c)
                sums[3 * a + c] += mass.shapes[q * mass.n_nodes + a] * at_point[c];
          }
        for (int a = 0; a < mass.n_nodes; ++a)
          for (int c = 0; c < 3; ++c)
            products[3 * (a * mass.n_elements + e) + c] = sums[3 * a + c];
      });
    const LocalIndex *const begin   = begin_.data();
    const LocalIndex *const entries = entries_.data();
    loops_.for_each(n_nodes_, [=] STRUT_BODY(const std::size_t n) {
      double sum[3] = {}, whole = 0.;
      for (LocalIndex k = begin[n]; k < begin[n + 1]; ++k)
        {
          const auto n_local  = LocalIndex(mass.n_nodes);
          const std::size_t e = entries[k] / n_local, a = entries[k] % n_local;
          if (!is_lumped)
            for (int c = 0; c < 3; ++c)
              sum[c] += products[3 * (a * mass.n_elements + e) + c];
          else
            for (int q = 0; q < mass.n_points; ++q)
              whole += factor[e] * mass.volumes[q * mass.n_elements + e] *
                       mass.shapes[q * mass.n_nodes + a];
        }
      for (int c = 0; c < 3; ++c)
        ys[3 * n + c] = is_lumped ? whole * xs[3 * n + c] : sum[c];
    });
  }

  void energies(const Array<double> &x, Array<double> &energies) const override
  {
    const MassByTables mass = elements();
    const double *const xs  = x.data();
    double *const out       = energies.data();
    const bool is_lumped    = is_lumped_;
    loops_.for_each(n_elements_, [=] STRUT_BODY(const std::size_t e) {
      double values[3 * most_nodes_of_element], at_point[3];
      mass.read(e, xs, values);
      if (is_lumped) // N interpolates the squares
        for (int k = 0; k < 3 * mass.n_nodes; ++k)
          values[k] *= values[k];
      double sum = 0.;
      for (int q = 0; q < mass.n_points; ++q)
        {
          mass.interpolate(q, values, at_point);
          for (int c = 0; c < 3; ++c)
            sum +=
              mass.volumes[q * mass.n_elements + e] * at_point[c] * (is_lumped ? 1. : at_point[c]);
        }
      out[e] = sum;
    });
  }

private:
  using MassFactors<Loops>::loops_, MassFactors<Loops>::n_nodes_, MassFactors<Loops>::n_elements_,
    MassFactors<Loops>::is_lumped_, MassFactors<Loops>::connectivity_, MassFactors<Loops>::begin_,
    MassFactors<Loops>::entries_;

  MassByTables elements() const
  {
    return {n_, n_points_, n_elements_, volumes_.data(), shapes_.data(), connectivity_.data()};
  }

  int n_, n_points_;
  Array<double> shapes_, volumes_;
  mutable Array<double> products_; ///< M_e x_e of each element, `[n_nodes][n_elements][3]`
};

/// Makes the mass of the elements of a mesh.
template <typename Loops>
std::unique_ptr<MassMatrix>
make_mass_loops(const Loops &loops, Memory &memory, const ElementMesh &mesh, const MassKind kind)
{
  if (mesh.type == ElementType())
    return std::make_unique<MassLoops<Loops>>(loops, memory, mesh, kind);
  return std::make_unique<MassByTablesLoops<Loops>>(loops, memory, mesh, kind);
}
} // namespace strut
