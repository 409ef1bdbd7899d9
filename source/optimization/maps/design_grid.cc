// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/design_grid.h"
#include "source/backend/gather_rows.h"
#include "source/backend/transport.h"
#include "source/mesh/bounding_box.h"
#include "source/optimization/maps/map_error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace strut
{
namespace
{
/// Position of a point in a grid: up to eight nodes, and the values of their functions.
struct Stencil
{
  std::array<std::size_t, 8> nodes;
  std::array<double, 8> values;
  std::size_t n = 0;
};
} // namespace

/// A grid with its nodes at `origin + spacing * index`.
struct DesignGrid::Grid
{
  Point3 origin{};
  double spacing = 0;
  std::array<std::size_t, 3> n{{1, 1, 1}};
  double n_nodes = 1.; ///< number of nodes, which may be too large for any grid

  /// Largest number of nodes or elements: entries of matrices, eight for each of them, have numbers
  /// of 32 bits.
  static constexpr double most = std::numeric_limits<std::uint32_t>::max() / 8.;

  /// Make the grid over places.
  /// @param places  `[3][n_places]`
  /// @param is_centred  whether the grid is centred along the first two coordinates
  Grid(const Communicator &communicator,
       const std::vector<double> &places,
       const std::size_t n_places,
       const double spacing_,
       const bool is_centred)
    : spacing(spacing_)
  {
    const Box box = bounding_box(communicator, places, n_places);
    for (std::size_t d = 0; d < 3; ++d)
      {
        const double size = std::ceil((box[3 + d] - box[d]) / spacing - slack) + 1.;
        origin[d]         = box[d];
        if (is_centred && d < 2)
          origin[d] = 0.5 * (box[d] + box[3 + d] - (size - 1.) * spacing);
        n_nodes *= size;
        n[d] = size < most ? static_cast<std::size_t>(size) : 1; // Larger sizes are refused.
      }
  }

  /// Returns the stencil of a place. Functions that are hardly more than rounding are left out, so
  /// a place at a node has this node alone.
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
  static constexpr double slack = 1e-9; ///< share of a cell
};

void DesignGrid::Settings::declare(ParameterList &list)
{
  list.add(
    "Cell size",
    cell_size,
    {0., 1e300},
    "Of the grid on which the map works, in length units of the mesh; 0: the mean edge of the elements. Densities of "
    "elements whose centres are at its nodes stay sharp, others become means over a cell or so.");
}

DesignGrid::DesignGrid(Backend &backend,
                       const Communicator &communicator,
                       const ElementMesh &mesh,
                       const Settings &settings,
                       const Passive passive,
                       const std::function<Point3(const Point3 &)> &place,
                       const std::vector<SymmetryPlane> &planes,
                       const bool is_centred)
  : backend_(backend), communicator_(communicator), n_elements_(mesh.n_elements)
{
  const std::size_t n_elements = communicator.sum(n_elements_);
  if (n_elements == 0)
    return;

  // (1) The grid over the places.
  // Number of images of an element, itself included.
  const std::size_t n_images = std::size_t(1) << planes.size(), n_places = n_images * n_elements_;
  std::vector<double> places(3 * n_places), volumes                      = mesh.volumes;
  double volume = 0;
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      for (std::size_t image = 0; image < n_images; ++image)
        {
          Point3 centre = mesh.centre(e);
          for (std::size_t p = 0; p < planes.size(); ++p)
            if ((image >> p & 1) == 1)
              centre[planes[p].normal] = 2. * planes[p].value - centre[planes[p].normal];
          const Point3 here = place(centre);
          for (std::size_t d = 0; d < 3; ++d)
            places[d * n_places + image * n_elements_ + e] = here[d];
        }
      volume += mesh.volumes[e];
      if (passive == Passive::nothing && mesh.flags[e] != DesignFlag::design)
        volumes[e] = 0.;
    }
  const double mean_edge = std::cbrt(communicator.sum(volume) / static_cast<double>(n_elements));
  const Grid grid(communicator,
                  places,
                  n_places,
                  settings.cell_size > 0. ? settings.cell_size : mean_edge,
                  is_centred);
  if (communicator.any(!(grid.n_nodes + static_cast<double>(n_places) < Grid::most)))
    {
      std::ostringstream text;
      text << "The grid of a map has " << grid.n_nodes << " nodes with cells of " << grid.spacing
           << ". With the elements of a rank it may have " << Grid::most << ". Take larger cells.";
      throw MapError("", "Cell size", text.str());
    }
  n_ = grid.n;

  // (2) The matrices from the grid to the elements, and back. Each image of an element has an equal
  //     part of it.
  std::vector<RowEntry> to_elements, to_grid;
  std::vector<double> of_nodes(n_nodes(), 0.);
  if (passive == Passive::their_densities)
    passive_share_.assign(n_nodes(), 0.);
  for (std::size_t e = 0; e < n_elements_; ++e)
    {
      for (std::size_t image = e; image < n_places; image += n_elements_)
        {
          const Stencil stencil =
            grid.at({{places[image], places[n_places + image], places[2 * n_places + image]}});
          for (std::size_t k = 0; k < stencil.n; ++k)
            {
              const std::size_t node = stencil.nodes[k];
              const double value     = stencil.values[k] / static_cast<double>(n_images);
              const double part      = value * volumes[e];
              const auto element     = static_cast<std::uint32_t>(e),
                         behind      = static_cast<std::uint32_t>(n_elements_ + node);
              to_elements.push_back({element, behind, value});
              to_grid.push_back({behind, element, value});
              of_nodes[node] += part;
              if (!passive_share_.empty() && mesh.flags[e] != DesignFlag::design)
                passive_share_[node] += part;
            }
        }
    }
  if (passive == Passive::nothing)
    count_one_sided(mesh, grid, places);
  communicator.sum(of_nodes.data(), n_nodes());
  communicator.sum(passive_share_.data(), passive_share_.size());
  for (std::size_t k = 0; k < n_[2]; ++k)
    {
      const auto begin = of_nodes.begin() + static_cast<std::ptrdiff_t>(k * n_[0] * n_[1]);
      const auto end   = begin + static_cast<std::ptrdiff_t>(n_[0] * n_[1]);
      has_empty_layer_ = has_empty_layer_ ||
                         std::all_of(begin, end, [](const double volume) { return volume == 0.; });
    }
  std::replace(of_nodes.begin(), of_nodes.end(), 0., 1.);
  for (std::size_t g = 0; g < passive_share_.size(); ++g)
    passive_share_[g] /= of_nodes[g];
  Memory &memory = backend.memory();
  volumes_       = Array<double>(memory, volumes);
  of_nodes_      = Array<double>(memory, of_nodes);
  all_           = Array<double>(memory, n_elements_ + n_nodes());
  to_grid_       = gather_rows<double>(memory, to_grid, all_.size(), SamePlace::sum);
  to_elements_   = gather_rows<double>(memory, to_elements, all_.size(), SamePlace::sum);
}

/// Finds the mean place of the solid and void elements nearest to each node, and counts the
/// elements to design at that place.
void DesignGrid::count_one_sided(const ElementMesh &mesh,
                                 const Grid &grid,
                                 const std::vector<double> &places)
{
  const auto is_passive = [&](const std::size_t e) { return mesh.flags[e] != DesignFlag::design; };
  bool any              = false;
  for (std::size_t e = 0; e < n_elements_; ++e)
    any = any || is_passive(e);
  if (!communicator_.any(any))
    return;
  // Offset from the nearest node, in cells of the grid.
  const auto offset = [&](const std::size_t e, std::array<double, 3> &from) {
    std::size_t node = 0;
    for (std::size_t d = 3; d-- > 0;)
      {
        const double t     = (places[d * n_elements_ + e] - grid.origin[d]) / grid.spacing;
        const double whole = std::min(std::max(0., std::round(t)), double(grid.n[d] - 1));
        from[d]            = t - whole;
        node               = node * grid.n[d] + static_cast<std::size_t>(whole);
      }
    return node;
  };
  std::vector<double> sums(4 * n_nodes(), 0.);
  std::array<double, 3> from{};
  for (std::size_t e = 0; e < n_elements_; ++e)
    if (is_passive(e))
      {
        double *const sum = &sums[4 * offset(e, from)];
        for (std::size_t d = 0; d < 3; ++d)
          sum[d] += from[d];
        sum[3] += 1.;
      }
  communicator_.sum(sums.data(), sums.size());
  constexpr double near = 0.05; // Neighbours are farther apart than this.
  for (std::size_t e = 0; e < n_elements_; ++e)
    if (!is_passive(e))
      {
        const double *const sum = &sums[4 * offset(e, from)];
        bool is_there           = sum[3] > 0.;
        for (std::size_t d = 0; d < 3; ++d)
          is_there = is_there && std::abs(sum[d] / sum[3] - from[d]) < near;
        n_one_sided_ += is_there ? 1 : 0;
      }
  n_one_sided_ = communicator_.sum(n_one_sided_);
}

/// Applies N^T to the values of the elements in all_, over all ranks. Nodes without elements have
/// no row, and all_ must be 0 there.
void DesignGrid::sum_on_grid(Array<double> &z)
{
  backend_.vector_operations<double>().combine(to_grid_, 0., all_);
  if (n_nodes() == 0)
    return;
  if (communicator_.size() > 1)
    backend_.transport(communicator_).sum(all_.data() + n_elements_, n_nodes());
  backend_.memory().copy(z.data(), all_.data() + n_elements_, n_nodes() * sizeof(double));
}

void DesignGrid::restrict(const Array<double> &x, Array<double> &z)
{
  const auto &vectors = backend_.vector_operations<double>();
  vectors.fill(all_.size(), 0., all_);
  vectors.multiply(n_elements_, volumes_, x, all_);
  sum_on_grid(z);
  vectors.divide(n_nodes(), z, of_nodes_, z);
}

void DesignGrid::interpolate(const Array<double> &z, Array<double> &y)
{
  const auto &vectors = backend_.vector_operations<double>();
  if (n_nodes() > 0)
    backend_.memory().copy(all_.data() + n_elements_, z.data(), n_nodes() * sizeof(double));
  vectors.combine(to_elements_, 0., all_);
  vectors.copy(n_elements_, all_, y);
}

void DesignGrid::interpolate_transposed(const Array<double> &s, Array<double> &t)
{
  const auto &vectors = backend_.vector_operations<double>();
  vectors.fill(all_.size(), 0., all_);
  vectors.copy(n_elements_, s, all_);
  sum_on_grid(t);
}

void DesignGrid::restrict_transposed(Array<double> &t, Array<double> &s)
{
  const auto &vectors = backend_.vector_operations<double>();
  vectors.divide(n_nodes(), t, of_nodes_, t);
  interpolate(t, s);
  vectors.multiply(n_elements_, volumes_, s, s);
}
} // namespace strut
