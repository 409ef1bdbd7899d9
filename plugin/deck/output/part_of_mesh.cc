// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/part_of_mesh.h"

#include <array>
#include <functional>

#include "plugin/base/attempt.h"
#include "plugin/base/global_node_numbers.h"
#include "plugin/base/host_halo.h"
#include "plugin/deck/output/boundary_faces.h"
#include "source/base/filled_vector.h"
#include "source/mesh/connected_by_faces.h"
#include "source/mesh/faces.h"
#include "source/mesh/node_to_element.h"
#include "source/parallel/nodes_of_several_ranks.h"

namespace strut
{
namespace
{
using GlobalFace = std::array<std::uint64_t, 4>; ///< numbers of its nodes over all ranks, ascending

/// A face without a neighbour on this rank that another rank may share.
struct OpenFace
{
  LocalIndex element;
  GlobalFace nodes;
};

struct OuterElements
{
  std::vector<LocalIndex> sure;
  /// Faces whose elements are outer ones, unless another rank has a neighbour.
  std::vector<OpenFace> open;
};

/// Finds the outer elements of this rank.
OuterElements find_outer(const ElementMesh &mesh,
                         const std::vector<std::uint8_t> &counts,
                         const GlobalNodeNumbers &numbers,
                         const int n_threads)
{
  const std::vector<std::uint8_t> is_shared = nodes_of_several_ranks(mesh);
  const NodeToElement around                = NodeToElement::of_elements(mesh, counts, n_threads);
  const auto find_in_block                  = [&](const std::size_t begin, const std::size_t end) {
    OuterElements found;
    for (std::size_t e = begin; e < end; ++e)
      {
        bool is_outer = false;
        for (unsigned int f = 0; f < n_faces(mesh.type) && counts[e] != 0; ++f)
          {
            const std::array<LocalIndex, 4> nodes = nodes_of_face(mesh, e, f);
            if (element_behind(around, nodes, static_cast<LocalIndex>(e)))
              continue;
            if (std::all_of(nodes.begin(), nodes.end(), [&](const LocalIndex n) {
                  return is_shared[n] != 0;
                }))
              {
                GlobalFace face;
                std::transform(nodes.begin(), nodes.end(), face.begin(), std::cref(numbers));
                std::sort(face.begin(), face.end());
                found.open.push_back({static_cast<LocalIndex>(e), face});
              }
            else
              is_outer = true;
          }
        if (is_outer)
          found.sure.push_back(static_cast<LocalIndex>(e));
      }
    return found;
  };
  OuterElements all;
  for (const OuterElements &found :
       cpu::values_of_blocks(n_threads, mesh.n_elements, find_in_block))
    {
      all.sure.insert(all.sure.end(), found.sure.begin(), found.sure.end());
      all.open.insert(all.open.end(), found.open.begin(), found.open.end());
    }
  return all;
}

/// The outer elements of this rank in ascending order. Collective.
std::vector<LocalIndex> ask_other_ranks(const Communicator &communicator, OuterElements outer)
{
  std::vector<GlobalFace> ours;
  for (const OpenFace &face : outer.open)
    ours.push_back(face.nodes);
  std::vector<GlobalFace> theirs = of_other_ranks(communicator.mpi(), ours);
  std::sort(theirs.begin(), theirs.end());
  std::vector<LocalIndex> elements = std::move(outer.sure);
  for (const OpenFace &face : outer.open)
    if (!std::binary_search(theirs.begin(), theirs.end(), face.nodes))
      elements.push_back(face.element);
  std::sort(elements.begin(), elements.end());
  elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
  return elements;
}
} // namespace

PartOfMesh outer_part(const Communicator &communicator,
                      const ElementMesh &mesh,
                      const std::vector<std::uint8_t> &counts,
                      const int n_threads)
{
  const bool alone = communicator.size() == 1;
  const GlobalNodeNumbers numbers(communicator.mpi(), mesh);
  OuterElements outer;
  attempt_together(communicator, [&] { outer = find_outer(mesh, counts, numbers, n_threads); });
  PartOfMesh part;
  part.n_owned_nodes = mesh.n_owned_nodes;
  part.elements      = ask_other_ranks(communicator, std::move(outer));
  part.n_elements    = communicator.sum(part.elements.size());
  part.first_element = sum_before(communicator.mpi(), part.elements.size());

  // The owner has a node in the part if any rank needs it.
  std::vector<std::uint8_t> is_in = cpu::filled_vector<std::uint8_t>(n_threads, mesh.n_nodes);
  for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
    for (const LocalIndex e : part.elements)
      is_in[mesh.node(e, v)] = 1;
  std::vector<double> values; // values to be exchanged
  if (!alone)
    {
      values.assign(is_in.begin(), is_in.end());
      add_to_owners(communicator.mpi(), mesh, values);
    }
  for (std::size_t n = 0; n < mesh.n_owned_nodes; ++n)
    if (alone ? is_in[n] != 0 : values[n] > 0.)
      part.nodes.push_back(static_cast<LocalIndex>(n));
  part.n_nodes    = communicator.sum(part.nodes.size());
  part.first_node = sum_before(communicator.mpi(), part.nodes.size());
  if (alone)
    return part;

  // Doubles represent these numbers exactly.
  for (std::size_t i = 0; i < part.nodes.size(); ++i)
    values[part.nodes[i]] = static_cast<double>(part.first_node + i);
  update_ghosts(communicator.mpi(), mesh, values);
  for (std::size_t n = mesh.n_owned_nodes; n < mesh.n_nodes; ++n)
    part.of_ghosts.push_back(static_cast<std::uint64_t>(values[n]));
  return part;
}
} // namespace strut
