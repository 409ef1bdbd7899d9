// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plugin/deck/output/result_file.h"
#include "plugin/studies/report/format.h"
#include "plugin/studies/runs/curve_comparison.h"
#include "plugin/studies/runs/run_folder.h"

namespace strut
{
/// One fact, as two runs have it.
struct ComparedFact
{
  std::string name, a, b;
  /// Empty if equal; "26 %" for numbers, "*" for texts.
  std::string difference;
};

/// Compares the summaries of two runs: deck, machine, sizes, results, times.
std::vector<ComparedFact> compare_facts(const RunFolder &a, const RunFolder &b);

/// Compares the decks, and returns the entries with different values; 0.3 and 0.30 are equal. It
/// ignores the folder of the results, and defaults in sections that only one deck has.
std::vector<ComparedFact> compare_decks(const RunFolder &a, const RunFolder &b);

/// Text such as "26.1 %", or "3e-09" for small differences.
std::string difference_text(double relative);

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
  /// Shares of the volume that are solid in one design only.
  double solid_in_a = 0., solid_in_b = 0.;
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

/// A comparison of two runs.
struct RunComparison
{
  RunFolder run_a, run_b;
  std::vector<ComparedFact> facts, entries;
  CurveComparison curves;
  DesignComparison designs;
  ResultFile result_a;  ///< result files, with the mesh of the designs
  double rounding = 0.; ///< sum of the rounding errors of both densities

  static RunComparison of(const std::string &folder_a, const std::string &folder_b, int n_threads);
};

/// The tables for the terminal, in 100 columns.
std::string describe(const RunComparison &comparison);

/// Only the paragraph about the last designs.
std::string describe_designs(const RunComparison &comparison);

/// An HTML page with the curves of both runs in one plot and the tables, in one file that needs no
/// network.
std::string to_html(const RunComparison &comparison);
} // namespace strut
