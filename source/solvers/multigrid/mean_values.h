// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/parallel/halo_exchange.h>

#include <strut/backend/backend.h>
#include <strut/backend/memory_plan.h>
#include <strut/base/communicator.h>
#include <strut/base/precision.h>
#include <strut/mesh/element_mesh.h>
#include <strut/solvers/elasticity_operator.h>

#include <functional>
#include <memory>
#include <vector>

namespace strut
{
/// Mean values (mean_value_rows()) as conditions, combined with a preconditioner M of the structure
/// without them.
///
/// Row i, `u_i = sum_j w_ij u_j`, is the condition `a_i . u = 0` with `a_i = e_i - sum_j w_ij e_j`.
/// Let A be the matrix with these columns and W = M A. If M were the inverse, the solution with
/// conditions would be
///
///     z = M r - W (A^T W)^-1 A^T M r
///
/// (a saddle point problem: forces A l of the conditions make A^T z = 0). r is zero at the DoFs i,
/// whose values follow from the others. As a matrix of the other DoFs this is symmetric and
/// positive definite for each M that is.
///
/// Mean values alone may hold rigid motions. Then M is that of `K + S`, where S is the lumped
/// matrix of density mu / L^2, and L the longest edge of the body's box. S follows the factors of
/// the elements. For a body that is not slender it is at most about a tenth of the stiffness of the
/// softest mode.
template <typename Number>
class MeanValues
{
public:
  /// Collective.
  /// @param mesh  must outlive this object
  MeanValues(Backend &backend,
             const Communicator &communicator,
             const ElementMesh &mesh,
             const Material &material);

  /// The mesh without mean values, for which M is made.
  const ElementMesh &mesh() const
  {
    return without_ == nullptr ? mesh_ : *without_;
  }

  bool empty() const
  {
    return without_ == nullptr;
  }

  bool holds_motions() const
  {
    return length_ > 0.;
  }

  /// Add S for the current parameters of the operator to the shift, on owned DoFs, `[3 * n_nodes]`.
  /// Collective.
  /// @param factors  `[n_elements]`, unless the operator has Lame's parameters or tangents
  void add_holding_shift(const ElasticityOperator<Number> &matrix,
                         const Array<double> &factors,
                         Array<Number> &shift);

  /// Update after a change of M. Collective.
  /// @param apply  computes z = M r on owned DoFs
  void update(const std::function<void(const Array<Number> &r, Array<Number> &z)> &apply);

  /// Turn z, which is M r, into the solution that satisfies the conditions; 0 at the DoFs i.
  /// Collective.
  void project(Array<Number> &z) const;

private:
  std::vector<double> products_with(const Array<Number> &z) const;

  Backend &backend_;
  const Communicator communicator_;
  const ElementMesh &mesh_;
  const Material material_;
  const std::size_t n_owned_;
  std::unique_ptr<ElementMesh> without_; ///< null if there are no mean values
  double length_ = 0.;                   ///< L; 0 if the other constraints hold the body
  std::vector<Array<Number>> A_, W_;     ///< `[3 * n_nodes]` each
  Array<std::uint32_t> dofs_;            ///< owned DoFs i
  std::vector<double> inverse_;          ///< inverse of A^T W, `[n][n]`
};

/// Bytes of the mean values, in the precision of the residual.
double mean_values_memory_estimate(Precision precision, const MeshSize &size);
} // namespace strut
