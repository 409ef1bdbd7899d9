// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/solvers/krylov/preconditioner.h>

#include <string>

namespace strut::plugin
{
/// The NOTE about a design whose solves take many iterations with multigrid: names the settings that often help and that
/// the deck does not have. Empty for few iterations, for another preconditioner, or if the deck has them all.
/// @param iterations  per load case @param can_have_pieces  whether there can be rigid pieces
std::string describe_slow_solves(unsigned int iterations,
                                 const std::string &preconditioner,
                                 const ParameterValues &values,
                                 bool can_have_pieces);
} // namespace strut::plugin
