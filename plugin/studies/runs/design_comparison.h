// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plugin/deck/output/result_file.h"

namespace strut::plugin
{
/// Two designs on the mesh of the first, of all its elements; volumes are those of that mesh.
struct DesignComparison
{
  /// From this density on an element counts as solid.
  static constexpr double solid = 0.5;

  bool same_mesh = false;        ///< element by element; else B was brought onto A's mesh
  std::vector<double> a, b;      ///< densities, `[n_elements]` of A
  double mean    = 0.;           ///< of |a - b|, weighted by volume
  double largest = 0.;           ///< |a - b|
  std::array<double, 3> place{}; ///< the centre of that element
  double solid_in_a = 0.,
         solid_in_b = 0.; ///< shares of the volume that are solid in this one alone
  double outside    = 0.; ///< share of the volume of A's mesh that B's does not have: void there
  double volume_a = 0., volume_b = 0.; ///< of the whole meshes

  static DesignComparison of(const ResultFile &a, const ResultFile &b, int n_threads);
};

/// A's mesh with the cell data `density_a`, `density_b`, `difference` (b - a) and `design_flag`, in single precision.
/// @param remarks  lines at the head of the file
void write_difference(const std::string &file_name,
                      const ResultFile &a,
                      const DesignComparison &comparison,
                      const std::vector<std::string> &remarks,
                      int n_threads);
} // namespace strut::plugin
