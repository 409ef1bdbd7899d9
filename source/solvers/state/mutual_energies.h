// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/solvers/elasticity_operator.h>

#include <cmath>

namespace strut
{
/// Computes `w_e = a_e^T K0_e b_e` of two vectors, `[n_elements]`, by the energies of their sum and
/// their difference:
///
///     4 s a.K0 b = (b + s a).K0 (b + s a) - (b - s a).K0 (b - s a)
///
/// with an s that gives both vectors the same size, which reduces cancellation. Collective.
/// @param a  `[3 * n_nodes]`, like b
/// @param work  `[3 * n_nodes]`, overwritten
/// @param energies  `[n_elements]`, overwritten
template <typename Number>
void mutual_energies(Backend &backend,
                     const Communicator &communicator,
                     ElasticityOperator<Number> &matrix,
                     const Array<Number> &a,
                     const Array<Number> &b,
                     Array<Number> &work,
                     Array<double> &energies,
                     Array<double> &w)
{
  const auto &vectors = backend.vector_operations<Number>();
  const auto &fields  = backend.vector_operations<double>();
  const std::size_t n = matrix.n_owned();
  const auto squared  = [&](const Array<Number> &x) {
    return communicator.sum(vectors.dot(n, x, x));
  };
  const double of_a = squared(a), of_b = squared(b);
  if (of_a == 0. || of_b == 0.)
    return w.set_zero();
  const double s = std::sqrt(of_b / of_a);
  for (const double sign : {1., -1.})
    {
      work.copy_from(b);
      vectors.axpy(n, static_cast<Number>(sign * s), a, work);
      matrix.energies(work, sign > 0. ? w : energies);
    }
  fields.xpby(w.size(), w, -1., energies);
  w.set_zero();
  fields.axpy(w.size(), 1. / (4. * s), energies, w);
}
} // namespace strut
