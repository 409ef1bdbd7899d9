// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/touching_sheets.h"

#include <algorithm>
#include <iterator>

#include "source/base/bucket_sort.h"
#include "source/base/forest.h"
#include "source/base/parallel_loop.h"
#include "source/element/hexahedra_of_vertices.h"
#include "source/element/iso_cell.h"

namespace strut
{
namespace
{
/// An element of the body at a part of an edge.
struct Member
{
  std::uint64_t element;
  std::uint64_t edge; ///< number of the edge in this element
  /// Nodes next to the first node, in the element's two faces at the edge.
  std::uint64_t neighbours[2];
  double centre[3];
};

using Members = std::map<EdgePart, std::vector<Member>>;

/// Returns the parts of edges with more than two uses.
Members crowded_parts(std::vector<EdgePart> uses, const std::uint64_t n_nodes, const int n_threads)
{
  constexpr std::uint64_t n_buckets = 8192; // ranges of nodes
  const std::uint64_t nodes_of_one  = n_nodes / n_buckets + 1;
  cpu::bucket_sort(
    n_threads, n_buckets, [&](const EdgePart &use) { return use[0] / nodes_of_one; }, uses);
  Members crowded;
  for (std::size_t i = 2; i < uses.size(); ++i)
    if (uses[i] == uses[i - 2])
      crowded[uses[i]];
  return crowded;
}

/// An element of this rank that is inside the body at a part of an edge.
struct MemberOfPart
{
  EdgePart part;
  Member member;
};

/// Finds these elements, in the order of the elements.
std::vector<MemberOfPart> find_members(const ElementMesh &mesh,
                                       const GlobalNodeNumbers &numbers,
                                       const Members &crowded,
                                       const int n_threads)
{
  std::vector<MemberOfPart> members;
  if (crowded.empty())
    return members;
  std::vector<std::uint64_t> ends;
  for (const auto &[part, of_part] : crowded)
    ends.insert(ends.end(), {part[0], part[1]});
  std::sort(ends.begin(), ends.end());
  std::vector<std::uint8_t> is_end(mesh.n_nodes);
  cpu::parallel_for(n_threads, mesh.n_nodes, [&](const std::size_t n) {
    is_end[n] = std::binary_search(ends.begin(), ends.end(), numbers(static_cast<LocalIndex>(n)));
  });

  const auto add_element = [&](const std::size_t e, std::vector<MemberOfPart> &found) {
    const bool is_tetrahedron = is_collapsed(mesh, e);
    for (int edge = 0; edge < iso_cell::n_edges - (is_tetrahedron ? 1 : 0); ++edge)
      {
        const auto node = [&](const int v) {
          return mesh.connectivity[static_cast<std::size_t>(v) * mesh.n_elements + e];
        };
        const int d = iso_cell::edge_direction(edge), begin = iso_cell::edge_begin(edge);
        if (!is_end[node(begin)] || !is_end[node(begin | 1 << d)] ||
            node(begin) == node(begin | 1 << d))
          continue;
        const std::uint64_t a = numbers(node(begin)), b = numbers(node(begin | 1 << d));
        const int first = a < b ? begin : begin | 1 << d;
        Member member{numbers.first_element() + e,
                      static_cast<std::uint64_t>(edge),
                      {numbers(node(first ^ 1 << (d + 1) % 3)),
                       numbers(node(first ^ 1 << (d + 2) % 3))},
                      {}};
        if (is_tetrahedron) // its other two vertices
          {
            std::size_t n = 0;
            for (const int v : {0, 1, 2, 4})
              if (const std::uint64_t other = numbers(node(v)); other != a && other != b)
                member.neighbours[n++] = other;
          }
        for (std::size_t i = 0; i < 3; ++i)
          member.centre[i] = mesh.centre(e)[i];
        for (std::uint64_t marked = 0; marked < 2; ++marked)
          if (mesh.flags[e] == DesignFlag::solid ||
              (mesh.flags[e] == DesignFlag::design && marked == 1))
            if (const EdgePart part{{std::min(a, b), std::max(a, b), marked}};
                crowded.find(part) != crowded.end())
              found.push_back({part, member});
      }
  };
  for (const std::vector<MemberOfPart> &of_block : cpu::values_of_blocks(
         n_threads, mesh.n_elements, [&](const std::size_t begin, const std::size_t end) {
           std::vector<MemberOfPart> found;
           for (std::size_t e = begin; e < end; ++e)
             add_element(e, found);
           return found;
         }))
    members.insert(members.end(), of_block.begin(), of_block.end());
  return members;
}
} // namespace

TouchingSheets::TouchingSheets(MPI_Comm communicator,
                               const ElementMesh &mesh,
                               const GlobalNodeNumbers &numbers,
                               const std::vector<std::uint8_t> &is_shared,
                               std::vector<EdgePart> uses,
                               const int n_threads)
{
  // (1) Find the parts where more than two faces meet, over all ranks.
  std::vector<std::uint64_t> shared;
  for (std::size_t n = 0; n < mesh.n_nodes; ++n)
    if (is_shared[n] != 0)
      shared.push_back(numbers(static_cast<LocalIndex>(n)));
  std::sort(shared.begin(), shared.end());
  const auto may_be_elsewhere = [&](const EdgePart &part) {
    return std::binary_search(shared.begin(), shared.end(), part[0]) &&
           std::binary_search(shared.begin(), shared.end(), part[1]);
  };
  std::vector<EdgePart> our_uses;
  std::copy_if(uses.begin(), uses.end(), std::back_inserter(our_uses), may_be_elsewhere);
  for (const EdgePart &use : of_other_ranks(communicator, our_uses))
    uses.push_back(use);
  Members crowded = crowded_parts(std::move(uses), numbers.n_nodes(), n_threads);

  // (2) Collect the elements there from all ranks.
  std::vector<MemberOfPart> our_members;
  for (const MemberOfPart &found : find_members(mesh, numbers, crowded, n_threads))
    {
      crowded.at(found.part).push_back(found.member);
      if (may_be_elsewhere(found.part))
        our_members.push_back(found);
    }
  for (const auto &[part, member] : of_other_ranks(communicator, our_members))
    if (const auto found = crowded.find(part); found != crowded.end())
      found->second.push_back(member);

  // (3) Join elements that share a face into wedges.
  for (auto &[part, members] : crowded)
    {
      std::sort(members.begin(), members.end(), [](const Member &a, const Member &b) {
        return a.element < b.element;
      });
      Forest forest(members.size());
      for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          for (const std::uint64_t neighbour : members[i].neighbours)
            if (neighbour == members[j].neighbours[0] || neighbour == members[j].neighbours[1])
              forest.unite(i, j);
      std::size_t n_wedges               = 0;
      const std::vector<LocalIndex> ours = forest.trees(n_wedges);
      for (LocalIndex wedge = 0; wedge < n_wedges; ++wedge)
        {
          Wedge made;
          double n = 0.;
          for (std::size_t i = 0; i < members.size(); ++i)
            if (ours[i] == wedge)
              {
                if (n == 0.)
                  made.number =
                    (members[i].element * iso_cell::n_edges + members[i].edge) * 2 + part[2];
                n += 1.;
                for (std::size_t d = 0; d < 3; ++d)
                  made.centre[d] += (members[i].centre[d] - made.centre[d]) / n;
              }
          for (std::size_t i = 0; i < members.size(); ++i)
            if (ours[i] == wedge)
              wedges_.emplace(std::make_pair(part, members[i].element), made);
        }
    }
}

const TouchingSheets::Wedge *TouchingSheets::find(const EdgePart &part,
                                                  const std::uint64_t element) const
{
  const auto found = wedges_.find({part, element});
  return found == wedges_.end() ? nullptr : &found->second;
}
} // namespace strut
