// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <string>
#include <vector>

#include "plugin/studies/assembly/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_parameters.h"
#include "plugin/studies/assembly/assembly_results.h"

namespace strut
{
/// A library that assembles, and its settings.
struct LibraryCase
{
  std::string library; ///< deal.II or Trilinos
  unsigned int n_threads = 1;
  std::size_t n_runs     = 1; ///< runs whose times count
};

/// Assembles the same matrix as an application of deal.II does, and adds the times to the results.
/// The elements are those of LibraryElement. The status
/// refuses other elements, and Trilinos on several threads.
///
/// - pattern: DoFTools::make_sparsity_pattern() into a DynamicSparsityPattern. From that the
///   SparsityPattern (deal.II) or the Epetra graph and matrix (Trilinos) is made. One thread.
/// - values: a loop over the cells with FEValues, products of gradients as in step-8, and add().
///   Several threads use WorkStream by colours of cells, found once beforehand ("colours" of the
///   preparation).
///
/// @param triangulation  from which the mesh was built
void measure_library(const LibraryCase &library_case,
                     const dealii::Triangulation<3, 3> &triangulation,
                     const TriangulationMesh &mesh,
                     const Material &material,
                     AssemblyResults &results);

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
                                       AssemblyResults &results);
} // namespace strut
