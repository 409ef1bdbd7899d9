// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
class Backend;

/// Global numbers of this rank's nodes, `[n_nodes]`: rank by rank, the owned ones in their order;
/// ghosts have those of their owners. They are doubles, which represent them exactly. Collective.
std::vector<double>
node_numbers(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

/// Global numbers for the entities of any layout.
///
/// @param n_owned  number of owned entities of this rank
/// @param n  number including ghosts
std::vector<double> numbers_over_ranks(Backend &backend,
                                       const Communicator &communicator,
                                       const HaloPattern &pattern,
                                       std::size_t n_owned,
                                       std::size_t n);

/// Number of entities that the ranks before each one own, and at last that of all, `[n_ranks + 1]`.
/// Collective.
std::vector<std::size_t> begins_over_ranks(const Communicator &communicator, std::size_t n_owned);

/// Returns a value per node, with those of the owners on ghosts. Collective.
std::vector<double> as_owners_have_it(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      std::vector<double> values);
} // namespace strut
