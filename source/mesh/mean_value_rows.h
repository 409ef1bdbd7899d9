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
/// Rows of ElementMesh::dependent, on owned nodes and on ghosts, whose DoF follows many others, as in a mean value: few
/// rows, of more masters than most. No smoother treats them as the others, since it would have to be damped by their
/// number of masters: with 40 of them PCG takes ten times the iterations. So multigrid knows them as conditions
/// (MeanValues), which take two vectors each: the rows of more than 8 masters, or, where these are more than
/// most_mean_values, of more than 16, 32, 64 or 128. Empty if there are more even of the last; the same on all ranks.
/// Collective.
std::vector<std::size_t> mean_value_rows(const Communicator &communicator, const ElementMesh &mesh);

/// Over all ranks.
constexpr std::size_t most_mean_values = 30;

/// The mesh without these rows, in which their DoFs are free; null if there are none on any rank. Collective.
std::unique_ptr<ElementMesh> without_mean_values(const Communicator &communicator,
                                                 const ElementMesh &mesh);
} // namespace strut
