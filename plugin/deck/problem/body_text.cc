// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/body_text.h"

#include <sstream>
#include <vector>

#include "plugin/base/coordinate_text.h"
#include "plugin/deck/problem/distance_to_faces.h"

namespace strut
{
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
      for (unsigned int k = 0; k < 4; ++k)
        if (those.is_within(distance,
                            mesh.vertex(face.element, DeckMesh::face_vertex(face.number, k))))
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
} // namespace strut
