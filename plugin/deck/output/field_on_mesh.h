// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut::plugin
{
/// A field of element values of one mesh on the elements of another: the mean of what it is at the eight quadrature points of an
/// element; 0 outside of the first mesh. On the same mesh the values stay.
/// @param from  with volumes, on this rank as a whole @param values  `[from.n_elements]` @return `[to.n_elements]`
std::vector<double> field_on_mesh(const ElementMesh &from,
                                  const std::vector<double> &values,
                                  const ElementMesh &to,
                                  int n_threads);
} // namespace strut::plugin
