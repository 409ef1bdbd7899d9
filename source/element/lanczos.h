// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/element/nodal_block.h"

#include <strut/base/host_device.h>

#include <cmath>

namespace strut
{
/// The largest eigenvalue of B K of one element, with the inverse B of the nodal blocks of K.
/// It uses the method of Lanczos in the inner product of B (Parlett 1998, chapter 13). One template
/// serves a host loop and a team of threads.
///
/// A free element has at most 18 distinct eigenvalues apart from that of its six rigid motions, so
/// 18 steps find all. With one component per node there are eight eigenvalues. The largest one
/// converges after some 12, for any shape of the element. Power iterations would need hundreds if
/// the second one is close.
namespace lanczos
{
constexpr int n_steps = 18;
/// Factor for rounding, and for supports that leave more than 18 eigenvalues.
constexpr double margin = 1.01;

/// Entry i of the start vector, in [-1, 1). The bits are mixed, so that no symmetry of an element
/// makes it orthogonal to one of its modes.
STRUT_HOST_DEVICE constexpr double begin(const int i)
{
  unsigned int bits = 0x9e3779b9u * (static_cast<unsigned int>(i) + 1u);
  bits              = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits              = (bits ^ bits >> 13) * 0xc2b2ae35u;
  bits ^= bits >> 16;
  return static_cast<double>(bits) / 2147483648. - 1.;
}

/// Components of a nodal block without any stiffness, which are those of supports.
template <typename Number, int n>
STRUT_HOST_DEVICE unsigned int held_components(const NodalBlock<Number, n> &block)
{
  unsigned int held = 0;
  for (int c = 0; c < n; ++c)
    held |= block.entry[block.index(c, c)] > Number(0) ? 0u : 1u << c;
  return held;
}

/// A symmetric tridiagonal matrix T.
struct Tridiagonal
{
  double diagonal[n_steps];
  double coupling[n_steps]; ///< `[k]`: the square of entry (k - 1, k); `[0]` is 0

  /// The largest eigenvalue, to some 1e-3 from above. It uses Newton's method for the
  /// characteristic polynomial. Beyond its last root the polynomial is convex and grows, so
  /// iterates decrease to the root and do not pass it.
  STRUT_HOST_DEVICE double largest_eigenvalue() const
  {
    double x = 0., to_last = 0.;
    for (int k = 0; k < n_steps; ++k) // bound by Gershgorin's circles
      {
        const double to_next = k + 1 < n_steps ? sqrt(coupling[k + 1]) : 0.;
        const double end     = to_last + diagonal[k] + to_next;
        x                    = x > end ? x : end;
        to_last              = to_next;
      }
    for (int iteration = 0; iteration < max_iterations; ++iteration)
      {
        // p = q_0 q_1 ... with the pivots q_k of x - T, so p' / p is the sum of q_k' / q_k
        double inverse = 0., slope = 0., sum = 0.; // 1 / q_(k-1), q_(k-1)'
        for (int k = 0; k < n_steps; ++k)
          {
            const double c = coupling[k] * inverse;
            const double q = x - diagonal[k] - c;
            if (!(q > 0.)) // at the root, up to rounding
              return x;
            slope   = 1. + c * inverse * slope;
            inverse = 1. / q;
            sum += slope * inverse;
          }
        const double step = 1. / sum;
        x -= step;
        if (step < last_step * x)
          break;
      }
    return x;
  }

  static constexpr int max_iterations = 50;
  static constexpr double last_step   = 1e-3; ///< relative step at which the iteration ends
};

/// The largest eigenvalue from above, without the margin. It is 0 for a zero matrix.
///
/// @param pencil  K and B, for a team whose threads have n numbers of each vector. `multiply(z, f)`
///   sets f = K z, `precondition(v, z)` sets z = B v, and `sum(value)` adds over the team. One
///   thread `writes()` for all, and the others `wait()` for it
/// @param v  begin() on entry
/// @param T  scratch memory of the team
template <int n, typename Pencil>
STRUT_HOST_DEVICE double largest_eigenvalue(const Pencil &pencil, double (&v)[n], Tridiagonal &T)
{
  double z[n], f[n], last[n] = {};
  double coupling   = 0.; // v.z of a new v before scaling
  double negligible = 0.;
  for (int k = 0; k < n_steps; ++k)
    {
      pencil.precondition(v, z);
      double part = 0.;
      for (int i = 0; i < n; ++i)
        part += v[i] * z[i];
      coupling = pencil.sum(part);

      // Breakdown: the vectors so far span the whole space. The rest is zero, since a team must
      // stay in step.
      const bool goes_on = coupling > negligible;
      const double scale = goes_on ? 1. / sqrt(coupling) : 0.;
      coupling           = goes_on && k > 0 ? coupling : 0.;
      negligible         = 1e-24; // eigenvalues are between 1 and 8
      part               = 0.;
      for (int i = 0; i < n; ++i)
        {
          v[i] *= scale;
          z[i] *= scale;
        }
      pencil.multiply(z, f);
      for (int i = 0; i < n; ++i)
        part += z[i] * f[i];
      const double alpha = pencil.sum(part), beta = sqrt(coupling);
      for (int i = 0; i < n; ++i)
        {
          const double next = f[i] - alpha * v[i] - beta * last[i];
          last[i]           = v[i];
          v[i]              = next;
        }
      if (pencil.writes())
        {
          T.diagonal[k] = alpha;
          T.coupling[k] = coupling;
        }
    }
  pencil.wait();
  return T.largest_eigenvalue();
}

/// K and B on the host, for n components per node: a team of one.
template <int n>
class DensePencil
{
public:
  static constexpr int n_dofs = 8 * n;

  STRUT_HOST_DEVICE explicit DensePencil(const double (&K)[n_dofs][n_dofs]) : K_(K)
  {
    for (int v = 0; v < 8; ++v)
      {
        NodalBlock<double, n> block;
        for (int i = 0; i < n; ++i)
          for (int j = i; j < n; ++j)
            block.entry[block.index(i, j)] = K[n * v + i][n * v + j];
        inverse_[v] = block.inverse_of_free_part(held_components(block));
      }
  }

  STRUT_HOST_DEVICE void multiply(const double (&z)[n_dofs], double (&f)[n_dofs]) const
  {
    for (int i = 0; i < n_dofs; ++i)
      f[i] = 0.;
    for (int j = 0; j < n_dofs; ++j) // K is symmetric
      for (int i = 0; i < n_dofs; ++i)
        f[i] += K_[j][i] * z[j];
  }

  STRUT_HOST_DEVICE void precondition(const double (&v)[n_dofs], double (&z)[n_dofs]) const
  {
    for (int node = 0; node < 8; ++node)
      {
        double in[n], out[n];
        for (int i = 0; i < n; ++i)
          in[i] = v[n * node + i];
        inverse_[node].multiply(in, out);
        for (int i = 0; i < n; ++i)
          z[n * node + i] = out[i];
      }
  }

  STRUT_HOST_DEVICE static double sum(const double value)
  {
    return value;
  }
  STRUT_HOST_DEVICE static bool writes()
  {
    return true;
  }
  STRUT_HOST_DEVICE static void wait()
  {}

private:
  const double (&K_)[n_dofs][n_dofs];
  NodalBlock<double, n> inverse_[8];
};

/// The largest eigenvalue of one element on the host. Rows and columns of zeros are left out.
template <int n_dofs>
double largest_eigenvalue(const double (&K)[n_dofs][n_dofs])
{
  double v[n_dofs];
  for (int i = 0; i < n_dofs; ++i)
    v[i] = begin(i);
  Tridiagonal T;
  return largest_eigenvalue(DensePencil<n_dofs / 8>(K), v, T);
}
} // namespace lanczos
} // namespace strut
