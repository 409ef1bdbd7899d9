// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <vector>

#include "plugin/deck/mesh/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_parameters.h"
#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/backends.h"

namespace strut::plugin
{
/// What `Solve` asks for on a mesh.
struct GeneratedProblem
{
  AssemblyMesh mesh; ///< with the DoFs of the fixed boundaries constrained
  std::vector<double>
    forces; ///< `[3 * n_nodes]`: a traction that is the same on all loaded faces, 0 on constrained DoFs
};

/// @throws EntryError if the mesh has no face with one of the ids
GeneratedProblem generated_problem(const TriangulationMesh &mesh,
                                   const AssemblySolveParameters &solve);

/// Euclidean, of a node. @param u  `[3 * n_nodes]`
double largest_displacement(const std::vector<double> &u);

/// Add a solve to the results, and write it to the log.
void report_solve(const GeneratedSolve &solve, AssemblyResults &results, std::ostream &log);

/// Generate the matrix in each format, without stiffness factors, in double, by `gather`; solve; add times, iterations,
/// compliance and largest displacement to the results. A format that does not fit gets a status.
/// @param reference  a displacement to compare with, `[3 * n_nodes]`, or none
/// @return the displacement of the first format that was solved, `[3 * n_nodes]`; empty if there is none
std::vector<double> measure_solve(const Place &where,
                                  const GeneratedProblem &problem,
                                  const Material &material,
                                  const std::vector<MatrixFormat> &formats,
                                  const AssemblySolveParameters &solve,
                                  const std::vector<double> &reference,
                                  AssemblyResults &results,
                                  std::ostream &log);
} // namespace strut::plugin
