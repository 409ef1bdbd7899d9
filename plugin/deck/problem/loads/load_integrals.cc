// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_values.h>

#include <deal.II/grid/tria.h>
#include <deal.II/grid/tria_description.h>

#include <strut/base/exceptions.h>
#include <strut/load_integrals.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugin/deck/problem/region_members.h"
#include "source/element/element_stiffness.h"
#include "source/element/face_quadrature.h"
#include "source/element/mass_points.h"
#include <strut/mesh_summary.h>

namespace strut
{
namespace
{
/// deal.II's quadrature over a face of a hexahedron with eight nodes. deal.II does not know the
/// elements, so an auxiliary cell takes the vertices of the element.
class FaceOfHexahedron
{
public:
  FaceOfHexahedron()
    : fe_(1)
    , values_(fe_,
              dealii::QGauss<2>(2),
              dealii::update_values | dealii::update_JxW_values | dealii::update_normal_vectors |
                dealii::update_quadrature_points)
  {
    // Two cells in turn, because deal.II caches the vertices of the last cell.
    std::vector<dealii::Point<3>> vertices;
    std::vector<dealii::CellData<3>> cells(2);
    for (unsigned int c = 0; c < 2; ++c)
      for (unsigned int v = 0; v < 8; ++v)
        {
          cells[c].vertices[v] = 8 * c + v;
          vertices.emplace_back((v & 1) + 2. * c, v >> 1 & 1, v >> 2);
        }
    cells_.create_triangulation(vertices, cells, dealii::SubCellData());
  }

  std::vector<FacePoint> points(const DeckMesh &mesh, const DeckMesh::Face &face)
  {
    now_ = 1 - now_;
    const dealii::Triangulation<3>::active_cell_iterator cell(&cells_, 0, now_);
    for (const unsigned int v : cell->vertex_indices())
      cell->vertex(v) = mesh.vertex(face.element, v);
    values_.reinit(cell, static_cast<unsigned int>(face.number));
    std::vector<FacePoint> points(values_.n_quadrature_points);
    for (const unsigned int q : values_.quadrature_point_indices())
      {
        for (unsigned int d = 0; d < 3; ++d)
          {
            points[q].at[d]     = values_.quadrature_point(q)[d];
            points[q].normal[d] = values_.normal_vector(q)[d];
          }
        points[q].area = values_.JxW(q);
        for (const unsigned int v : values_.dof_indices())
          points[q].N.push_back(values_.shape_value(v, q));
      }
    return points;
  }

private:
  dealii::Triangulation<3> cells_;
  dealii::FE_Q<3> fe_;
  dealii::FEFaceValues<3> values_;
  int now_ = 0; ///< number of the current cell
};

/// Adds the area of points to a sum.
double area_of(const std::vector<FacePoint> &points, double sum)
{
  for (const FacePoint &point : points)
    sum += point.area;
  return sum;
}

/// Returns the quadrature points on a face of an element of any type.
std::vector<FacePoint> points_on(const DeckMesh &mesh, const DeckMesh::Face &face)
{
  return with_element(mesh.elements.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    double X[3][Element::n_nodes];
    nodes_of<Element>(mesh.elements, face.element, X);
    return face_quadrature<Element>(X, face.number);
  });
}

/// Calls visit(points, face) for each face of the region on this rank's elements. The order of the
/// faces does not depend on the partition.
template <typename Visit>
void for_each_face(const LoadContext &context, const Load &load, const Visit &visit)
{
  const DeckMesh &mesh = context.mesh;
  std::vector<DeckMesh::Face> faces;
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (load.region.has_face(mesh, face) && load.region.has_element(mesh, face.element) &&
        load.region.holds_at(mesh.face_centre(face)))
      faces.push_back(face);
  std::stable_sort(faces.begin(),
                   faces.end(),
                   [&](const DeckMesh::Face &a, const DeckMesh::Face &b) {
                     return mesh.keys()[a.element] < mesh.keys()[b.element];
                   });
  if (faces.empty())
    return;
  const bool is_hex8 = mesh.elements.type == ElementType();
  FaceOfHexahedron hexahedron;
  for (const DeckMesh::Face &face : faces)
    visit(is_hex8 ? hexahedron.points(mesh, face) : points_on(mesh, face), face);
}

/// Calls visit(point, N, dx) at the points of the mass of an element, with the values of its shape
/// functions and the volume of the point.
template <typename Visit>
void for_each_mass_point(const ElementMesh &mesh, const std::size_t e, const Visit &visit)
{
  with_mass_points(mesh.type, [&](const auto element) {
    using Element   = std::decay_t<decltype(element)>;
    constexpr int n = Element::n_nodes;
    double X[3][n], G[3][n];
    std::array<double, n> N;
    nodes_of<Element>(mesh, e, X);
    for (int q = 0; q < Element::n_quadrature_points; ++q)
      {
        const double dx = element_stiffness::gradients<Element>(X, q, G);
        double xi[3];
        dealii::Point<3> point;
        Element::quadrature_point(q, xi);
        for (int v = 0; v < n; ++v)
          {
            N[v] = Element::shape_value(v, xi);
            for (unsigned int d = 0; d < 3; ++d)
              point[d] += N[v] * X[d][v];
          }
        visit(point, N, dx);
      }
  });
}
} // namespace

std::string
add_face_integral(const LoadContext &context, const Load &load, const Traction &traction)
{
  const DeckMesh &mesh = context.mesh;
  unsigned int n_faces = 0;
  for_each_face(context, load, [&](const auto &points, const DeckMesh::Face &face) {
    ++n_faces;
    if (context.selection != nullptr)
      {
        context.selection->set_kind(SelectedPart::Kind::faces);
        context.selection->count(area_of(points, 0.));
        for (const dealii::Point<3> &vertex : mesh.vertices(face))
          context.selection->include(vertex);
      }
    for (const FacePoint &point : points)
      {
        const auto &[x, n] = std::pair(point.at, point.normal);
        const dealii::Tensor<1, 3> t =
          traction(dealii::Point<3>(x[0], x[1], x[2]), dealii::Point<3>(n[0], n[1], n[2])) *
          point.area;
        for (unsigned int v = 0; v < point.N.size(); ++v)
          if (point.N[v] != 0.)
            for (unsigned int c = 0; c < 3; ++c)
              context.forces[3 * std::size_t(mesh.node(face.element, v)) + c] += point.N[v] * t[c];
      }
  });
  n_faces = dealii::Utilities::MPI::sum(n_faces, context.communicator);
  if (n_faces == 0)
    load.region.throw_selects_nothing("boundary face", context.summary);
  std::ostringstream text;
  text << n_faces << " faces of area " << region_area(context, load);
  return text.str();
}

double region_area(const LoadContext &context, const Load &load)
{
  double area = 0;
  for_each_face(context, load, [&](const auto &points, const DeckMesh::Face &) {
    area = area_of(points, area);
  });
  return dealii::Utilities::MPI::sum(area, context.communicator);
}

std::string
visit_elements(const LoadContext &context, const Load &load, const ElementVisitor &visit)
{
  if (load.region.has_boundary_ids())
    throw EntryError(
      load.path(),
      "Boundary ids",
      "A force per volume acts on elements, which have no boundary ids.\n  Name the region "
      "by 'Material ids' or 'Expression'.");
  const ElementSet elements = select_elements(context.mesh, context.communicator, load.region);
  const auto count          = dealii::Utilities::MPI::sum(elements.size(), context.communicator);
  if (count == 0)
    load.region.throw_selects_nothing("element", context.summary);
  if (context.selection != nullptr)
    *context.selection = selected_elements(elements, context.mesh);
  for (const LocalIndex e : elements)
    visit(e);
  return std::to_string(count) + " elements";
}

std::string
add_volume_integral(const LoadContext &context, const Load &load, const ForceDensity &force)
{
  const DeckMesh &mesh = context.mesh;
  return visit_elements(context, load, [&](const std::size_t e) {
    for_each_mass_point(mesh.elements, e, [&](const auto &point, const auto &N, const double dx) {
      const dealii::Tensor<1, 3> b = force(point) * dx;
      for (unsigned int v = 0; v < N.size(); ++v)
        for (unsigned int c = 0; c < 3; ++c)
          context.forces[3 * std::size_t(mesh.node(e, v)) + c] += N[v] * b[c];
    });
  });
}

std::string
add_weight_integral(const LoadContext &context, const Load &load, const ForceDensity &force)
{
  const ElementMesh &mesh = context.mesh.elements;
  const std::size_t n     = mesh.n_elements;
  context.weights.resize(n);
  context.uneven_weights->resize(3 * mesh.type.n_nodes * n);
  return visit_elements(context, load, [&](const std::size_t e) {
    dealii::Tensor<1, 3> mean;
    double volume        = 0.;
    const auto integrate = [&](const auto &add) {
      for_each_mass_point(mesh, e, [&](const auto &point, const auto &N, const double dx) {
        add(force(point), N, dx);
      });
    };
    integrate([&](const dealii::Tensor<1, 3> &g, const auto &, const double dx) {
      mean += g * dx;
      volume += dx;
    });
    mean /= volume;
    context.weights[e] += mean;
    integrate([&](const dealii::Tensor<1, 3> &g, const auto &N, const double dx) {
      for (std::size_t v = 0; v < N.size(); ++v)
        for (unsigned int c = 0; c < 3; ++c)
          (*context.uneven_weights)[(3 * v + c) * n + e] += N[v] * (g[c] - mean[c]) * dx;
    });
  });
}
} // namespace strut
