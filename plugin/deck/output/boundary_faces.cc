// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/boundary_faces.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "plugin/base/attempt.h"
#include "source/base/filled_vector.h"
#include "source/element/hexahedra_of_vertices.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// Sorts the nodes of a face. A triangle has its last node twice, whichever it was before.
template <typename Number>
void sort_nodes(std::array<Number, 4> &nodes)
{
  std::sort(nodes.begin(), nodes.end());
  std::fill(std::unique(nodes.begin(), nodes.end()), nodes.end(), nodes[3]);
}

/// Finds the faces whose other side has to be known.
class FaceFinder
{
public:
  FaceFinder(const LevelOnMesh &level, const std::vector<std::uint8_t> &is_shared)
    : level_(level), mesh_(level.mesh), is_shared_(is_shared), is_solid_(mesh_.n_nodes, 0)
  {
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] == DesignFlag::solid)
        for (int v = 0; v < 8; ++v)
          is_solid_[level.node(e, v)] = 1;
    std::vector<std::uint8_t> is_in =
      cpu::filled_vector<std::uint8_t>(level.n_threads, mesh_.n_elements);
    cpu::parallel_for(level.n_threads, mesh_.n_elements, [&](const std::size_t e) {
      is_in[e] = may_matter(e) ? 1 : 0;
    });
    around_ = NodeToElement::of_elements(mesh_, is_in, level.n_threads);
  }

  /// Faces of the elements in [begin, end): those on the boundary, and those whose other side may
  /// be on another rank.
  struct Found
  {
    std::vector<BoundaryFace> here, between_ranks;
  };
  Found find(const std::size_t begin, const std::size_t end) const
  {
    Found found;
    for (std::size_t e = begin; e < end; ++e)
      if (may_matter(e))
        for (int f = 0; f < 6; ++f)
          if (matters(e, f))
            add(e, f, found);
    return found;
  }

  Beyond seen_from_outside(const std::size_t e) const
  {
    return mesh_.flags[e] == DesignFlag::solid ? Beyond::solid : Beyond::design;
  }

  bool is_on_boundary(const BoundaryFace &face) const
  {
    return face.beyond == Beyond::nothing ||
           (mesh_.flags[face.element] == DesignFlag::solid && face.beyond != Beyond::solid);
  }

private:
  /// Whether a face of the element may be needed; only its nodes are tested.
  bool may_matter(const std::size_t e) const
  {
    if (mesh_.flags[e] == DesignFlag::empty)
      return false;
    for (int v = 0; v < 8; ++v)
      {
        const LocalIndex n = level_.node(e, v);
        if (level_.field[n] >= level_.level || is_solid_[n] != 0 || is_shared_[n] != 0)
          return true;
      }
    return false;
  }

  /// Whether a face is needed: faces with material, of solid elements or their neighbours, and
  /// between ranks. The result is the same for both sides of a face.
  bool matters(const std::size_t e, const int f) const
  {
    bool any_marked = false, all_solid = true, all_shared = true;
    for (int k = 0; k < 4; ++k)
      {
        const LocalIndex n = level_.node(e, face_corner(f, k));
        any_marked         = any_marked || level_.field[n] >= level_.level;
        all_solid          = all_solid && is_solid_[n] != 0;
        all_shared         = all_shared && is_shared_[n] != 0;
      }
    return any_marked || all_solid || all_shared;
  }

  void add(const std::size_t e, const int f, Found &found) const
  {
    BoundaryFace face{{},
                      static_cast<LocalIndex>(e),
                      static_cast<std::uint8_t>(f),
                      Beyond::nothing};
    for (int k = 0; k < 4; ++k)
      face.nodes[static_cast<std::size_t>(k)] = level_.node(e, face_corner(f, k));
    if (is_collapsed(mesh_, e) && (f == 3 || f == 5))
      return;
    if (const auto other = element_behind(around_, face.nodes, face.element))
      {
        face.beyond = seen_from_outside(*other);
        if (is_on_boundary(face))
          add_sorted(face, found.here);
        return;
      }
    const bool is_between = std::all_of(face.nodes.begin(),
                                        face.nodes.end(),
                                        [this](const LocalIndex n) { return is_shared_[n] != 0; });
    add_sorted(face, is_between ? found.between_ranks : found.here);
  }

  static void add_sorted(BoundaryFace &face, std::vector<BoundaryFace> &faces)
  {
    sort_nodes(face.nodes);
    faces.push_back(face);
  }

  const LevelOnMesh &level_;
  const ElementMesh &mesh_;
  const std::vector<std::uint8_t> &is_shared_;
  std::vector<std::uint8_t> is_solid_; ///< nodes of solid elements, `[n_nodes]`
  NodeToElement around_;
};

/// Finds the other side of faces on other ranks. Collective.
void look_beyond(MPI_Comm communicator,
                 const GlobalNodeNumbers &numbers,
                 const FaceFinder &finder,
                 std::vector<BoundaryFace> &faces)
{
  using Nodes = std::array<std::uint64_t, 4>;
  struct SeenFace
  {
    Nodes nodes;
    Beyond side; ///< our side
  };
  std::map<Nodes, std::size_t> between_ranks;
  std::vector<SeenFace> ours;
  for (std::size_t i = 0; i < faces.size(); ++i)
    {
      Nodes nodes;
      for (std::size_t k = 0; k < 4; ++k)
        nodes[k] = numbers(faces[i].nodes[k]);
      sort_nodes(nodes);
      between_ranks.emplace(nodes, i);
      ours.push_back({nodes, finder.seen_from_outside(faces[i].element)});
    }
  for (const SeenFace &face : of_other_ranks(communicator, ours))
    if (const auto found = between_ranks.find(face.nodes); found != between_ranks.end())
      faces[found->second].beyond = face.side;
}
} // namespace

std::optional<LocalIndex> element_behind(const NodeToElement &around,
                                         const std::array<LocalIndex, 4> &nodes,
                                         const LocalIndex element)
{
  const auto is_around = [&](const LocalIndex node, const LocalIndex e) {
    const auto begin = around.entries.begin() + around.begin[node],
               end   = around.entries.begin() + around.begin[node + 1];
    return std::find(begin, end, e) != end;
  };
  // Node 2 first: few elements around node 0 have it, too.
  for (LocalIndex k = around.begin[nodes[0]]; k < around.begin[nodes[0] + 1]; ++k)
    if (const LocalIndex other = around.entries[k];
        other != element && is_around(nodes[2], other) && is_around(nodes[1], other) &&
        is_around(nodes[3], other))
      return other;
  return std::nullopt;
}

std::vector<BoundaryFace> boundary_faces(MPI_Comm communicator,
                                         const LevelOnMesh &level,
                                         const std::vector<std::uint8_t> &is_shared)
{
  std::optional<FaceFinder> finder;
  std::vector<BoundaryFace> faces, between_ranks;
  attempt_together(Communicator(communicator), [&] {
    finder.emplace(level, is_shared);
    for (const FaceFinder::Found &found :
         cpu::values_of_blocks(level.n_threads,
                               level.mesh.n_elements,
                               [&](const std::size_t begin, const std::size_t end) {
                                 return finder->find(begin, end);
                               }))
      {
        faces.insert(faces.end(), found.here.begin(), found.here.end());
        between_ranks.insert(between_ranks.end(),
                             found.between_ranks.begin(),
                             found.between_ranks.end());
      }
  });
  look_beyond(communicator, level.numbers, *finder, between_ranks);
  for (const BoundaryFace &face : between_ranks)
    if (finder->is_on_boundary(face))
      faces.push_back(face);
  std::sort(faces.begin(), faces.end(), [](const BoundaryFace &a, const BoundaryFace &b) {
    return std::tie(a.nodes, a.element) < std::tie(b.nodes, b.element);
  });
  return faces;
}
} // namespace strut
