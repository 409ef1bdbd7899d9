// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/maps/helmholtz_matrices.h"

#include "source/base/parallel_loop.h"
#include "source/element/element_stiffness.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

namespace strut
{
namespace
{
/// Contribution of an element to A and T, of its vertices.
struct ElementPart
{
  double stiffness[8][8]; ///< int grad N_a . grad N_b, length
  double share[8];        ///< int N_a, length^3
};

/// The linear element with the vertices of an element.
template <typename Element>
using LinearElement = std::conditional_t<Element::n_vertices == 8, Hex8, Tet4>;

/// Calls `visit(dx, N, G)` at each quadrature point of an element with the volume of the point, the
/// linear functions of its vertices there, and their gradients `[3][n_vertices]`.
template <typename Element, typename Visit>
void visit_points(const ElementMesh &mesh, const std::size_t e, const Visit &visit)
{
  using Linear    = LinearElement<Element>;
  constexpr int n = Element::n_vertices;
  double X[3][Element::n_nodes];
  nodes_of<Element>(mesh, e, X);
  for (int q = 0; q < Element::n_quadrature_points; ++q)
    {
      double N[n], G[3][n], x[3], dx = 0.;
      Element::quadrature_point(q, x);
      if constexpr (std::is_same_v<Element, Linear>)
        dx = element_stiffness::gradients<Element>(X, q, G);
      else
        {
          double inverse[3][3];
          dx = element_stiffness::jacobian<Element>(X, q, inverse);
          for (int a = 0; a < n; ++a)
            {
              double g[3];
              Linear::shape_gradient(a, x, g);
              for (int i = 0; i < 3; ++i)
                G[i][a] = inverse[0][i] * g[0] + inverse[1][i] * g[1] + inverse[2][i] * g[2];
            }
        }
      for (int a = 0; a < n; ++a)
        N[a] = Linear::shape_value(a, x);
      visit(dx, N, G);
    }
}

template <typename Element>
ElementPart part_of(const ElementMesh &mesh, const std::size_t e)
{
  ElementPart part{};
  visit_points<Element>(mesh, e, [&](const double dx, const auto &N, const auto &G) {
    for (int a = 0; a < Element::n_vertices; ++a)
      {
        part.share[a] += dx * N[a];
        for (int b = 0; b < Element::n_vertices; ++b)
          part.stiffness[a][b] += dx * (G[0][a] * G[0][b] + G[1][a] * G[1][b] + G[2][a] * G[2][b]);
      }
  });
  return part;
}

/// The unknowns that determine the values at the nodes: the node itself, or the nodes that a
/// hanging node depends on.
class Unknowns
{
public:
  struct Term
  {
    LocalIndex node;
    double weight;
  };

  explicit Unknowns(const ElementMesh &mesh) : row_(mesh.n_nodes, none)
  {
    const AffineRows &rows = mesh.dependent;
    for (std::size_t k = 0; k < rows.dofs.size(); ++k)
      {
        const LocalIndex node = rows.dofs[k] / 3;
        if (row_[node] != none || !hangs(rows, k))
          continue;
        row_[node] = static_cast<LocalIndex>(rows_.size());
        rows_.emplace_back();
        for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
          rows_.back().push_back({rows.masters[j] / 3, rows.weights[j]});
      }
  }

  /// Number of nodes that are no unknowns.
  std::size_t n_hanging() const
  {
    return rows_.size();
  }

  /// Calls action(node, weight) for each unknown of a node.
  template <typename Action>
  void for_each(const LocalIndex node, const Action &action) const
  {
    if (row_[node] == none)
      return action(node, 1.);
    for (const Term &term : rows_[row_[node]])
      action(term.node, term.weight);
  }

private:
  /// Whether row k is a mean of the same component of several nodes. A support or a condition on
  /// one component makes other rows.
  static bool hangs(const AffineRows &rows, const std::size_t k)
  {
    double sum = 0.;
    for (std::uint32_t j = rows.offsets[k]; j < rows.offsets[k + 1]; ++j)
      {
        if (rows.masters[j] % 3 != rows.dofs[k] % 3 || !(rows.weights[j] > 0.))
          return false;
        sum += rows.weights[j];
      }
    return rows.offsets[k + 1] - rows.offsets[k] > 1 && std::abs(sum - 1.) < 1e-9;
  }

  static constexpr LocalIndex none = 0xffffffffu;

  std::vector<LocalIndex> row_; ///< `[n_nodes]`: index of a node in rows_, or none
  std::vector<std::vector<Term>> rows_;
};

/// The vertices of elements that each unknown contributes to, in compressed rows.
struct Vertices
{
  struct Entry
  {
    LocalIndex vertex; ///< `n_vertices * element + vertex`
    double weight;
  };

  Vertices(const ElementMesh &mesh, const Unknowns &unknowns) : begin(mesh.n_nodes + 1, 0)
  {
    const auto for_all = [&](const auto &action) {
      const std::size_t n_vertices = mesh.type.n_vertices;
      for (std::size_t k = 0; k < n_vertices * mesh.n_elements; ++k)
        unknowns.for_each(mesh.node(k / n_vertices, k % n_vertices),
                          [&](const LocalIndex node, const double weight) {
                            action(node, static_cast<LocalIndex>(k), weight);
                          });
    };
    for_all([&](const LocalIndex node, LocalIndex, double) { ++begin[node + 1]; });
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      begin[node + 1] += begin[node];
    entries.resize(begin.back());
    std::vector<LocalIndex> next(begin.begin(), begin.end() - 1);
    for_all([&](const LocalIndex node, const LocalIndex vertex, const double weight) {
      entries[next[node]++] = {vertex, weight};
    });
  }

  std::vector<LocalIndex> begin; ///< `[n_nodes + 1]`
  std::vector<Entry> entries;    ///< ascending for each node
};

/// Consecutive rows of a matrix.
struct Rows
{
  /// End of each row in the arrays below, preceded by a zero.
  std::vector<std::uint32_t> ends = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> weights;

  void add(const std::size_t column, const double weight)
  {
    columns.push_back(static_cast<std::uint32_t>(column));
    weights.push_back(weight);
  }

  /// Add the weight to the entry of the last row in this column.
  void add_to(const std::size_t column, const double weight)
  {
    const auto found = std::find(columns.begin() + ends.back(), columns.end(), column);
    if (found == columns.end())
      add(column, weight);
    else
      weights[static_cast<std::size_t>(found - columns.begin())] += weight;
  }

  std::size_t n_rows() const
  {
    return ends.size() - 1;
  }
  std::uint32_t length(const std::size_t i) const
  {
    return ends[i + 1] - ends[i];
  }
};

/// Make a matrix whose row i has the entries that add_row(i, rows) adds.
template <typename AddRow>
SlicedRows
make_rows(Memory &memory, const int n_threads, const std::size_t n_rows, const AddRow &add_row)
{
  // Blocks consist of whole slices.
  const auto blocks =
    cpu::values_of_blocks(n_threads, n_rows, [&](const std::size_t begin, const std::size_t end) {
      Rows rows;
      for (std::size_t i = begin; i < end; ++i)
        {
          add_row(i, rows);
          rows.ends.push_back(static_cast<std::uint32_t>(rows.columns.size()));
        }
      return rows;
    });
  constexpr std::size_t slice        = SlicedRows::slice;
  std::vector<std::uint32_t> offsets = {0}, columns, numbers;
  std::vector<double> weights;
  for (const Rows &block : blocks)
    {
      // Rows of a slice have similar lengths.
      std::vector<std::uint32_t> order(block.n_rows());
      std::iota(order.begin(), order.end(), 0u);
      std::stable_sort(order.begin(), order.end(), [&](const auto i, const auto j) {
        return block.length(i) > block.length(j);
      });
      const auto first_number = static_cast<std::uint32_t>(numbers.size());
      for (std::size_t first = 0; first < order.size(); first += slice)
        {
          const std::size_t end = std::min(first + slice, order.size());
          const std::size_t at  = slice * offsets.back();
          offsets.push_back(offsets.back() + block.length(order[first]));
          columns.resize(slice * offsets.back(), 0);
          weights.resize(slice * offsets.back(), 0.);
          for (std::size_t k = first; k < end; ++k)
            {
              const std::uint32_t i = order[k];
              for (std::uint32_t j = 0; j < block.length(i); ++j)
                {
                  const std::size_t entry = at + slice * j + (k - first);
                  columns[entry]          = block.columns[block.ends[i] + j];
                  weights[entry]          = block.weights[block.ends[i] + j];
                }
              numbers.push_back(first_number + i);
            }
        }
    }
  SlicedRows result;
  result.rows    = Array<std::uint32_t>(memory, numbers);
  result.begin   = Array<std::uint32_t>(memory, offsets);
  result.columns = Array<std::uint32_t>(memory, columns);
  result.weights = Array<double>(memory, weights);
  return result;
}
} // namespace

HelmholtzMatrices::HelmholtzMatrices(Memory &memory,
                                     const ElementMesh &mesh,
                                     const double r,
                                     const std::vector<double> &m,
                                     const int n_threads)
  : diagonal(mesh.n_nodes, 0.)
{
  const Unknowns unknowns(mesh);
  const Vertices vertices(mesh, unknowns);
  std::vector<ElementPart> parts(mesh.n_elements);
  const std::size_t n_vertices = mesh.type.n_vertices;
  with_element(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    cpu::parallel_for_long(n_threads, mesh.n_elements, [&](const std::size_t e) {
      parts[e] = part_of<Element>(mesh, e);
    });
  });
  const auto for_unknowns = [&](const std::size_t e, const std::size_t v, const auto &action) {
    unknowns.for_each(mesh.connectivity[v * mesh.n_elements + e], action);
  };

  A = make_rows(memory, n_threads, mesh.n_nodes, [&](const std::size_t i, Rows &rows) {
    std::vector<std::pair<LocalIndex, double>> entries;
    for (LocalIndex k = vertices.begin[i]; k < vertices.begin[i + 1]; ++k)
      {
        const double weight = vertices.entries[k].weight;
        const std::size_t e = vertices.entries[k].vertex / n_vertices,
                          a = vertices.entries[k].vertex % n_vertices;
        for (std::size_t b = 0; b < n_vertices; ++b)
          for_unknowns(e, b, [&](const LocalIndex j, const double of_j) {
            entries.emplace_back(j, r * r * (weight * of_j) * parts[e].stiffness[a][b]);
          });
        entries.emplace_back(static_cast<LocalIndex>(i), weight * parts[e].share[a]);
      }
    if (!m.empty())
      entries.emplace_back(static_cast<LocalIndex>(i), m[i]);
    // The sort is stable, so entries of one column are summed in the order of the elements.
    std::stable_sort(entries.begin(), entries.end(), [](const auto &p, const auto &q) {
      return p.first < q.first;
    });
    for (auto entry = entries.begin(); entry != entries.end();)
      {
        const LocalIndex column = entry->first;
        double sum              = 0.;
        for (; entry != entries.end() && entry->first == column; ++entry)
          sum += entry->second;
        rows.add(column, sum);
        if (column == i)
          diagonal[i] = sum;
      }
  });

  T = make_rows(memory, n_threads, mesh.n_nodes, [&](const std::size_t i, Rows &rows) {
    for (LocalIndex k = vertices.begin[i]; k < vertices.begin[i + 1]; ++k)
      {
        const std::size_t e = vertices.entries[k].vertex / n_vertices,
                          a = vertices.entries[k].vertex % n_vertices;
        rows.add_to(e, vertices.entries[k].weight * parts[e].share[a]);
      }
  });

  T_t = make_rows(memory, n_threads, mesh.n_elements, [&](const std::size_t e, Rows &rows) {
    for (std::size_t v = 0; v < n_vertices; ++v)
      for_unknowns(e, v, [&](const LocalIndex i, const double weight) {
        rows.add_to(i, weight * parts[e].share[v]);
      });
  });
}

std::vector<double> boundary_normals(const ElementMesh &mesh)
{
  const Unknowns unknowns(mesh);
  std::vector<double> normals(3 * mesh.n_nodes, 0.);
  with_element(mesh.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        double g[3][Element::n_vertices] = {};
        visit_points<Element>(mesh, e, [&](const double dx, const auto &, const auto &G) {
          for (int i = 0; i < 3; ++i)
            for (int v = 0; v < Element::n_vertices; ++v)
              g[i][v] += dx * G[i][v];
        });
        for (std::size_t v = 0; v < Element::n_vertices; ++v)
          unknowns.for_each(mesh.node(e, v), [&](const std::size_t node, const double weight) {
            for (std::size_t d = 0; d < 3; ++d)
              normals[3 * node + d] += weight * g[d][v];
          });
      }
  });
  return normals;
}

double entries_of_helmholtz_matrices(const ElementMesh &mesh)
{
  // A couples an unknown with 27 where eight elements meet, and with fewer at the boundary. By
  // Euler's formula a box has 9 couplings for each node and 18 for each element. Elements with
  // hanging nodes also have about eight unknowns.
  // A ball of tetrahedra has 2 couplings for each vertex and 2 for each element, and some for faces
  // of its boundary. Nodes that are no vertices are no unknowns.
  std::size_t n_middle = 0;
  if (mesh.type.n_vertices < mesh.type.n_nodes)
    {
      std::vector<char> is_vertex(mesh.n_nodes, 0);
      for (std::size_t k = 0; k < mesh.type.n_vertices * mesh.n_elements; ++k)
        is_vertex[mesh.connectivity[k]] = 1;
      n_middle = static_cast<std::size_t>(std::count(is_vertex.begin(), is_vertex.end(), 0));
    }
  const auto n_unknowns = static_cast<double>(mesh.n_nodes - n_middle - Unknowns(mesh).n_hanging()),
             n_elements = static_cast<double>(mesh.n_elements);
  if (mesh.type.n_vertices == 4)
    return 15. * n_unknowns + 2. * 4. * n_elements;
  return std::min(27. * n_unknowns, 9. * n_unknowns + 18. * n_elements) + 2. * 8. * n_elements;
}

bool has_hanging_nodes(const ElementMesh &mesh)
{
  return !mesh.dependent.dofs.empty() && Unknowns(mesh).n_hanging() > 0;
}
} // namespace strut
