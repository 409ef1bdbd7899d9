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
#include <vector>

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

MeshSummary::Part sum_of(const std::map<unsigned int, MeshSummary::Part> &parts)
{
  MeshSummary::Part sum;
  for (const auto &[id, part] : parts)
    {
      if (sum.count == 0)
        sum.box = part.box;
      sum.box.merge_with(part.box);
      sum.count += part.count;
      sum.measure += part.measure;
    }
  return sum;
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
      const auto &[lower, upper] = part.box.get_boundary_points();
      for (int d = 0; d < 3; ++d)
        out << (d > 0 ? " x " : "") << '[' << lower[d] << ", " << upper[d] << ']';
      out << '\n';
    }
  return out.str();
}
} // namespace

MeshSummary MeshSummary::collect(const dealii::Triangulation<3, 3> &triangulation,
                                 MPI_Comm communicator)
{
  std::map<unsigned int, Reducible> boundaries, materials;
  double smallest = std::numeric_limits<double>::max(), shortest = smallest, longest = 0.;
  for (const auto &cell : triangulation.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        Reducible &material = materials[cell->material_id()];
        const double volume = cell->measure();
        smallest            = std::min(smallest, volume);
        material.count += 1.;
        material.measure += volume;
        for (const unsigned int v : cell->vertex_indices())
          material.add(cell->vertex(v));
        for (const unsigned int l : cell->line_indices())
          {
            const double edge = cell->line(l)->vertex(0).distance(cell->line(l)->vertex(1));
            shortest          = std::min(shortest, edge);
            longest           = std::max(longest, edge);
          }
        for (const auto &face : cell->face_iterators())
          if (face->at_boundary())
            {
              Reducible &boundary = boundaries[face->boundary_id()];
              boundary.count += 1.;
              // measure() of a warped face is not defined; two triangles are close enough here
              boundary.measure += 0.5 * dealii::cross_product_3d(face->vertex(3) - face->vertex(0),
                                                                 face->vertex(2) - face->vertex(1))
                                          .norm();
              for (const unsigned int v : face->vertex_indices())
                boundary.add(face->vertex(v));
            }
      }

  MeshSummary summary;
  summary.boundary_ids  = reduce(boundaries, communicator);
  summary.material_ids  = reduce(materials, communicator);
  summary.smallest_cell = std::cbrt(dealii::Utilities::MPI::min(smallest, communicator));
  summary.shortest_edge = dealii::Utilities::MPI::min(shortest, communicator);
  summary.longest_edge  = dealii::Utilities::MPI::max(longest, communicator);
  bool first            = true;
  for (const auto &[id, part] : summary.material_ids)
    {
      summary.n_cells += part.count;
      if (first)
        summary.box = part.box;
      else
        summary.box.merge_with(part.box);
      first = false;
    }
  return summary;
}

double MeshSummary::tolerance() const
{
  return 1e-6 * std::max({box.side_length(0), box.side_length(1), box.side_length(2)});
}

MeshSummary::Part MeshSummary::whole_boundary() const
{
  return sum_of(boundary_ids);
}

MeshSummary::Part MeshSummary::whole_mesh() const
{
  return sum_of(material_ids);
}

std::string MeshSummary::boundary_table() const
{
  return table(boundary_ids, "faces", "area");
}

std::string MeshSummary::material_table() const
{
  return table(material_ids, "cells", "volume");
}
} // namespace strut::plugin
