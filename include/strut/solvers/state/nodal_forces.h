// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace strut
{
/// Forces on the degrees of freedom of a mesh, `[n]`. Most loads act on few nodes: then only the
/// nonzero entries are stored.
class NodalForces
{
public:
  NodalForces() = default;

  /// @param values  `[n]`, one per degree of freedom
  NodalForces(const std::vector<double> &values); // implicit conversion: both are the same forces

  /// Number of degrees of freedom.
  std::size_t size() const
  {
    return n_dofs_;
  }

  double operator[](const std::size_t dof) const
  {
    if (values_.size() == n_dofs_)
      return values_[dof];
    // most blocks are not loaded; output files ask for all entries
    if (!is_loaded_[dof >> block_bits])
      return 0.;
    const auto found = std::lower_bound(dofs_.begin(), dofs_.end(), dof);
    return found == dofs_.end() || *found != dof
             ? 0.
             : values_[static_cast<std::size_t>(found - dofs_.begin())];
  }

  /// Calls body(dof, force) for all nonzero entries, in the order of the degrees of freedom.
  template <typename Body>
  void for_each(const Body &body) const
  {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (values_[i] != 0.)
        body(dofs_.empty() ? i : std::size_t(dofs_[i]), values_[i]);
  }

  /// All entries, `[n]`.
  std::vector<double> dense() const
  {
    std::vector<double> all(n_dofs_, 0.);
    for_each([&](const std::size_t dof, const double force) { all[dof] = force; });
    return all;
  }

private:
  static constexpr unsigned int block_bits = 9; ///< blocks have 2^9 = 512 degrees of freedom

  std::size_t n_dofs_ = 0;
  std::vector<bool> is_loaded_;  ///< blocks with a nonzero force
  std::vector<LocalIndex> dofs_; ///< ascending; empty if all entries are stored
  std::vector<double> values_;
};
} // namespace strut
