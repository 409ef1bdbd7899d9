// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <vector>

#include "plugin/studies/assembly/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_parameters.h"
#include "plugin/studies/assembly/assembly_results.h"
#include "plugin/studies/report/backends.h"

namespace strut
{
/// The load case of the section `Solve` on a mesh.
struct GeneratedProblem
{
  ElementMesh mesh; ///< mesh with constrained DoFs on the fixed boundaries
  /// Forces of a uniform traction on all loaded faces, 0 on constrained DoFs, `[3 * n_nodes]`.
  std::vector<double> forces;
};

/// @throws EntryError if the mesh has no face with one of the ids
GeneratedProblem generated_problem(const TriangulationMesh &mesh,
                                   const AssemblySolveParameters &solve);

/// Largest Euclidean norm of a node's displacement. @param u  `[3 * n_nodes]`
double largest_displacement(const std::vector<double> &u);

/// Generates the matrix in each format by `gather`, in double precision without stiffness factors,
/// and solves. Adds times, iterations, compliance and largest displacement to the results. A format
/// that does not fit gets a status.
/// @param reference  a displacement to compare with, `[3 * n_nodes]`, or an empty vector
/// @return the displacement of the first format that was solved, `[3 * n_nodes]`; empty if none was
std::vector<double> measure_solve(const Place &where,
                                  const GeneratedProblem &problem,
                                  const Material &material,
                                  const std::vector<MatrixFormat> &formats,
                                  const AssemblySolveParameters &solve,
                                  const std::vector<double> &reference,
                                  AssemblyResults &results);
} // namespace strut
