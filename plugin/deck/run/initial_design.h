// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut
{
/// The result of `Optimization / Initial design`, transferred to the mesh of a run.
class InitialDesign
{
public:
  /// Reads the file, if the deck names one. Collective.
  /// @throws EntryError if the file cannot be read, the run would replace it, it lies elsewhere
  ///   than the mesh, or the method begins with its own design
  explicit InitialDesign(const RunContext &run);

  /// A NOTE for the log if the meshes overlap only partly.
  const std::string &note() const
  {
    return note_;
  }

  /// Makes the optimizer start with this design. If the volume is limited, all densities get the
  /// same addend, within their bounds, to meet the limit. They become the design variables: maps
  /// act on them. Collective.
  /// @return lines for the log
  /// @throws EntryError if no addend meets the limit of the volume
  std::string begin_with(RunContext &run, Optimizer &optimizer) const;

private:
  std::string file_name_; ///< empty: there is none
  std::vector<double> densities_;
  std::string note_;
};
} // namespace strut
