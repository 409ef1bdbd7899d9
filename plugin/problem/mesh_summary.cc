// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/plugin/mesh_summary.h>

#include <deal.II/base/mpi.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_accessor.h>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/base/coarse_cell.h"
#include "plugin/mesh/mesh_sets.h"

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

/// Count one more face or cell.
template <typename Object>
void add(Reducible &part, const double measure, const Object &object)
{
  part[0] += 1.;
  part[1] += measure;
  for (const unsigned int v : object.vertex_indices())
    for (unsigned int d = 0; d < 3; ++d)
      {
        part[2 + d] = std::min(part[2 + d], object.vertex(v)[d]);
        part[5 + d] = std::min(part[5 + d], -object.vertex(v)[d]);
      }
}

/// The union of the maps of all ranks.
std::map<unsigned int, MeshSummary::Part> reduce(const Reducibles &local, MPI_Comm communicator)
{
  Reducibles all;
  for (const Reducibles &of_rank : dealii::Utilities::MPI::all_gather(communicator, local))
    for (const auto &[id, numbers] : of_rank)
      {
        Reducible &sum = part(all, id);
        for (std::size_t i = 0; i < sum.size(); ++i)
          sum[i] = i < 2 ? sum[i] + numbers[i] : std::min(sum[i], numbers[i]);
      }
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
                  const std::string &what,
                  const std::string &measure)
{
  std::ostringstream out;
  out << "    id " << std::setw(10) << what << std::setw(12) << measure << "   box\n";
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
/// The ids under which cells and faces are counted: of all sets that have them, or their own.
class SetsByPlace
{
public:
  explicit SetsByPlace(const MeshSets *sets) : has_sets_(sets != nullptr && !sets->empty())
  {
    if (!has_sets_)
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

  std::vector<unsigned int> materials(const dealii::CellAccessor<3, 3> &cell) const
  {
    std::vector<unsigned int> ids;
    if (has_sets_)
      ids = find(elements_, coarse_cell_of(cell));
    if (ids.empty())
      ids.push_back(cell.material_id());
    return ids;
  }

  std::vector<unsigned int> boundaries(const dealii::CellAccessor<3, 3> &cell,
                                       const unsigned int f) const
  {
    std::vector<unsigned int> ids;
    if (has_sets_ && is_on_coarse_face(cell, f))
      ids = find(faces_, std::uint64_t(6) * coarse_cell_of(cell) + f);
    if (ids.empty() && cell.at_boundary(f))
      ids.push_back(cell.face(f)->boundary_id());
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

  const bool has_sets_;
  Pairs elements_, faces_;
};
} // namespace

MeshSummary MeshSummary::collect(const dealii::Triangulation<3, 3> &triangulation,
                                 MPI_Comm communicator,
                                 std::shared_ptr<const MeshSets> sets)
{
  const SetsByPlace of_place(sets.get());
  Reducibles boundaries, materials, whole;
  Reducible &whole_boundary = part(whole, 0), &whole_mesh = part(whole, 1);
  double smallest = std::numeric_limits<double>::max(), shortest = smallest, longest = 0.;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        const double volume = cell->measure();
        smallest            = std::min(smallest, volume);
        add(whole_mesh, volume, *cell);
        for (const unsigned int l : cell->line_indices())
          {
            const double edge = cell->line(l)->vertex(0).distance(cell->line(l)->vertex(1));
            shortest          = std::min(shortest, edge);
            longest           = std::max(longest, edge);
          }
        for (const unsigned int id : of_place.materials(*cell))
          add(part(materials, id), volume, *cell);
        for (const unsigned int f : cell->face_indices())
          {
            const auto face = cell->face(f);
            // measure() of a warped face is not defined; two triangles are close enough here
            const double area = 0.5 * dealii::cross_product_3d(face->vertex(3) - face->vertex(0),
                                                               face->vertex(2) - face->vertex(1))
                                        .norm();
            if (cell->at_boundary(f))
              add(whole_boundary, area, *face);
            for (const unsigned int id : of_place.boundaries(*cell, f))
              add(part(boundaries, id), area, *face);
          }
      }

  MeshSummary summary;
  summary.boundary_ids   = reduce(boundaries, communicator);
  summary.material_ids   = reduce(materials, communicator);
  const auto totals      = reduce(whole, communicator);
  summary.whole_boundary = totals.at(0);
  summary.whole_mesh     = totals.at(1);
  summary.smallest_cell  = std::cbrt(dealii::Utilities::MPI::min(smallest, communicator));
  summary.shortest_edge  = dealii::Utilities::MPI::min(shortest, communicator);
  summary.longest_edge   = dealii::Utilities::MPI::max(longest, communicator);
  summary.n_cells        = triangulation.n_global_active_cells();
  summary.box            = summary.whole_mesh.box;
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
