// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/design_chain.h"
#include "source/optimization/problem/design_state.h"
#include "source/optimization/problem/optimization_problem.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/updates/design_point.h"

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/design/optimality_criteria.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// A rule that leads from one design to the next. Members that take arrays are collective.
class DesignUpdate
{
public:
  virtual ~DesignUpdate() = default;

  struct Step
  {
    std::vector<double> values; ///< one per columns()
    /// Whether the next design holds the volume, as far as the update can know. False where the
    /// step may not go so far.
    bool holds          = true;
    std::string warning = {}; ///< empty if there is none
  };

  /// Compute the next design.
  /// @param next  the next design; overwritten
  virtual Step step(const DesignPoint &point, Array<double> &next) = 0;

  /// Columns of the numbers that the update gives with each design.
  virtual const std::vector<HistoryColumn> &columns() const = 0;

  /// Set the largest change of a design variable for the steps that follow.
  virtual void set_move_limit(double move_limit) = 0;

  /// Whether the update holds the volume as an equation, and reports when a step cannot reach it.
  virtual bool fills_volume() const
  {
    return false;
  }

  /// Whether the update damps alternation by itself. Otherwise the moves are halved where designs
  /// alternate between two.
  virtual bool damps_alternation() const
  {
    return false;
  }

  /// Index of the column with the norm of the KKT residual; -1 if there is none.
  virtual int kkt_column() const
  {
    return -1;
  }

  /// The state to continue from besides DesignPoint::last, without fields of nodes. The order of
  /// its parts is that of the update.
  virtual DesignState state() const
  {
    return {};
  }
  virtual void restore(const DesignState &)
  {}
};

/// The parts from which an update is made. The objects must outlive it.
struct UpdateContext
{
  Backend &backend;
  Communicator communicator;
  DesignChain &map;
  OptimalityCriteria criteria; ///< bounds of the variables and move limit, used by all updates
  const VolumeConstraint &volume;
  const Array<DesignFlag> &flags; ///< `[n_elements]`
  const DesignVolumes &volumes;
  ParameterValues values = {}; ///< parameters of the update that differ from their defaults
};

/// Name of an update in the deck, and how to make it. Each update has a file of its own and a line
/// in design_updates.cc.
struct DesignUpdateEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<DesignUpdate> (*make)(const UpdateContext &context);
  std::vector<Parameter> parameters = {};
  /// Says why the update cannot solve a problem; empty if it can. Null if it solves all.
  std::string (*obstacle)(const OptimizationProblem &problem, std::size_t n_load_cases) = nullptr;
  /// Whether derivatives must be gradients. False if derivatives behind the sensitivity filter are
  /// good enough.
  bool needs_gradients = true;
  /// Without maps the update reads UpdateContext::volumes, and not the derivative of the volume.
  /// Then one number may stand for equal volumes.
  bool takes_common_volume = false;
  bool has_kkt_norm        = false; ///< one of its columns is the norm of the KKT residual
  /// Bytes that the update keeps, and that trials need. Null for none.
  double (*memory_estimate)(std::size_t n_elements, std::size_t n_constraints) = nullptr;
  std::size_t n_fields = 0; ///< fields of its state, `[n_elements]` each
};

const std::vector<DesignUpdateEntry> &design_updates();

/// Add an update from outside of the core for the life of the program, after the others. Call it
/// before a parameter file is read. Throws Error if the name is taken.
void add_design_update(const DesignUpdateEntry &update);

/// Find an update by its name.
/// @param name  a name in design_updates(); throws Error with the list otherwise
const DesignUpdateEntry &find_design_update(const std::string &name);

/// Make an update by its name.
/// @param name  a name in design_updates(); throws Error with the list otherwise, for a value of an
///   unknown parameter, and for one that is not allowed
std::unique_ptr<DesignUpdate> make_design_update(const std::string &name,
                                                 const UpdateContext &context);
} // namespace strut
