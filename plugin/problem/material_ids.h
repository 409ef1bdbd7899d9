// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// The material id of each element, in the order of the ElementMesh.
std::vector<std::int32_t> material_ids(const dealii::Triangulation<3, 3> &triangulation,
                                       const ElementMesh &mesh);
} // namespace strut::plugin
