// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "plugin/base/json.h"
#include "plugin/deck/page/part_marks.h"
#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Most bytes of a page. Decks, histories and parts that are larger than a page needs are cut down.
constexpr std::size_t most_page_bytes = 8'000'000;

/// Most triangles of a part on a page, so that its vertices have numbers of 16 bits.
constexpr std::size_t most_part_triangles = 100'000;

/// Makes a page with fewer and fewer triangles, until it has at most most_page_bytes or is made
/// with none.
std::string
page_of_limited_size(const std::function<std::string(std::size_t most_triangles)> &make);

/// Writes a surface for the viewer. Vertices have 16 bits for each direction; the step is the same
/// in all directions. @param marks  with the box that contains the surface
void write_surface(Json &json, const TriangleMesh &surface, const PartMarks &marks);

/// Writes the box, the supports and the loads for the viewer.
void write_marks(Json &json, const PartMarks &marks);

/// Writes a list of named places in the box of the marks.
void write_places(Json &json,
                  const std::string &name,
                  const std::vector<PartMarks::Supports> &supports,
                  const PartMarks &marks);

/// Encodes bytes by RFC 4648, with padding.
std::string base64(const std::string &bytes);
} // namespace strut
