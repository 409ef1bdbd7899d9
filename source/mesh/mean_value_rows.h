// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace strut
{
/// The rows of ElementMesh::dependent, on owned nodes and on ghosts, whose DoF depends on many
/// others, as in a mean value. They are few, with more masters than most rows.
///
/// No smoother can treat them as the other rows, since it would have to be damped by their number
/// of masters. With 40 masters PCG would take ten times the iterations. So multigrid treats them as
/// conditions (MeanValues), which take two vectors each. They are the rows of more than 8 masters.
/// If these are more than most_mean_values, the bound is 16, 32, 64 or 128. The result is empty if
/// even the last bound leaves too many. It is the same on all ranks. Collective.
std::vector<std::size_t> mean_value_rows(const Communicator &communicator, const ElementMesh &mesh);

/// The largest number of these rows over all ranks.
constexpr std::size_t most_mean_values = 30;

/// The mesh without these rows, whose DoFs are then free; null if there are none on any rank.
/// Collective.
std::unique_ptr<ElementMesh> without_mean_values(const Communicator &communicator,
                                                 const ElementMesh &mesh);
} // namespace strut
