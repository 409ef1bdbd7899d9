// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Transfers a field of element values from one mesh to another. The value of an element is the
/// mean over its quadrature points; it is 0 outside the first mesh. On the same mesh, values
/// do not change.
/// @param from  with volumes, completely on this rank
/// @param values  `[from.n_elements]`
/// @return `[to.n_elements]`
std::vector<double> field_on_mesh(const ElementMesh &from,
                                  const std::vector<double> &values,
                                  const ElementMesh &to,
                                  int n_threads);
} // namespace strut
