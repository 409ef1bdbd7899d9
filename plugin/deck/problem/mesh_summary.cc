// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/mesh_summary.h>

#include <deal.II/base/array_view.h>
#include <deal.II/base/mpi.h>

#include <deal.II/grid/grid_tools.h>

#include <strut/deck_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/coordinate_text.h"
#include "plugin/deck/mesh/mesh_sets.h"
#include "source/base/parallel_loop.h"
#include "source/element/element_sizes.h"

namespace strut
{
namespace
{
/// The numbers of a Part in a form that can be reduced. They are sums of count and measure, and
/// minima of the lower corner of the box and of the negated upper corner.
using Reducible         = std::array<double, 8>;
constexpr double no_box = std::numeric_limits<double>::max();
constexpr Reducible nothing{{0, 0, no_box, no_box, no_box, no_box, no_box, no_box}};
using Reducibles = std::map<unsigned int, Reducible>;

Reducible &part(Reducibles &parts, const unsigned int id)
{
  return parts.emplace(id, nothing).first->second;
}

/// Numbers of one face.
Reducible one(const double area, const std::array<dealii::Point<3>, 4> &vertices)
{
  Reducible numbers = nothing;
  numbers[0]        = 1.;
  numbers[1]        = area;
  for (const dealii::Point<3> &vertex : vertices)
    for (unsigned int d = 0; d < 3; ++d)
      {
        numbers[2 + d] = std::min(numbers[2 + d], vertex[d]);
        numbers[5 + d] = std::min(numbers[5 + d], -vertex[d]);
      }
  return numbers;
}

void add(Reducible &sum, const Reducible &numbers)
{
  for (std::size_t i = 0; i < sum.size(); ++i)
    sum[i] = i < 2 ? sum[i] + numbers[i] : std::min(sum[i], numbers[i]);
}

void add(Reducibles &sums, const Reducibles &parts)
{
  for (const auto &[id, numbers] : parts)
    add(part(sums, id), numbers);
}

/// Combines the maps of all ranks.
std::map<unsigned int, MeshSummary::Part> reduce(const Reducibles &local, MPI_Comm communicator)
{
  Reducibles all;
  for (const Reducibles &of_rank : dealii::Utilities::MPI::all_gather(communicator, local))
    add(all, of_rank);
  std::map<unsigned int, MeshSummary::Part> result;
  for (const auto &[id, numbers] : all)
    {
      MeshSummary::Part &part = result[id];
      part.count              = static_cast<std::uint64_t>(numbers[0]);
      part.measure            = numbers[1];
      part.box                = dealii::BoundingBox<3>(
        std::make_pair(dealii::Point<3>(numbers[2], numbers[3], numbers[4]),
                       dealii::Point<3>(-numbers[5], -numbers[6], -numbers[7])));
    }
  return result;
}

/// Formats a box with enough digits to distinguish places in the whole mesh.
std::string box_in_mesh(const dealii::BoundingBox<3> &box, const dealii::BoundingBox<3> &whole)
{
  const auto &[lower, upper] = box.get_boundary_points();
  return box_text(lower,
                  upper,
                  digits_in_box(5,
                                whole.get_boundary_points().first,
                                whole.get_boundary_points().second));
}

std::string table(const std::map<unsigned int, MeshSummary::Part> &parts,
                  const dealii::BoundingBox<3> &whole,
                  const std::string &kind,
                  const std::string &measure)
{
  std::ostringstream out;
  out << "    id " << std::setw(10) << kind << std::setw(12) << measure << "   box\n";
  for (const auto &[id, part] : parts)
    {
      out << std::setw(6) << id << ' ' << std::setw(10) << part.count << std::setw(12)
          << std::setprecision(5) << part.measure << "   " << box_in_mesh(part.box, whole);
      if (!part.name.empty())
        out << "  " << part.name;
      out << (part.is_interior ? "  (interior)\n" : "\n");
    }
  return out.str();
}

/// Ids under which elements and faces are counted: those of all sets that contain them, otherwise
/// their own.
class SetsByPlace
{
public:
  SetsByPlace(const DeckMesh &mesh, const MeshSets *sets) : mesh_(mesh)
  {
    if (sets == nullptr)
      return;
    std::vector<const MeshSets::Elements *> by_id;
    for (const MeshSets::Elements &set : sets->elements)
      by_id.push_back(&set);
    std::stable_sort(by_id.begin(), by_id.end(), [](const auto *a, const auto *b) {
      return a->id < b->id;
    });
    ids_of_cell_.assign(by_id.empty() ? 0 : mesh.coarse().materials.size(), 0);
    for (const MeshSets::Elements *const set : by_id)
      {
        std::vector<std::uint32_t> with_id(ids_.size(), 0); // ids_ with the id of the set
        for (const std::uint64_t cell : set->cells)
          {
            const std::uint32_t before = ids_of_cell_[cell];
            if (before >= with_id.size())
              with_id.resize(ids_.size(), 0);
            if (with_id[before] == 0)
              {
                with_id[before] = static_cast<std::uint32_t>(ids_.size());
                ids_.push_back(ids_[before]);
                ids_.back().push_back(set->id);
              }
            ids_of_cell_[cell] = with_id[before];
          }
      }
    for (const MeshSets::Faces &set : sets->faces)
      for (const std::uint64_t face : set.faces)
        faces_.emplace_back(face, set.id);
    std::sort(faces_.begin(), faces_.end());
  }

  std::vector<unsigned int> materials(const std::uint32_t coarse_cell) const
  {
    const std::uint32_t ids = number_of_ids(coarse_cell);
    return ids == 0 ? std::vector<unsigned int>{mesh_.coarse().materials[coarse_cell]} : ids_[ids];
  }

  bool have_same_materials(const std::size_t a, const std::size_t b) const
  {
    const std::uint32_t cell_of_a = mesh_.coarse_cell(a), cell_of_b = mesh_.coarse_cell(b);
    const std::uint32_t ids = number_of_ids(cell_of_a);
    if (cell_of_a == cell_of_b || ids != number_of_ids(cell_of_b))
      return cell_of_a == cell_of_b || materials(cell_of_a) == materials(cell_of_b);
    return ids > 0 || mesh_.coarse().materials[cell_of_a] == mesh_.coarse().materials[cell_of_b];
  }

  std::vector<unsigned int> boundaries(const DeckMesh::Face &face) const
  {
    const std::uint32_t coarse_cell = mesh_.coarse_cell(face.element);
    std::vector<unsigned int> ids   = find(faces_, std::uint64_t(6) * coarse_cell + face.number);
    if (ids.empty() && mesh_.at_boundary(face.element, face.number))
      ids.push_back(mesh_.boundary_id(face.element, face.number));
    return ids;
  }

private:
  using Pairs = std::vector<std::pair<std::uint64_t, unsigned int>>;

  static std::vector<unsigned int> find(const Pairs &pairs, const std::uint64_t key)
  {
    std::vector<unsigned int> ids;
    for (auto at = std::lower_bound(pairs.begin(), pairs.end(), std::make_pair(key, 0u));
         at != pairs.end() && at->first == key;
         ++at)
      ids.push_back(at->second);
    return ids;
  }

  /// The number of a coarse cell's list in ids_.
  std::uint32_t number_of_ids(const std::uint32_t coarse_cell) const
  {
    return ids_of_cell_.empty() ? 0 : ids_of_cell_[coarse_cell];
  }

  const DeckMesh &mesh_;
  std::vector<std::vector<unsigned int>> ids_{{}}; ///< lists of ids of sets; the first one is empty
  std::vector<std::uint32_t> ids_of_cell_;         ///< empty: no cell is in a set
  Pairs faces_;
};

/// Sizes of some elements, in total and by material.
struct Sizes
{
  Reducibles materials;
  ElementSizes whole;
};

Reducible reducible(const ElementSizes &sizes, const std::size_t count)
{
  return {{static_cast<double>(count),
           sizes.volume,
           sizes.lower[0],
           sizes.lower[1],
           sizes.lower[2],
           -sizes.upper[0],
           -sizes.upper[1],
           -sizes.upper[2]}};
}

Sizes sizes_of(const DeckMesh &mesh,
               const SetsByPlace &of_place,
               const std::size_t begin,
               const std::size_t end)
{
  Sizes sizes;
  for (std::size_t first = begin, next = begin + 1; first < end; ++next)
    if (next == end || !of_place.have_same_materials(first, next))
      {
        const ElementSizes of_run = ElementSizes::of(mesh.elements, first, next);
        sizes.whole.add(of_run);
        for (const unsigned int id : of_place.materials(mesh.coarse_cell(first)))
          add(part(sizes.materials, id), reducible(of_run, next - first));
        first = next;
      }
  return sizes;
}

/// The smallest volume by deal.II's formula. Only elements whose volume is the smallest up to
/// rounding are computed. Decks compare coordinates with h, which is then a round number or
/// slightly less.
double smallest_volume(const DeckMesh &mesh,
                       const ElementSizes &sizes,
                       MPI_Comm communicator,
                       const int n_threads)
{
  static constexpr std::array<unsigned int, 8> all = {{0, 1, 2, 3, 4, 5, 6, 7}};
  // Error of the formula far from the origin.
  constexpr double rounding = 1e-6;
  const double least        = dealii::Utilities::MPI::min(sizes.smallest, communicator);
  if (mesh.elements.type != ElementType())
    return least;
  const double most = (1. + rounding) * least;
  // The formula multiplies coordinates and loses all digits far from the origin. There, vertices
  // are taken relative to the first one.
  double farthest = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    farthest = std::max({farthest, std::abs(sizes.lower[d]), std::abs(sizes.upper[d])});
  farthest =
    dealii::Utilities::MPI::max(mesh.elements.n_elements > 0 ? farthest : 0., communicator);
  const bool is_far   = farthest > 1e4 * std::cbrt(least);
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    double smallest = std::numeric_limits<double>::max();
    std::vector<dealii::Point<3>> vertices(8);
    for (std::size_t e = begin; e < end; ++e)
      if (mesh.elements.volumes[e] <= most)
        {
          const dealii::Point<3> first = is_far ? mesh.vertex(e, 0) : dealii::Point<3>();
          for (unsigned int v = 0; v < 8; ++v)
            vertices[v] = is_far ? dealii::Point<3>(mesh.vertex(e, v) - first) : mesh.vertex(e, v);
          smallest = std::min(smallest,
                              dealii::GridTools::cell_measure<3>(
                                vertices, dealii::ArrayView<const unsigned int>(all.data(), 8)));
        }
    return smallest;
  };
  double smallest = std::numeric_limits<double>::max();
  for (const double of_some : cpu::values_of_blocks(n_threads, mesh.elements.n_elements, of_block))
    smallest = std::min(smallest, of_some);
  return dealii::Utilities::MPI::min(smallest, communicator);
}

/// Areas of some faces.
struct Areas
{
  Reducibles boundaries;
  Reducible whole = nothing;
};

/// @param begin,  end  range of the named faces
Areas areas_of(const DeckMesh &mesh,
               const SetsByPlace &of_place,
               const std::size_t begin,
               const std::size_t end)
{
  Areas areas;
  for (std::size_t i = begin; i < end; ++i)
    {
      const DeckMesh::Face &face                     = mesh.named_faces()[i];
      const std::array<dealii::Point<3>, 4> vertices = mesh.vertices(face);
      // The area of a warped face has no closed formula; two triangles are accurate enough here.
      const double area =
        0.5 * dealii::cross_product_3d(vertices[3] - vertices[0], vertices[2] - vertices[1]).norm();
      const Reducible numbers = one(area, vertices);
      if (mesh.at_boundary(face.element, face.number))
        add(areas.whole, numbers);
      for (const unsigned int id : of_place.boundaries(face))
        add(part(areas.boundaries, id), numbers);
    }
  return areas;
}
} // namespace

MeshSummary MeshSummary::collect(const DeckMesh &mesh,
                                 MPI_Comm communicator,
                                 std::shared_ptr<const MeshSets> sets)
{
  const SetsByPlace of_place(mesh, sets.get());
  Areas areas;
  for (const Areas &of_block :
       cpu::values_of_blocks(cpu::default_n_threads(),
                             mesh.named_faces().size(),
                             [&](const std::size_t begin, const std::size_t end) {
                               return areas_of(mesh, of_place, begin, end);
                             }))
    {
      add(areas.boundaries, of_block.boundaries);
      add(areas.whole, of_block.whole);
    }
  Sizes sizes;
  for (const Sizes &of_block :
       cpu::values_of_blocks(cpu::default_n_threads(),
                             mesh.elements.n_elements,
                             [&](const std::size_t begin, const std::size_t end) {
                               return sizes_of(mesh, of_place, begin, end);
                             }))
    {
      add(sizes.materials, of_block.materials);
      sizes.whole.add(of_block.whole);
    }
  const Reducible whole_mesh = reducible(sizes.whole, mesh.elements.n_elements);

  MeshSummary summary;
  summary.boundary_ids   = reduce(areas.boundaries, communicator);
  summary.material_ids   = reduce(sizes.materials, communicator);
  const auto totals      = reduce({{0, areas.whole}, {1, whole_mesh}}, communicator);
  summary.whole_boundary = totals.at(0);
  summary.whole_mesh     = totals.at(1);
  summary.smallest_cell =
    std::cbrt(smallest_volume(mesh, sizes.whole, communicator, cpu::default_n_threads()));
  summary.shortest_edge =
    std::sqrt(dealii::Utilities::MPI::min(sizes.whole.shortest_sqr, communicator));
  summary.has_hexahedra = mesh.elements.type.n_vertices == 8;
  summary.longest_edge =
    std::sqrt(dealii::Utilities::MPI::max(sizes.whole.longest_sqr, communicator));
  summary.n_nodes =
    dealii::Utilities::MPI::sum(std::uint64_t(mesh.elements.n_owned_nodes), communicator);
  summary.n_cells = summary.whole_mesh.count;
  summary.box     = summary.whole_mesh.box;
  if (sets != nullptr)
    {
      // If 0 is a group, entities in no group have another number.
      for (auto *const parts : {&summary.boundary_ids, &summary.material_ids})
        for (auto &[id, part] : *parts)
          part.name = id == 0 ? "" : "(no group)";
      for (const MeshSets::Faces &set : sets->faces)
        if (const auto part = summary.boundary_ids.find(set.id); part != summary.boundary_ids.end())
          {
            part->second.name        = set.name;
            part->second.is_interior = set.has_interior;
          }
      for (const MeshSets::Elements &set : sets->elements)
        if (const auto part = summary.material_ids.find(set.id); part != summary.material_ids.end())
          part->second.name = set.name;
      for (const MeshSets::Nodes &set : sets->nodes)
        {
          Part &part = summary.node_sets[set.name];
          part.count = set.count;
          part.box   = set.box;
        }
    }
  summary.sets = std::move(sets);
  return summary;
}

double MeshSummary::tolerance() const
{
  return 1e-6 * std::max({box.side_length(0), box.side_length(1), box.side_length(2)});
}

std::string MeshSummary::boundary_table() const
{
  std::ostringstream out;
  out << table(boundary_ids, box, "faces", "area");
  if (!node_sets.empty())
    out << "  node sets, by name:\n";
  for (const auto &[name, part] : node_sets)
    {
      out << std::setw(17) << part.count << " nodes      " << box_in_mesh(part.box, box) << "  "
          << name << '\n';
    }
  return out.str();
}

std::string MeshSummary::material_table() const
{
  return table(material_ids, box, "cells", "volume");
}
} // namespace strut
