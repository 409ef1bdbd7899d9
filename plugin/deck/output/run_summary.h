// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/output/largest_values.h"
#include "plugin/deck/output/measured_lengths.h"
#include "source/optimization/design_method.h"
#include "source/optimization/design_pieces.h"
#include "source/surface/wall_thickness.h"

namespace strut::plugin
{
class Json;

/// How a run ended, or that it has not.
enum class RunStatus
{
  running,
  converged,
  iteration_limit,
  ended, ///< by the method, which cannot go on
  interrupted,
  failed
};

/// "iteration limit" and so on
const char *name_of(RunStatus status);

/// summary.json: a run and its results, for programs. doc/running.md says what each field
/// means.
struct RunSummary
{
  /// The last design as a part.
  struct PartFacts
  {
    std::vector<std::string> files; ///< without their folder
    std::size_t n_triangles = 0;
    double volume = 0., area = 0.;
    double design_volume   = 0.; ///< that it should have, with its islands
    std::size_t n_cavities = 0;
    std::vector<double> islands; ///< their volumes
    std::vector<std::string> warnings;
  };

  struct Case
  {
    std::string name;
    double weight                        = 1.;
    std::optional<LargestValues> largest = {}; ///< of the last design, once the run has ended
  };

  /// The surface of the last design: of its part if the deck asks for one, else at the level that encloses its volume.
  struct SurfaceFacts
  {
    bool is_closed = false;
    std::optional<WallThickness> walls;
  };

  /// A limit, and the value of the body whose densities are all 1.
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
    std::string file; ///< its result without the folder; empty: it has none
  };

  std::vector<std::pair<std::string, std::string>>
    label; ///< versions, device and so on, in this order
  std::string deck;
  std::vector<std::string> options; ///< of the command line, that set entries
  bool resumed = false;

  std::size_t n_elements = 0, n_nodes = 0; ///< of all ranks
  unsigned int n_ranks = 1, n_threads = 1; ///< threads of a rank

  std::string objective = "compliance"; ///< name of its column in history.csv
  std::vector<Case> load_cases;
  double volume_fraction = 0.; ///< asked for

  RunStatus status = RunStatus::running;
  std::string error; ///< the message of a failed run
  std::vector<IterationRecord> history;
  std::vector<HistoryColumn> columns;             ///< of its values
  std::vector<SolidValue> solid_body;             ///< of limits that take solves
  std::optional<Best> best;                       ///< of methods that take any problem
  std::optional<double> greyness;                 ///< of the last design, if it can be grey
  std::optional<std::vector<DesignPiece>> pieces; ///< of the last design, once the run has ended
  std::vector<DesignFieldRecord> fields;          ///< of the last design, if it is robust
  std::optional<MeasuredLengths> lengths;         ///< of the last design, if they were measured
  std::optional<SurfaceFacts> surface;            ///< likewise, if there is a page or a part
  std::optional<PartFacts> part;                  ///< if the deck asks for one
  std::vector<std::pair<std::string, double>> seconds; ///< by section of the program, total last
  std::size_t backend_memory = 0, host_memory = 0;     ///< largest of the run, bytes
  std::vector<std::string> pictures;                   ///< of the place of a fault
  std::vector<std::string> notes;
};

std::string to_json(const RunSummary &summary);

/// The field "solid body", unless there are no such limits.
void write_solid_body(Json &json, const std::vector<RunSummary::SolidValue> &values);
} // namespace strut::plugin
