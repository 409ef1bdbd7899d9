// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "plugin/base/global_node_numbers.h"
#include "plugin/deck/output/part_of_mesh.h"
#include "plugin/deck/output/single_precision.h"
#include "plugin/deck/output/vtu_file.h"

namespace strut
{
/// The mesh of all ranks for one VTU file: each node occurs once, also where ranks meet. Points are
/// in double precision if single precision does not suffice.
class MeshInVtu
{
public:
  /// Collective. @param mesh  must outlive this object
  MeshInVtu(MPI_Comm communicator, const ElementMesh &mesh);

  /// Points and cells, without fields. This object must live until they are written.
  /// @param part  part of the mesh; nullptr: the whole mesh
  VtuContents contents(const std::shared_ptr<const PartOfMesh> &part = nullptr) const;

  const SinglePrecision &precision() const
  {
    return precision_;
  }

  /// Whether each component of an owned node is prescribed: `[3 * n_owned_nodes]`.
  std::vector<bool> supports() const;

private:
  const ElementMesh &mesh_;
  GlobalNodeNumbers node_numbers_;
  SinglePrecision precision_;
};
} // namespace strut
