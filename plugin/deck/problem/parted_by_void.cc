// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/parted_by_void.h"

#include <strut/base/communicator.h>

#include <algorithm>
#include <cstdint>

#include "plugin/base/host_halo.h"
#include "source/mesh/connected_by_faces.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// A bit for each direction.
using Directions = std::uint8_t;

/// Directions in which nodes are connected to supports through elements that are not void.
class HeldNodes
{
public:
  HeldNodes(const ElementMesh &mesh, MPI_Comm communicator)
    : mesh_(mesh), communicator_(communicator), of_nodes_(mesh.n_nodes, 0)
  {
    std::vector<Directions> of_supports(mesh.n_nodes, 0);
    for (const LocalIndex dof : mesh.constrained_dofs)
      of_supports[dof / 3] = static_cast<Directions>(of_supports[dof / 3] | 1u << dof % 3);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::empty)
        {
          Directions held = 0;
          for (unsigned int v = 0; v < mesh.type.n_nodes; ++v)
            held = static_cast<Directions>(held | of_supports[node(e, v)]);
          give(e, held);
        }
    const Communicator ranks(communicator);
    // Sweep to and fro on this rank, then exchange with the others, until nothing changes.
    do
      while (sweep())
        ;
    while (ranks.any(exchange()));
  }

  Directions operator[](const std::size_t node) const
  {
    return of_nodes_[node];
  }

private:
  std::size_t node(const std::size_t e, const unsigned int v) const
  {
    return mesh_.node(e, v);
  }

  bool give(const std::size_t e, const Directions held)
  {
    bool changed = false;
    for (unsigned int v = 0; v < mesh_.type.n_nodes; ++v)
      {
        Directions &of_node = of_nodes_[node(e, v)];
        changed             = changed || (held & ~of_node) != 0;
        of_node             = static_cast<Directions>(of_node | held);
      }
    return changed;
  }

  /// Updates an element, which is held in the directions of any of its faces.
  bool visit(const std::size_t e)
  {
    if (mesh_.flags[e] == DesignFlag::empty)
      return false;
    Directions held = 0;
    for (unsigned int face = 0; face < n_faces(mesh_.type); ++face)
      {
        Directions of_face = 7;
        for (const LocalIndex corner : nodes_of_face(mesh_, e, face))
          of_face = static_cast<Directions>(of_face & of_nodes_[corner]);
        held = static_cast<Directions>(held | of_face);
      }
    return give(e, held);
  }

  bool sweep()
  {
    bool changed = false;
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      changed = visit(e) || changed;
    for (std::size_t e = mesh_.n_elements; e-- > 0;)
      changed = visit(e) || changed;
    return changed;
  }

  /// Combines the ranks: a node is held in the directions that any rank has found.
  /// @return whether this rank learned something. Collective.
  bool exchange()
  {
    bool changed = false;
    for (unsigned int d = 0; d < 3; ++d)
      {
        std::vector<double> held(mesh_.n_nodes);
        for (std::size_t n = 0; n < held.size(); ++n)
          held[n] = of_nodes_[n] >> d & 1u;
        add_to_owners(communicator_, mesh_, held);
        update_ghosts(communicator_, mesh_, held);
        for (std::size_t n = 0; n < held.size(); ++n)
          if (held[n] > 0. && (of_nodes_[n] >> d & 1u) == 0)
            {
              changed      = true;
              of_nodes_[n] = static_cast<Directions>(of_nodes_[n] | 1u << d);
            }
      }
    return changed;
  }

  const ElementMesh &mesh_;
  MPI_Comm communicator_;
  std::vector<Directions> of_nodes_;
};
} // namespace

std::vector<std::string> notes_on_parted_loads(const ElementMesh &mesh,
                                               const std::vector<LoadCase> &load_cases,
                                               MPI_Comm communicator)
{
  const Communicator ranks(communicator);
  // Dependent nodes connect elements without a common face.
  if (ranks.any(!mesh.dependent.empty()) ||
      !ranks.any(std::find(mesh.flags.begin(), mesh.flags.end(), DesignFlag::empty) !=
                 mesh.flags.end()))
    return {};
  const HeldNodes held(mesh, communicator);
  // Nodes of elements that are not void, on any rank.
  std::vector<double> is_solid(mesh.n_nodes, 0.);
  for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::empty)
        is_solid[mesh.node(e, v)] = 1.;
  add_to_owners(communicator, mesh, is_solid);

  std::vector<std::string> notes;
  for (const LoadCase &load_case : load_cases)
    {
      Directions parted = 0;
      load_case.forces.for_each([&](const std::size_t dof, const double force) {
        if (force != 0. && is_solid[dof / 3] > 0. && (held[dof / 3] >> dof % 3 & 1u) == 0)
          parted = static_cast<Directions>(parted | 1u << dof % 3);
      });
      std::string along;
      for (unsigned int d = 0; d < 3; ++d)
        if (ranks.any((parted >> d & 1u) != 0))
          along += (along.empty() ? "" : ", ") + std::string(1, "xyz"[d]);
      if (!along.empty())
        notes.push_back(
          "NOTE: load case '" + load_case.name + "': void regions part its forces along " + along +
          " from all that is held there: the minimum density alone connects them. Leave "
          "a way of elements that share faces");
    }
  return notes;
}
} // namespace strut
