// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The entities of a rank that it exchanges with others, numbered on their own. They are few, so
/// their values can be exchanged without a copy of all values.
struct HaloBorder
{
  explicit HaloBorder(const HaloPattern &whole) : pattern(whole)
  {
    for (const HaloPattern::Neighbour &neighbour : whole.neighbours)
      entities.insert(entities.end(), neighbour.send.begin(), neighbour.send.end());
    std::sort(entities.begin(), entities.end());
    entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
    const auto end_of_owned = static_cast<std::ptrdiff_t>(n_owned = entities.size());
    for (HaloPattern::Neighbour &neighbour : pattern.neighbours)
      {
        for (std::uint32_t &entity : neighbour.send)
          entity = static_cast<std::uint32_t>(
            std::lower_bound(entities.begin(), entities.begin() + end_of_owned, entity) -
            entities.begin());
        const auto begin = static_cast<std::uint32_t>(entities.size());
        for (std::uint32_t ghost = neighbour.ghosts_begin; ghost < neighbour.ghosts_end; ++ghost)
          entities.push_back(ghost);
        neighbour.ghosts_begin = begin;
        neighbour.ghosts_end   = static_cast<std::uint32_t>(entities.size());
      }
  }

  /// Entities that are ghosts elsewhere, ascending, then our ghosts.
  std::vector<std::uint32_t> entities;
  std::size_t n_owned = 0; ///< number of owned entities

  /// The pattern in these numbers; sends are in the same order.
  HaloPattern pattern;

  /// Takes the values of these entities.
  ///
  /// @param of_all  values of all entities, `n_components` of each together
  /// @return `[entities.size()][n_components]`
  template <typename Values>
  std::vector<double> take(const Values &of_all, const unsigned int n_components) const
  {
    std::vector<double> values;
    values.reserve(entities.size() * n_components);
    for (const std::size_t entity : entities)
      for (unsigned int c = 0; c < n_components; ++c)
        values.push_back(of_all[entity * n_components + c]);
    return values;
  }
  /// Writes the values of these entities back.
  template <typename Values>
  void put(const std::vector<double> &values, Values &of_all) const
  {
    if (entities.empty())
      return;
    const std::size_t n_components = values.size() / entities.size();
    for (std::size_t k = 0; k < values.size(); ++k)
      of_all[entities[k / n_components] * n_components + k % n_components] = values[k];
  }
};
} // namespace strut
