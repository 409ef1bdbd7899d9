// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "plugin/deck/output/global_node_numbers.h"
#include "plugin/deck/output/part_of_mesh.h"
#include "plugin/deck/output/single_precision.h"
#include "plugin/deck/output/vtu_file.h"

namespace strut::plugin
{
/// The mesh of all ranks as one VTU file has it: each node once, also where ranks meet. Points are in double precision where
/// single precision does not suffice.
class MeshInVtu
{
public:
  /// Collective. @param mesh  lives as long as this object
  MeshInVtu(MPI_Comm communicator, const ElementMesh &mesh);

  /// Points and cells, without fields. This object lives until they are written.
  /// @param part  of the mesh; nullptr: all of it
  VtuContents contents(const std::shared_ptr<const PartOfMesh> &part = nullptr) const;

  const SinglePrecision &precision() const
  {
    return precision_;
  }

  /// For each component of an owned node, whether it is prescribed: `[3 * n_owned_nodes]`.
  std::vector<bool> supports() const;

private:
  const ElementMesh &mesh_;
  GlobalNodeNumbers node_numbers_;
  std::uint64_t first_element_; ///< of this rank
  SinglePrecision precision_;
};
} // namespace strut::plugin
