// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plugin/deck/run/run_parts.h"

namespace strut::plugin
{
/// The result of `Optimization / Initial design` on the mesh of a run.
class InitialDesign
{
public:
  /// Read it, if the deck names one. Collective.
  /// @throws EntryError if it cannot be read, the run would replace it, it is somewhere else than the mesh, or the method begins
  /// with a design of its own
  explicit InitialDesign(const RunContext &run);

  /// Where the meshes cover each other in part only: a NOTE for the log.
  const std::string &note() const
  {
    return note_;
  }

  /// Let the optimizer begin with it. Where the volume is a limit, all densities get the same addend, within their bounds, so that
  /// it holds. They become the design variables: maps act on them. Collective.
  /// @return what there is to say
  /// @throws EntryError if no such addend holds the volume
  std::string begin_with(RunContext &run, Optimizer &optimizer) const;

private:
  std::string file_name_; ///< empty: there is none
  std::vector<double> densities_;
  std::string note_;
};
} // namespace strut::plugin
