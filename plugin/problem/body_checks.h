// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>
#include <strut/plugin/dealii_classes.h>

namespace strut::plugin
{
struct MeshSummary;

/// Throw unless the supports hold every body of the mesh: parts whose elements hang together by faces.
/// Parts that share nodes or edges alone are hinged there; parts that share nothing are on their own.
/// Collective.
/// @throws EntryError that names the body, its place and, where its nodes coincide with those of another
/// one, how to join them
void check_bodies(const Communicator &communicator,
                  const dealii::Triangulation<3, 3> &triangulation,
                  const ElementMesh &mesh,
                  const MeshSummary &summary);
} // namespace strut::plugin
