// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

#include <memory>

namespace strut
{
/// A preconditioner M between two corrections by the rigid motions of solid pieces (RigidPieces),
/// Q: `I - (I - Q K) (I - M K) (I - Q K)` is its error, so it is symmetric and positive definite if
/// M is. Two more products for each. Without void in a design it is M alone; Lame's parameters and
/// a shift are refused. The corrections are made on the host, all copies are here.
///
/// On one rank, without hanging nodes: the conflicts of multigrid say so.
template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> with_piece_correction(
  Backend &backend, const Structure &structure, std::unique_ptr<StiffnessPreconditioner<Number>> M);
} // namespace strut
