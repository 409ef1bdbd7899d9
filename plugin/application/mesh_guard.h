// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/point.h>

#include <boost/signals2/connection.hpp>

#include <strut/dealii_classes.h>

#include <array>
#include <atomic>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut
{
/// Notices changes of an application's mesh or DoFs. The triangulation's signals report refinement,
/// coarsening, new partitions and GridTools::transform(). Some changes have no signal, such as
/// DoFHandler::renumber_dofs() and vertices moved by hand. They are searched for in `n_samples`
/// cells, spread evenly over the owned cells.
class MeshGuard
{
public:
  explicit MeshGuard(const dealii::DoFHandler<3, 3> &dof_handler);
  ~MeshGuard();
  MeshGuard(const MeshGuard &)            = delete;
  MeshGuard &operator=(const MeshGuard &) = delete;

  /// Throws Error if something has changed, on this rank only. Takes microseconds to a millisecond.
  void require_unchanged() const;

  /// Throws Error if the signals or a few cells show a change, on this rank only. Takes
  /// microseconds, little beside a product.
  void require_unchanged_in_few_cells() const;

private:
  static constexpr std::size_t n_samples = 500, few = 16;

  struct Sample
  {
    CellPlace place;
    std::vector<dealii::types::global_dof_index> dofs;
    std::array<dealii::Point<3>, 8> vertices; ///< zero beyond the last vertex
  };

  Sample sample_of(const CellPlace &place) const;
  /// Whether at least n_cells samples, or all if there are fewer, are unchanged.
  bool is_as_it_was(std::size_t n_cells) const;
  bool is_signalled() const;
  [[noreturn]] void throw_changed() const;

  const dealii::DoFHandler<3, 3> *const dof_handler_;
  std::atomic<bool> exists_{true}; ///< the DoFHandler sets it to false at its end
  const dealii::Triangulation<3, 3> &triangulation_;
  const dealii::IndexSet owned_;
  const unsigned int n_dofs_per_cell_;
  std::vector<Sample> samples_;
  bool changed_ = false; ///< set by the signals
  boost::signals2::scoped_connection change_, movement_;
};
} // namespace strut
