// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/bodies.h"
#include "plugin/deck/problem/distance_to_faces.h"
#include "plugin/deck/problem/element_places.h"
#include "plugin/deck/problem/parted_by_void.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_sections.h"
#include "plugin/deck/problem/wall_bending.h"
#include "source/mesh/prescribed_displacements.h"
#include "source/mesh/rigid_motions.h"
#include <strut/mesh_summary.h>

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

/// A line on the gap between a body and its nearest neighbour, if the body touches none and the gap
/// may be unintended. Collective.
/// @param tolerance  faces that are nearer to each other touch
std::string describe_gap(const Communicator &communicator,
                         const DeckMesh &mesh,
                         const MeshBodies &bodies,
                         const std::size_t body,
                         const double tolerance)
{
  std::vector<DeckMesh::Face> ours, others;
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (mesh.at_boundary(face.element, face.number))
      (bodies.of_coarse_cell[mesh.coarse_cell(face.element)] == body ? ours : others)
        .push_back(face);
  const DistanceToFaces to_others(mesh, others, communicator.mpi());
  const DistanceToFaces to_ours(mesh, ours, communicator.mpi());
  const auto has_near = [&](const std::vector<DeckMesh::Face> &faces,
                            const DistanceToFaces &those,
                            const double distance) {
    for (const DeckMesh::Face &face : faces)
      for (const dealii::Point<3> &vertex : mesh.vertices(face))
        if (those.is_within(distance, vertex))
          return true;
    return false;
  };
  constexpr double widest = 1e4; // a hundredth of the longest side
  for (double gap = 10.; gap <= widest; gap *= 10.)
    {
      const bool is_near =
        has_near(ours, to_others, gap * tolerance) || has_near(others, to_ours, gap * tolerance);
      if (!communicator.any(is_near))
        continue;
      std::ostringstream text;
      text.precision(3);
      text << "    there is a gap of at most " << gap * tolerance
           << " to another part; faces touch that are within " << tolerance << '\n';
      return text.str();
    }
  return "";
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

std::string
describe_body(const MeshBodies &bodies, const std::size_t body, const MeshSummary &summary)
{
  std::ostringstream text;
  const Box3 &box               = bodies.bodies.boxes[body];
  const auto &[lowest, highest] = summary.box.get_boundary_points();
  text << "box " << box_text(box.lower, box.upper, digits_in_box(5, lowest, highest));
  const auto &ids = bodies.material_ids[body];
  text << ", material id" << (ids.size() > 1 ? "s" : "");
  std::size_t n = 0;
  for (const unsigned int id : ids)
    if (++n <= 5)
      {
        text << (n > 1 ? ", " : " ") << id;
        const auto part = summary.material_ids.find(id);
        if (part != summary.material_ids.end() && !part->second.name.empty())
          text << " '" << part->second.name << "'";
      }
  if (n > 5)
    text << ", ...";
  return text.str();
}

void Problem::check_held() const
{
  if (!ties_ && !unjoined_.empty())
    check_touching();
  check_bodies(Communicator(communicator_),
               find_bodies(mesh_maker_->coarse(), tied_cells()),
               mesh_maker_->coarse(),
               mesh_,
               summary_);
}

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
  check_held();

  if (communicator.any(prescribes_displacements(mesh_.elements)))
    return;
  const AffineRows &rows = mesh_.elements.dependent;
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
      if (load_case.follows_design())
        continue;
      const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const auto &candidate) {
        return candidate->load_case() == load_case.name;
      });
      bool any = false, any_free = false;
      double largest = 0.;
      std::vector<double> forces(rows.empty() ? 0 : mesh_.elements.n_dofs(), 0.);
      load_case.forces.for_each([&](const std::size_t dof, const double force) {
        any      = true;
        any_free = any_free || (rows.empty() && !is_held[dof]);
        largest  = std::max(largest, std::abs(force));
        if (!rows.empty())
          forces[dof] = force;
      });
      // DoFs that follow others hand on their forces, which may cancel there.
      for (std::size_t k = 0; k < rows.dofs.size(); ++k)
        {
          for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
            forces[rows.masters[j]] += rows.weights[j] * forces[rows.dofs[k]];
          forces[rows.dofs[k]] = 0.;
        }
      for (std::size_t dof = 0; dof < forces.size(); ++dof)
        any_free = any_free || (!is_held[dof] && std::abs(forces[dof]) > 1e-9 * largest);
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

void Problem::note_doubts()
{
  const auto &[lower, upper] = summary_.box.get_boundary_points();
  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    if (plane.passes_through(summary_))
      {
        std::ostringstream note;
        note
          << "NOTE: the symmetry plane " << plane.text
          << " passes through the mesh, which goes from " << lower[plane.component] << " to "
          << upper[plane.component]
          << ". That is right only if mesh, materials, loads and design are symmetric to it themselves; for half "
             "of a structure mesh one side";
        notes_.push_back(note.str());
      }

  const bool have_other_ratios =
    std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
      return material->poisson_ratio(material_) != material_.poisson_ratio;
    });
  const std::string entry = entry_of(material_.formulation).first;
  if (const ElementType &type = mesh_.elements.type; locks() && type != ElementType())
    add_note(
      type.n_nodes > type.n_vertices
        ? ""
        : "NOTE: Poisson's ratio is near 0.5, where linear tetrahedra are far too stiff: take quadratic ones");
  else if (locks())
    notes_.push_back(
      "NOTE: Poisson's ratio is near 0.5, where elements with 'Volumetric integration = full' "
      "are too stiff and solves take many iterations: 'set Volumetric integration = mean' in "
      "subsection Material" +
      (entry.empty() ? "" : ", in place of '" + entry + "'") +
      (!have_other_ratios ? "" : ", and one Poisson's ratio for all materials") +
      " (doc/studies/locking.md)");
  // Locking does not depend on walls.
  else if (mesh_.elements.type == ElementType())
    add_note(note_on_walls(mesh_of_walls()));

  for (const std::string &note : notes_on_parted_loads(mesh_.elements, load_cases_, communicator_))
    notes_.push_back(note);
}

MeshOfWalls Problem::mesh_of_walls() const
{
  return {mesh_maker_->coarse(),
          mesh_.n_refinements(),
          material_,
          symmetry_.planes(summary_),
          summary_.longest_edge,
          summary_.tolerance()};
}

std::string Problem::note_on_layers() const
{
  return mesh_.elements.type == ElementType() ? strut::note_on_layers(mesh_of_walls()) : "";
}

bool Problem::locks() const
{
  constexpr double nearly_incompressible = 0.49;
  const bool is_near = std::any_of(materials_.begin(), materials_.end(), [&](const auto &material) {
    return material->poisson_ratio(material_) >= nearly_incompressible;
  });
  return (is_near || material_.poisson_ratio >= nearly_incompressible) &&
         material_.formulation != Formulation::mean_dilatation;
}
} // namespace strut
