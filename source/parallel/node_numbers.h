// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
class Backend;

/// Numbers of this rank's nodes over all ranks, `[n_nodes]`: rank by rank, the owned ones in their order; ghosts have
/// those of their owners. As doubles, which hold them exactly. Collective.
std::vector<double>
node_numbers(Backend &backend, const Communicator &communicator, const ElementMesh &mesh);

/// A value per node, as its owner has it. Collective.
std::vector<double> as_owners_have_it(Backend &backend,
                                      const Communicator &communicator,
                                      const ElementMesh &mesh,
                                      const std::vector<double> &values);
} // namespace strut
