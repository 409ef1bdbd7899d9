// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <vector>

#include "plugin/mesh/assembly_mesh.h"
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

/// Generate the matrix in each format, without stiffness factors, in double, by `gather`; solve; add times, iterations,
/// compliance and largest displacement to the results. A format that does not fit gets a status.
/// @return the displacement of the first format that was solved, `[3 * n_nodes]`; empty if there is none
std::vector<double> measure_solve(const Place &where,
                                  const GeneratedProblem &problem,
                                  const Material &material,
                                  const std::vector<MatrixFormat> &formats,
                                  const AssemblySolveParameters &solve,
                                  AssemblyResults &results,
                                  std::ostream &log);
} // namespace strut::plugin
