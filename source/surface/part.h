// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/islands.h"

#include <strut/mesh/element_mesh.h>

#include <string>

namespace strut
{
struct SmoothingSettings
{
  unsigned int passes = 20;
  double reach        = 0.25; ///< largest displacement of a vertex, relative to its size
};

struct PartSettings
{
  bool keep_islands           = false;
  std::vector<Point> demanded = {};   ///< places of material: bodies around them are not removed
  std::vector<SymmetryPlane> mirrors; ///< planes behind which the part continues
  SmoothingSettings smoothing;
  /// Error of the surface with fewer triangles, relative to the mean size; 0: all triangles stay.
  double error = 0.05;
};

/// A design as a part: the surface of one body, smooth where the design was free.
struct Part
{
  TriangleMesh mesh;
  LargestBody largest;
  std::size_t n_triangles_before = 0; ///< number of triangles of the surface cut by the level
  double volume                  = 0.;
  /// Volume that the surface should enclose, islands included; 0: not known.
  double design_volume = 0.;
  double area          = 0.;
  double farthest      = 0.; ///< largest displacement of a vertex, relative to its size
  std::size_t n_still  = 0;  ///< vertices that stayed, where the surface would cross itself
  Point file_origin{};       ///< origin of the coordinates in files with single precision
  std::vector<std::string> warnings;
};

/// Returns the surface together with its image behind a plane. Kept triangles in the plane are
/// removed, and both halves share the vertices in it. Throws Error if the plane cuts through the
/// surface.
///
/// @param tolerance  largest distance from the plane of vertices that are moved into it, in units
///   of length
CutSurface
with_mirror_image(const CutSurface &surface, const SymmetryPlane &plane, double tolerance);

/// Makes a part: removes islands, adds mirror images, smooths the surface, and reduces its
/// triangles. A step that would make the surface cross itself is undone. Throws Error if the
/// surface is not closed, which is a fault of strut or of the planes.
Part make_part(CutSurface surface, const PartSettings &settings, int n_threads);
} // namespace strut
