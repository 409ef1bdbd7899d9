// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <functional>
#include <memory>

#include "plugin/base/faulty_elements.h"

namespace strut
{
/// Collects the vertices of the elements of all ranks, faulty ones and others. Null for a mesh with
/// more than FaultyElements::most_elements. Collective.
std::shared_ptr<const FaultyElements>
element_places(const Communicator &communicator,
               const ElementMesh &mesh,
               const std::function<bool(std::size_t element)> &is_faulty);

/// Splits the faulty elements into pieces that faces connect. The largest piece becomes the other
/// elements of the result; the previous other elements are dropped.
std::shared_ptr<const FaultyElements> without_largest_piece(const FaultyElements &place);
} // namespace strut
