// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <vector>

#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/backends.h"
#include "source/comparison/assembly/mesh_arrays.h"
#include "source/comparison/assembly/value_stage.h"

namespace strut
{
/// Variants of the stages to measure, and the number of runs.
struct GenerationChoices
{
  std::vector<NeighbourSort> sorts;
  std::vector<MatrixFormat> formats;
  std::vector<ValueMethod> methods;
  std::vector<Precision> precisions;
  std::vector<bool> one_thread_per_element; ///< the ways to integrate on a GPU
  /// Number of runs that count; unless it is 1, another one precedes them.
  std::size_t n_runs = 5;
};

/// Stiffness factors of the elements, `[n_elements]`, in (0.01, 1), the same in every run.
std::vector<double> generation_factors(std::size_t n_elements);

/// Generates the matrix of a mesh in all variants, and adds their times and memory to the results.
/// A variant that does not fit into the memory, or that the backend refuses, gets a status. Kernels
/// that a backend lacks (SharedNZ on the CPU) are left out.
///
/// @throws Error if the mesh is not supported at all
void measure_generation(const Place &where,
                        const ElementMesh &mesh,
                        const Material &material,
                        const GenerationChoices &choices,
                        AssemblyResults &results);
} // namespace strut
