// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/studies/report/format.h"
#include "source/assembly/stage_report.h"
#include "source/base/measure.h"

namespace strut::plugin
{
/// Times of one step of a stage over the runs, in seconds.
struct StepTimes
{
  std::string name; ///< "all": the sum over the steps of the stage
  Spread time;
  double bytes = 0; ///< compulsory: input and output, each once; 0: not known
};

/// The mesh of one element type.
struct MeshCounts
{
  std::string element;
  std::size_t n_elements  = 0;
  std::size_t n_nodes     = 0;
  std::size_t n_nonzeros  = 0; ///< of the matrix, 9 for each pair of neighbours; 0: not known yet
  std::size_t longest_row = 0; ///< entries of it

  std::size_t n_dofs() const
  {
    return 3 * n_nodes;
  }
};

/// The memory of a matrix, indices and values.
struct MatrixMemory
{
  std::string element, backend, format, precision;
  double estimate = 0; ///< bytes, from the neighbour rows alone
  double measured =
    0; ///< bytes by which the arrays of the backend's memory grew; 0: it does not fit
};

/// One stage in one variant. Words that do not apply are "-".
struct StageResult
{
  std::string element;
  std::string backend;    ///< cuda or cpu
  unsigned int n_threads; ///< of the CPU
  std::string stage;      ///< see stage_names
  std::string precision   = "-";
  std::string format      = "-";
  std::string method      = "-"; ///< the sort of stage 1, the method of stage 3, or a library
  std::string integration = "-"; ///< "team" or "one thread" for each element
  std::string status      = "ok";
  std::vector<StepTimes>
    steps; ///< in the order of the work; the last one is "all"; empty: see status
  std::size_t n_runs    = 0;
  double memory_bytes   = 0; ///< held afterwards, by the result of the stage
  double norm           = 0; ///< of the values: square root of the sum of squares
  double copy_bandwidth = 0; ///< bytes read and written per second, measured in the same run

  const StepTimes *all() const
  {
    return steps.empty() ? nullptr : &steps.back();
  }
};

/// The stages by name, as the tables have them.
namespace stage_names
{
constexpr char neighbours[]  = "1 neighbours";
constexpr char indices[]     = "2 indices";
constexpr char preparation[] = "3 preparation"; ///< once: element matrices, maps
constexpr char values[]      = "3 values";      ///< for every density
constexpr char pattern[]     = "1+2 pattern";   ///< of a library
} // namespace stage_names

/// A matrix in one format, generated once, and a solve with it, in double.
struct GeneratedSolve
{
  std::string element, backend;
  std::string format;         ///< or deal.II: its matrix and its conjugate gradients
  unsigned int n_threads = 0; ///< of the CPU
  std::string status     = "ok";
  double generation = 0; ///< seconds, all stages, of the clock of the host, allocations included
  double solve      = 0; ///< seconds, likewise, the diagonal included
  unsigned int iterations     = 0;
  double residual             = 0; ///< |r| / |f|
  double compliance           = 0; ///< f.u
  double largest_displacement = 0; ///< Euclidean, of a node
  double difference =
    -1; ///< from deal.II's displacements, the largest, relative to their largest; < 0: not known

  double share_of_generation() const
  {
    return generation > 0. ? generation / (generation + solve) : 0.;
  }
};

/// All that a run of strut-assemble found.
struct AssemblyResults
{
  std::string deck; ///< name without folder and extension
  Label label;      ///< commit, hardware and versions
  std::vector<MeshCounts> meshes;
  std::vector<MatrixMemory> memory;
  std::vector<StageResult> stages;
  std::vector<GeneratedSolve> solves;

  const MeshCounts &mesh_of(const std::string &element) const
  {
    for (const MeshCounts &mesh : meshes)
      if (mesh.element == element)
        return mesh;
    return meshes.front();
  }
};

/// Fill in the times of a result, step by step, then "all"; the only step of a stage is left out.
/// @param reports  of the same stage, run by run
void set_times(StageResult &result, const std::vector<StageReport> &reports);

/// Add a result, and write its time to the log, or why it was not measured.
void add_stage(AssemblyResults &results, const StageResult &result, std::ostream &log);

/// Set the status of a result to "WRONG: ..." if its values are not those that the first measured
/// result of the element has: if their norms differ by more than the tolerance, relative.
void check_norm(const AssemblyResults &results, StageResult &result, double tolerance);
} // namespace strut::plugin
