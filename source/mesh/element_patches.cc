// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/element_patches.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/ordering.h"

#include <algorithm>
#include <utility>

namespace strut
{
namespace
{
constexpr std::size_t few_patches = 256; ///< fewer take one thread only

/// The nodes of a patch with the places that have them, sorted.
using Places = std::vector<std::pair<LocalIndex, std::uint16_t>>;

ElementPatches
patches_in_order(const ElementMesh &mesh, std::vector<LocalIndex> order, const std::size_t size)
{
  const std::size_t n = mesh.type.n_nodes, n_places = n * size;
  ElementPatches result;
  result.size         = size;
  result.n_patches    = (mesh.n_elements + size - 1) / size;
  result.elements     = std::move(order);
  const int n_threads = result.n_patches > few_patches ? cpu::default_n_threads() : 1;

  const auto places_of = [&](const std::size_t p) {
    Places places;
    places.reserve(n_places);
    for (std::size_t k = 0; k < size && size * p + k < mesh.n_elements; ++k)
      {
        const std::size_t at = size * p + k;
        const std::size_t e  = result.elements.empty() ? at : result.elements[at];
        for (std::size_t a = 0; a < n; ++a)
          places.emplace_back(mesh.node(e, a), static_cast<std::uint16_t>(size * a + k));
      }
    std::sort(places.begin(), places.end());
    return places;
  };
  std::vector<LocalIndex> n_slots(result.n_patches);
  cpu::parallel_for_long(n_threads, result.n_patches, [&](const std::size_t p) {
    const Places places = places_of(p);
    for (std::size_t k = 0; k < places.size(); ++k)
      n_slots[p] += k == 0 || places[k].first != places[k - 1].first ? 1 : 0;
  });
  result.first_slot.assign(result.n_patches + 1, 0);
  for (std::size_t p = 0; p < result.n_patches; ++p)
    {
      result.first_slot[p + 1] = result.first_slot[p] + n_slots[p];
      result.most_slots        = std::max<std::size_t>(result.most_slots, n_slots[p]);
    }
  const std::size_t n_all = result.first_slot.back();
  result.nodes            = cpu::filled_vector<LocalIndex>(n_threads, n_all);
  result.nodes_of_sums    = cpu::filled_vector<LocalIndex>(n_threads, n_all);
  result.first_place =
    cpu::filled_vector<std::uint16_t>(n_threads,
                                      ElementPatches::begin_of_row(n_all, result.n_patches));
  result.slots  = cpu::filled_vector<std::uint16_t>(n_threads, result.n_patches * n_places);
  result.places = cpu::filled_vector<std::uint16_t>(n_threads, result.n_patches * n_places);
  cpu::parallel_for_long(n_threads, result.n_patches, [&](const std::size_t p) {
    const Places places           = places_of(p);
    const std::size_t first       = result.first_slot[p];
    std::uint16_t *const of_slots = result.slots.data() + p * n_places;
    std::vector<std::pair<std::size_t, std::size_t>> ranges; // of the slots, in `places`
    for (std::size_t k = 0; k < places.size(); ++k)
      {
        if (k == 0 || places[k].first != places[k - 1].first)
          {
            result.nodes[first + ranges.size()] = places[k].first;
            ranges.emplace_back(k, k);
          }
        ++ranges.back().second;
        of_slots[places[k].second] = static_cast<std::uint16_t>(ranges.size() - 1);
      }
    std::stable_sort(ranges.begin(), ranges.end(), [](const auto &one, const auto &other) {
      return one.second - one.first > other.second - other.first;
    });
    std::uint16_t *const sums = result.places.data() + p * n_places;
    std::uint16_t *const n_first =
      result.first_place.data() + ElementPatches::begin_of_row(first, p);
    std::uint16_t n_done = 0;
    for (std::size_t s = 0; s < ranges.size(); ++s)
      {
        n_first[s]                      = n_done;
        result.nodes_of_sums[first + s] = places[ranges[s].first].first;
        for (std::size_t k = ranges[s].first; k < ranges[s].second; ++k)
          sums[n_done++] = places[k].second;
      }
    n_first[ranges.size()] = n_done;
  });
  return result;
}
} // namespace

ElementPatches ElementPatches::build(const ElementMesh &mesh, const std::size_t size)
{
  ElementPatches patches = patches_in_order(mesh, {}, size);
  // Elements that share half of their nodes with others of the patch are near enough.
  if (2 * patches.nodes.size() <= mesh.type.n_nodes * mesh.n_elements)
    return patches;
  ElementPatches curved =
    patches_in_order(mesh, hilbert_order(element_centres(mesh), mesh.n_elements), size);
  return curved.nodes.size() < patches.nodes.size() ? curved : patches;
}

template <typename Number>
std::vector<Number> ElementPatches::coordinates(const ElementMesh &mesh) const
{
  const int n_threads = n_patches > few_patches ? cpu::default_n_threads() : 1;
  auto result         = cpu::filled_vector<Number>(n_threads, 3 * nodes.size());
  cpu::parallel_for_long(n_threads, n_patches, [&](const std::size_t p) {
    for (std::size_t s = first_slot[p]; s < first_slot[p + 1]; ++s)
      for (std::size_t d = 0; d < 3; ++d)
        {
          const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
          result[3 * s + d]     = static_cast<Number>(x[nodes[s]] - x[nodes[first_slot[p]]]);
        }
  });
  return result;
}
template std::vector<double> ElementPatches::coordinates(const ElementMesh &) const;
template std::vector<float> ElementPatches::coordinates(const ElementMesh &) const;
} // namespace strut
