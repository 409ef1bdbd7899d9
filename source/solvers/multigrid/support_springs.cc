// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/solvers/multigrid/support_springs.h"

#include <utility>

namespace strut
{
template <typename Number>
SupportSprings<Number>::SupportSprings(Backend &backend,
                                       const ElementMesh &mesh,
                                       const LevelSupports<Number> &supports,
                                       std::unique_ptr<LevelOperator<Number>> K)
  : backend_(backend)
  , supports_(supports)
  , K_(std::move(K))
  , springs_(backend.memory(), mesh.n_dofs())
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
  vectors.fill(3 * fine.n_nodes, Number(0), on_fine);
  vectors.set(fine.constrained_dofs, Number(1), on_fine);
  transfer.restrict_to_parents(on_fine, on_coarse);
  vectors.set(coarse.constrained_dofs, Number(0), on_coarse);
  return communicator.sum(vectors.sum(3 * coarse.n_nodes, on_coarse)) > 0.;
}

template <typename Number>
void SupportSprings<Number>::update(const LevelSupports<Number> &fine,
                                    const Array<Number> &blocks,
                                    GridTransfer<Number> &transfer,
                                    Array<Number> &on_fine,
                                    const std::function<void(Array<Number> &)> &condense)
{
  const Array<Number> none;
  backend_.multigrid_operations<Number>().support_stiffness(fine.n_nodes,
                                                            fine.constrained,
                                                            blocks,
                                                            fine.springs == nullptr ? none
                                                                                    : *fine.springs,
                                                            on_fine);
  transfer.restrict_to_parents(on_fine, springs_);
  condense(springs_);
  backend_.vector_operations<Number>().set(supports_.constrained_dofs, Number(0), springs_);
}

template <typename Number>
const Array<Number> &SupportSprings<Number>::springs() const
{
  return springs_;
}

template <typename Number>
void SupportSprings<Number>::set_stiffness(const Array<double> &factors)
{
  K_->set_stiffness(factors);
}

template <typename Number>
void SupportSprings<Number>::set_lame(const Array<double> &lambda, const Array<double> &mu)
{
  K_->set_lame(lambda, mu);
}

template <typename Number>
void SupportSprings<Number>::set_tangents(const unsigned int n_points, const TangentFields &fields)
{
  K_->set_tangents(n_points, fields);
}

template <typename Number>
void SupportSprings<Number>::apply(Array<Number> &x, Array<Number> &y)
{
  K_->apply(x, y);
  backend_.multigrid_operations<Number>().add_springs(3 * supports_.n_nodes, springs_, x, y);
}

template <typename Number>
void SupportSprings<Number>::diagonal_blocks(Array<Number> &blocks)
{
  K_->diagonal_blocks(blocks);
  backend_.multigrid_operations<Number>().add_to_blocks(supports_.n_nodes, springs_, blocks);
}

/// Bound of K. It holds with springs as they are in the blocks: x^T (K + S) x <= bound x^T D x +
/// x^T S x, and the bound is not below 1.
template <typename Number>
double SupportSprings<Number>::smoother_bound() const
{
  return K_->smoother_bound();
}

template <typename Number>
void SupportSprings<Number>::factor(CoarseSolver<Number> &solver) const
{
  solver.set_springs(springs_);
  K_->factor(solver);
}

template class SupportSprings<double>;
template class SupportSprings<float>;
} // namespace strut
