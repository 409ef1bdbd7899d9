// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/mesh/background_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "source/base/filled_vector.h"
#include "source/base/forest.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/cell_vertices.h"
#include "source/mesh/node_to_element.h"
#include "source/mesh/numbers_where.h"
#include "source/mesh/share_rows.h"

namespace strut
{
namespace
{
using Place = BackgroundCells::Place;
using Point = std::array<double, 3>;

/// Distance to a face of a cell, relative to its size, below which a node is on it.
constexpr double on_a_face = 1e-6;

/// Depth in another cell from which a vertex belongs wholly to that cell.
constexpr double deep = 0.25;
/// The tolerance of rounding halves, which odd numbers of equal elements make: all must be rounded
/// alike.
constexpr double to_be_half = 1e-9;

/// The grid over the meshes of all ranks, and the mesh of this rank in units of its cells.
struct Grid
{
  /// @param volumes  of the elements; those of hexahedra of eight nodes do not count
  Grid(const Communicator &communicator,
       const ElementMesh &its_mesh,
       const std::vector<double> &volumes,
       const GridSpacing &wanted,
       const int n_threads)
    : mesh(its_mesh)
  {
    const bool has_edges      = mesh.type == ElementType();
    constexpr double infinite = std::numeric_limits<double>::infinity();
    struct Measures
    {
      Point low{{infinite, infinite, infinite}}, high{{-infinite, -infinite, -infinite}}, squares{};
    };
    Measures all;
    for (const Measures &part : cpu::values_of_blocks(
           n_threads, mesh.n_elements, [&](const std::size_t begin, const std::size_t end) {
             Measures measures;
             for (std::size_t e = begin; e < end; ++e)
               for (std::size_t d = 0; d < 3; ++d)
                 {
                   double x[8];
                   for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
                     {
                       const double at  = coordinate(e, v, d);
                       measures.low[d]  = std::min(measures.low[d], at);
                       measures.high[d] = std::max(measures.high[d], at);
                       if (v < 8)
                         x[v] = at;
                     }
                   for (std::size_t axis = 0; has_edges && axis < 3; ++axis)
                     {
                       double edge = 0.; // the mean of the four edges along an axis of the element
                       for (std::size_t v = 0; v < 8; ++v)
                         edge += (v >> axis & 1u ? 0.25 : -0.25) * x[v];
                       measures.squares[d] += edge * edge;
                     }
                 }
             return measures;
           }))
      for (std::size_t d = 0; d < 3; ++d)
        {
          all.low[d]  = std::min(all.low[d], part.low[d]);
          all.high[d] = std::max(all.high[d], part.high[d]);
          all.squares[d] += part.squares[d];
        }
    const auto n_elements = static_cast<double>(communicator.sum(mesh.n_elements));
    const std::vector<double> of_ranks =
      communicator.gather({all.squares.begin(), all.squares.end()});
    const double width = has_edges ? 0. : node_spacing(communicator, volumes);
    for (std::size_t d = 0; d < 3; ++d)
      {
        all.low[d]     = communicator.min(all.low[d]);
        all.high[d]    = communicator.max(all.high[d]);
        double squares = 0.; // summed rank by rank: the same bits on each
        for (std::size_t k = d; k < of_ranks.size(); k += 3)
          squares += of_ranks[k];
        const double length  = all.high[d] - all.low[d];
        const double element = has_edges ? std::sqrt(squares / n_elements) : width;
        const double cells   = length / (wanted.elements * element) + to_be_half;
        const double n       = std::floor(cells + (1. - wanted.another_from));
        n_places[d]          = static_cast<std::uint32_t>(std::clamp(n, 1., double(1u << 20)));
        origin[d]            = all.low[d];
        spacing[d]           = length / n_places[d];
      }
  }

  double coordinate(const std::size_t e, const std::size_t v, const std::size_t d) const
  {
    return mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
  }

  /// The position of a node, in cells.
  Point position(const std::size_t node) const
  {
    Point x;
    for (std::size_t d = 0; d < 3; ++d)
      x[d] = (mesh.coordinates[d * mesh.n_nodes + node] - origin[d]) / spacing[d];
    return x;
  }

  Place place(const Point &x) const
  {
    Place place;
    for (std::size_t d = 0; d < 3; ++d)
      place[d] = static_cast<std::uint32_t>(
        std::clamp(std::floor(x[d] - 1e-9), 0., double(n_places[d] - 1)));
    return place;
  }

  const ElementMesh &mesh;
  Place n_places;
  Point origin, spacing;

private:
  /// The cube root of the volume for each node, summed rank by rank: the same bits on each.
  double node_spacing(const Communicator &communicator, const std::vector<double> &volumes) const
  {
    double volume = 0.;
    for (const double of_rank :
         communicator.gather({std::accumulate(volumes.begin(), volumes.end(), 0.)}))
      volume += of_rank;
    return std::cbrt(volume / static_cast<double>(communicator.sum(mesh.n_owned_nodes)));
  }
};

/// Whether two places are one, without a call of memcmp().
bool same(const Place &a, const Place &b)
{
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/// The distance of a point from a cell, relative to its size.
double depth_outside(const Point &x, const Place &place)
{
  double depth = 0.;
  for (std::size_t d = 0; d < 3; ++d)
    depth = std::max({depth, place[d] - x[d], x[d] - place[d] - 1.});
  return depth;
}

/// The cells that an element touches, each with a share of the element; the shares add up to 1.
struct Touched
{
  static constexpr std::size_t most_nodes = 27; ///< most nodes of an element
  std::size_t n                           = 0;
  std::array<Place, most_nodes + 1> places;
  std::array<double, most_nodes + 1> parts;

  Touched(const Grid &grid, const std::size_t e)
  {
    const ElementType &type = grid.mesh.type;
    const double n_nodes = type.n_nodes, n_vertices = type.n_vertices;
    std::array<Point, most_nodes> x;
    Point centre{};
    for (std::size_t v = 0; v < type.n_nodes; ++v)
      {
        x[v] = grid.position(grid.mesh.connectivity[v * grid.mesh.n_elements + e]);
        for (std::size_t d = 0; v < type.n_vertices && d < 3; ++d)
          centre[d] += x[v][d] / n_vertices;
      }
    const Place home = grid.place(centre);
    add(home, 0.);
    for (std::size_t v = 0; v < type.n_nodes; ++v)
      {
        const double depth = depth_outside(x[v], home);
        if (depth <= on_a_face)
          {
            parts[0] += 1. / n_nodes;
            continue;
          }
        const double share = std::min(1., depth * depth / (deep * deep));
        parts[0] += (1. - share) / n_nodes;
        add(grid.place(x[v]), share / n_nodes);
      }
  }

private:
  void add(const Place &place, const double part)
  {
    std::size_t k = 0;
    while (k < n && !same(places[k], place))
      ++k;
    if (k == n)
      {
        places[n]  = place;
        parts[n++] = 0.;
      }
    parts[k] += part;
  }
};

/// Pairs of an element and a cell that it touches, element by element.
struct Pairs
{
  Pairs(const Grid &grid, const int n_threads) : begin(grid.mesh.n_elements + 1, 0)
  {
    const std::size_t n = grid.mesh.n_elements;
    cpu::parallel_for_long(n_threads, n, [&](const std::size_t e) {
      begin[e + 1] = static_cast<LocalIndex>(Touched(grid, e).n);
    });
    for (std::size_t e = 0; e < n; ++e)
      begin[e + 1] += begin[e];
    places = cpu::filled_vector<Place>(n_threads, begin[n]);
    parts  = cpu::filled_vector<double>(n_threads, begin[n]);
    cpu::parallel_for_long(n_threads, n, [&](const std::size_t e) {
      const Touched touched(grid, e);
      std::copy_n(touched.places.begin(), touched.n, places.begin() + begin[e]);
      std::copy_n(touched.parts.begin(), touched.n, parts.begin() + begin[e]);
    });
  }

  std::size_t size() const
  {
    return places.size();
  }

  std::vector<LocalIndex> begin; ///< `[n_elements + 1]`
  std::vector<Place> places;
  std::vector<double> parts;
};

/// Groups of connected nodes: each node alone, and the nodes of each row of AffineRows.
struct Bundles
{
  explicit Bundles(const ElementMesh &its_mesh) : mesh(its_mesh)
  {}

  std::size_t size() const
  {
    return mesh.n_nodes + mesh.dependent.dofs.size();
  }

  template <typename Body>
  void for_nodes(const std::size_t bundle, const Body &body) const
  {
    if (bundle < mesh.n_nodes)
      return body(bundle);
    const AffineRows &rows = mesh.dependent;
    const std::size_t row  = bundle - mesh.n_nodes;
    body(std::size_t(rows.dofs[row] / mesh.n_components));
    for (std::uint32_t k = rows.offsets[row]; k < rows.offsets[row + 1]; ++k)
      body(std::size_t(rows.masters[k] / mesh.n_components));
  }

  const ElementMesh &mesh;
};

/// The piece of the mesh of each pair: pairs of one place whose elements share a node.
/// @param places  on return, the place of each piece
std::vector<LocalIndex> pieces_of(const Grid &grid,
                                  const Pairs &pairs,
                                  const NodeToElement &around,
                                  std::vector<Place> &places,
                                  const int n_threads)
{
  Forest forest(pairs.size(), n_threads);
  const Bundles bundles(grid.mesh);
  cpu::parallel_ranges(
    n_threads, bundles.size(), [&](const std::size_t first, const std::size_t end) {
      std::vector<std::pair<Place, std::size_t>> here; // place, and the first pair there
      for (std::size_t bundle = first; bundle < end; ++bundle)
        {
          here.clear();
          bundles.for_nodes(bundle, [&](const std::size_t node) {
            for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
              {
                const std::size_t e = around.entries[k] / grid.mesh.type.n_nodes;
                for (std::size_t p = pairs.begin[e]; p < pairs.begin[e + 1]; ++p)
                  {
                    const auto there =
                      std::find_if(here.begin(), here.end(), [&](const auto &entry) {
                        return same(entry.first, pairs.places[p]);
                      });
                    if (there == here.end())
                      here.emplace_back(pairs.places[p], p);
                    else
                      forest.unite(there->second, p);
                  }
              }
          });
        }
    });
  std::vector<LocalIndex> pieces = std::move(forest).roots(n_threads);
  const std::vector<LocalIndex> first =
    numbers_where(n_threads, pieces.size(), [&](const std::size_t p) { return pieces[p] == p; });
  std::vector<LocalIndex> numbers = cpu::filled_vector<LocalIndex>(n_threads, pieces.size());
  places                          = cpu::filled_vector<Place>(n_threads, first.size());
  cpu::parallel_for(n_threads, first.size(), [&](const std::size_t piece) {
    numbers[first[piece]] = static_cast<LocalIndex>(piece);
    places[piece]         = pairs.places[first[piece]];
  });
  cpu::parallel_for(n_threads, pieces.size(), [&](const std::size_t p) {
    pieces[p] = numbers[pieces[p]];
  });
  return pieces;
}

/// A thread remembers pairs of cells that it joined lately, and does not join them again.
class RecentPairs
{
public:
  bool add(const LocalIndex a, const LocalIndex b)
  {
    std::array<LocalIndex, 2> &slot = slots_[(31 * std::size_t(a) + b) % slots_.size()];
    const bool is_new               = slot[0] != a || slot[1] != b;
    slot                            = {{a, b}};
    return is_new;
  }

private:
  static constexpr LocalIndex none = std::numeric_limits<LocalIndex>::max();

  std::vector<std::array<LocalIndex, 2>> slots_{1024, {{none, none}}};
};

/// Places the owned nodes: each takes its value from the cell that contains it, among those that
/// the elements around it touch.
NodePlaces place_nodes(const Grid &grid,
                       const Pairs &pairs,
                       const std::vector<LocalIndex> &cell_of,
                       const NodeToElement &around,
                       const int n_threads)
{
  const std::size_t n = grid.mesh.n_owned_nodes;
  NodePlaces nodes;
  nodes.elements.resize(n);
  nodes.places.resize(3 * n);
  cpu::parallel_for_long(n_threads, n, [&](const std::size_t node) {
    const Point x   = grid.position(node);
    double smallest = std::numeric_limits<double>::infinity();
    Place place{};
    for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
      {
        const std::size_t e = around.entries[k] / grid.mesh.type.n_nodes;
        for (std::size_t p = pairs.begin[e]; p < pairs.begin[e + 1]; ++p)
          if (const double depth = depth_outside(x, pairs.places[p]); depth < smallest)
            {
              smallest             = depth;
              place                = pairs.places[p];
              nodes.elements[node] = cell_of[p];
            }
      }
    for (std::size_t d = 0; d < 3; ++d)
      nodes.places[3 * node + d] = std::clamp(x[d] - place[d], 0., 1.);
  });
  return nodes;
}

StiffnessShares share_stiffness(const Grid &grid,
                                const Pairs &pairs,
                                const std::vector<LocalIndex> &cell_of,
                                const std::size_t n_cells,
                                const std::vector<double> &volumes,
                                const int n_threads)
{
  const double cell                = grid.spacing[0] * grid.spacing[1] * grid.spacing[2];
  std::vector<ElementShare> shares = cpu::filled_vector<ElementShare>(n_threads, pairs.size());
  cpu::parallel_for(n_threads, grid.mesh.n_elements, [&](const std::size_t e) {
    for (std::size_t p = pairs.begin[e]; p < pairs.begin[e + 1]; ++p)
      shares[p] = {cell_of[p],
                   static_cast<LocalIndex>(e),
                   static_cast<float>(pairs.parts[p] * volumes[e] / cell)};
  });
  return rows_of_shares(n_threads, n_cells, std::move(shares));
}

/// The nodes that other ranks have, too.
std::vector<LocalIndex> shared_nodes(const ElementMesh &mesh)
{
  std::vector<LocalIndex> nodes;
  for (const HaloPattern::Neighbour &neighbour : mesh.node_halo.neighbours)
    {
      nodes.insert(nodes.end(), neighbour.send.begin(), neighbour.send.end());
      for (LocalIndex node = neighbour.ghosts_begin; node < neighbour.ghosts_end; ++node)
        nodes.push_back(node);
    }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}
} // namespace

FirstBackground put_cells_behind(const Communicator &communicator,
                                 const ElementMesh &mesh,
                                 const std::vector<double> &volumes,
                                 const GridSpacing &spacing,
                                 const int n_threads)
{
  const Grid grid(communicator, mesh, volumes, spacing, n_threads);
  const Pairs pairs(grid, n_threads);
  const NodeToElement around = NodeToElement::build(mesh, n_threads);

  FirstBackground first;
  first.origin                          = grid.origin;
  first.spacing                         = grid.spacing;
  BackgroundCells &cells                = first.cells;
  cells.n_places                        = grid.n_places;
  const std::vector<LocalIndex> cell_of = pieces_of(grid, pairs, around, cells.places, n_threads);

  /// Calls body(cell, whether the node lies in it) for the cells that the elements around a node
  /// touch.
  using Met               = std::vector<LocalIndex>;
  const auto for_cells_at = [&](const std::size_t node, Met &met, const auto &body) {
    const Point x = grid.position(node);
    met.clear();
    for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
      {
        const std::size_t e = around.entries[k] / grid.mesh.type.n_nodes;
        for (std::size_t p = pairs.begin[e]; p < pairs.begin[e + 1]; ++p)
          if (std::find(met.begin(), met.end(), cell_of[p]) == met.end())
            {
              met.push_back(cell_of[p]);
              body(cell_of[p], depth_outside(x, pairs.places[p]) <= on_a_face);
            }
      }
  };

  // Unite cells that share an element, and cells with a node of the mesh on their common face.
  CellVertices vertices(cells.places);
  cpu::parallel_ranges(n_threads,
                       mesh.n_elements,
                       [&](const std::size_t first_element, const std::size_t end) {
                         RecentPairs joined;
                         for (std::size_t e = first_element; e < end; ++e)
                           for (std::size_t p = pairs.begin[e]; p < pairs.begin[e + 1]; ++p)
                             for (std::size_t q = pairs.begin[e]; q < p; ++q)
                               if (joined.add(cell_of[p], cell_of[q]))
                                 vertices.join(cell_of[p], cell_of[q]);
                       });
  const Bundles bundles(mesh);
  cpu::parallel_ranges(
    n_threads, bundles.size(), [&](const std::size_t first_bundle, const std::size_t end) {
      Met met, around_it;
      RecentPairs joined;
      for (std::size_t bundle = first_bundle; bundle < end; ++bundle)
        {
          around_it.clear();
          bundles.for_nodes(bundle, [&](const std::size_t node) {
            for_cells_at(node, met, [&](const LocalIndex cell, const bool has_it) {
              if (!has_it)
                return;
              for (const LocalIndex other : around_it)
                if (joined.add(other, cell))
                  vertices.join(other, cell);
              around_it.push_back(cell);
            });
          });
        }
    });
  vertices.number(cells);

  Met met;
  for (const LocalIndex node : shared_nodes(mesh))
    for_cells_at(node, met, [&](const LocalIndex cell, const bool has_it) {
      first.at_shared_nodes.push_back({node, cell, has_it});
    });

  first.nodes  = place_nodes(grid, pairs, cell_of, around, n_threads);
  first.shares = share_stiffness(grid, pairs, cell_of, cells.size(), volumes, n_threads);
  return first;
}

BackgroundCells put_cells_behind(const BackgroundCells &finer, std::vector<LocalIndex> &parents)
{
  BackgroundCells cells;
  for (std::size_t d = 0; d < 3; ++d)
    cells.n_places[d] = (finer.n_places[d] + 1) / 2;
  const auto place_behind = [&](const std::size_t cell) {
    const Place &at = finer.places[cell];
    return Place{{at[0] / 2, at[1] / 2, at[2] / 2}};
  };
  std::vector<LocalIndex> connectivity;
  for (const auto &nodes : finer.nodes)
    connectivity.insert(connectivity.end(), nodes.begin(), nodes.end());
  const NodeToElement around = NodeToElement::build(finer.n_nodes, connectivity);
  /// Calls body(cell, other, joined) for cells around each node, on several threads.
  const auto for_neighbours = [&](const auto &body) {
    cpu::parallel_ranges(
      cpu::default_n_threads(), finer.n_nodes, [&](const std::size_t first, const std::size_t end) {
        RecentPairs joined;
        for (std::size_t node = first; node < end; ++node)
          for (LocalIndex k = around.begin[node]; k < around.begin[node + 1]; ++k)
            for (LocalIndex l = around.begin[node]; l < k; ++l)
              body(around.entries[k] / 8, around.entries[l] / 8, joined);
      });
  };

  Forest forest(finer.size());
  for_neighbours([&](const std::size_t a, const std::size_t b, RecentPairs &) {
    if (same(place_behind(a), place_behind(b)))
      forest.unite(a, b);
  });
  std::size_t n_cells = 0;
  parents             = forest.trees(n_cells);
  cells.places.resize(n_cells);
  for (std::size_t cell = 0; cell < finer.size(); ++cell)
    cells.places[parents[cell]] = place_behind(cell);

  CellVertices vertices(cells.places);
  for_neighbours([&](const std::size_t a, const std::size_t b, RecentPairs &joined) {
    if (parents[a] != parents[b] && joined.add(parents[a], parents[b]))
      vertices.join(parents[a], parents[b]);
  });
  vertices.number(cells);
  return cells;
}
} // namespace strut
