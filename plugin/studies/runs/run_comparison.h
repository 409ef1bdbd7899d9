// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/curve_comparison.h"
#include "plugin/studies/runs/design_comparison.h"
#include "plugin/studies/runs/fact_comparison.h"
#include "plugin/studies/runs/run_folder.h"

namespace strut
{
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
