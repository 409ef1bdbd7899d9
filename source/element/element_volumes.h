// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstddef>

namespace strut
{
/// Sets the volumes of the elements, by the quadrature of hexahedron.h.
///
/// @return the number of elements whose Jacobian is not positive at some quadrature point
std::size_t compute_volumes(ElementMesh &mesh, int n_threads);
} // namespace strut
