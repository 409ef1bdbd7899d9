// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "plugin/base/faulty_elements.h"
#include "plugin/deck/page/part_marks.h"
#include "source/surface/triangle_mesh.h"

namespace strut
{
/// The contents of a page that shows a structure in a browser, without a network.
struct StructurePage
{
  struct Surface
  {
    std::string name; ///< in the legend
    /// "design", "solid", "void", "faulty" or "others". Void and others are seen through.
    std::string kind;
    TriangleMesh mesh;
  };

  std::string name; ///< the heading
  std::vector<Surface> surfaces;
  PartMarks marks; ///< with the box that contains the surfaces
  /// Supports and springs by their names in the deck.
  std::vector<PartMarks::Supports> names;
  std::size_t n_nodes = 0; ///< number of nodes of the mesh
};

/// Makes the page in HTML 5, UTF-8, of at most most_page_bytes. Surfaces that are too fine get
/// fewer triangles.
std::string to_html(const StructurePage &page);

/// The corners of a face, counter-clockwise as seen from outside.
using FaceCorners = std::array<Point, 4>;

/// Adds a face as two triangles with vertices of their own. Their first two sides are edges of the
/// element.
void add_face(TriangleMesh &mesh, const FaceCorners &corners);

/// The faces that no two of the elements share.
TriangleMesh skin_of(const std::vector<FaultyElements::Vertices> &elements);
} // namespace strut
