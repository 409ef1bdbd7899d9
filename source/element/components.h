// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/exceptions.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace strut
{
/// Numbers of an element matrix with so many components per node: its upper triangle by columns.
constexpr std::size_t packed_matrix_size(const std::size_t n_components)
{
  return 8 * n_components * (8 * n_components + 1) / 2;
}

/// Calls body(std::integral_constant<int, n>()) for the number of components per node of a mesh.
/// The loops and kernels are made for 3 (displacements) and for 1 (a scalar, such as a
/// temperature). Throws Error for others.
template <typename Body>
decltype(auto) with_components(const unsigned int n_components, const Body &body)
{
  switch (n_components)
    {
      case 3:
        return body(std::integral_constant<int, 3>());
      case 1:
        return body(std::integral_constant<int, 1>());
      default:
        throw Error("A mesh has " + std::to_string(n_components) +
                    " components per node.\n  Take 3 for displacements, or 1 for a scalar.");
    }
}

/// Throws Error unless a mesh has three components per node.
///
/// @param what  subject of the sentence, such as "Smoothed aggregation"
inline void require_displacements(const ElementMesh &mesh, const std::string &what)
{
  if (mesh.n_components != 3)
    throw Error(what +
                " is made for displacements, with three components per node, and the mesh has " +
                std::to_string(mesh.n_components) + ": do without it.");
}
} // namespace strut
