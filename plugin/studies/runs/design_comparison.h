// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plugin/deck/output/result_file.h"

namespace strut
{
/// Comparison of two designs on the mesh of the first, with all its elements and their volumes.
struct DesignComparison
{
  /// An element with at least this density counts as solid.
  static constexpr double solid = 0.5;

  /// Whether elements match one by one; else B was interpolated to A's mesh.
  bool same_mesh = false;
  std::vector<double> a, b;      ///< densities on A's mesh, `[n_elements]`
  double mean    = 0.;           ///< mean of |a - b|, weighted by volume
  double largest = 0.;           ///< largest |a - b|
  std::array<double, 3> place{}; ///< centre of the element with the largest difference
  double solid_in_a = 0.,
         /// Shares of the volume that are solid in one design only.
    solid_in_b = 0.;
  /// Share of the volume of A's mesh that is outside of B's mesh; it counts as void in B.
  double outside  = 0.;
  double volume_a = 0., volume_b = 0.; ///< volumes of the whole meshes

  static DesignComparison of(const ResultFile &a, const ResultFile &b, int n_threads);
};

/// Writes A's mesh with the cell data `density_a`, `density_b`, `difference` (b - a) and
/// `design_flag`, in single precision.
/// @param remarks  lines at the head of the file
void write_difference(const std::string &file_name,
                      const ResultFile &a,
                      const DesignComparison &comparison,
                      const std::vector<std::string> &remarks,
                      int n_threads);
} // namespace strut
