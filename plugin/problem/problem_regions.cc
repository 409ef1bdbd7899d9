// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_accessor.h>

#include <strut/base/exceptions.h>

#include "plugin/problem/problem.h"

namespace strut::plugin
{
namespace
{
/// Whether an element is in a region: by its material, its centre, and, if the region has boundary ids, by
/// a face there.
template <typename Cell>
bool holds_element(const Region &region, const Cell &cell)
{
  if (!region.has_cell(*cell) || !region.holds_at(cell->center()))
    return false;
  if (!region.has_boundary_ids())
    return true;
  for (const unsigned int f : cell->face_indices())
    if (region.has_face(*cell, f))
      return true;
  return false;
}
} // namespace

void Problem::flag_regions()
{
  std::vector<DesignFlag> flags; // of the owned cells, in the order of the handler
  for (const auto &cell : dof_handler_->active_cell_iterators())
    if (cell->is_locally_owned())
      flags.push_back(DesignFlag::design);
  for (const auto &region : regions_)
    {
      region->region.prepare(summary_);
      const DesignFlag flag = region->is_solid() ? DesignFlag::solid : DesignFlag::empty;
      Caught caught;
      caught.set_kind(Caught::Kind::elements);
      std::size_t c = 0, count = 0;
      bool overlap = false;
      for (const auto &cell : dof_handler_->active_cell_iterators())
        if (cell->is_locally_owned())
          {
            DesignFlag &now = flags[c++];
            if (!holds_element(region->region, cell))
              continue;
            ++count;
            caught.count(cell->measure());
            for (const unsigned int v : cell->vertex_indices())
              caught.include(cell->vertex(v));
            overlap = overlap || (now != DesignFlag::design && now != flag);
            now     = flag;
          }
      if (dealii::Utilities::MPI::max(overlap ? 1u : 0u, communicator_) > 0)
        throw EntryError(region->path(),
                         "Density",
                         "The region shares elements with another one of the other density.\nLet "
                         "solid and void regions not overlap.");
      count = dealii::Utilities::MPI::sum(count, communicator_);
      if (count == 0)
        region->region.throw_selects_nothing("element", summary_);
      note_region("non-design region '" + region->name + "': " + std::to_string(count) +
                    (region->is_solid() ? " solid" : " void") + " elements (" +
                    region->region.describe() + ")",
                  caught,
                  region->region);
    }

  std::vector<bool> is_void;
  is_void.reserve(flags.size());
  for (const DesignFlag flag : flags)
    is_void.push_back(flag == DesignFlag::empty);
  void_nodes_ = std::make_unique<VoidNodes>(*dof_handler_, is_void, communicator_);
  for (std::size_t e = 0; e < mesh_.n_elements; ++e)
    mesh_.flags[e] = flags[mesh_.element_to_cell[e]];
}
} // namespace strut::plugin
