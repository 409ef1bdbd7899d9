// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

namespace strut
{
struct ElementMesh;

/// Interface of an ElementOperator that also takes Lame's parameters of each element,
/// `K_e = lambda_e K_lambda,e + mu_e K_mu,e`, in the one pass of a product with factors. Only
/// VolumetricIntegration then counts of the Material that it was made with.
template <typename Number>
class LameElements
{
public:
  virtual ~LameElements() = default;

  /// Sets Lame's parameters. From now on products and diagonals use them, and set_stiffness() is no
  /// longer called.
  ///
  /// @param mesh  the mesh that the operator was made from; read in the first call only
  /// @param lambda,mu  `[n_elements]`, on the backend; mu and 3 lambda + 2 mu >= 0
  virtual void
  set_lame(const ElementMesh &mesh, const Array<double> &lambda, const Array<double> &mu) = 0;

  /// c_e = u_e^T (lambda_e K_lambda,e + mu_e K_mu,e) u_e, independent of the parameters that
  /// set_lame() got last. Requires an earlier set_lame().
  virtual void lame_energies(const Array<Number> &u,
                             const Array<double> &lambda,
                             const Array<double> &mu,
                             Array<double> &c) const = 0;
};
} // namespace strut
