// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/stiffness_operator.h>

namespace strut
{
/// The preconditioner of solve(), `dst = M^-1 src`: one symmetric multigrid cycle or Jacobi's
/// division; the identity on constrained DoFs. It is linear, symmetric, positive definite and
/// always the same (up to float's rounding with `precision = "mixed"`).
///
/// It follows set_factors() of its operator. It stays valid after the operator's end, with the
/// operator's contents, as long as the DoFHandler lives. Copies are the same preconditioner.
template <typename Number>
class StiffnessOperator<Number>::Preconditioner : public compat::Subscriptor
{
public:
  using value_type = Number;
  using size_type  = dealii::types::global_dof_index;

  /// Makes an empty preconditioner, for members of a class. Only initialize() fills it; the other
  /// members throw Error until then.
  Preconditioner();
  Preconditioner(const Preconditioner &other);
  Preconditioner &operator=(const Preconditioner &other);

  /// Becomes `matrix.preconditioner()`; call it again after matrix.reinit(). If it throws, the
  /// preconditioner is empty. Collective. @throws Error as solve()
  void initialize(const StiffnessOperator &matrix);

  /// Leaves an empty preconditioner.
  void clear();

  /// dst = M^-1 src. Collective.
  template <class Vector>
  void vmult(Vector &dst, const Vector &src) const
  {
    apply(entries_of(contents(), dst), entries_of(contents(), src));
    finish_writing(dst);
  }

  /// Equals vmult(), as the preconditioner is symmetric.
  template <class Vector>
  void Tvmult(Vector &dst, const Vector &src) const
  {
    vmult(dst, src);
  }

  template <class Vector>
  void initialize_dof_vector(Vector &vector) const
  {
    initialize_any(contents(), vector);
  }

  size_type m() const;
  size_type n() const;

  /// The name in strut::preconditioners() that is in use, which changes if a solve falls back on
  /// another one.
  std::string name() const;

private:
  friend class StiffnessOperator;
  explicit Preconditioner(std::shared_ptr<Implementation> implementation);
  void apply(const OwnedEntries<Number> &dst, const OwnedEntries<Number> &src) const;

  /// Throws Error if the preconditioner is empty.
  Implementation &contents() const;

  std::shared_ptr<Implementation> implementation_; ///< null if empty
};
} // namespace strut
