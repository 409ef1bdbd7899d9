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
/// The forces of `Solve`, `[3 * n_nodes]`: a traction that is the same on all loaded faces, as consistent nodal forces.
/// @throws EntryError if the mesh has no face with one of the ids
std::vector<double> solve_forces(const TriangulationMesh &mesh,
                                 const AssemblySolveParameters &solve);

/// Generate the matrix in each format, without stiffness factors, in double, by `gather`; solve; add times, iterations,
/// compliance and largest displacement to the results. A format that does not fit gets a status.
/// @param mesh  with the constraints of the fixed boundaries
/// @return the displacement of the first format that was solved, `[3 * n_nodes]`; empty if there is none
std::vector<double> measure_solve(const Place &where,
                                  const TriangulationMesh &mesh,
                                  const Material &material,
                                  const std::vector<MatrixFormat> &formats,
                                  const AssemblySolveParameters &solve,
                                  AssemblyResults &results,
                                  std::ostream &log);
} // namespace strut::plugin
