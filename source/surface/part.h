// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/surface/islands.h"
#include "source/surface/smooth.h"

#include <strut/mesh/symmetry_plane.h>

#include <string>

namespace strut
{
struct PartSettings
{
  bool keep_islands           = false;
  std::vector<Point> demanded = {};   ///< places of material: bodies around them are no islands
  std::vector<SymmetryPlane> mirrors; ///< the part goes on behind them
  SmoothingSettings smoothing;
  double error =
    0.05; ///< of the surface with fewer triangles, as a share of the mean size; 0: all triangles stay
};

/// A design as a part: the surface of one body, smooth where the design was free.
struct Part
{
  TriangleMesh mesh;
  LargestBody largest;
  std::size_t n_triangles_before = 0; ///< of the surface that the level cuts
  double volume                  = 0.;
  double design_volume = 0.; ///< that the surface was to enclose, islands included; 0: not known
  double area          = 0.;
  double farthest      = 0.; ///< that a vertex went, as a share of its size
  std::size_t n_still  = 0;  ///< vertices that stayed, where the surface would cross itself
  Point file_origin{};       ///< where files with single precision begin to count
  std::vector<std::string> warnings;
};

/// Islands go, mirror images come, the surface is made smooth, and gets fewer triangles. Where it would cross itself after one
/// of these, it stays as it was. Throws Error where it is not closed, which is a fault of strut or of the planes.
Part make_part(CutSurface surface, const PartSettings &settings, int n_threads);
} // namespace strut
