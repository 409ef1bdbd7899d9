// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/hexahedron.h"

#include <strut/base/host_device.h>

#include <type_traits>

namespace strut
{
namespace hexahedron
{
/// The product of an element's stiffness matrix with a vector, from the coordinates of its
/// vertices, without forming the matrix. `Number` is a number, or a pack of numbers with arithmetic
/// operators (one element per lane).
///
/// In the basis of sums and differences (Walsh-Hadamard) a trilinear field on [-1, 1]^3 is
/// `1/8 sum_k h_k xi^k`. Bit d of k says whether xi_d is a factor. Its derivative along d has the
/// four terms with bit d, and does not vary along d. So there are four values per direction and
/// component, one for each pair of Gauss coordinates in the other two directions. The transposed
/// sweeps return the stresses to the vertices. In between, at each of the 8 Gauss points, with H =
/// grad_ref u and J = grad_ref x, both `[component][direction]`:
///
///     grad u = H adj(J) / det J,   sigma = lambda tr(eps) I + 2 mu eps,
///     flux   = sigma adj(J)^T w,   w the weight; det J drops out of the second product
///
/// With the mean dilatation the points have lambda = 0, and sigma gets `lambda theta I`
/// with the mean `theta = int tr(H adj(J)) / int det J` of the element.
///
/// Constant factors such as 1/8 are part of w. There are about 1,180 operations, fused
/// multiply-adds counted once, and 8 reciprocals: 90 at each Gauss point, 48 for the derivatives of
/// a component, 53 for their transpose. Differences are taken first, so a translation costs exactly
/// nothing.
namespace on_the_fly
{
/// The type of one lane of a pack; for a number, its own type.
template <typename Number, typename = void>
struct Lane
{
  using type = Number;
};
template <typename Pack>
struct Lane<Pack, std::void_t<typename Pack::value_type>>
{
  using type = typename Pack::value_type;
};

/// A constant, in all lanes.
template <typename Number>
STRUT_HOST_DEVICE Number constant(const double value)
{
  return Number(static_cast<typename Lane<Number>::type>(value));
}

/// Returns a b + c, rounded once where the hardware can. It is explicit because compilers share a
/// product that two sums need, and then fuse neither.
template <typename Number>
STRUT_HOST_DEVICE Number multiply_add(const Number a, const Number b, const Number c)
{
#ifdef __CUDA_ARCH__
  return fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// Gauss coordinate on [-1, 1], 1 / sqrt(3).
STRUT_HOST_DEVICE constexpr double gauss_coordinate()
{
  return 0.57735026918962576451;
}

/// Derivatives of a component in all directions. The one in direction d at Gauss point q is
/// `values[4 d + other(q, d)]`.
constexpr int n_derivatives = 12;

/// The two Gauss coordinates of point q in the directions other than d, as a number 0..3.
STRUT_HOST_DEVICE constexpr int other(const int q, const int d)
{
  return d == 0 ? q >> 1 : d == 1 ? (q & 1) | ((q >> 2) << 1) : q & 3;
}

/// The two bits of a coefficient other than bit d, the lower first. They number the pairs of
/// other().
STRUT_HOST_DEVICE constexpr int low_bit(const int d)
{
  return d == 0 ? 2 : 1;
}
STRUT_HOST_DEVICE constexpr int high_bit(const int d)
{
  return d == 2 ? 2 : 4;
}

/// Transforms values at the vertices to coefficients of sums and differences, in place:
/// `h_k = sum_v s_k(v) a_v` with the sign s_k(v) of the term k at vertex v.
template <typename Number>
STRUT_HOST_DEVICE void to_coefficients(Number (&values)[8])
{
  STRUT_UNROLL
  for (int bit = 1; bit < 8; bit *= 2)
    for (int k = 0; k < 8; ++k)
      if ((k & bit) == 0)
        {
          const Number low = values[k], high = values[k | bit];
          values[k]       = high + low;
          values[k | bit] = high - low;
        }
}

/// The transpose of to_coefficients(): `a_v = sum_k s_k(v) h_k`, with the differences multiplied by
/// `scale` once for each direction.
template <typename Number>
STRUT_HOST_DEVICE void to_vertices(Number (&values)[8], const Number scale)
{
  STRUT_UNROLL
  for (int bit = 1; bit < 8; bit *= 2)
    for (int k = 0; k < 8; ++k)
      if ((k & bit) == 0)
        {
          const Number low = values[k], high = values[k | bit];
          values[k]       = multiply_add(-scale, high, low);
          values[k | bit] = multiply_add(scale, high, low);
        }
}

/// Computes four times the reference derivatives of one component, from its coefficients.
template <typename Number>
STRUT_HOST_DEVICE void derivatives(const Number (&h)[8], Number (&values)[n_derivatives])
{
  const Number g = constant<Number>(gauss_coordinate());
  STRUT_UNROLL
  for (int d = 0; d < 3; ++d)
    {
      const int k = 1 << d, low = low_bit(d), high = high_bit(d);
      const Number at_low[2]  = {multiply_add(-g, h[k | low], h[k]),
                                 multiply_add(g, h[k | low], h[k])};
      const Number at_high[2] = {multiply_add(-g, h[k | low | high], h[k | high]),
                                 multiply_add(g, h[k | low | high], h[k | high])};
      STRUT_UNROLL
      for (int end = 0; end < 2; ++end)
        {
          values[4 * d + end]     = multiply_add(-g, at_high[end], at_low[end]);
          values[4 * d + 2 + end] = multiply_add(g, at_high[end], at_low[end]);
        }
    }
}

/// The transpose of derivatives() and of to_coefficients(), times `gauss_coordinate()`. Each sweep
/// back to the vertices scales the differences by it; derivatives() does so in one direction less.
template <typename Number>
STRUT_HOST_DEVICE void transposed_derivatives(const Number (&values)[n_derivatives],
                                              Number (&vertex)[8])
{
  const Number g = constant<Number>(gauss_coordinate());
  Number h[8];
  STRUT_UNROLL
  for (int d = 0; d < 3; ++d)
    {
      const int k = 1 << d, low = low_bit(d), high = high_bit(d);
      const Number sum[2]        = {values[4 * d + 1] + values[4 * d],
                                    values[4 * d + 3] + values[4 * d + 2]};
      const Number difference[2] = {values[4 * d + 1] - values[4 * d],
                                    values[4 * d + 3] - values[4 * d + 2]};

      // of the directions that reach a coefficient the lowest is first
      h[k] = sum[1] + sum[0];
      if (low > k)
        h[k | low] = difference[1] + difference[0];
      else
        h[k | low] += difference[1] + difference[0];
      if (high > k)
        h[k | high] = sum[1] - sum[0];
      else
        h[k | high] += sum[1] - sum[0];
      if (d == 0)
        h[7] = difference[1] - difference[0];
      else
        h[7] += difference[1] - difference[0];
    }
  h[0] = constant<Number>(0.);
  to_vertices(h, g);
  STRUT_UNROLL
  for (int v = 0; v < 8; ++v)
    vertex[v] = h[v];
}

/// Lame parameters times the weight w. It includes 1/8 of the quadrature, 1/4 for each derivative
/// (that of the test function and the two of adj(J)), and the factor of transposed_derivatives().
template <typename Number>
struct WeightedMaterial
{
  Number lambda, mu;

  STRUT_HOST_DEVICE explicit WeightedMaterial(const Material &material)
    : lambda(constant<Number>(weight() * material.lambda()))
    , mu(constant<Number>(weight() * material.mu()))
  {}

  STRUT_HOST_DEVICE WeightedMaterial(const Number lambda, const Number mu) : lambda(lambda), mu(mu)
  {}

  /// The parameters of an element with the stiffness factor E.
  STRUT_HOST_DEVICE WeightedMaterial times(const Number E) const
  {
    return WeightedMaterial(lambda * E, mu * E);
  }

  STRUT_HOST_DEVICE static constexpr double weight()
  {
    return 1. / 512. / gauss_coordinate();
  }
};

/// Additions, multiplications and divisions of apply_stiffness(); a fused multiply-add counts as
/// two.
constexpr double flops = 6 * 72. + 8 * 145.5 + 3 * 77.;


/// Computes 1 / x by division.
struct Division
{
  template <typename Number>
  STRUT_HOST_DEVICE Number operator()(const Number x) const
  {
    return constant<Number>(1.) / x;
  }
};

/// Derivatives at Gauss point q, `[component][direction]`.
template <typename Number>
STRUT_HOST_DEVICE void
at_point(const int q, const Number (&derivatives)[3][n_derivatives], Number (&values)[3][3])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      values[i][d] = derivatives[i][4 * d + other(q, d)];
}

/// adj[d][i] = det(J) dxi_d / dx_i
template <typename Number>
STRUT_HOST_DEVICE void adjugate(const Number (&J)[3][3], Number (&adj)[3][3])
{
  STRUT_UNROLL
  for (int d = 0; d < 3; ++d)
    for (int i = 0; i < 3; ++i)
      {
        const int d1 = (d + 1) % 3, d2 = (d + 2) % 3, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        adj[d][i] = J[i1][d1] * J[i2][d2] - J[i1][d2] * J[i2][d1];
      }
}

/// Computes four times the reference derivatives of all components, from the values at the
/// vertices.
template <typename Number>
STRUT_HOST_DEVICE void derivatives_of(const Number (&values)[3][8],
                                      Number (&result)[3][n_derivatives])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    {
      Number h[8];
      STRUT_UNROLL
      for (int v = 0; v < 8; ++v)
        h[v] = values[i][v];
      to_coefficients(h);
      derivatives(h, result[i]);
    }
}

/// Adds sigma adj^T at point q to flux. Each value belongs to two points; the first of them, with
/// bit d off, sets it.
template <typename Number>
STRUT_HOST_DEVICE void add_flux(const int q,
                                const Number (&sigma)[3][3],
                                const Number (&adj)[3][3],
                                Number (&flux)[3][n_derivatives])
{
  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    for (int d = 0; d < 3; ++d)
      {
        Number &value = flux[i][4 * d + other(q, d)];
        const Number first =
          (q >> d & 1) == 0 ? sigma[i][0] * adj[d][0] : multiply_add(sigma[i][0], adj[d][0], value);
        value = multiply_add(sigma[i][2], adj[d][2], multiply_add(sigma[i][1], adj[d][1], first));
      }
}

/// Computes f = K0 u.
///
/// @param X  vertex coordinates, `[3][8]`
/// @param u  displacements, `[3][8]`
/// @param f  result, `[3][8]`
/// @param reciprocal  function for 1 / x, to the accuracy of Number
/// @tparam has_mean  whether elements have the mean dilatation
template <bool has_mean = false, typename Number, typename Reciprocal = Division>
STRUT_HOST_DEVICE void apply_stiffness(const WeightedMaterial<Number> &material,
                                       const Number (&X)[3][8],
                                       const Number (&u)[3][8],
                                       Number (&f)[3][8],
                                       const Reciprocal &reciprocal = Reciprocal())
{
  Number dX[3][n_derivatives], du[3][n_derivatives], flux[3][n_derivatives];
  derivatives_of(X, dX);
  derivatives_of(u, du);

  Number mean_pressure = constant<Number>(0.);
  if constexpr (has_mean)
    {
      Number divergence = constant<Number>(0.), volume = constant<Number>(0.);
      STRUT_UNROLL
      for (int q = 0; q < 8; ++q)
        {
          Number J[3][3], H[3][3], adj[3][3];
          at_point(q, dX, J);
          at_point(q, du, H);
          adjugate(J, adj);
          STRUT_UNROLL
          for (int d = 0; d < 3; ++d)
            {
              volume = multiply_add(J[0][d], adj[d][0], volume);
              for (int i = 0; i < 3; ++i)
                divergence = multiply_add(H[i][d], adj[d][i], divergence);
            }
        }
      mean_pressure = material.lambda * divergence * reciprocal(volume);
    }

  STRUT_UNROLL
  for (int q = 0; q < 8; ++q)
    {
      Number J[3][3], H[3][3], adj[3][3];
      at_point(q, dX, J);
      at_point(q, du, H);
      adjugate(J, adj);
      const Number determinant = J[0][0] * adj[0][0] + J[0][1] * adj[1][0] + J[0][2] * adj[2][0];

      // sigma, from G = H adj(J) = det(J) grad u and its transpose
      const Number scale = reciprocal(determinant);
      const Number mu    = material.mu * scale;
      Number sigma[3][3];
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        {
          sigma[i][i] = H[i][0] * adj[0][i] + H[i][1] * adj[1][i] + H[i][2] * adj[2][i];
          STRUT_UNROLL
          for (int j = 0; j < i; ++j)
            sigma[i][j] = sigma[j][i] =
              mu * (H[i][0] * adj[0][j] + H[i][1] * adj[1][j] + H[i][2] * adj[2][j] +
                    H[j][0] * adj[0][i] + H[j][1] * adj[1][i] + H[j][2] * adj[2][i]);
        }
      const Number pressure =
        has_mean ? mean_pressure
                 : material.lambda * scale * (sigma[0][0] + sigma[1][1] + sigma[2][2]);
      STRUT_UNROLL
      for (int i = 0; i < 3; ++i)
        sigma[i][i] = (mu + mu) * sigma[i][i] + pressure;
      add_flux(q, sigma, adj, flux);
    }

  STRUT_UNROLL
  for (int i = 0; i < 3; ++i)
    transposed_derivatives(flux[i], f[i]);
}

/// The interface of Material that stiffness_blocks() uses, for a trilinear element with its own
/// Lame parameters: mu may be 0.
struct LameSolid
{
  double lambda_, mu_;
  Formulation formulation;

  STRUT_HOST_DEVICE double lambda() const
  {
    return lambda_;
  }
  STRUT_HOST_DEVICE double mu() const
  {
    return mu_;
  }
};

/// Computes the diagonal blocks of K0, `[6][8]`: xx, xy, xz, yy, yz, zz of `int (lambda + mu) d_i
/// N_v d_j N_v + delta_ij mu |grad N_v|^2`.
///
/// @param material  a Material, or a LameSolid
template <typename Solid>
STRUT_HOST_DEVICE void
stiffness_blocks(const Solid &material, const double (&X)[3][8], double (&blocks)[6][8])
{
  const bool has_mean = material.formulation == Formulation::mean_dilatation;
  const double mu = material.mu(), sum = (has_mean ? 0. : material.lambda()) + material.mu();
  for (int k = 0; k < 6; ++k)
    for (int v = 0; v < 8; ++v)
      blocks[k][v] = 0.;
  if (has_mean)
    {
      double g[3][8];
      const double factor = material.lambda() / integrated_gradients(X, g);
      for (int v = 0; v < 8; ++v)
        for (int i = 0, k = 0; i < 3; ++i)
          for (int j = i; j < 3; ++j, ++k)
            blocks[k][v] = factor * (g[i][v] * g[j][v]);
    }
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8];
      const double dx = gradients(X, q, G);
      for (int v = 0; v < 8; ++v)
        {
          const double all = mu * (G[0][v] * G[0][v] + G[1][v] * G[1][v] + G[2][v] * G[2][v]);
          for (int i = 0, k = 0; i < 3; ++i)
            for (int j = i; j < 3; ++j, ++k)
              blocks[k][v] += dx * (sum * (G[i][v] * G[j][v]) + (i == j ? all : 0.));
        }
    }
  if constexpr (std::is_same<Solid, Material>::value)
    if (material.formulation == Formulation::incompatible_modes)
      incompatible_modes::subtract_blocks(X, material.lambda(), mu, blocks);
}

/// The diagonal of K0, `[3][8]`.
template <typename Solid>
STRUT_HOST_DEVICE void
stiffness_diagonal(const Solid &material, const double (&X)[3][8], double (&diagonal)[3][8])
{
  double blocks[6][8];
  stiffness_blocks(material, X, blocks);
  for (int v = 0; v < 8; ++v)
    {
      diagonal[0][v] = blocks[0][v];
      diagonal[1][v] = blocks[3][v];
      diagonal[2][v] = blocks[5][v];
    }
}
} // namespace on_the_fly
} // namespace hexahedron
} // namespace strut
