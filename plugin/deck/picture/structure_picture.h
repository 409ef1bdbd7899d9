// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/deck_mesh.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/deck/picture/part_marks.h"

namespace strut
{
/// A face of an element in a picture.
struct PicturedFace
{
  enum class Kind : std::uint8_t
  {
    design,
    solid,
    empty, ///< non-design region without material
    faulty ///< element that the picture is about; visible through all others
  };

  std::array<Point, 4> corners; ///< in their order around the face
  Kind kind = Kind::design;
};

/// The faces at the boundary of a mesh, of all ranks, on rank 0. Collective.
std::vector<PicturedFace> boundary_faces(const Communicator &communicator, const DeckMesh &mesh);

/// The six faces of a hexahedron. @param vertices  counted along x, then y, then z
std::array<PicturedFace, 6> faces_of(const std::array<Point, 8> &vertices, PicturedFace::Kind kind);

/// Draws a structure from two opposite sides and returns a PNG file of 1800 x 900 pixels. The
/// picture shows its faces with edges of elements if these are large enough, spots on supports, and
/// arrows for loads. It also shows the directions of x, y and z.
/// @param marks  with the box that is shown
std::string structure_picture(const std::vector<PicturedFace> &faces, const PartMarks &marks);

/// The meaning of the colours, for the log.
std::string colours_in_words(const std::vector<PicturedFace> &faces, const PartMarks &marks);
} // namespace strut
