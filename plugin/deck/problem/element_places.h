// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <functional>
#include <memory>

#include "plugin/base/faulty_elements.h"

namespace strut::plugin
{
/// Where some elements of a mesh are, of all ranks. Null for a mesh with more than FaultyElements::most_elements. Collective.
std::shared_ptr<const FaultyElements>
element_places(const Communicator &communicator,
               const ElementMesh &mesh,
               const std::function<bool(std::size_t element)> &is_faulty);

/// The faulty elements by pieces that faces connect: the largest one is not faulty, and the others that there were are left out.
std::shared_ptr<const FaultyElements> without_largest_piece(const FaultyElements &place);
} // namespace strut::plugin
