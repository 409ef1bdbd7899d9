// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>

namespace strut
{
struct ElementMesh;

/// What an ElementOperator may be besides: one that takes Lame's parameters of each element,
/// `K_e = lambda_e K_lambda,e + mu_e K_mu,e`, in the one pass that a product with factors takes.
/// Of the Material that it was made with, only VolumetricIntegration counts then.
template <typename Number>
class LameElements
{
public:
  virtual ~LameElements() = default;

  /// Products and diagonals are those of these parameters from now on, and set_stiffness() is called no more.
  /// @param mesh  that the operator was made of; looked at in the first call
  /// @param lambda,mu  `[n_elements]`, on the backend; mu and 3 lambda + 2 mu >= 0
  virtual void
  set_lame(const ElementMesh &mesh, const Array<double> &lambda, const Array<double> &mu) = 0;

  /// c_e = u_e^T (lambda_e K_lambda,e + mu_e K_mu,e) u_e, whatever set_lame() got last; after the first set_lame().
  virtual void lame_energies(const Array<Number> &u,
                             const Array<double> &lambda,
                             const Array<double> &mu,
                             Array<double> &c) const = 0;
};
} // namespace strut
