// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/folded_map.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strut
{
namespace
{
/// Where a point lies in a grid: up to eight nodes, and their functions.
struct Stencil
{
  std::array<std::size_t, 8> nodes;
  std::array<double, 8> values;
  std::size_t n = 0;
};

/// Nodes at `origin + spacing * index`.
struct Grid
{
  Point3 origin{};
  double spacing = 0;
  std::array<std::size_t, 3> n{{1, 1, 1}};

  Grid(const Communicator &communicator, const std::vector<Point3> &places, const double spacing_)
    : spacing(spacing_)
  {
    for (std::size_t d = 0; d < 3; ++d)
      {
        double least = std::numeric_limits<double>::max(), most = -least;
        for (const Point3 &place : places)
          {
            least = std::min(least, place[d]);
            most  = std::max(most, place[d]);
          }
        origin[d]           = communicator.min(least);
        const double extent = communicator.max(most) - origin[d];
        n[d]                = static_cast<std::size_t>(std::ceil(extent / spacing - slack)) + 1;
      }
  }

  double n_nodes() const
  {
    return static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]);
  }

  /// Functions that are hardly more than rounding are left out, so that a node is a node.
  Stencil at(const Point3 &place) const
  {
    std::array<std::size_t, 3> cell{};
    Point3 in_cell{};
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double t = std::max(0., (place[d] - origin[d]) / spacing);
        cell[d]        = std::min(static_cast<std::size_t>(t + slack), n[d] - 1);
        in_cell[d]     = std::min(1., std::max(0., t - static_cast<double>(cell[d])));
        if (in_cell[d] < slack)
          in_cell[d] = 0.;
      }
    Stencil stencil;
    for (std::size_t v = 0; v < 8; ++v)
      {
        double value     = 1.;
        std::size_t node = 0;
        for (std::size_t d = 3; d-- > 0;)
          {
            const std::size_t up = v >> d & 1;
            value *= up == 1 ? in_cell[d] : 1. - in_cell[d];
            node = node * n[d] + std::min(cell[d] + up, n[d] - 1);
          }
        if (value > 0.)
          {
            stencil.nodes[stencil.n]  = node;
            stencil.values[stencil.n] = value;
            ++stencil.n;
          }
      }
    return stencil;
  }

private:
  static constexpr double slack = 1e-9; ///< of a cell
};

/// Rows as they are made on the host.
struct Rows
{
  std::vector<std::uint32_t> rows, offsets, columns;
  std::vector<double> weights;

  SparseRows<double> on(Memory &memory) const
  {
    return {Array<std::uint32_t>(memory, rows),
            Array<std::uint32_t>(memory, offsets),
            Array<std::uint32_t>(memory, columns),
            Array<double>(memory, weights)};
  }
};

/// The entries of the other matrix: from the elements that count to the nodes of the grid.
Rows transposed(const Rows &of_elements,
                const ElementMesh &mesh,
                const std::vector<double> &volumes_of_nodes)
{
  const auto n_elements = static_cast<std::uint32_t>(mesh.n_elements);
  const std::size_t n   = volumes_of_nodes.size();
  const auto for_each   = [&](const auto &body) {
    for (std::uint32_t e = 0; e < n_elements; ++e)
      if (mesh.flags[e] == DesignFlag::design)
        for (std::uint32_t j = of_elements.offsets[e]; j < of_elements.offsets[e + 1]; ++j)
          body(e, of_elements.columns[j] - n_elements, of_elements.weights[j]);
  };
  Rows result;
  result.offsets.assign(n + 1, 0);
  for_each([&](std::uint32_t, const std::uint32_t g, double) { ++result.offsets[g + 1]; });
  for (std::size_t g = 0; g < n; ++g)
    {
      result.rows.push_back(n_elements + static_cast<std::uint32_t>(g));
      result.offsets[g + 1] += result.offsets[g];
    }
  result.columns.resize(result.offsets[n]);
  result.weights.resize(result.offsets[n]);
  std::vector<std::uint32_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for_each([&](const std::uint32_t e, const std::uint32_t g, const double value) {
    result.columns[next[g]] = e;
    result.weights[next[g]] = value * mesh.volumes[e] / volumes_of_nodes[g];
    ++next[g];
  });
  return result;
}
} // namespace

void FoldSettings::declare(ParameterList &list)
{
  list.add(
    "Cell size",
    cell_size,
    {0., 1e300},
    "Of the grid on which the repeated density lives, in length units of the mesh; 0: the mean edge of the elements. "
    "Elements whose centres are at its nodes keep their density sharp, others are means over a cell or so.");
}

FoldedMap::FoldedMap(Backend &backend,
                     const Communicator &communicator,
                     const ElementMesh &mesh,
                     const FoldSettings &settings,
                     const Fold &fold)
  : backend_(backend)
  , communicator_(communicator)
  , n_elements_(mesh.n_elements)
  , volumes_(backend.memory(), mesh.volumes)
{
  const std::size_t n_elements = communicator.sum(n_elements_);
  if (n_elements == 0)
    return;

  // (1) The grid over the folded centres.
  std::vector<Point3> places(n_elements_);
  double volume = 0;
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      places[e] = fold(mesh.centre(e));
      volume += mesh.volumes[e];
    }
  const double mean_edge = std::cbrt(communicator.sum(volume) / static_cast<double>(n_elements));
  const Grid grid(communicator, places, settings.cell_size > 0. ? settings.cell_size : mean_edge);
  constexpr double most = std::numeric_limits<std::uint32_t>::max();
  if (grid.n_nodes() + static_cast<double>(n_elements_) >= most / 8.)
    throw Error("The grid of a map that folds the design has " + std::to_string(grid.n_nodes()) +
                " nodes, too many for the numbers of 32 bits that count them. Set a larger 'Cell "
                "size'.");
  n_grid_ = static_cast<std::size_t>(grid.n_nodes());

  // (2) From the grid to the elements, and back.
  Rows of_elements;
  of_elements.offsets = {0};
  std::vector<double> volumes_of_nodes(n_grid_, 0.);
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      const Stencil stencil = grid.at(places[e]);
      for (std::size_t k = 0; k < stencil.n; ++k)
        {
          of_elements.columns.push_back(static_cast<std::uint32_t>(n_elements_ + stencil.nodes[k]));
          of_elements.weights.push_back(stencil.values[k]);
          if (mesh.flags[e] == DesignFlag::design)
            volumes_of_nodes[stencil.nodes[k]] += stencil.values[k] * mesh.volumes[e];
        }
      of_elements.rows.push_back(static_cast<std::uint32_t>(e));
      of_elements.offsets.push_back(static_cast<std::uint32_t>(of_elements.columns.size()));
    }
  communicator.sum(volumes_of_nodes.data(), n_grid_);
  Memory &memory = backend.memory();
  to_grid_       = transposed(of_elements, mesh, volumes_of_nodes).on(memory);
  to_elements_   = of_elements.on(memory);
  all_           = Array<double>(memory, n_elements_ + n_grid_);
}

void FoldedMap::forward(const Array<double> &x, Array<double> &y)
{
  const auto &vectors = backend_.vector_operations<double>();
  vectors.copy(n_elements_, x, all_);
  vectors.combine(to_grid_, 0., all_);
  if (communicator_.size() > 1)
    backend_.transport(communicator_).sum(all_.data() + n_elements_, n_grid_);
  vectors.combine(to_elements_, 0., all_);
  vectors.copy(n_elements_, all_, y);
}

/// With J = N D^-1 N^T V for the volumes V, that is `J^T s = V J (V^-1 s)`.
void FoldedMap::backward(const Array<double> &, Array<double> &s)
{
  const auto &vectors = backend_.vector_operations<double>();
  vectors.divide(n_elements_, s, volumes_, s);
  forward(s, s);
  vectors.multiply(n_elements_, volumes_, s, s);
}

BoundingBox::BoundingBox(const Communicator &communicator, const ElementMesh &mesh)
{
  for (std::size_t d = 0; d < 3; ++d)
    {
      double low = std::numeric_limits<double>::max(), high = -low;
      for (std::size_t node = 0; node < mesh.n_nodes; ++node)
        {
          low  = std::min(low, mesh.coordinates[d * mesh.n_nodes + node]);
          high = std::max(high, mesh.coordinates[d * mesh.n_nodes + node]);
        }
      least[d] = communicator.min(low);
      most[d]  = communicator.max(high);
    }
}

Point3 unit_vector(const std::vector<double> &numbers, const std::string &whose)
{
  const double length = numbers.size() == 3 ? std::hypot(numbers[0], numbers[1], numbers[2]) : 0.;
  if (!(length > 0.) || !std::isfinite(length))
    throw Error(whose + " takes three numbers, not all of them 0.");
  return {{numbers[0] / length, numbers[1] / length, numbers[2] / length}};
}

Point3
point_or(const std::vector<double> &numbers, const Point3 &otherwise, const std::string &whose)
{
  if (numbers.empty())
    return otherwise;
  if (numbers.size() != 3)
    throw Error(whose + " takes three numbers, or none for the middle of the mesh's box.");
  return {{numbers[0], numbers[1], numbers[2]}};
}
} // namespace strut
