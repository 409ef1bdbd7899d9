// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/comparison/assembly/assembly_operations.h"
#include "source/solvers/krylov/conjugate_gradient.h"

#include <memory>

namespace strut
{
/// A generated matrix with its constraints as a linear system, solved by conjugate gradients with
/// the diagonal as preconditioner.
///
/// The constrained rows and columns must be zero but for a positive diagonal (ConstrainedDiagonal),
/// and the right-hand side zero there.
template <typename Number>
class GeneratedSystem
{
public:
  /// Read the diagonal of the current values. All references must outlive the object.
  GeneratedSystem(Backend &backend, const GeneratedMatrix<Number> &matrix);

  /// Solve A u = f from the start u.
  /// @throws SolverFailure, as ConjugateGradient does
  /// @param f, u  `[n_rows]`
  SolverReport solve(const SolverControl &control, const Array<Number> &f, Array<Number> &u);

private:
  class Product;
  class Diagonal;

  std::shared_ptr<Product> product_;
  std::shared_ptr<Diagonal> diagonal_;
  TimingTable timing_;
  ConjugateGradient<Number> solver_;
};
} // namespace strut
