// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/mesh_guard.h"

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>

#include "plugin/application/lifetime.h"

namespace strut
{
MeshGuard::MeshGuard(const dealii::DoFHandler<3, 3> &dof_handler)
  : dof_handler_(&dof_handler)
  , triangulation_(dof_handler.get_triangulation())
  , owned_(dof_handler.locally_owned_dofs())
{
  std::vector<CellPlace> cells;
  for (const auto &cell : triangulation_.active_cell_iterators())
    if (cell->is_locally_owned())
      cells.push_back({cell->level(), cell->index()});
  const std::size_t stride = std::max<std::size_t>(1, cells.size() / n_samples);
  for (std::size_t k = 0; k < cells.size(); k += stride)
    samples_.push_back(sample_of(cells[k]));
  const auto note = [this]() { changed_ = true; };
  change_         = triangulation_.signals.any_change.connect(note);
  movement_       = triangulation_.signals.mesh_movement.connect(note);
  watch(*dof_handler_, exists_);
}

MeshGuard::~MeshGuard()
{
  if (exists_)
    unwatch(*dof_handler_, exists_);
}

MeshGuard::Sample MeshGuard::sample_of(const CellPlace &place) const
{
  const dealii::DoFHandler<3, 3>::active_cell_iterator cell(&triangulation_,
                                                            place.level,
                                                            place.index,
                                                            &*dof_handler_);
  Sample sample;
  sample.place = place;
  for (unsigned int v = 0; v < 8; ++v)
    {
      sample.vertices[v] = cell->vertex(v);
      for (unsigned int d = 0; d < 3; ++d)
        sample.dofs[3 * v + d] = cell->vertex_dof_index(v, d);
    }
  return sample;
}

bool MeshGuard::is_signalled() const
{
  // The order matters: each condition makes the next one safe to evaluate.
  return !exists_ || changed_ || !dof_handler_->has_active_dofs() ||
         &dof_handler_->get_triangulation() != &triangulation_ ||
         dof_handler_->n_dofs() != owned_.size();
}

bool MeshGuard::is_as_it_was(const std::size_t n_cells) const
{
  if (is_signalled() || !(dof_handler_->locally_owned_dofs() == owned_) ||
      dof_handler_->get_fe().n_dofs_per_vertex() != 3)
    return false;
  const std::size_t stride = std::max<std::size_t>(1, samples_.size() / n_cells);
  for (std::size_t k = 0; k < samples_.size(); k += stride)
    {
      const Sample now = sample_of(samples_[k].place);
      if (now.dofs != samples_[k].dofs || now.vertices != samples_[k].vertices)
        return false;
    }
  return true;
}

void MeshGuard::require_unchanged() const
{
  if (!is_as_it_was(n_samples))
    throw_changed();
}

void MeshGuard::require_unchanged_in_few_cells() const
{
  if (!is_as_it_was(few))
    throw_changed();
}

void MeshGuard::throw_changed() const
{
  if (!exists_)
    throw Error(
      "The DoFHandler that the StiffnessOperator was made with does not exist any more.\n  "
      "It must outlive the operator: clear() the operator, or reinit() it, before.");
  throw Error("The mesh or its degrees of freedom have changed since the StiffnessOperator was "
              "made.\n  Make it anew, with reinit().");
}
} // namespace strut
