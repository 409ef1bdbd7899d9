// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <iosfwd>
#include <vector>

#include "plugin/deck/mesh/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_parameters.h"
#include "plugin/studies/assembly/assembly_results.h"

namespace strut
{
/// Solves the load case of the section `Solve` with deal.II alone on one thread: its matrix and
/// face integrals, AffineConstraints, SolverCG with PreconditionJacobi. Adds times, iterations,
/// compliance and largest displacement to the results.
/// @param triangulation  from which the mesh was built
/// @return the displacement at the nodes of the mesh, `[3 * n_nodes]`; empty if deal.II has no such
/// element
std::vector<double> solve_with_library(const dealii::Triangulation<3, 3> &triangulation,
                                       const TriangulationMesh &mesh,
                                       const Material &material,
                                       const AssemblySolveParameters &solve,
                                       AssemblyResults &results,
                                       std::ostream &log);
} // namespace strut
