// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/background.h"
#include "source/element/element_sizes.h"
#include "source/parallel/background_levels.h"
#include "source/solvers/multigrid/linear_level.h"
#include "source/solvers/multigrid/multigrid.h"

#include <algorithm>
#include <iterator>

namespace strut
{
void add_background(const Communicator &communicator,
                    const ElementMesh &mesh,
                    MeshHierarchy &coarser,
                    const int n_threads)
{
  if (coarser.empty() && has_linear_level(communicator, mesh))
    coarser.push_back(linear_level(communicator, mesh));
  else if (!coarser.empty() &&
           communicator.sum(coarser.back().mesh.n_owned_dofs()) <= most_dofs_without_background)
    return;
  ElementMesh measured; // Only the finest mesh has volumes.
  if (!coarser.empty())
    {
      measured = coarser.back().mesh;
      compute_volumes(measured, n_threads);
    }
  const ElementMesh &coarsest = coarser.empty() ? mesh : measured;
  GridSpacing spacing;
  if (mesh.type != ElementType())
    spacing.another_from = 0.25;
  MeshHierarchy levels =
    background_levels(communicator, coarsest, coarsest.volumes, n_threads, spacing);
  std::move(levels.begin(), levels.end(), std::back_inserter(coarser));
}

std::size_t first_background_level(const MeshHierarchy &coarser)
{
  return static_cast<std::size_t>(
    std::find_if(coarser.begin(),
                 coarser.end(),
                 [](const CoarseLevel &level) { return level.transfer.is_background(); }) -
    coarser.begin());
}
} // namespace strut
