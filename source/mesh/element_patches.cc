// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/element_patches.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/ordering.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace strut
{
namespace
{
constexpr std::size_t few_patches = 256; ///< fewer take one thread only

/// The nodes of a patch with the places that have them, sorted.
using Places = std::vector<std::pair<LocalIndex, std::uint16_t>>;

/// Returns the slots of the distinct nodes of a patch. n_banks adjacent elements read their nodes
/// of one number at a time, which is a request. Nodes whose slots are equal modulo n_banks then
/// wait for one another. So a node takes the bank where it meets the fewest others of its requests;
/// those with the most requests come first.
/// @param begin  the first place of each distinct node, and the end
std::vector<std::uint16_t> slots_without_conflicts(const Places &places,
                                                   const std::vector<std::size_t> &begin,
                                                   const std::size_t n_banks)
{
  const std::size_t n_slots = begin.size() - 1;
  std::vector<std::vector<std::size_t>> requests(n_slots);
  std::size_t n_requests = 0;
  for (std::size_t s = 0; s < n_slots; ++s)
    {
      for (std::size_t k = begin[s]; k < begin[s + 1]; ++k)
        if (const std::size_t request = places[k].second / n_banks;
            requests[s].empty() || requests[s].back() != request) // places ascend
          requests[s].push_back(request);
      n_requests = std::max(n_requests, requests[s].back() + 1);
    }
  std::vector<std::size_t> order(n_slots);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(), [&](const std::size_t a, const std::size_t b) {
    return requests[a].size() > requests[b].size();
  });
  std::vector<std::uint16_t> slots(n_slots), in_bank(n_banks), of_request(n_requests * n_banks);
  for (const std::size_t s : order)
    {
      std::size_t best = 0, fewest = std::numeric_limits<std::size_t>::max();
      for (std::size_t bank = 0; bank < n_banks; ++bank)
        {
          if (bank + n_banks * in_bank[bank] >= n_slots)
            continue; // the bank is full
          std::size_t meets = 0;
          for (const std::size_t request : requests[s])
            meets += of_request[n_banks * request + bank];
          if (meets < fewest)
            {
              fewest = meets;
              best   = bank;
            }
        }
      for (const std::size_t request : requests[s])
        ++of_request[n_banks * request + best];
      slots[s] = static_cast<std::uint16_t>(best + n_banks * in_bank[best]++);
    }
  return slots;
}

ElementPatches patches_in_order(const ElementMesh &mesh,
                                std::vector<LocalIndex> order,
                                const std::size_t size,
                                const std::size_t n_banks)
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
  result.first_place      = cpu::filled_vector<std::uint16_t>(n_threads, n_all + result.n_patches);
  result.slots  = cpu::filled_vector<std::uint16_t>(n_threads, result.n_patches * n_places);
  result.places = cpu::filled_vector<std::uint16_t>(n_threads, result.n_patches * n_places);
  cpu::parallel_for_long(n_threads, result.n_patches, [&](const std::size_t p) {
    const Places places           = places_of(p);
    const std::size_t first       = result.first_slot[p];
    std::uint16_t *const of_slots = result.slots.data() + p * n_places;
    std::vector<std::size_t> begin;
    for (std::size_t k = 0; k < places.size(); ++k)
      if (k == 0 || places[k].first != places[k - 1].first)
        begin.push_back(k);
    begin.push_back(places.size());
    const std::vector<std::uint16_t> slots = slots_without_conflicts(places, begin, n_banks);
    std::vector<std::size_t> node_of(slots.size()); // the distinct node of each slot
    for (std::size_t s = 0; s < slots.size(); ++s)
      node_of[slots[s]] = s;
    std::size_t next = 0;
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
      {
        const std::size_t s                  = node_of[slot];
        result.nodes[first + slot]           = places[begin[s]].first;
        result.first_place[first + p + slot] = static_cast<std::uint16_t>(next);
        for (std::size_t k = begin[s]; k < begin[s + 1]; ++k)
          {
            result.places[p * n_places + next++] = places[k].second;
            of_slots[places[k].second]           = static_cast<std::uint16_t>(slot);
          }
      }
    result.first_place[first + p + slots.size()] = static_cast<std::uint16_t>(next);
  });
  return result;
}
} // namespace

ElementPatches
ElementPatches::build(const ElementMesh &mesh, const std::size_t size, const std::size_t n_banks)
{
  ElementPatches patches = patches_in_order(mesh, {}, size, n_banks);
  // Elements that share half of their nodes with others of the patch are near enough.
  if (2 * patches.nodes.size() <= mesh.type.n_nodes * mesh.n_elements)
    return patches;
  ElementPatches curved =
    patches_in_order(mesh, hilbert_order(element_centres(mesh), mesh.n_elements), size, n_banks);
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
