// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/studies/report/format.h"
#include "source/base/measure.h"
#include "source/comparison/assembly/stage_report.h"

namespace strut
{
/// Times in seconds of one step of a stage over the runs.
struct StepTimes
{
  std::string name; ///< name of the step; "all" is the sum of a stage's steps
  Spread time;
  double bytes = 0; ///< compulsory traffic: input and output, each once; 0 if unknown
};

/// The mesh of one element type.
struct MeshCounts
{
  std::string element;
  std::size_t n_elements  = 0;
  std::size_t n_nodes     = 0;
  std::size_t n_nonzeros  = 0; ///< in the matrix, 9 per pair of neighbours; 0 if not known yet
  std::size_t longest_row = 0; ///< in entries of the matrix

  std::size_t n_dofs() const
  {
    return 3 * n_nodes;
  }
};

/// Memory of a matrix, indices and values.
struct MatrixMemory
{
  std::string element, backend, format, precision;
  double estimate = 0; ///< in bytes, from the neighbour rows alone
  /// Growth in bytes of the backend's arrays; 0 if the matrix does not fit.
  double measured = 0;
};

/// One variant of a stage. Texts that do not apply are "-".
struct StageResult
{
  std::string element;
  std::string backend;    ///< cuda or cpu
  unsigned int n_threads; ///< threads of the CPU backend
  std::string stage;      ///< name in stage_names
  std::string precision   = "-";
  std::string format      = "-";
  std::string method      = "-"; ///< sort of stage 1, method of stage 3, or a library
  std::string integration = "-"; ///< "team" or "one thread" per element
  std::string status      = "ok";
  /// Steps in the order of the work, with "all" as the last; empty if the status says why.
  std::vector<StepTimes> steps;
  std::size_t n_runs    = 0;
  double memory_bytes   = 0; ///< memory of the stage's result
  double norm           = 0; ///< Frobenius norm of the values
  double copy_bandwidth = 0; ///< bytes read and written per second, measured in the same run

  const StepTimes *all() const
  {
    return steps.empty() ? nullptr : &steps.back();
  }
};

/// Names of the stages in tables.
namespace stage_names
{
constexpr char upload[] = "0 upload"; ///< copy of the mesh to a device, by the clock of the host
constexpr char neighbours[]  = "1 neighbours";
constexpr char indices[]     = "2 indices";
constexpr char preparation[] = "3 preparation"; ///< done once: element matrices, maps
constexpr char values[]      = "3 values";      ///< done for every density
constexpr char pattern[]     = "1+2 pattern";   ///< made by a library
} // namespace stage_names

/// A matrix in one format, generated once, and a solve with it, in double precision.
struct GeneratedSolve
{
  std::string element, backend;
  /// Format, or "deal.II" for its matrix and conjugate gradients.
  std::string format;
  unsigned int n_threads = 0; ///< threads of the CPU backend
  std::string status     = "ok";
  /// Wall-clock seconds of all stages, allocations included.
  double generation = 0;
  /// Wall-clock seconds, diagonal included.
  double solve                = 0;
  unsigned int iterations     = 0;
  double residual             = 0; ///< |r| / |f|
  double compliance           = 0; ///< f.u
  double largest_displacement = 0; ///< Euclidean norm of a node's displacement
  /// Largest difference from deal.II's displacements, relative to their largest; negative if
  /// unknown.
  double difference = -1;

  double share_of_generation() const
  {
    return generation > 0. ? generation / (generation + solve) : 0.;
  }
};

/// All results of a run of strut-assemble.
struct AssemblyResults
{
  explicit AssemblyResults(std::ostream &log) : log(log)
  {}

  std::ostream &log; ///< tells of each result that is added
  std::string deck;  ///< name of the deck without folder and extension
  Label label;       ///< commit, hardware and versions
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

  /// Adds a result, and writes its time to the log, or why it was not measured.
  void add(const StageResult &result);
  void add(const GeneratedSolve &solve);
};

/// Fills in the times of a result, step by step, then "all". If a stage has only one step, only
/// "all" is given.
/// @param reports  reports of the same stage, run by run
void set_times(StageResult &result, const std::vector<StageReport> &reports);

/// Sets the status of a result to "WRONG: ..." if its values differ from those of the first
/// measured result for the element. Their norms may differ by a relative tolerance.
void check_norm(const AssemblyResults &results, StageResult &result, double tolerance);
} // namespace strut
