// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_mesh.h"

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include "plugin/base/coordinate_text.h"
#include "plugin/element_mesh/cell_order.h"
#include "source/element/element_stiffness.h"

#include <algorithm>
#include <limits>

namespace strut
{
namespace
{
using Cell = dealii::Triangulation<3>::active_cell_iterator;

/// Returns a text such as "cell 17 at (0.5, 1, 2)".
std::string place(const Cell &cell)
{
  return "cell " + std::to_string(cell->active_cell_index()) + " at " + place_text(cell->center());
}

/// Throws Error for meshes from which elements of this type cannot be made.
void check_cells(const dealii::Triangulation<3> &triangulation, const ElementType type)
{
  const bool tetrahedra = type == ElementType::tet4 || type == ElementType::tet10;
  for (const Cell &cell : triangulation.active_cell_iterators())
    {
      if (!cell->is_locally_owned())
        throw Error("The mesh is dealt out to several processes: " + place(cell) +
                    " belongs to another one. Matrices are generated on one process.");
      const auto shape = cell->reference_cell();
      if (shape !=
          (tetrahedra ? dealii::ReferenceCells::Tetrahedron : dealii::ReferenceCells::Hexahedron))
        throw Error("Elements of type " + std::string(name(type)) + " need a mesh of " +
                    (tetrahedra ? "tetrahedra" : "hexahedra") + "; " + place(cell) + " is a " +
                    shape.to_string() + ".");
    }
  if (triangulation.has_hanging_nodes())
    throw Error("The mesh is refined locally: matrices are not generated for hanging nodes yet. "
                "Refine all cells equally often.");
}

/// Numbers and places of the nodes, in the order in which they are first used.
class Nodes
{
public:
  explicit Nodes(const dealii::Triangulation<3> &triangulation)
    : of_vertex_(triangulation.n_vertices(), none), of_line_(triangulation.n_raw_lines(), none)
  {}

  LocalIndex vertex(const unsigned int index, const dealii::Point<3> &point)
  {
    return number(of_vertex_[index], [&]() { return point; });
  }

  template <typename Line>
  LocalIndex midpoint(const Line &line)
  {
    return number(of_line_[line->index()],
                  [&]() { return line->center(/*respect_manifold*/ true); });
  }

  /// Returns the coordinates, `[3][n_nodes]`.
  std::vector<double> coordinates() const
  {
    std::vector<double> values(3 * points_.size());
    for (std::size_t node = 0; node < points_.size(); ++node)
      for (unsigned int d = 0; d < 3; ++d)
        values[d * points_.size() + node] = points_[node][d];
    return values;
  }

  std::size_t size() const
  {
    return points_.size();
  }

private:
  static constexpr LocalIndex none = std::numeric_limits<LocalIndex>::max();

  template <typename Place>
  LocalIndex number(LocalIndex &node, const Place &place)
  {
    if (node == none)
      {
        if (3 * points_.size() + 2 >= none)
          throw Error("The mesh has more than " + std::to_string(points_.size()) +
                      " nodes: their degrees of freedom are more than 32 bits count. Choose a "
                      "coarser mesh.");
        node = static_cast<LocalIndex>(points_.size());
        points_.push_back(place());
      }
    return node;
  }

  std::vector<LocalIndex> of_vertex_, of_line_;
  std::vector<dealii::Point<3>> points_;
};

template <typename Face>
BoundaryFace boundary_face(const Face &face, const bool midpoints, Nodes &nodes)
{
  BoundaryFace result;
  result.id = face->boundary_id();
  std::vector<unsigned int> vertices;
  for (const unsigned int v : face->vertex_indices())
    {
      vertices.push_back(face->vertex_index(v));
      result.nodes.push_back(nodes.vertex(face->vertex_index(v), face->vertex(v)));
    }
  for (unsigned int l = 0; midpoints && l < face->n_lines(); ++l)
    {
      const auto line = face->line(l);
      result.nodes.push_back(nodes.midpoint(line));
      std::array<int, 2> ends{};
      for (unsigned int k = 0; k < 2; ++k)
        ends[k] = static_cast<int>(
          std::find(vertices.begin(), vertices.end(), line->vertex_index(k)) - vertices.begin());
      result.lines.push_back(ends);
    }
  return result;
}

/// Throws Error for elements whose Jacobian is not positive at a quadrature point.
template <typename Element>
void check_jacobians(const TriangulationMesh &result,
                     const dealii::Triangulation<3> &triangulation,
                     const std::vector<CellPlace> &cells)
{
  const Connectivity &connectivity = result.mesh.connectivity;
  for (std::size_t e = 0; e < connectivity.n_elements; ++e)
    {
      double X[3][Element::n_nodes];
      for (int a = 0; a < Element::n_nodes; ++a)
        for (std::size_t d = 0; d < 3; ++d)
          X[d][a] = result.mesh.coordinates[d * connectivity.n_nodes + connectivity.node(e, a)];
      for (int q = 0; q < Element::n_quadrature_points; ++q)
        {
          double inverse[3][3];
          if (!(element_stiffness::jacobian<Element>(X, q, inverse) > 0.))
            throw Error("An element of type " + std::string(Element::name) +
                        " is inverted or flat: " +
                        place(Cell(&triangulation, cells[e].level, cells[e].index)) +
                        ". Its nodes are out of order, or the mesh is too distorted there.");
        }
    }
}
} // namespace

TriangulationMesh build_assembly_mesh(const dealii::Triangulation<3> &triangulation,
                                      const ElementType type)
{
  check_cells(triangulation, type);
  const bool midpoints               = n_nodes(type) > (type == ElementType::tet10 ? 4 : 8);
  const std::vector<CellPlace> cells = order_active_cells(triangulation);

  TriangulationMesh result;
  Connectivity &connectivity     = result.mesh.connectivity;
  result.mesh.element_type       = type;
  connectivity.n_elements        = cells.size();
  connectivity.nodes_per_element = n_nodes(type);
  connectivity.nodes.resize(static_cast<std::size_t>(n_nodes(type)) * cells.size());
  result.cell_of_element.reserve(cells.size());

  Nodes nodes(triangulation);
  for (std::size_t e = 0; e < cells.size(); ++e)
    {
      const Cell cell(&triangulation, cells[e].level, cells[e].index);
      result.cell_of_element.push_back(cell->active_cell_index());
      std::size_t local = 0;
      for (const unsigned int v : cell->vertex_indices())
        connectivity.nodes[local++ * cells.size() + e] =
          nodes.vertex(cell->vertex_index(v), cell->vertex(v));
      for (unsigned int l = 0; midpoints && l < cell->n_lines(); ++l)
        connectivity.nodes[local++ * cells.size() + e] = nodes.midpoint(cell->line(l));

      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          result.faces.push_back(boundary_face(face, midpoints, nodes));
    }
  connectivity.n_nodes    = nodes.size();
  result.mesh.coordinates = nodes.coordinates();
  check(result.mesh);
  with_element(type, [&](const auto element) {
    check_jacobians<decltype(element)>(result, triangulation, cells);
  });
  return result;
}
} // namespace strut
