// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <deal.II/numerics/rtree.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "plugin/base/coordinate_text.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/problem/distance_to_faces.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/tied_faces.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// Returns NOTEs on slits, which may be intended.
std::string note_slits(const std::vector<TouchingParts> &touching)
{
  std::ostringstream text;
  for (const TouchingParts &parts : touching)
    if (parts.is_slit())
      text
        << "  NOTE: part " << parts.bodies[0] + 1
        << " has a slit of no width: faces with nodes of their own at the same places, on an area of "
        << parts.area << "; 'Merge nodes' in Mesh / File would close it\n";
  return text.str();
}

/// Returns the NOTE on parts that share only nodes, as where meshes of curved surfaces do not
/// match.
std::string note_hinges(const MeshBodies &bodies)
{
  const auto &hinges = bodies.bodies.hinges;
  if (hinges.empty())
    return "";
  std::ostringstream text;
  const auto &[first, second, point] = hinges.front();
  text << "  NOTE: parts of the mesh share nodes but no faces, and are hinged there: "
       << hinges.size() << " nodes, first of parts " << std::min(first, second) + 1 << " and "
       << std::max(first, second) + 1 << " at " << place_text(point) << '\n';
  return text.str();
}

/// Two parts of a mesh that share no node, at the place where they are nearest.
struct NearParts
{
  std::array<std::size_t, 2> bodies{};
  double distance = 0.;   ///< distance of a vertex of the first part from a face of the second
  dealii::Point<3> point; ///< place of that vertex
};

struct BoundaryTriangle
{
  std::array<dealii::Point<3>, 3> corners;
  std::size_t body;
};

/// Finds the nearest parts at a distance larger than `least` and smaller than `most`. All threads
/// are used; the result does not depend on their number.
std::optional<NearParts> find_near_parts(const CoarseMesh &mesh,
                                         const MeshBodies &bodies,
                                         const double least,
                                         const double most)
{
  namespace index = boost::geometry::index;
  if (bodies.size() < 2)
    return {};
  std::set<std::pair<std::size_t, std::size_t>> hinged;
  for (const Bodies::Hinge &hinge : bodies.bodies.hinges)
    hinged.insert(std::minmax(hinge.first, hinge.second));

  std::vector<BoundaryTriangle> triangles;
  std::vector<std::pair<dealii::BoundingBox<3>, std::uint32_t>> boxes;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (unsigned int f = 0; f < n_faces(mesh.type); ++f)
      if (mesh.neighbours[c][f] == CoarseMesh::nobody)
        for (const auto &[second, third] : {std::make_pair(1u, 2u), std::make_pair(2u, 3u)})
          {
            const auto around                             = mesh.around(c, f);
            const std::array<dealii::Point<3>, 3> corners = {
              {around[0], around[second], around[third]}};
            boxes.emplace_back(dealii::BoundingBox<3>(corners),
                               static_cast<std::uint32_t>(triangles.size()));
            triangles.push_back({corners, bodies.of_coarse_cell[c]});
          }
  const auto tree  = dealii::pack_rtree(boxes);
  const auto found = cpu::values_of_blocks(
    cpu::default_n_threads(),
    triangles.size(),
    [&](const std::size_t begin, const std::size_t end) {
      NearParts nearest;
      nearest.distance = most;
      for (std::size_t i = begin; i < end; ++i)
        for (const dealii::Point<3> &corner : triangles[i].corners)
          {
            dealii::BoundingBox<3> around({corner, corner});
            around.extend(most);
            for (const auto &[box, j] : tree | index::adaptors::queried(index::intersects(around)))
              {
                const std::size_t a = triangles[i].body, b = triangles[j].body;
                if (a == b || hinged.count(std::minmax(a, b)) > 0)
                  continue;
                const double distance = distance_to_triangle(corner, triangles[j].corners);
                if (distance > least && distance < nearest.distance)
                  nearest = {{{a, b}}, distance, corner};
              }
          }
      return nearest;
    });
  NearParts nearest;
  nearest.distance = most;
  for (const NearParts &of_block : found)
    if (of_block.distance < nearest.distance)
      nearest = of_block;
  return nearest.distance < most ? std::make_optional(nearest) : std::nullopt;
}

/// The NOTE for the log on entries that should join parts and had no effect, or on parts that
/// nearly touch. Empty if there are neither.
/// @param in_vain  names of such entries
/// @param tied  pairs of cells that are tied
/// @param tolerance  distance within which nodes and faces are joined
std::string note_on_near_parts(const CoarseMesh &mesh,
                               const std::vector<std::array<std::uint32_t, 2>> &tied,
                               const std::vector<std::string> &in_vain,
                               const double tolerance,
                               const double shortest_edge)
{
  // Intended gaps are wider than a thousandth of the longest side or a fifth of an edge.
  const double nearly     = std::min(1e3 * tolerance, 0.2 * shortest_edge);
  const double most       = in_vain.empty() ? nearly : std::max(1e4 * tolerance, nearly);
  const MeshBodies bodies = find_bodies(mesh, tied);
  const auto near         = find_near_parts(mesh, bodies, tolerance, most);
  if (in_vain.empty() && !near)
    return "";
  std::ostringstream text;
  text << "  NOTE: ";
  if (in_vain.empty())
    text << "parts of the mesh nearly touch, and are not joined";
  else
    text << "'" << join(in_vain, "' and '") << "' in Mesh / File joined nothing";
  text.precision(6);
  if (near)
    {
      text << ": part " << std::min(near->bodies[0], near->bodies[1]) + 1 << " and part "
           << std::max(near->bodies[0], near->bodies[1]) + 1 << " are " << near->distance
           << " apart at (" << near->point[0] << ", " << near->point[1] << ", " << near->point[2]
           << "), ";
      text.precision(2);
      text << near->distance / tolerance << " times the tolerance of " << tolerance
           << ", a millionth of the longest side; to join them, write the coordinates with more "
              "digits, or close the gap in the mesh\n";
    }
  else if (bodies.size() < 2)
    text << ": the mesh is one part already\n";
  else
    text << ": no two parts that share no nodes are nearer than " << most << '\n';
  return text.str();
}
} // namespace

void Problem::find_touching_faces(std::vector<std::string> joined_in_vain)
{
  if (const ElementType &type = mesh_.elements.type; ties_ && type != ElementType())
    throw EntryError(
      {"Mesh", "File"},
      "Tie touching faces",
      "Faces of hexahedra with eight nodes are tied, and the elements of the mesh are of type " +
        std::string(type.name) + ".\nJoin the parts in the mesh, or by 'Merge nodes'.");
  unjoined_ = find_unjoined(mesh_maker_->coarse(), summary_.tolerance());
  if (ties_ && unjoined_.empty())
    joined_in_vain.emplace_back("Tie touching faces");
  const std::string near_note = note_on_near_parts(mesh_maker_->coarse(),
                                                   tied_cells(),
                                                   joined_in_vain,
                                                   summary_.tolerance(),
                                                   summary_.shortest_edge);
  if (!ties_)
    {
      const MeshBodies bodies = find_bodies(mesh_maker_->coarse());
      mesh_doubts_ =
        note_slits(find_touching_parts(unjoined_, bodies)) + note_hinges(bodies) + near_note;
      return;
    }
  mesh_doubts_                          = near_note;
  const std::vector<CoarseFace> covered = covered_faces(mesh_maker_->coarse(), unjoined_);
  std::set<std::pair<std::uint32_t, std::uint8_t>> touching;
  for (const UnjoinedFaces &faces : unjoined_)
    for (const CoarseFace &face : faces.sides)
      touching.emplace(face.cell, face.number);
  n_partly_covered_ = touching.size() - covered.size();
  if (covered.empty())
    return;
  const std::shared_ptr<const MeshSets> sets = summary_.sets;
  mesh_.take_from_boundary(covered, sets.get());
  summary_ = MeshSummary::collect(mesh_, communicator_, sets);
}

std::vector<std::array<std::uint32_t, 2>> Problem::tied_cells() const
{
  std::vector<std::array<std::uint32_t, 2>> pairs;
  if (ties_)
    for (const UnjoinedFaces &faces : unjoined_)
      pairs.push_back({{faces.sides[0].cell, faces.sides[1].cell}});
  return pairs;
}

void Problem::tie_touching()
{
  if (!ties_)
    return;
  const std::vector<std::string> path = {"Mesh", "File"};
  const std::string entry             = "Tie touching faces";
  if (dealii::Utilities::MPI::n_mpi_processes(communicator_) > 1)
    throw EntryError(path,
                     entry,
                     "Ties work on one rank alone.\n  Start strut without mpirun, with several "
                     "threads ('Threads'), or mesh the parts so that they share their faces.");
  TiedFaces tied = tie_faces(mesh_, unjoined_, summary_.tolerance());
  if (tied.untied_area > 0.)
    {
      const MeshBodies bodies = find_bodies(mesh_maker_->coarse());
      std::ostringstream text;
      text.precision(5);
      text << "Faces of an area of " << tied.untied_area
           << " cannot be tied: all of their nodes are tied to other faces, or others to them.\n"
           << "  The first is at (" << mesh_.face_centre(tied.untied.front()) << "), between\n";
      for (const DeckMesh::Face &face : tied.untied)
        {
          const std::size_t body = bodies.of_coarse_cell[mesh_.coarse_cell(face.element)];
          text << "  part " << body + 1 << ", " << describe_body(bodies, body, summary_) << '\n';
        }
      throw EntryError(path,
                       entry,
                       text.str() +
                         "  Mesh the parts more finely there, or so that they share their faces.");
    }
  mesh_.elements.dependent = std::move(tied.rows);
  double area              = 0.;
  for (const UnjoinedFaces &faces : unjoined_)
    area += faces.area;
  std::ostringstream note;
  note << "tied faces: " << tied.n_nodes
       << " nodes of one side follow the other side's, on an area of " << area;
  if (n_partly_covered_ > 0)
    note
      << "\n    NOTE: " << n_partly_covered_
      << " of the faces are tied in part only and remain boundary, whole: a load on them acts there, too";
  notes_.insert(notes_.begin(),
                unjoined_.empty() ? "tied faces: none touch without being joined" : note.str());
}

void Problem::check_touching() const
{
  std::ostringstream list;
  list.precision(5);
  const MeshBodies bodies = find_bodies(mesh_maker_->coarse());
  bool all_match          = true;
  std::size_t n           = 0;
  for (const TouchingParts &parts : find_touching_parts(unjoined_, bodies))
    {
      if (parts.is_slit())
        continue;
      all_match = all_match && parts.is_matched;
      if (++n > 5)
        continue;
      const auto &[a, b] = parts.bodies;
      list << "  part " << a + 1 << ", " << describe_body(bodies, a, summary_) << ", ";
      if (a == b)
        list << "touches itself";
      else
        list << "and\n  part " << b + 1 << ", " << describe_body(bodies, b, summary_) << ", touch";
      list << " on an area of " << parts.area << ":\n    " << parts.n_faces[0] << " faces and "
           << parts.n_faces[1] << ", none of them joined";
      if (a != b)
        list << "; " << parts.n_shared_nodes << " shared nodes";
      list << (parts.is_matched ? "; the meshes match there\n"
                                : "; the meshes do not match there\n");
    }
  if (n == 0)
    return;
  if (n > 5)
    list << "  and " << n - 5 << " more\n";
  const std::size_t n_merged = mesh_note_.find("Merge nodes:");
  throw EntryError(
    {"Mesh", "File"},
    "Tie touching faces",
    "Parts of the mesh touch, and their faces are not joined:\n" + list.str() +
      (n_merged == std::string::npos ? "" : mesh_note_.substr(n_merged) + ".\n") +
      (all_match
         ? "Join them: in Gmsh with 'Coherence;' (or BooleanFragments) after the volumes are made and before they "
           "are meshed; in a file of Gmsh or Abaqus with 'set Merge nodes = true'. Or tie them with 'set Tie "
           "touching faces = true', or leave a gap between the parts."
         : "Tie them with 'set Tie touching faces = true'. Or mesh the parts so that their faces have the same "
           "nodes there, or leave a gap between them. Nodes that happen to be at the same places join no faces."));
}
} // namespace strut
