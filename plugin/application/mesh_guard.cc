// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/mesh_guard.h"

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>
#include <strut/compat.h>

#include <algorithm>

namespace strut
{
/// The name under which deal.II lists this library as a subscriber of an object.
constexpr const char *name_of_subscriber = "StiffnessOperator";

/// Tag that selects the specialization of ObserverPointer below.
struct TellsTheEnd;
} // namespace strut

#if DEAL_II_VERSION_GTE(9, 7, 0)
DEAL_II_NAMESPACE_OPEN
/// Specialization that subscribes to an object to learn when it ends. From release 9.7 on, deal.II
/// lets only its ObserverPointer subscribe. The general ObserverPointer does not report the end in
/// release mode.
template <typename T>
class ObserverPointer<T, strut::TellsTheEnd>
{
public:
  static void subscribe(const T &object, std::atomic<bool> &exists)
  {
    object.subscribe(&exists, strut::name_of_subscriber);
  }
  static void unsubscribe(const T &object, std::atomic<bool> &exists)
  {
    object.unsubscribe(&exists, strut::name_of_subscriber);
  }
};
DEAL_II_NAMESPACE_CLOSE
#endif

namespace strut
{
/// Makes `exists` become false when the object ends. Its class must be one that deal.II's solvers
/// may point to.
template <typename T>
void watch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::subscribe(object, exists);
#else
  object.subscribe(&exists, name_of_subscriber);
#endif
}

/// Ends watch(), while the object exists.
template <typename T>
void unwatch(const T &object, std::atomic<bool> &exists)
{
#if DEAL_II_VERSION_GTE(9, 7, 0)
  dealii::ObserverPointer<T, TellsTheEnd>::unsubscribe(object, exists);
#else
  object.unsubscribe(&exists, name_of_subscriber);
#endif
}

MeshGuard::MeshGuard(const dealii::DoFHandler<3, 3> &dof_handler)
  : dof_handler_(&dof_handler)
  , triangulation_(dof_handler.get_triangulation())
  , owned_(dof_handler.locally_owned_dofs())
  , n_dofs_per_cell_(dof_handler.get_fe().n_dofs_per_cell())
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
  for (const unsigned int v : cell->vertex_indices())
    sample.vertices[v] = cell->vertex(v);
  sample.dofs.resize(n_dofs_per_cell_);
  cell->get_dof_indices(sample.dofs);
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
      dof_handler_->get_fe().n_dofs_per_cell() != n_dofs_per_cell_)
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
