// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/element/material.h>

#include <iosfwd>
#include <string>

#include "plugin/deck/mesh/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_results.h"

namespace strut::plugin
{
/// Who assembles, with how much.
struct LibraryCase
{
  std::string library; ///< deal.II or Trilinos
  unsigned int n_threads = 1;
  std::size_t n_runs     = 1; ///< that count
};

/// Assemble the same matrix as an application of deal.II does, and add the times to the results. hex8 as
/// FE_Q(1), tet4 and tet10 as FE_SimplexP of degree 1 and 2; other elements, and Trilinos on several
/// threads, are refused in the status.
///
/// - pattern: DoFTools::make_sparsity_pattern() into a DynamicSparsityPattern, from that the SparsityPattern
///   (deal.II) or the Epetra graph and matrix (Trilinos). One thread.
/// - values: a loop over the cells with FEValues, products of gradients as in step-8, and add(). Several
///   threads through WorkStream by colours of cells, found once beforehand ("colours" of the preparation).
///
/// @param triangulation  from which the mesh was built
void measure_library(const LibraryCase &library_case,
                     const dealii::Triangulation<3, 3> &triangulation,
                     const TriangulationMesh &mesh,
                     const Material &material,
                     AssemblyResults &results,
                     std::ostream &log);
} // namespace strut::plugin
