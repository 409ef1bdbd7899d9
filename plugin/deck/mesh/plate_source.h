// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/types.h>

#include <functional>

#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/mesh/plate_blocks.h"

namespace strut
{
/// A generator of plates: blocks in the plane, extruded along z.
class PlateSource : public MeshSource
{
public:
  using MeshSource::MeshSource;

  /// A plate: its blocks and the parameters of the extrusion.
  struct Plate
  {
    PlateBlocks blocks;
    double thickness         = 1.;
    unsigned int layers      = 1; ///< number of coarse cells
    unsigned int refinements = 0;
    std::function<dealii::types::boundary_id(const BlockFace &face)> boundary_of;
  };

  unsigned int create(dealii::Triangulation<3, 3> &triangulation) const override;
  std::optional<CoarseMesh> create_cells() const override;

protected:
  /// Makes the plate from the parameters. @throws EntryError as create() does
  virtual Plate plate() const = 0;
};
} // namespace strut
