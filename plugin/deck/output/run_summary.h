// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/output/measured_lengths.h"
#include "source/optimization/design_method.h"
#include "source/optimization/design_pieces.h"
#include "source/solvers/state/von_mises.h"
#include "source/surface/wall_thickness.h"

namespace strut
{
class Json;

/// The way a run ended, or `running`.
enum class RunStatus
{
  running,
  converged,
  iteration_limit,
  ended, ///< the method cannot continue
  interrupted,
  failed
};

/// Returns a text such as "iteration limit".
const char *name_of(RunStatus status);

/// The contents of summary.json: a run and its results, for programs. doc/results.md describes the
/// fields.
struct RunSummary
{
  /// Facts about the last design as a part.
  struct PartFacts
  {
    std::vector<std::string> files; ///< without their folder
    std::size_t n_triangles = 0;
    double volume = 0., area = 0.;
    double design_volume   = 0.; ///< volume that it should have, with its islands
    std::size_t n_cavities = 0;
    std::vector<double> islands; ///< volumes of the islands
    std::vector<std::string> warnings;
  };

  /// The force of a support, of a coupling or of springs on the body.
  struct Reaction
  {
    std::string name; ///< "support 'wall'"
    std::array<double, 3> force{};
    std::array<double, 3> point{};  ///< The point is the mean of its nodes.
    std::array<double, 3> moment{}; ///< The moment is about the point.
  };

  /// The reactions of a load case.
  struct Reactions
  {
    std::vector<Reaction> all;
    /// The sum of all loads and reactions, relative to the largest, or to a pair of forces.
    double imbalance = 0.;
  };

  /// A value, and the place of a node that has it.
  struct ValueAt
  {
    double value = 0.;
    std::array<double, 3> place{};
  };

  /// Extremes of the stresses at nodes; all but the last are there if any element is solid.
  struct NodalStresses
  {
    std::optional<ValueAt> von_mises, largest_principal, least_principal;
    std::optional<ValueAt> safety_factor; ///< the least one, if a material has a strength
  };

  /// Displacement and stress at a named point.
  struct PointValue
  {
    std::string name;
    std::array<double, 3> place{}, displacement{};
    /// The tensor: xx, yy, zz, xy, yz, zx. It is missing in void.
    std::optional<std::array<double, 6>> stress;
  };

  struct Case
  {
    std::string name;
    double weight = 1.;
    /// Values of the last design, once the run has ended.
    std::optional<LargestValues> largest = {};
    std::optional<Reactions> reactions   = {};
    /// Stresses at nodes; missing in a large mesh.
    std::optional<NodalStresses> at_nodes = {};
    std::vector<PointValue> points        = {};
  };

  /// The surface of the last design: that of its part if the deck asks for one, otherwise at the
  /// level that encloses its volume.
  struct SurfaceFacts
  {
    bool is_closed = false;
    std::optional<WallThickness> walls;
  };

  /// A limit, and the value of a body of solid elements.
  struct SolidValue
  {
    std::string name, response;
    double limit  = 0.;
    bool at_least = false;
    double value  = 0.;
  };

  /// The best design of this start that meets volume and constraints.
  struct Best
  {
    IterationRecord record;
    std::string file; ///< name of its result without folder; empty: there is none
  };

  /// Versions, device and similar facts, in this order.
  std::vector<std::pair<std::string, std::string>> label;
  std::string deck;
  std::vector<std::string> options; ///< options of the command line that set entries
  bool resumed = false;

  std::size_t n_elements = 0, n_nodes = 0; ///< numbers over all ranks
  std::string element_type;
  unsigned int n_ranks = 1, n_threads = 1; ///< number of threads of a rank

  std::string objective = "compliance"; ///< name of its column in history.csv
  std::vector<Case> load_cases;
  double volume_fraction = 0.; ///< required fraction

  RunStatus status = RunStatus::running;
  std::string error;     ///< the message of a failed run
  std::string shortfall; ///< why the last design is not what was asked for; empty if it is
  std::vector<IterationRecord> history;
  std::vector<HistoryColumn> columns; ///< columns of the history's values
  std::vector<SolidValue> solid_body; ///< values for limits that need solves, of all densities 1
  std::vector<SolidValue> solid_elements; ///< values of the last design, with densities 0 and 1
  std::optional<Best> best;               ///< for methods that solve arbitrary problems
  std::optional<double> greyness;         ///< greyness of the last design, if it can be grey
  /// Pieces of the last design, once the run has ended.
  std::optional<std::vector<DesignPiece>> pieces;
  std::vector<DesignFieldRecord> fields;  ///< fields of the last design, if it is robust
  std::optional<MeasuredLengths> lengths; ///< lengths of the last design, if they were measured
  std::optional<SurfaceFacts> surface; ///< surface of the last design, if there is a page or a part
  std::optional<PartFacts> part;       ///< if the deck asks for one
  /// Seconds by section of the program, total last.
  std::vector<std::pair<std::string, double>> seconds;
  std::size_t backend_memory = 0, host_memory = 0; ///< maximum over the run in bytes
  std::vector<std::string> pictures;               ///< files that show the place of a fault
  std::vector<std::string> notes;
};

std::string to_json(const RunSummary &summary);

/// Writes a field with the values for each limit, unless there are none.
void write_solid_values(Json &json,
                        const std::string &name,
                        const std::vector<RunSummary::SolidValue> &values);
} // namespace strut
