// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/mesh/patches.h"
#include "source/base/filled_vector.h"
#include "source/mesh/element_centres.h"
#include "source/mesh/ordering.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace strut
{
namespace
{
/// The order of elements does not share nodes if there are more slots per element than this. Rows
/// of a long box have slightly more than 4, a single sheet slightly more than 2, blocks 2.3.
constexpr double too_many_slots = 4.5;

constexpr std::size_t few_blocks = 256; ///< fewer take one thread only

/// The vertices of the elements of a patch, by the order of its nodes, or by their slots.
struct Pattern
{
  std::array<std::array<std::uint8_t, 8>, Patches::max_elements>
    local{}; ///< zero beyond the last element
  std::size_t n_elements = 0;

  bool operator==(const Pattern &other) const
  {
    return n_elements == other.n_elements && local == other.local;
  }
};
struct HashOfPattern
{
  std::size_t operator()(const Pattern &pattern) const
  {
    std::size_t hash = pattern.n_elements;
    for (const auto &element : pattern.local)
      {
        std::uint64_t word = 0;
        std::memcpy(&word, element.data(), sizeof word);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
      }
    return hash;
  }
};
using Slots = std::array<std::uint8_t, Patches::max_nodes>;

/// Patches of a range of elements, numbered from 0.
struct Part
{
  /// A known pattern: regular meshes repeat a few, and finding slots takes most of the time.
  struct Known
  {
    Slots slots;
    LocalIndex number; ///< index in by_slots
  };
  std::unordered_map<Pattern, Known, HashOfPattern> known;
  static constexpr std::size_t most_known = 1024;

  std::vector<Patches::Patch> patches; ///< first_vertices is an index in by_slots
  std::vector<LocalIndex> nodes;
  std::vector<Pattern> by_slots;
};

/// The vertices of all parts, with each pattern stored once.
class VerticesOfPatterns
{
public:
  std::vector<std::array<std::uint8_t, 8>> vertices;

  /// Returns the begin of a pattern, which is added if it is new.
  LocalIndex add(const Pattern &pattern)
  {
    const auto begin = static_cast<LocalIndex>(vertices.size());
    const auto found = begins_.find(pattern);
    if (found != begins_.end())
      return found->second;
    if (begins_.size() < most_known)
      begins_.emplace(pattern, begin);
    vertices.insert(vertices.end(),
                    pattern.local.begin(),
                    pattern.local.begin() + static_cast<std::ptrdiff_t>(pattern.n_elements));
    return begin;
  }

private:
  static constexpr std::size_t most_known = 4096; ///< a mesh with more patterns repeats few
  std::unordered_map<Pattern, LocalIndex, HashOfPattern> begins_;
};

/// The distinct nodes of a patch, about a quarter of its vertices: hashing is faster than sorting.
class DistinctNodes
{
public:
  static constexpr std::size_t size = 16 * Patches::max_elements; ///< twice the vertices

  DistinctNodes()
  {
    nodes_.fill(none);
  }

  /// The place of a node, or the free place for it.
  std::uint16_t find(const LocalIndex node) const
  {
    std::uint32_t place = node * 0x9e3779b1u >> (32 - n_bits);
    while (nodes_[place] != node && nodes_[place] != none)
      place = (place + 1) % size;
    return static_cast<std::uint16_t>(place);
  }

  /// Takes the place that find() returned. @return whether it was free
  bool insert(const std::uint16_t place, const LocalIndex node)
  {
    const bool is_new = nodes_[place] == none;
    nodes_[place]     = node;
    return is_new;
  }

private:
  static constexpr unsigned int n_bits = 9;
  static_assert(size == std::size_t(1) << n_bits);
  static constexpr LocalIndex none = std::numeric_limits<LocalIndex>::max();

  std::array<LocalIndex, size> nodes_;
};

class Builder
{
public:
  Builder(const ElementMesh &mesh, const std::vector<LocalIndex> &order, const std::size_t n_banks)
    : mesh_(mesh), order_(order), n_banks_(n_banks)
  {}

  /// Adds the patches of the elements first ... end - 1, 32 at most.
  void add(const std::size_t first, const std::size_t end, Part &part) const
  {
    const std::size_t n = end - first;
    DistinctNodes table;
    std::array<LocalIndex, 8 * Patches::max_elements> nodes;
    std::array<std::uint16_t, 8 * Patches::max_elements> place; // places in the table
    std::size_t n_nodes = 0;
    for (std::size_t e = 0; e < n; ++e)
      for (std::size_t v = 0; v < 8; ++v)
        {
          const LocalIndex node = this->node(first + e, v);
          const std::uint16_t p = table.find(node);
          place[8 * e + v]      = p;
          if (table.insert(p, node))
            nodes[n_nodes++] = node;
        }
    if (n_nodes > Patches::max_nodes)
      {
        add(first, first + n / 2, part);
        add(first + n / 2, end, part);
        return;
      }

    // Ranks in the order of the elements: the pattern does not depend on the nodes' numbers.
    std::array<std::uint8_t, DistinctNodes::size> rank_at; // rank of each place
    for (std::size_t rank = 0; rank < n_nodes; ++rank)
      rank_at[table.find(nodes[rank])] = static_cast<std::uint8_t>(rank);

    Patches::Patch patch;
    patch.first_element = static_cast<LocalIndex>(first);
    patch.first_slot    = static_cast<LocalIndex>(part.nodes.size());
    patch.n_elements    = static_cast<std::uint8_t>(n);
    patch.n_slots       = static_cast<std::uint8_t>(n_nodes);
    Pattern pattern;
    pattern.n_elements = n;
    std::array<std::uint8_t, Patches::max_nodes> taken{}; // vertex numbers, a bit each
    for (std::size_t e = 0; e < n; ++e)
      for (std::size_t v = 0; v < 8; ++v)
        {
          const std::uint8_t rank = rank_at[place[8 * e + v]];
          pattern.local[e][v]     = rank;
          std::uint8_t &bits      = taken[rank];
          if ((bits >> v & 1u) != 0)
            patch.vertices_meet = 1;
          bits = static_cast<std::uint8_t>(bits | 1u << v);
        }
    Part::Known known;
    const auto found = part.known.find(pattern);
    if (found != part.known.end())
      known = found->second;
    else
      {
        known = {slots(pattern, n_nodes), static_cast<LocalIndex>(part.by_slots.size())};
        Pattern by_slots;
        by_slots.n_elements = n;
        for (std::size_t e = 0; e < n; ++e)
          for (std::size_t v = 0; v < 8; ++v)
            by_slots.local[e][v] = known.slots[pattern.local[e][v]];
        part.by_slots.push_back(by_slots);
        if (part.known.size() < Part::most_known)
          part.known.emplace(pattern, known);
      }
    patch.first_vertices = known.number;
    part.nodes.resize(part.nodes.size() + n_nodes);
    for (std::size_t rank = 0; rank < n_nodes; ++rank)
      part.nodes[patch.first_slot + known.slots[rank]] = nodes[rank];
    part.patches.push_back(patch);
  }

private:
  /// Slots of the nodes of a patch, given by rank. The node with the fewest banks left is next, and
  /// takes the bank with the fewest conflicts (the rule of Brelaz 1979 for colours). In each bank
  /// slots are in the order in which elements have the nodes.
  Slots slots(const Pattern &pattern, const std::size_t n_nodes) const
  {
    const auto *const local      = pattern.local.data();
    const std::size_t n_elements = pattern.n_elements;
    // the nodes of each request: a vertex number of n_banks elements, once each; and the reverse
    constexpr std::size_t n_requests = 8 * Patches::max_elements;
    std::array<std::uint16_t, Patches::max_nodes + 1> begin{};
    for (std::size_t e = 0; e < n_elements; ++e)
      for (const std::uint8_t rank : local[e])
        ++begin[rank + 1u];
    for (std::size_t rank = 0; rank < n_nodes; ++rank)
      begin[rank + 1] = static_cast<std::uint16_t>(begin[rank + 1] + begin[rank]);
    auto next = begin;
    std::array<std::uint8_t, n_requests> requests;
    for (std::size_t e = 0; e < n_elements; ++e)
      for (std::size_t v = 0; v < 8; ++v)
        requests[next[local[e][v]]++] = static_cast<std::uint8_t>(e / n_banks_ * 8 + v);

    std::array<std::array<std::uint8_t, max_banks>, Patches::max_nodes> meets{}; // nodes in a bank
    std::array<std::uint16_t, Patches::max_nodes> closed{}; // banks with conflicts, then requests
    std::array<std::size_t, max_banks> n_in_bank{};
    std::array<std::size_t, Patches::max_nodes> bank_of{};
    for (std::size_t rank = 0; rank < n_nodes; ++rank)
      closed[rank] = static_cast<std::uint16_t>(1 + begin[rank + 1] - begin[rank]);
    for (std::size_t turn = 0; turn < n_nodes; ++turn)
      {
        const std::size_t rank = static_cast<std::size_t>(
          std::max_element(closed.begin(), closed.begin() + n_nodes) - closed.begin());
        std::size_t best = 0, fewest = ~std::size_t(0);
        for (std::size_t bank = 0; bank < n_banks_; ++bank)
          {
            if (bank + n_banks_ * n_in_bank[bank] >= n_nodes)
              continue; // the bank is full
            const std::size_t here = n_nodes * meets[rank][bank] + n_in_bank[bank];
            if (here < fewest)
              {
                fewest = here;
                best   = bank;
              }
          }
        bank_of[rank] = best;
        ++n_in_bank[best];
        closed[rank] = 0; // the node is done
        for (std::size_t r = begin[rank]; r < begin[rank + 1]; ++r)
          for (std::size_t e = requests[r] / 8 * n_banks_;
               e < std::min(n_elements, (requests[r] / 8 + 1) * n_banks_);
               ++e)
            {
              const std::uint8_t other = local[e][requests[r] % 8];
              if (closed[other] > 0 && meets[other][best]++ == 0)
                closed[other] = static_cast<std::uint16_t>(closed[other] + n_requests + 1);
            }
      }
    Slots result{};
    n_in_bank.fill(0);
    for (std::size_t rank = 0; rank < n_nodes; ++rank)
      {
        std::size_t &before = n_in_bank[bank_of[rank]];
        result[rank]        = static_cast<std::uint8_t>(bank_of[rank] + n_banks_ * before++);
      }
    return result;
  }

  LocalIndex node(const std::size_t position, const std::size_t v) const
  {
    const std::size_t e = order_.empty() ? position : order_[position];
    return mesh_.connectivity[v * mesh_.n_elements + e];
  }

  static constexpr std::size_t max_banks = 16;

  const ElementMesh &mesh_;
  const std::vector<LocalIndex> &order_;
  const std::size_t n_banks_;
};

/// The patches of all elements in the given order.
Patches in_order(const ElementMesh &mesh, std::vector<LocalIndex> order, const std::size_t n_banks)
{
  const std::size_t n_blocks =
    (mesh.n_elements + Patches::max_elements - 1) / Patches::max_elements;
  const Builder builder(mesh, order, n_banks);
  std::vector<Part> parts(n_blocks > few_blocks ? static_cast<std::size_t>(cpu::default_n_threads())
                                                : 1);
  cpu::run_parts(static_cast<int>(parts.size()), [&](const int part) {
    const std::size_t p         = static_cast<std::size_t>(part);
    const std::size_t of_blocks = Patches::max_elements * (n_blocks / parts.size() + 1);
    parts[p].nodes.reserve(5 * of_blocks / 2); // a block of 4 x 4 x 2 has 2.3 per element
    for (std::size_t b = p * n_blocks / parts.size(); b < (p + 1) * n_blocks / parts.size(); ++b)
      builder.add(Patches::max_elements * b,
                  std::min(Patches::max_elements * (b + 1), mesh.n_elements),
                  parts[p]);
  });

  struct Offsets
  {
    std::size_t patches = 0, nodes = 0;
  };
  std::vector<Offsets> offsets(parts.size() + 1);
  for (std::size_t p = 0; p < parts.size(); ++p)
    offsets[p + 1] = {offsets[p].patches + parts[p].patches.size(),
                      offsets[p].nodes + parts[p].nodes.size()};
  VerticesOfPatterns all;
  std::vector<std::vector<LocalIndex>> begins(parts.size()); // begins of the patterns of a part
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Pattern &pattern : parts[p].by_slots)
      begins[p].push_back(all.add(pattern));
  const int n_threads = static_cast<int>(parts.size());
  Patches result;
  result.patches  = cpu::filled_vector<Patches::Patch>(n_threads, offsets.back().patches);
  result.nodes    = cpu::filled_vector<LocalIndex>(n_threads, offsets.back().nodes);
  result.vertices = std::move(all.vertices);
  result.elements = std::move(order);
  cpu::run_parts(n_threads, [&](const int p) {
    Part &part        = parts[static_cast<std::size_t>(p)];
    const Offsets &at = offsets[static_cast<std::size_t>(p)];
    for (Patches::Patch &patch : part.patches)
      {
        patch.first_slot += static_cast<LocalIndex>(at.nodes);
        patch.first_vertices = begins[static_cast<std::size_t>(p)][patch.first_vertices];
      }
    std::copy(part.patches.begin(), part.patches.end(), result.patches.data() + at.patches);
    std::copy(part.nodes.begin(), part.nodes.end(), result.nodes.data() + at.nodes);
    part = Part();
  });
  return result;
}
} // namespace

Patches Patches::build(const ElementMesh &mesh, const std::size_t n_banks)
{
  Patches patches = in_order(mesh, {}, n_banks);
  if (double(patches.nodes.size()) <= too_many_slots * double(mesh.n_elements))
    return patches;
  Patches curved = in_order(mesh, hilbert_order(element_centres(mesh), mesh.n_elements), n_banks);
  return curved.nodes.size() < patches.nodes.size() ? curved : patches;
}

std::optional<double> Patches::slots_per_element(const ElementMesh &mesh)
{
  if (mesh.type != ElementType())
    return std::nullopt;
  const std::vector<LocalIndex> as_in_mesh;
  const Builder builder(mesh, as_in_mesh, 1);
  const std::size_t n = mesh.n_elements, step = max_elements * (n / (1000 * max_elements) + 1);
  Part part;
  for (std::size_t e = 0; e < n; e += step)
    builder.add(e, std::min(e + max_elements, n), part);
  double n_seen = 0.;
  for (const Patch &patch : part.patches)
    n_seen += patch.n_elements;
  const double found = double(part.nodes.size()) / n_seen;
  return found <= too_many_slots ? std::optional(found) : std::nullopt; // nothing for an empty mesh
}

template <typename Number>
std::vector<Number> Patches::coordinates(const ElementMesh &mesh, const std::size_t stride) const
{
  const int n_threads = patches.size() > few_blocks ? cpu::default_n_threads() : 1;
  auto result         = cpu::filled_vector<Number>(n_threads, stride * nodes.size());
  cpu::parallel_for_long(n_threads, patches.size(), [&](const std::size_t p) {
    const std::size_t first = patches[p].first_slot, end = first + patches[p].n_slots;
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double *const x = mesh.coordinates.data() + d * mesh.n_nodes;
        double low = x[nodes[first]], high = low;
        for (std::size_t slot = first; slot < end; ++slot)
          {
            low  = std::min(low, x[nodes[slot]]);
            high = std::max(high, x[nodes[slot]]);
          }
        const double middle = low + 0.5 * (high - low);
        for (std::size_t slot = first; slot < end; ++slot)
          result[stride * slot + d] = static_cast<Number>(x[nodes[slot]] - middle);
      }
  });
  return result;
}
template std::vector<double> Patches::coordinates(const ElementMesh &, std::size_t) const;
template std::vector<float> Patches::coordinates(const ElementMesh &, std::size_t) const;

InverseMap Patches::colours(const std::size_t n_nodes) const
{
  // Colour the patches inside of ranges concurrently, then those that share nodes with other
  // ranges.
  constexpr std::size_t patches_of_range = 1024, most_ranges = 64;
  constexpr std::uint8_t none = 255, several = 254;
  const std::size_t n_ranges =
    std::clamp<std::size_t>(patches.size() / patches_of_range, 1, most_ranges);
  const int n_threads       = n_ranges > 1 ? cpu::default_n_threads() : 1;
  const auto for_each_range = [&](const auto &body) {
    cpu::parallel_blocks(n_threads, n_ranges, 1, [&](const std::size_t r, std::size_t) {
      body(r, r * patches.size() / n_ranges, (r + 1) * patches.size() / n_ranges);
    });
  };
  const auto for_each_node = [&](const std::size_t p, const auto &body) {
    const LocalIndex *const first = nodes.data() + patches[p].first_slot;
    std::for_each(first, first + patches[p].n_slots, body);
  };

  // (1) The range of each node.
  std::vector<std::uint8_t> range_of = cpu::filled_vector(n_threads, n_nodes, none);
  for_each_range([&](const std::size_t r, const std::size_t begin, const std::size_t end) {
    const auto own = static_cast<std::uint8_t>(r);
    for (std::size_t p = begin; p < end; ++p)
      for_each_node(p, [&](const LocalIndex node) {
        std::uint8_t before = none;
        if (!__atomic_compare_exchange_n(
              &range_of[node], &before, own, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
            before != own)
          __atomic_store_n(&range_of[node], several, __ATOMIC_RELAXED);
      });
  });
  std::vector<std::vector<LocalIndex>> waiting(n_ranges + 1); // the last: patches between ranges
  std::vector<std::vector<LocalIndex>> between(n_ranges);
  for_each_range([&](const std::size_t r, const std::size_t begin, const std::size_t end) {
    for (std::size_t p = begin; p < end; ++p)
      {
        bool is_alone = true;
        for_each_node(p, [&](const LocalIndex node) {
          is_alone = is_alone && range_of[node] != several;
        });
        (is_alone ? waiting[r] : between[r]).push_back(static_cast<LocalIndex>(p));
      }
  });
  for (const std::vector<LocalIndex> &of_range : between)
    waiting.back().insert(waiting.back().end(), of_range.begin(), of_range.end());

  // (2) 16 colours at a time, a bit of a node each. A patch waits if all of them are taken.
  using Word = std::uint16_t;
  std::vector<LocalIndex> colour_of(patches.size());
  for (LocalIndex first_colour = 0;
       std::any_of(waiting.begin(), waiting.end(), [](const auto &some) { return !some.empty(); });
       first_colour += 16)
    {
      auto taken        = cpu::filled_vector<Word>(n_threads, n_nodes);
      const auto colour = [&](std::vector<LocalIndex> &some) {
        std::vector<LocalIndex> left;
        for (const LocalIndex p : some)
          {
            Word of_neighbours = 0;
            for_each_node(p, [&](const LocalIndex node) { of_neighbours |= taken[node]; });
            if (of_neighbours == std::numeric_limits<Word>::max())
              {
                left.push_back(p);
                continue;
              }
            LocalIndex own = 0;
            while (of_neighbours >> own & 1)
              ++own;
            for_each_node(p, [&](const LocalIndex node) { taken[node] |= Word(1u << own); });
            colour_of[p] = first_colour + own;
          }
        some.swap(left);
      };
      for_each_range([&](const std::size_t r, std::size_t, std::size_t) { colour(waiting[r]); });
      colour(waiting.back());
    }
  const LocalIndex n_colours =
    patches.empty() ? 0 : *std::max_element(colour_of.begin(), colour_of.end()) + 1;

  return InverseMap(colour_of, n_colours);
}
} // namespace strut
