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
/// A Part as numbers that can be reduced: sums of count and measure, minima of lower and -upper.
struct Reducible
{
  double count = 0, measure = 0;
  std::array<double, 6> box{{std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::max(),
                             std::numeric_limits<double>::max()}};

  void add(const dealii::Point<3> &p)
  {
    for (int d = 0; d < 3; ++d)
      {
        box[d]     = std::min(box[d], p[d]);
        box[3 + d] = std::min(box[3 + d], -p[d]);
      }
  }
};

/// The union of the maps of all ranks.
std::map<unsigned int, MeshSummary::Part> reduce(const std::map<unsigned int, Reducible> &local,
                                                 MPI_Comm communicator)
{
  std::map<unsigned int, MeshSummary::Part> result;
  for (const auto &other : dealii::Utilities::MPI::all_gather(communicator, [&]() {
         std::map<unsigned int, std::array<double, 8>> numbers;
         for (const auto &[id, part] : local)
           {
             numbers[id] = {{part.count, part.measure}};
             std::copy(part.box.begin(), part.box.end(), numbers[id].begin() + 2);
           }
         return numbers;
       }()))
    for (const auto &[id, numbers] : other)
      {
        const dealii::Point<3> lower(numbers[2], numbers[3], numbers[4]);
        const dealii::Point<3> upper(-numbers[5], -numbers[6], -numbers[7]);
        const bool is_new       = result.count(id) == 0;
        MeshSummary::Part &part = result[id];
        part.count += static_cast<std::uint64_t>(numbers[0]);
        part.measure += numbers[1];
        const dealii::BoundingBox<3> box(std::make_pair(lower, upper));
        if (is_new)
          part.box = box;
        else
          part.box.merge_with(box);
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
  std::map<unsigned int, Reducible> boundaries, materials, whole;
  Reducible &whole_boundary = whole[0], &whole_mesh = whole[1];
  double smallest = std::numeric_limits<double>::max(), shortest = smallest, longest = 0.;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        const double volume = cell->measure();
        smallest            = std::min(smallest, volume);
        whole_mesh.count += 1.;
        whole_mesh.measure += volume;
        for (const unsigned int v : cell->vertex_indices())
          whole_mesh.add(cell->vertex(v));
        for (const unsigned int l : cell->line_indices())
          {
            const double edge = cell->line(l)->vertex(0).distance(cell->line(l)->vertex(1));
            shortest          = std::min(shortest, edge);
            longest           = std::max(longest, edge);
          }
        for (const unsigned int id : of_place.materials(*cell))
          {
            Reducible &material = materials[id];
            material.count += 1.;
            material.measure += volume;
            for (const unsigned int v : cell->vertex_indices())
              material.add(cell->vertex(v));
          }
        for (const unsigned int f : cell->face_indices())
          {
            const auto face = cell->face(f);
            // measure() of a warped face is not defined; two triangles are close enough here
            const double area = 0.5 * dealii::cross_product_3d(face->vertex(3) - face->vertex(0),
                                                               face->vertex(2) - face->vertex(1))
                                        .norm();
            const auto add_to = [&](Reducible &part) {
              part.count += 1.;
              part.measure += area;
              for (const unsigned int v : face->vertex_indices())
                part.add(face->vertex(v));
            };
            if (cell->at_boundary(f))
              add_to(whole_boundary);
            for (const unsigned int id : of_place.boundaries(*cell, f))
              add_to(boundaries[id]);
          }
      }

  MeshSummary summary;
  summary.boundary_ids  = reduce(boundaries, communicator);
  summary.material_ids  = reduce(materials, communicator);
  const auto totals     = reduce(whole, communicator);
  summary.boundary_     = totals.at(0);
  summary.mesh_         = totals.at(1);
  summary.smallest_cell = std::cbrt(dealii::Utilities::MPI::min(smallest, communicator));
  summary.shortest_edge = dealii::Utilities::MPI::min(shortest, communicator);
  summary.longest_edge  = dealii::Utilities::MPI::max(longest, communicator);
  summary.n_cells       = triangulation.n_global_active_cells();
  bool first            = true;
  for (const auto &[id, part] : summary.material_ids)
    {
      if (first)
        summary.box = part.box;
      else
        summary.box.merge_with(part.box);
      first = false;
    }
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
          part.box   = dealii::BoundingBox<3>(
            std::make_pair(dealii::Point<3>(set.lower[0], set.lower[1], set.lower[2]),
                           dealii::Point<3>(set.upper[0], set.upper[1], set.upper[2])));
        }
    }
  summary.sets = std::move(sets);
  return summary;
}

double MeshSummary::tolerance() const
{
  return 1e-6 * std::max({box.side_length(0), box.side_length(1), box.side_length(2)});
}

MeshSummary::Part MeshSummary::whole_boundary() const
{
  return boundary_;
}

MeshSummary::Part MeshSummary::whole_mesh() const
{
  return mesh_;
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
