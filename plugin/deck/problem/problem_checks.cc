// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>
#include <strut/mesh_summary.h>

#include <map>
#include <set>
#include <sstream>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/problem/body_text.h"
#include "plugin/deck/problem/element_places.h"
#include "plugin/deck/problem/problem.h"
#include "source/mesh/rigid_motions.h"

namespace strut
{
namespace
{
/// A mesh with more hinged parts is broken, and checking their motions would take too long.
constexpr std::size_t most_hinged_parts = 100;

[[noreturn]] void fail(const std::string &text)
{
  throw EntryError({"Supports"}, "", text);
}

/// Throws unless the supports hold every body of the mesh. Parts are sets of elements that faces
/// connect. Parts that share only nodes or edges are hinged there; parts that share nothing are
/// separate bodies. Collective.
/// @throws EntryError that names the body and its place. If its nodes coincide with those of
///   another body, it says how to join them.
void check_bodies(const Communicator &communicator,
                  MeshBodies parts,
                  const CoarseMesh &coarse,
                  const DeckMesh &mesh,
                  const MeshSummary &summary)
{
  std::set<std::size_t> hinged_parts;
  for (const Bodies::Hinge &hinge : parts.bodies.hinges)
    hinged_parts.insert({hinge.first, hinge.second});
  if (hinged_parts.size() > most_hinged_parts)
    fail(
      std::to_string(hinged_parts.size()) +
      " parts of the mesh share nodes but no faces: they are hinged there.\nJoin them by faces of "
      "elements.");
  std::vector<LocalIndex> of_element;
  if (parts.size() > 1)
    {
      for (std::size_t e = 0; e < mesh.elements.n_elements; ++e)
        of_element.push_back(parts.of_coarse_cell[mesh.coarse_cell(e)]);
      parts.bodies.of_node = bodies_of_nodes(mesh.elements, of_element);
    }
  const std::vector<FreeMotion> motions =
    free_rigid_motions(communicator, mesh.elements, parts.bodies);
  if (motions.empty())
    return;

  std::map<std::size_t, std::vector<std::string>> free; // descriptions of the motions, by body
  for (const FreeMotion &motion : motions)
    free[motion.body].push_back(motion.text);
  if (parts.size() == 1)
    fail("The supports leave a rigid motion free: " + join(free.begin()->second, "; ") +
         ".\nHold more components, or more nodes that are not on one line.");

  const bool hinged = !parts.bodies.hinges.empty();
  std::string text  = "The mesh falls into " + std::to_string(parts.size()) + " parts that share " +
                     (hinged ? "no faces (where they share nodes they are hinged)" : "no nodes") +
                     ", and the supports do not hold all of them:\n";
  std::size_t n_listed = 0;
  for (const auto &[body, list] : free)
    {
      if (++n_listed > 5)
        {
          text += "  and " + std::to_string(free.size() - 5) + " more\n";
          break;
        }
      const std::size_t n = n_coincident_nodes(coarse, parts, body, 1e-3 * summary.tolerance());
      text += "  part " + std::to_string(body + 1) + ", " + describe_body(parts, body, summary) +
              ": free to move " +
              (list.size() == 6 ? "in all six ways" : "by " + join(list, "; ")) + '\n';
      if (n == 0)
        text += describe_gap(communicator, mesh, parts, body, summary.tolerance());
      if (n > 0)
        text += "    " + std::to_string(n) +
                " of its nodes are at the places of nodes of other parts, and not joined to them\n";
    }
  text +=
    "Give each part supports of its own, or join the parts in the mesh, by faces of elements.";
  throw EntryErrorAt({"Supports"},
                     "",
                     text,
                     element_places(communicator, mesh.elements, [&](const std::size_t e) {
                       return free.count(of_element[e]) > 0;
                     }));
}
} // namespace

void Problem::check_well_posed(const bool needs_loads) const
{
  const Communicator communicator(communicator_);
  if (supports_.empty() && springs_.empty() &&
      communicator.sum(mesh_.elements.constrained_dofs.size()) == 0)
    throw EntryError(
      {"Supports"},
      "",
      "There is no support: nothing holds the structure.\n"
      "Add 'subsection Supports / subsection <name>' with a region. Boundary ids of the mesh:\n" +
        summary_.boundary_table());
  if (!ties_ && !unjoined_.empty())
    check_touching();
  check_bodies(communicator,
               find_bodies(mesh_maker_->coarse(), tied_cells()),
               mesh_maker_->coarse(),
               mesh_,
               summary_);

  const bool prescribed = std::any_of(mesh_.elements.constrained_values.begin(),
                                      mesh_.elements.constrained_values.end(),
                                      [](const double value) { return value != 0.; });
  if (communicator.any(prescribed))
    return;
  std::vector<bool> is_held(mesh_.elements.n_dofs(), false);
  for (const LocalIndex dof : mesh_.elements.constrained_dofs)
    is_held[dof] = true;
  for (const LoadCase &load_case : load_cases_)
    {
      if (loads_.empty() && !needs_loads)
        continue;
      if (loads_.empty())
        throw EntryError({"Loads"},
                         "",
                         "There is no load and no prescribed displacement: nothing acts on the "
                         "structure.\nAdd 'subsection Loads / subsection <name>' with a region and "
                         "a value.");
      if (load_case.has_weight)
        continue;
      const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const auto &candidate) {
        return candidate->load_case() == load_case.name;
      });
      bool any = false, any_free = false;
      load_case.forces.for_each([&](const std::size_t dof, double) {
        any      = true;
        any_free = any_free || !is_held[dof];
      });
      if (!communicator.any(any))
        throw EntryError((*load)->path(),
                         "Value",
                         "The forces of load case '" + load_case.name +
                           "' are zero.\nGive its loads a value other than zero.");
      if (!communicator.any(any_free))
        throw EntryError((*load)->path(),
                         "",
                         "The forces of load case '" + load_case.name +
                           "' act on supported nodes only, where they do nothing.\nChoose another "
                           "region for the load, or for the support.");
    }
}
} // namespace strut
