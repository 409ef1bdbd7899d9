// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/plugin/stiffness_operator.h>

namespace strut::plugin
{
/// `dst = M^-1 src`: one symmetric multigrid cycle, or Jacobi's division, as solve() has it; the identity on
/// constrained DoFs. So it is linear, symmetric and positive definite, and the same each time (with
/// `precision = "mixed"` to float's rounding). It follows set_factors() of its operator, and stays valid after the
/// operator's end, with the contents that the operator had; its DoFHandler must outlive it. Copies are the same
/// preconditioner.
template <typename Number>
class StiffnessOperator<Number>::Preconditioner : public compat::Subscriptor
{
public:
  using value_type = Number;
  using size_type  = dealii::types::global_dof_index;

  /// An empty one, for members of a class: initialize() fills it, the others throw Error.
  Preconditioner();
  Preconditioner(const Preconditioner &other);
  Preconditioner &operator=(const Preconditioner &other);

  /// Become `matrix.preconditioner()`. Needed again after matrix.reinit(). Where it throws, the preconditioner is empty.
  /// Collective. @throws Error as solve()
  void initialize(const StiffnessOperator &matrix);

  /// Leave an empty one.
  void clear();

  /// Collective.
  template <class Vector>
  void vmult(Vector &dst, const Vector &src) const
  {
    apply(entries_of(contents(), dst), entries_of(contents(), src));
    finish_writing(dst);
  }

  /// The same, as it is symmetric.
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

  /// A name in strut::preconditioners(): that of now, where a solve fell back on another.
  std::string name() const;

private:
  friend class StiffnessOperator;
  explicit Preconditioner(std::shared_ptr<Implementation> implementation);
  void apply(const OwnedEntries<Number> &dst, const OwnedEntries<Number> &src) const;

  /// Throws Error if the preconditioner is empty.
  Implementation &contents() const;

  std::shared_ptr<Implementation> implementation_; ///< null: empty
};
} // namespace strut::plugin
