// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

#include <memory>

namespace strut
{
/// Puts a preconditioner M between two corrections Q by the rigid motions of solid pieces
/// (RigidPieces). Its error is `(I - Q K) (I - M K) (I - Q K)`, so it is symmetric and positive
/// definite if M is. Each application takes two more products.
///
/// Without void in a design it is M alone. Lame's parameters and a shift are refused. The
/// corrections are made on the host, and all copies are here. There must be one rank and no hanging
/// nodes: the conflicts of multigrid say so.
template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> with_piece_correction(
  Backend &backend, const Structure &structure, std::unique_ptr<StiffnessPreconditioner<Number>> M);
} // namespace strut
