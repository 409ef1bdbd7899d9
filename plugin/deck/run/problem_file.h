// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <string>

#include "plugin/deck/page/structure_page.h"

namespace strut
{
class Problem;

/// Writes a problem before it is solved, for ParaView.
///
/// Cell data are `design_flag` (0 design, 1 solid, 2 void), `material_id`, and `region_<name>` (1
/// inside). Point data are `support` (1 for each prescribed component), `prescribed_displacement`,
/// `support_<name>`, `spring_<name>` (1 inside) and `nodal_force_<case>`. The self weight of solid
/// material is the cell data `force_per_volume_<case>`. Collective. Throws Error if the file cannot
/// be written.
void write_problem(const std::string &file_name,
                   const Problem &problem,
                   MPI_Comm communicator,
                   int n_threads);

/// The page of a problem before it is solved: design, solid and void regions by their names,
/// supports and loads. The same on every rank. Collective.
StructurePage
problem_page(const std::string &deck, const Problem &problem, const Communicator &communicator);
} // namespace strut
