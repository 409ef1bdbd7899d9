// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_mesh.h"

#include <deal.II/grid/manifold.h>
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
void check_cells(const dealii::Triangulation<3> &triangulation, const ElementType &type)
{
  const bool tetrahedra = type.n_vertices == 4;
  for (const Cell &cell : triangulation.active_cell_iterators())
    {
      if (!cell->is_locally_owned())
        throw Error("The mesh is dealt out to several processes: " + place(cell) +
                    " belongs to another one. Matrices are generated on one process.");
      const auto shape = cell->reference_cell();
      if (shape !=
          (tetrahedra ? dealii::ReferenceCells::Tetrahedron : dealii::ReferenceCells::Hexahedron))
        throw Error("Elements of type " + std::string(type.name) + " need a mesh of " +
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
    : of_vertex_(triangulation.n_vertices(), none)
    , of_line_(triangulation.n_raw_lines(), none)
    , of_face_(triangulation.n_raw_quads(), none)
  {}

  LocalIndex vertex(const unsigned int index, const dealii::Point<3> &point)
  {
    return number(of_vertex_[index], [&]() { return point; });
  }

  /// The node in the middle of a line.
  template <typename Line>
  LocalIndex of_line(const Line &line)
  {
    return number(of_line_[line->index()],
                  [&]() { return line->center(/*respect_manifold*/ true); });
  }

  /// The node in the middle of a face, interpolated from its lines, as MappingQ does.
  template <typename Face>
  LocalIndex of_face(const Face &face)
  {
    return number(of_face_[face->index()], [&]() {
      return face->center(/*respect_manifold*/ true, /*interpolate_from_surrounding*/ true);
    });
  }

  /// The node in the middle of a hexahedron, interpolated from the others, as MappingQ does.
  ///
  /// @param others  the nodes of vertices, lines and faces
  LocalIndex of_cell(const Cell &cell, const std::vector<LocalIndex> &others)
  {
    std::vector<dealii::Point<3>> points;
    std::vector<double> weights;
    for (const LocalIndex node : others)
      {
        weights.push_back(points.size() < 8 ? 0.125 : points.size() < 20 ? -0.25 : 0.5);
        points.push_back(points_[node]);
      }
    LocalIndex node = none;
    return number(node, [&]() {
      return cell->get_manifold().get_new_point(dealii::make_array_view(points),
                                                dealii::make_array_view(weights));
    });
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

  std::vector<LocalIndex> of_vertex_, of_line_, of_face_;
  std::vector<dealii::Point<3>> points_;
};

/// The nodes of elements beside the vertices.
struct Middles
{
  explicit Middles(const ElementType &type)
    : of_lines(type.n_nodes > type.n_vertices), of_faces(type.n_nodes == Hex27::n_nodes)
  {}

  const bool of_lines;
  const bool of_faces; ///< Cells have them, too.
};

template <typename Face>
BoundaryFace boundary_face(const Face &face, const Middles &middles, Nodes &nodes)
{
  BoundaryFace result;
  result.id = face->boundary_id();
  std::vector<unsigned int> vertices;
  for (const unsigned int v : face->vertex_indices())
    {
      vertices.push_back(face->vertex_index(v));
      result.nodes.push_back(nodes.vertex(face->vertex_index(v), face->vertex(v)));
    }
  for (unsigned int l = 0; middles.of_lines && l < face->n_lines(); ++l)
    {
      const auto line = face->line(l);
      result.nodes.push_back(nodes.of_line(line));
      std::array<int, 2> ends{};
      for (unsigned int k = 0; k < 2; ++k)
        ends[k] = static_cast<int>(
          std::find(vertices.begin(), vertices.end(), line->vertex_index(k)) - vertices.begin());
      result.lines.push_back(ends);
    }
  if (middles.of_faces)
    result.nodes.push_back(nodes.of_face(face));
  return result;
}

/// Throws Error for elements whose Jacobian is not positive at a quadrature point.
template <typename Element>
void check_jacobians(const ElementMesh &mesh,
                     const dealii::Triangulation<3> &triangulation,
                     const std::vector<CellPlace> &cells)
{
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][Element::n_nodes];
      nodes_of<Element>(mesh, e, X);
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
                                      const ElementType &type)
{
  check_cells(triangulation, type);
  const Middles middles(type);
  const std::vector<CellPlace> cells = order_active_cells(triangulation);

  TriangulationMesh result;
  ElementMesh &mesh = result.mesh;
  mesh.type         = type;
  mesh.n_elements   = cells.size();
  mesh.connectivity.resize(type.n_nodes * cells.size());

  Nodes nodes(triangulation);
  for (std::size_t e = 0; e < cells.size(); ++e)
    {
      const Cell cell(&triangulation, cells[e].level, cells[e].index);
      mesh.element_to_cell.push_back(cell->active_cell_index());
      std::vector<LocalIndex> of_element;
      for (const unsigned int v : cell->vertex_indices())
        of_element.push_back(nodes.vertex(cell->vertex_index(v), cell->vertex(v)));
      for (unsigned int l = 0; middles.of_lines && l < cell->n_lines(); ++l)
        of_element.push_back(nodes.of_line(cell->line(l)));
      for (unsigned int f = 0; middles.of_faces && f < cell->n_faces(); ++f)
        of_element.push_back(nodes.of_face(cell->face(f)));
      if (middles.of_faces)
        of_element.push_back(nodes.of_cell(cell, of_element));
      for (std::size_t a = 0; a < of_element.size(); ++a)
        mesh.connectivity[a * cells.size() + e] = of_element[a];

      for (const auto &face : cell->face_iterators())
        if (face->at_boundary())
          result.faces.push_back(boundary_face(face, middles, nodes));
    }
  mesh.n_owned_nodes = mesh.n_nodes = nodes.size();
  mesh.coordinates                  = nodes.coordinates();
  check(mesh);
  with_element(type, [&](const auto element) {
    check_jacobians<decltype(element)>(mesh, triangulation, cells);
  });
  return result;
}
} // namespace strut
