// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>
#include <deal.II/base/point.h>

#include <boost/signals2/connection.hpp>

#include <strut/plugin/compat.h>
#include <strut/plugin/dealii_classes.h>

#include <array>
#include <vector>

#include "plugin/element_mesh/cell_order.h"

namespace strut::plugin
{
/// Notices that the mesh of an application, or its DoFs, have changed. The
/// triangulation's signals tell of refinement, coarsening, new partitions and GridTools::transform().
/// Changes without a signal, such as DoFHandler::renumber_dofs() and vertices moved by hand, are looked for in
/// `n_samples` cells, evenly among the owned ones.
class MeshGuard
{
public:
  /// @param dof_handler  must outlive this object
  explicit MeshGuard(const dealii::DoFHandler<3, 3> &dof_handler);

  /// Of this rank alone: throw Error if something has changed. Microseconds to a millisecond.
  void require_unchanged() const;

private:
  static constexpr std::size_t n_samples = 500;

  struct Sample
  {
    CellPlace place;
    std::array<dealii::types::global_dof_index, 24> dofs;
    std::array<dealii::Point<3>, 8> vertices;
  };

  Sample sample_of(const CellPlace &place) const;
  bool is_as_it_was() const;

  const compat::ObserverPointer<const dealii::DoFHandler<3, 3>> dof_handler_;
  const dealii::Triangulation<3, 3> &triangulation_;
  const dealii::IndexSet owned_;
  std::vector<Sample> samples_;
  bool changed_ = false; ///< by the signals
  boost::signals2::scoped_connection change_, movement_;
};
} // namespace strut::plugin
