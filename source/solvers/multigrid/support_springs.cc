// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/multigrid/support_springs.h"

#include <utility>

namespace strut
{
template <typename Number>
SupportSprings<Number>::SupportSprings(Backend &backend,
                                       const LevelSupports<Number> &supports,
                                       std::unique_ptr<LevelOperator<Number>> K)
  : LevelWithDiagonal<Number>(AddedDiagonal::springs, backend, supports.mesh, std::move(K))
  , supports_(supports)
{}

template <typename Number>
bool SupportSprings<Number>::needed(Backend &backend,
                                    const Communicator &communicator,
                                    const LevelSupports<Number> &fine,
                                    const LevelSupports<Number> &coarse,
                                    GridTransfer<Number> &transfer,
                                    Array<Number> &on_fine,
                                    Array<Number> &on_coarse)
{
  if (fine.springs != nullptr)
    return true;
  const auto &vectors = backend.vector_operations<Number>();
  vectors.fill(fine.mesh.n_dofs(), Number(0), on_fine);
  vectors.set(fine.constrained_dofs, Number(1), on_fine);
  transfer.restrict_to_parents(on_fine, on_coarse);
  vectors.set(coarse.constrained_dofs, Number(0), on_coarse);
  return communicator.sum(vectors.sum(coarse.mesh.n_dofs(), on_coarse)) > 0.;
}

template <typename Number>
void SupportSprings<Number>::update(const LevelSupports<Number> &fine,
                                    const Array<Number> &blocks,
                                    GridTransfer<Number> &transfer,
                                    Array<Number> &on_fine,
                                    const std::function<void(Array<Number> &)> &condense)
{
  const Array<Number> none;
  Array<Number> &springs = this->added_;
  this->operations_.support_stiffness(fine.mesh.n_nodes,
                                      fine.constrained,
                                      blocks,
                                      fine.springs == nullptr ? none : *fine.springs,
                                      on_fine);
  transfer.restrict_to_parents(on_fine, springs);
  condense(springs);
  this->backend_.template vector_operations<Number>().set(supports_.constrained_dofs,
                                                          Number(0),
                                                          springs);
}

template class SupportSprings<double>;
template class SupportSprings<float>;
} // namespace strut
