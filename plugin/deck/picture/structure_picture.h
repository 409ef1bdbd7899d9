// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/plugin/deck_mesh.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/deck/picture/part_marks.h"

namespace strut::plugin
{
/// A face of an element in a picture.
struct PicturedFace
{
  enum class Kind : std::uint8_t
  {
    design,
    solid,
    empty, ///< of non-design regions without material
    faulty ///< of what a picture shall show: seen through all others
  };

  std::array<Point, 4> corners; ///< in their order around it
  Kind kind = Kind::design;
};

/// The faces at the boundary of a mesh, of all ranks, on rank 0. Collective.
std::vector<PicturedFace> boundary_faces(const Communicator &communicator, const DeckMesh &mesh);

/// The six faces of a hexahedron. @param vertices  counted along x, then y, then z
std::array<PicturedFace, 6> faces_of(const std::array<Point, 8> &vertices, PicturedFace::Kind kind);

/// A structure from two opposite sides, 1800 x 900 pixels, as a file of PNG: its faces with edges of elements where they can be
/// told apart, spots on supports, arrows for loads, and the directions of x, y and z.
/// @param marks  with the box that is shown
std::string structure_picture(const std::vector<PicturedFace> &faces, const PartMarks &marks);

/// What the colours mean, for the log.
std::string colours_in_words(const std::vector<PicturedFace> &faces, const PartMarks &marks);
} // namespace strut::plugin
