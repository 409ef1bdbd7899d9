// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <string>
#include <vector>

#include "plugin/studies/runs/curve_comparison.h"
#include "plugin/studies/runs/design_comparison.h"
#include "plugin/studies/runs/fact_comparison.h"
#include "plugin/studies/runs/run_folder.h"

namespace strut::plugin
{
/// Two runs side by side.
struct RunComparison
{
  RunFolder run_a, run_b;
  std::vector<ComparedFact> facts, entries;
  CurveComparison curves;
  DesignComparison designs;
  ResultFile result_a;  ///< with the mesh of the designs
  double rounding = 0.; ///< of the densities of both, together

  static RunComparison of(const std::string &folder_a, const std::string &folder_b, int n_threads);
};

/// The tables for the screen, in 100 columns.
std::string describe(const RunComparison &comparison);

/// The paragraph about the last designs alone.
std::string describe_designs(const RunComparison &comparison);

/// A page with the curves of both runs over each other and the tables, in one file without a network.
std::string to_html(const RunComparison &comparison);
} // namespace strut::plugin
