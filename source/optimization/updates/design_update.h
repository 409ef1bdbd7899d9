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
/// From one design to the next. Members that take arrays are collective.
class DesignUpdate
{
public:
  virtual ~DesignUpdate() = default;

  struct Step
  {
    std::vector<double> values; ///< one per columns()
    /// The next design holds the volume, as far as the update can know; false where the step may
    /// not go so far.
    bool holds          = true;
    std::string warning = {}; ///< empty if there is nothing to say
  };

  /// @param next  the next design; overwritten
  virtual Step step(const DesignPoint &point, Array<double> &next) = 0;

  /// Numbers that it gives with each design.
  virtual const std::vector<HistoryColumn> &columns() const = 0;

  /// Largest change of a design variable from here on.
  virtual void set_move_limit(double move_limit) = 0;

  /// Whether it holds the volume as an equation, and says when a step cannot reach it.
  virtual bool fills_volume() const
  {
    return false;
  }

  /// Whether it damps by itself what goes to and fro; else the moves are halved where designs
  /// alternate between two.
  virtual bool damps_alternation() const
  {
    return false;
  }

  /// Which of its columns is the norm of the KKT residual; -1: it has none.
  virtual int kkt_column() const
  {
    return -1;
  }

  /// The state to go on from besides DesignPoint::last, in an order of its own, without fields of
  /// nodes; and to continue from that.
  virtual DesignState state() const
  {
    return {};
  }
  virtual void restore(const DesignState &)
  {}
};

/// The parts that an update is made from. The objects outlive it.
struct UpdateContext
{
  Backend &backend;
  Communicator communicator;
  DesignChain &map;
  OptimalityCriteria criteria; ///< bounds of the variables and move limit, for all updates
  const VolumeConstraint &volume;
  const Array<DesignFlag> &flags; ///< `[n_elements]`
  const DesignVolumes &volumes;
  ParameterValues values = {}; ///< of the update's parameters that differ from their defaults
};

/// An update's name in the deck, and how to make one. One file and one line in design_updates.cc
/// each.
struct DesignUpdateEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<DesignUpdate> (*make)(const UpdateContext &context);
  std::vector<Parameter> parameters = {};
  /// Why it cannot solve a problem; empty if it can. Null: it solves all.
  std::string (*obstacle)(const OptimizationProblem &problem, std::size_t n_load_cases) = nullptr;
  /// False: derivatives behind the sensitivity filter, which are no gradients, are good enough for
  /// it.
  bool needs_gradients = true;
  /// Where there are no maps it reads UpdateContext::volumes, and not the derivative of the volume:
  /// one number may stand for equal ones.
  bool takes_common_volume = false;
  bool has_kkt_norm        = false; ///< among its columns
  /// Bytes that it keeps, and that trials take; null: none.
  double (*memory_estimate)(std::size_t n_elements, std::size_t n_constraints) = nullptr;
  std::size_t n_fields = 0; ///< of its state, per element
};

const std::vector<DesignUpdateEntry> &design_updates();

/// One more update, from outside of the core: after the others, for the life of the program, before
/// a parameter file is read. Throws Error if the name is taken.
void add_design_update(const DesignUpdateEntry &update);

/// @param name  a name in design_updates(); throws Error with the list otherwise
const DesignUpdateEntry &find_design_update(const std::string &name);

/// @param name  a name in design_updates(); throws Error with the list otherwise, for a value of no
///   parameter, and for one
/// that is not allowed
std::unique_ptr<DesignUpdate> make_design_update(const std::string &name,
                                                 const UpdateContext &context);
} // namespace strut
