// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/krylov/jacobi.h"

namespace strut
{
namespace
{
template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>>
make(Backend &backend, const Communicator &, const Structure &, const PreconditionerSettings &)
{
  return std::make_unique<JacobiPreconditioner<Number>>(backend);
}
} // namespace

PreconditionerEntry jacobi_preconditioner()
{
  PreconditionerEntry entry;
  entry.name      = "jacobi";
  entry.summary   = "the inverse diagonal";
  entry.title     = "Jacobi's preconditioner";
  entry.in_double = make<double>;
  entry.in_float  = make<float>;
  entry.memory_estimate =
    [](const PreconditionerSettings &, Precision, const StrategyLists &, const MeshSize &size) {
      return 3. * static_cast<double>(size.n_nodes) * sizeof(float);
    };
  entry.describe = [](const Communicator &, const Structure &) { return std::string("Jacobi"); };
  return entry;
}
} // namespace strut
