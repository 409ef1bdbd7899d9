// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/mesh_summary.h>

#include <deal.II/base/array_view.h>
#include <deal.II/base/mpi.h>

#include <deal.II/grid/grid_tools.h>

#include <strut/plugin/deck_mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/mesh_sets.h"
#include "source/base/parallel_loop.h"

namespace strut::plugin
{
namespace
{
/// A Part as numbers that can be reduced: sums of count and measure, minima of the lower corner of the box and of the
/// upper one with the other sign.
using Reducible         = std::array<double, 8>;
constexpr double no_box = std::numeric_limits<double>::max();
constexpr Reducible nothing{{0, 0, no_box, no_box, no_box, no_box, no_box, no_box}};
using Reducibles = std::map<unsigned int, Reducible>;

Reducible &part(Reducibles &parts, const unsigned int id)
{
  return parts.emplace(id, nothing).first->second;
}

/// One face or element. @param vertices  n of them
Reducible one(const double measure, const dealii::Point<3> *const vertices, const std::size_t n)
{
  Reducible numbers = nothing;
  numbers[0]        = 1.;
  numbers[1]        = measure;
  for (std::size_t v = 0; v < n; ++v)
    for (unsigned int d = 0; d < 3; ++d)
      {
        numbers[2 + d] = std::min(numbers[2 + d], vertices[v][d]);
        numbers[5 + d] = std::min(numbers[5 + d], -vertices[v][d]);
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

/// The union of the maps of all ranks.
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

void write(std::ostream &out, const dealii::BoundingBox<3> &box)
{
  const auto &[lower, upper] = box.get_boundary_points();
  for (int d = 0; d < 3; ++d)
    out << (d > 0 ? " x " : "") << '[' << lower[d] << ", " << upper[d] << ']';
}

std::string table(const std::map<unsigned int, MeshSummary::Part> &parts,
                  const std::string &kind,
                  const std::string &measure)
{
  std::ostringstream out;
  out << "    id " << std::setw(10) << kind << std::setw(12) << measure << "   box\n";
  for (const auto &[id, part] : parts)
    {
      out << std::setw(6) << id << ' ' << std::setw(10) << part.count << std::setw(12)
          << std::setprecision(5) << part.measure << "   ";
      write(out, part.box);
      if (!part.name.empty())
        out << "  " << part.name;
      out << (part.is_interior ? "  (interior)\n" : "\n");
    }
  return out.str();
}

/// The ids under which elements and faces are counted: of all sets that have them, or their own.
class SetsByPlace
{
public:
  SetsByPlace(const DeckMesh &mesh, const MeshSets *sets) : mesh_(mesh)
  {
    if (sets == nullptr)
      return;
    for (const MeshSets::Elements &set : sets->elements)
      for (const std::uint64_t cell : set.cells)
        elements_.emplace_back(cell, set.id);
    for (const MeshSets::Faces &set : sets->faces)
      for (const std::uint64_t face : set.faces)
        faces_.emplace_back(face, set.id);
    std::sort(elements_.begin(), elements_.end());
    std::sort(faces_.begin(), faces_.end());
  }

  std::vector<unsigned int> materials(const std::uint32_t coarse_cell) const
  {
    std::vector<unsigned int> ids = find(elements_, coarse_cell);
    if (ids.empty())
      ids.push_back(mesh_.coarse().materials[coarse_cell]);
    return ids;
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

  const DeckMesh &mesh_;
  Pairs elements_, faces_;
};

/// Sizes of some elements.
struct Sizes
{
  Reducibles materials;
  Reducible whole     = nothing;
  double smallest     = std::numeric_limits<double>::max(); ///< volume
  double shortest_sqr = smallest, longest_sqr = 0.;         ///< edges
};

Sizes sizes_of(const DeckMesh &mesh,
               const SetsByPlace &of_place,
               const std::size_t begin,
               const std::size_t end)
{
  static constexpr std::array<unsigned int, 8> all = {{0, 1, 2, 3, 4, 5, 6, 7}};
  Sizes sizes;
  std::vector<dealii::Point<3>> vertices(8);
  std::vector<Reducible *> parts; // of the materials of the coarse cell
  for (std::size_t e = begin; e < end; ++e)
    {
      for (unsigned int v = 0; v < 8; ++v)
        vertices[v] = mesh.vertex(e, v);
      // deal.II's formula: h in a deck is a round number where the elements are
      const double volume =
        dealii::GridTools::cell_measure<3>(vertices,
                                           dealii::ArrayView<const unsigned int>(all.data(), 8));
      sizes.smallest          = std::min(sizes.smallest, volume);
      const Reducible element = one(volume, vertices.data(), 8);
      add(sizes.whole, element);
      for (unsigned int v = 0; v < 8; ++v)
        for (unsigned int d = 0; d < 3; ++d)
          if ((v >> d & 1u) == 0)
            {
              const double edge  = vertices[v].distance_square(vertices[v | 1u << d]);
              sizes.shortest_sqr = std::min(sizes.shortest_sqr, edge);
              sizes.longest_sqr  = std::max(sizes.longest_sqr, edge);
            }
      if (e == begin || mesh.coarse_cell(e) != mesh.coarse_cell(e - 1))
        {
          parts.clear();
          for (const unsigned int id : of_place.materials(mesh.coarse_cell(e)))
            parts.push_back(&part(sizes.materials, id));
        }
      for (Reducible *const material : parts)
        add(*material, element);
    }
  return sizes;
}

/// Areas of some faces.
struct Areas
{
  Reducibles boundaries;
  Reducible whole = nothing;
};

/// @param begin, end  of the named faces
Areas areas_of(const DeckMesh &mesh,
               const SetsByPlace &of_place,
               const std::size_t begin,
               const std::size_t end)
{
  Areas areas;
  for (std::size_t i = begin; i < end; ++i)
    {
      const DeckMesh::Face &face = mesh.named_faces()[i];
      std::array<dealii::Point<3>, 4> vertices;
      for (unsigned int k = 0; k < 4; ++k)
        vertices[k] = mesh.vertex(face.element, DeckMesh::face_vertex(face.number, k));
      // the area of a warped face is no formula; two triangles are close enough here
      const double area =
        0.5 * dealii::cross_product_3d(vertices[3] - vertices[0], vertices[2] - vertices[1]).norm();
      const Reducible numbers = one(area, vertices.data(), 4);
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
      add(sizes.whole, of_block.whole);
      sizes.smallest     = std::min(sizes.smallest, of_block.smallest);
      sizes.shortest_sqr = std::min(sizes.shortest_sqr, of_block.shortest_sqr);
      sizes.longest_sqr  = std::max(sizes.longest_sqr, of_block.longest_sqr);
    }

  MeshSummary summary;
  summary.boundary_ids   = reduce(areas.boundaries, communicator);
  summary.material_ids   = reduce(sizes.materials, communicator);
  const auto totals      = reduce({{0, areas.whole}, {1, sizes.whole}}, communicator);
  summary.whole_boundary = totals.at(0);
  summary.whole_mesh     = totals.at(1);
  summary.smallest_cell  = std::cbrt(dealii::Utilities::MPI::min(sizes.smallest, communicator));
  summary.shortest_edge  = std::sqrt(dealii::Utilities::MPI::min(sizes.shortest_sqr, communicator));
  summary.longest_edge   = std::sqrt(dealii::Utilities::MPI::max(sizes.longest_sqr, communicator));
  summary.n_nodes =
    dealii::Utilities::MPI::sum(std::uint64_t(mesh.elements.n_owned_nodes), communicator);
  summary.n_cells = summary.whole_mesh.count;
  summary.box     = summary.whole_mesh.box;
  if (sets != nullptr)
    {
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
  out << table(boundary_ids, "faces", "area");
  if (!node_sets.empty())
    out << "  node sets, by name:\n";
  for (const auto &[name, part] : node_sets)
    {
      out << std::setw(17) << part.count << " nodes      ";
      write(out, part.box);
      out << "  " << name << '\n';
    }
  return out.str();
}

std::string MeshSummary::material_table() const
{
  return table(material_ids, "cells", "volume");
}
} // namespace strut::plugin
