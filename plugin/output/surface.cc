// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/surface.h"

#include <deal.II/base/mpi.h>

#include <strut/backend/backend.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "plugin/base/host_halo.h"
#include "plugin/output/node_means.h"
#include "plugin/output/result_writer.h"
#include "source/backend/nodal_fields.h"
#include "source/element/iso_cell.h"

namespace strut::plugin
{
namespace
{
/// What is on the other side of a face.
enum class Beyond : std::uint8_t
{
  nothing, ///< or an empty element
  design,
  solid
};

/// A face whose other side matters.
struct Face
{
  std::array<LocalIndex, 4> nodes; ///< ascending
  LocalIndex element;
  std::uint8_t number;
  Beyond beyond;
};

class SurfaceMaker
{
public:
  SurfaceMaker(MPI_Comm communicator,
               const ElementMesh &mesh,
               const std::vector<double> &field,
               const double level)
    : communicator_(communicator)
    , mesh_(mesh)
    , field_(field)
    , level_(level)
    , numbers_(communicator, mesh)
  {
    const std::uint64_t n_elements = mesh.n_elements;
    MPI_Scan(&n_elements, &first_element_, 1, MPI_UINT64_T, MPI_SUM, communicator); // up to ours
    first_element_ -= n_elements;
  }

  Surface make()
  {
    std::vector<Face> faces = relevant_faces();
    look_beyond(faces);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] == DesignFlag::design)
        add_loops(e);
    for (const Face &face : faces)
      {
        const bool solid = mesh_.flags[face.element] == DesignFlag::solid;
        if (face.beyond == Beyond::nothing)
          add_caps(face.element, face.number);
        if (solid && face.beyond != Beyond::solid)
          add_uncovered(face.element, face.number);
      }
    return std::move(surface_);
  }

private:
  LocalIndex node(const std::size_t e, const int v) const
  {
    return mesh_.connectivity[static_cast<std::size_t>(v) * mesh_.n_elements + e];
  }

  int marking(const std::size_t e) const
  {
    double values[8];
    for (int v = 0; v < 8; ++v)
      values[v] = field_[node(e, v)];
    return iso_cell::marking(values, level_);
  }

  /// Faces of solid elements, of design elements where they have material or touch solid ones, and between ranks.
  std::vector<Face> relevant_faces()
  {
    is_shared_.assign(mesh_.n_nodes, 0);
    std::fill(is_shared_.begin() + static_cast<std::ptrdiff_t>(mesh_.n_owned_nodes),
              is_shared_.end(),
              1);
    for (const HaloPattern::Neighbour &neighbour : mesh_.node_halo.neighbours)
      for (const std::uint32_t n : neighbour.send)
        is_shared_[n] = 1;
    std::vector<std::uint8_t> is_solid(mesh_.n_nodes, 0);
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] == DesignFlag::solid)
        for (int v = 0; v < 8; ++v)
          is_solid[node(e, v)] = 1;

    std::vector<Face> faces;
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      if (mesh_.flags[e] != DesignFlag::empty)
        for (int f = 0; f < 6; ++f)
          {
            Face face{{},
                      static_cast<LocalIndex>(e),
                      static_cast<std::uint8_t>(f),
                      Beyond::nothing};
            bool any_marked = false, all_solid = true, all_shared = true;
            for (int k = 0; k < 4; ++k)
              {
                const LocalIndex n                      = node(e, iso_cell::face_corner(f, k));
                face.nodes[static_cast<std::size_t>(k)] = n;
                any_marked                              = any_marked || field_[n] >= level_;
                all_solid                               = all_solid && is_solid[n] != 0;
                all_shared                              = all_shared && is_shared_[n] != 0;
              }
            std::sort(face.nodes.begin(), face.nodes.end());
            if (any_marked || all_solid || all_shared)
              faces.push_back(face);
          }
    std::sort(faces.begin(), faces.end(), [](const Face &a, const Face &b) {
      return std::make_pair(a.nodes, a.element) < std::make_pair(b.nodes, b.element);
    });
    return faces;
  }

  Beyond seen_from_outside(const Face &face) const
  {
    return mesh_.flags[face.element] == DesignFlag::solid ? Beyond::solid : Beyond::design;
  }

  /// Find the other element of each face, on this rank or another. Collective.
  void look_beyond(std::vector<Face> &faces) const
  {
    using Nodes = std::array<std::uint64_t, 4>;
    std::map<Nodes, std::size_t> between_ranks;
    std::vector<std::uint64_t> words; // of each of these faces: its nodes, and our side of it
    for (std::size_t i = 0; i < faces.size(); ++i)
      {
        Face &face = faces[i];
        if (i + 1 < faces.size() && faces[i + 1].nodes == face.nodes)
          {
            face.beyond         = seen_from_outside(faces[i + 1]);
            faces[i + 1].beyond = seen_from_outside(face);
            ++i;
          }
        else if (std::all_of(face.nodes.begin(), face.nodes.end(), [this](const LocalIndex n) {
                   return is_shared_[n] != 0;
                 }))
          {
            Nodes nodes;
            for (std::size_t k = 0; k < 4; ++k)
              nodes[k] = numbers_(face.nodes[k]);
            std::sort(nodes.begin(), nodes.end());
            between_ranks.emplace(nodes, i);
            words.insert(words.end(), nodes.begin(), nodes.end());
            words.push_back(static_cast<std::uint64_t>(seen_from_outside(face)));
          }
      }
    const auto of_ranks    = dealii::Utilities::MPI::all_gather(communicator_, words);
    const std::size_t mine = dealii::Utilities::MPI::this_mpi_process(communicator_);
    for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
      if (rank != mine)
        for (std::size_t w = 0; w < of_ranks[rank].size(); w += 5)
          {
            Nodes nodes;
            std::copy_n(of_ranks[rank].begin() + static_cast<std::ptrdiff_t>(w), 4, nodes.begin());
            if (const auto found = between_ranks.find(nodes); found != between_ranks.end())
              faces[found->second].beyond = static_cast<Beyond>(of_ranks[rank][w + 4]);
          }
  }

  std::uint32_t add_vertex(const Surface::Key &key, const std::array<double, 3> &place)
  {
    surface_.keys.push_back(key);
    surface_.vertices.push_back(place);
    return static_cast<std::uint32_t>(surface_.vertices.size() - 1);
  }

  std::array<double, 3> place(const LocalIndex n) const
  {
    return {{mesh_.coordinates[n],
             mesh_.coordinates[mesh_.n_nodes + n],
             mesh_.coordinates[2 * mesh_.n_nodes + n]}};
  }

  /// Where the edge of two nodes is cut, or a node if they are the same: in one order for all who ask, also on other ranks.
  std::uint32_t vertex(LocalIndex first, LocalIndex last)
  {
    if (numbers_(last) < numbers_(first))
      std::swap(first, last);
    const std::uint64_t local = std::uint64_t(first) << 32 | last;
    if (const auto found = known_.find(local); found != known_.end())
      return found->second;
    std::array<double, 3> x = place(first);
    if (first != last)
      {
        const std::array<double, 3> end = place(last);
        const double t                  = (level_ - field_[first]) / (field_[last] - field_[first]);
        for (std::size_t d = 0; d < 3; ++d)
          x[d] += t * (end[d] - x[d]);
      }
    const std::uint32_t index = add_vertex({{numbers_(first), numbers_(last)}}, x);
    known_.emplace(local, index);
    return index;
  }

  /// A convex polygon as a fan from its first point.
  void add_polygon(const std::vector<std::uint32_t> &points)
  {
    for (std::size_t i = 2; i < points.size(); ++i)
      surface_.triangles.push_back({{points[0], points[i - 1], points[i]}});
  }

  /// The pieces of the iso-surface in an element: fans about the mean of their points.
  void add_loops(const std::size_t e)
  {
    const int marked = marking(e);
    if (marked == 0 || marked == 255)
      return;
    const std::uint64_t next = iso_cell::loops(marked);
    unsigned int seen        = 0;
    for (int begin = 0; begin < iso_cell::n_edges; ++begin)
      if (iso_cell::next_edge(next, begin) != 15 && (seen >> begin & 1) == 0)
        {
          std::vector<std::uint32_t> points;
          std::array<double, 3> mean{};
          for (int edge = begin; points.empty() || edge != begin;
               edge     = iso_cell::next_edge(next, edge))
            {
                  seen |= 1u << edge;
                  const int from = iso_cell::edge_begin(edge);
                  points.push_back(
                vertex(node(e, from), node(e, from | 1 << iso_cell::edge_direction(edge))));
                  for (std::size_t d = 0; d < 3; ++d)
                mean[d] += surface_.vertices[points.back()][d];
            }
          for (double &x : mean)
            x /= static_cast<double>(points.size());
          const std::uint64_t number =
            (first_element_ + e) * iso_cell::n_edges + static_cast<std::uint64_t>(begin);
          const std::uint32_t middle = add_vertex({{Surface::inside_element, number}}, mean);
          for (std::size_t i = 0; i < points.size(); ++i)
            surface_.triangles.push_back({{middle, points[i], points[(i + 1) % points.size()]}});
        }
  }

  /// The vertex at corner k of a face, or at the cut between the corners k and l.
  std::uint32_t vertex_of_face(const std::size_t e, const int f, const int k, const int l)
  {
    return vertex(node(e, iso_cell::face_corner(f, k % 4)),
                  node(e, iso_cell::face_corner(f, l % 4)));
  }

  /// The part of a face in which the field is at least the level.
  void add_caps(const std::size_t e, const int f)
  {
    const int marked = marking(e);
    if (iso_cell::is_marked(marked, iso_cell::face_corner(f, 0)) &&
        iso_cell::run_length(marked, f, 0) == 4)
      {
        add_whole_face(e, f);
        return;
      }
    for (int k = 0; k < 4; ++k)
      if (iso_cell::begins_run(marked, f, k))
        {
          const int end                     = k + iso_cell::run_length(marked, f, k);
          std::vector<std::uint32_t> points = {vertex_of_face(e, f, k + 3, k)};
          for (int i = k; i < end; ++i)
            points.push_back(vertex_of_face(e, f, i, i));
          points.push_back(vertex_of_face(e, f, end - 1, end));
          add_polygon(points);
        }
  }

  /// The other part: one polygon, since caps of marked corners across a face are apart.
  void add_uncovered(const std::size_t e, const int f)
  {
    const int marked     = marking(e);
    const auto is_marked = [&](const int k) {
      return iso_cell::is_marked(marked, iso_cell::face_corner(f, k % 4));
    };
    int begin = 0; // at a cut: a fan from a corner would have triangles without area
    while (begin < 4 && !(is_marked(begin) && !is_marked(begin + 1)))
      ++begin;
    if (begin == 4)
      {
        if (!is_marked(0))
          add_whole_face(e, f);
        return;
      }
    std::vector<std::uint32_t> points;
    for (int k = begin; k < begin + 4; ++k)
      {
        if (!is_marked(k))
          points.push_back(vertex_of_face(e, f, k, k));
        if (is_marked(k) != is_marked(k + 1))
          points.push_back(vertex_of_face(e, f, k, k + 1));
      }
    add_polygon(points);
  }

  void add_whole_face(const std::size_t e, const int f)
  {
    std::vector<std::uint32_t> points;
    for (int k = 0; k < 4; ++k)
      points.push_back(vertex_of_face(e, f, k, k));
    add_polygon(points);
  }

  MPI_Comm communicator_;
  const ElementMesh &mesh_;
  const std::vector<double> &field_;
  const double level_;
  const GlobalNodeNumbers numbers_;
  std::uint64_t first_element_ = 0;
  std::vector<std::uint8_t> is_shared_; ///< `[n_nodes]`: with another rank
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
  Surface surface_;
};
} // namespace

std::vector<double> design_densities_at_nodes(MPI_Comm communicator,
                                              const ElementMesh &mesh,
                                              const std::vector<double> &densities,
                                              const unsigned int n_threads)
{
  std::vector<double> means = means_at_nodes(
    communicator,
    mesh,
    densities,
    [&](const std::size_t e) { return mesh.flags[e] == DesignFlag::design ? mesh.volumes[e] : 0.; },
    n_threads);
  update_ghosts(communicator, mesh, means);
  return means;
}

EnclosingLevel find_enclosing_level(MPI_Comm communicator,
                                    const ElementMesh &mesh,
                                    const std::vector<double> &field,
                                    const double volume,
                                    const unsigned int n_threads)
{
  using dealii::Utilities::MPI::max;
  using dealii::Utilities::MPI::sum;
  const auto backend = make_cpu_backend(n_threads);
  const auto fields  = backend->make_nodal_fields(mesh);
  const Array<double> values(backend->memory(), field);
  const Array<DesignFlag> flags(backend->memory(), mesh.flags);
  const auto volume_above = [&](const double level) {
    return sum(mesh.n_elements > 0 ? fields->volume_above(values, level, flags) : 0., communicator);
  };
  double largest = 0.;
  for (const double value : field)
    largest = std::max(largest, value);
  largest = max(largest, communicator);

  // A narrower bracket would tell apart values that are the same but for rounding, and make noise of a constant field.
  constexpr double narrow = 1e-10, close = 1e-10;
  EnclosingLevel below = {0., volume_above(0.)};
  double above         = largest * (1. + narrow);
  while (above - below.level > narrow * largest && below.volume - volume > close * volume)
    {
      const double middle        = 0.5 * (below.level + above);
      const double volume_middle = volume_above(middle);
      if (volume_middle >= volume)
        below = {middle, volume_middle};
      else
        above = middle;
    }
  return below;
}

Surface make_surface(MPI_Comm communicator,
                     const ElementMesh &mesh,
                     const std::vector<double> &field,
                     const double level)
{
  return SurfaceMaker(communicator, mesh, field, level).make();
}
} // namespace strut::plugin
