// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"
#include "plugin/element_mesh/element_mesh_builder.h"

#include <deal.II/base/mpi.h>

namespace strut
{
namespace
{
/// A plane and its nodes on this rank, owned ones.
struct PlaneNodes
{
  SymmetryPlanes::Plane plane;
  NodeSet nodes;
  std::string tied; ///< Problem::tied_at() of its nodes
};

using Planes = std::vector<const PlaneNodes *>;

std::string names_of(const Planes &planes)
{
  std::string text;
  for (const PlaneNodes *const one : planes)
    text += (text.empty() ? "" : " and ") + one->plane.text;
  return text;
}

void sort_and_unite(std::vector<LocalIndex> &numbers)
{
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// The owned constrained DoFs of displacements that change their sign at the planes `odd`. There
/// the displacement is normal to the plane, and was within it.
/// @param of_mesh  constrained DoFs of the mesh
/// @param held  DoFs that more holds than planes of symmetry
std::vector<LocalIndex> constrained_dofs_of(const Planes &odd,
                                            const std::vector<LocalIndex> &of_mesh,
                                            const std::vector<LocalIndex> &held)
{
  std::vector<LocalIndex> freed, fixed, rest, dofs;
  for (const PlaneNodes *const one : odd)
    for (const LocalIndex node : one->nodes)
      for (unsigned int c = 0; c < 3; ++c)
        if (const LocalIndex dof = 3 * node + c; c != one->plane.component)
          fixed.push_back(dof);
        else if (!std::binary_search(held.begin(), held.end(), dof))
          freed.push_back(dof);
  sort_and_unite(freed);
  sort_and_unite(fixed);
  std::set_difference(
    of_mesh.begin(), of_mesh.end(), freed.begin(), freed.end(), std::back_inserter(rest));
  std::set_union(rest.begin(), rest.end(), fixed.begin(), fixed.end(), std::back_inserter(dofs));
  return dofs;
}

/// Whether the rows of dependent DoFs contain one that is constrained in one list alone.
bool couples_changed_dofs(const AffineRows &rows,
                          const std::vector<LocalIndex> &before,
                          const std::vector<LocalIndex> &after)
{
  const auto is_changed = [&](const LocalIndex dof) {
    return std::binary_search(before.begin(), before.end(), dof) !=
           std::binary_search(after.begin(), after.end(), dof);
  };
  return std::any_of(rows.dofs.begin(), rows.dofs.end(), is_changed) ||
         std::any_of(rows.masters.begin(), rows.masters.end(), is_changed);
}

[[noreturn]] void refuse(const Planes &odd, const std::string &why)
{
  throw EntryError(
    {"Symmetry"},
    "Planes",
    "A response asks for modes of vibration, also for those that change their sign at " +
      names_of(odd) + ". " + why +
      "\n'set Modes at planes = symmetric' in subsection Frequency counts the others alone.");
}
} // namespace

std::string Problem::tied_at(const std::vector<LocalIndex> &nodes) const
{
  const auto is_there = [&](const LocalIndex node) {
    return std::binary_search(nodes.begin(), nodes.end(), node);
  };
  std::string tied;
  for (const auto &[node, support] : oblique_nodes_)
    if (tied.empty() && is_there(node))
      tied = support + " holds nodes there along oblique directions";
  for (const auto &coupling : couplings_)
    {
      const NodeSet coupled = select_nodes(mesh_, communicator_, coupling->region);
      if (tied.empty() && std::any_of(coupled.begin(), coupled.end(), is_there))
        tied = "the coupling '" + coupling->name + "' has nodes there";
    }
  for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, tied))
    if (!text.empty())
      return text;
  return "";
}

void Problem::note_modes(const bool counts_all)
{
  supports_of_modes_.clear();
  std::vector<PlaneNodes> planes;
  std::string names;
  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    {
      if (plane.passes_through(summary_))
        throw EntryError(
          {"Symmetry"},
          "Planes",
          "A response asks for modes of vibration, and the plane " + plane.text +
            " passes through the mesh: modes of halves that are held there would be among "
            "them.\nMesh one side of the plane, or the whole without it.");
      if (std::any_of(planes.begin(), planes.end(), [&](const PlaneNodes &other) {
            return other.plane.component == plane.component;
          }))
        add_note(
          "NOTE: between planes of symmetry that face each other the body has no end, and modes are those "
          "of one that is repeated behind both");
      NodeSet nodes    = select_plane(mesh_, plane.component, plane.value, summary_.tolerance());
      std::string tied = tied_at(nodes);
      planes.push_back({plane, std::move(nodes), std::move(tied)});
      names += (names.empty() ? "" : ", ") + plane.text;
    }
  if (planes.empty())
    return;
  if (!counts_all)
    return add_note(
      "NOTE: modes of vibration are those alone that are symmetric about the planes of 'Symmetry'. Others, which sway "
      "out of a plane, may be far lower: 'Modes at planes = all' counts them");

  std::vector<LocalIndex> held = held_by_supports_;
  for (const Holder &holder : holders_)
    if (holder.name.compare(0, 8, "symmetry") != 0)
      held.insert(held.end(), holder.dofs.begin(), holder.dofs.end());
  sort_and_unite(held);

  const Communicator communicator(communicator_);
  ElementMesh &mesh                    = mesh_.elements;
  const std::vector<LocalIndex> all    = mesh.constrained_dofs; // with ghosts, behind the others
  const std::vector<double> all_values = mesh.constrained_values;
  const auto end = std::lower_bound(all.begin(), all.end(), mesh.n_owned_dofs());
  const std::vector<LocalIndex> of_mesh(all.begin(), end);
  const std::vector<double> values(all_values.begin(), all_values.begin() + (end - all.begin()));
  for (unsigned int subset = 1; subset < 1u << planes.size(); ++subset)
    {
      Planes odd;
      for (std::size_t p = 0; p < planes.size(); ++p)
        if ((subset >> p & 1u) != 0)
          odd.push_back(&planes[p]);
      const std::vector<LocalIndex> dofs = constrained_dofs_of(odd, of_mesh, held);
      set_constraints(dofs, std::vector<double>(dofs.size(), 0.), communicator_, mesh);
      supports_of_modes_.push_back(mesh.constrained_dofs);
      std::string tied;
      for (const PlaneNodes *const one : odd)
        if (tied.empty())
          tied = one->tied;
      if (tied.empty() &&
          communicator.any(couples_changed_dofs(mesh.dependent, all, supports_of_modes_.back())))
        tied = "nodes there follow others: faces are tied, or nodes hang";
      std::string unheld;
      try
        {
          if (tied.empty())
            check_held();
        }
      catch (const Error &error)
        {
          unheld = error.reason;
        }
      set_constraints(of_mesh, values, communicator_, mesh);
      if (!tied.empty())
        refuse(odd, "They do not take that " + tied + ".");
      if (!unheld.empty())
        {
          check_held(); // It throws if nothing holds symmetric displacements either.
          refuse(odd,
                 "Nothing holds the whole body against a motion that changes its sign: " + unheld);
        }
    }
  notes_.push_back("modes of vibration: the lowest of " +
                   std::to_string(1 + supports_of_modes_.size()) +
                   " kinds, which keep or change their sign at " + names);
}
} // namespace strut
