// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/tied_faces.h"

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/lac/full_matrix.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "source/base/forest.h"

namespace strut
{
namespace
{
using Point = dealii::Point<3>;

/// The bilinear shape functions of a plane quadrilateral at points in space. Vertex k is at (k & 1,
/// k >> 1).
class FaceShapes
{
public:
  FaceShapes() = default;

  explicit FaceShapes(const std::array<Point, 4> &vertices)
    : origin_(vertices[0])
    , a_(vertices[1] - vertices[0])
    , b_(vertices[2] - vertices[0])
    , c_(vertices[3] - vertices[1] - b_)
  {}

  bool is_parallelogram() const
  {
    return c_.norm() <= 1e-12 * (a_.norm() + b_.norm());
  }

  std::array<double, 4> values(const Point &point) const
  {
    // Newton's method for origin + r a + s b + r s c = point, in the tangent plane.
    double r = 0.5, s = 0.5;
    for (int step = 0; step < (is_parallelogram() ? 1 : 20); ++step)
      {
        const auto along_r = a_ + s * c_, along_s = b_ + r * c_;
        const auto rest  = point - origin_ - r * a_ - s * b_ - r * s * c_;
        const double rr  = along_r * along_r;
        const double rs  = along_r * along_s;
        const double ss  = along_s * along_s;
        const double det = rr * ss - rs * rs;
        const double dr  = (ss * (along_r * rest) - rs * (along_s * rest)) / det;
        const double ds  = (rr * (along_s * rest) - rs * (along_r * rest)) / det;
        r += dr;
        s += ds;
        if (std::abs(dr) + std::abs(ds) < 1e-15)
          break;
      }
    return {{(1. - r) * (1. - s), r * (1. - s), (1. - r) * s, r * s}};
  }

private:
  Point origin_;
  dealii::Tensor<1, 3> a_, b_, c_;
};

/// A face of an element that touches others.
struct Face
{
  DeckMesh::Face place;
  std::array<LocalIndex, 4> nodes{}; ///< in the order of DeckMesh::face_vertex()
  FaceShapes shapes;
  FacePoints around{};
  double area       = 0.;
  std::size_t patch = 0; ///< number of its patch: connected faces in one plane
};

/// A face of the tied side with the faces that it touches.
struct TiedFace
{
  std::size_t face = 0;
  std::array<double, 4> sizes{}; ///< integrals of the N_s
  /// Master nodes, each with the integrals of psi_s N_m.
  std::vector<std::pair<LocalIndex, std::array<double, 4>>> mixed;
};

std::vector<Face> collect_faces(const DeckMesh &mesh, const std::vector<UnjoinedFaces> &unjoined)
{
  // A bit for each face of a coarse cell.
  std::vector<std::uint8_t> touching(mesh.coarse().boundaries.size(), 0);
  for (const UnjoinedFaces &pair : unjoined)
    for (const CoarseFace &side : pair.sides)
      touching[side.cell] = static_cast<std::uint8_t>(touching[side.cell] | 1u << side.number);
  std::vector<DeckMesh::Face> places;
  for (std::size_t e = 0; e < mesh.elements.n_elements; ++e)
    for (unsigned int f = 0; f < 6; ++f)
      if ((touching[mesh.coarse_cell(e)] >> f & 1u) != 0 && mesh.is_on_coarse_face(e, f))
        places.push_back({static_cast<LocalIndex>(e), static_cast<std::uint8_t>(f)});
  std::vector<Face> faces;
  for (const DeckMesh::Face &at : places)
    {
      Face face;
      face.place = at;
      std::array<Point, 4> vertices;
      for (unsigned int k = 0; k < 4; ++k)
        {
          face.nodes[k] = mesh.node(at.element, DeckMesh::face_vertex(at.number, k));
          vertices[k]   = mesh.location(face.nodes[k]);
        }
      face.shapes = FaceShapes(vertices);
      face.around = {{vertices[0], vertices[1], vertices[3], vertices[2]}};
      if (at.number % 2 == 0) // makes the normal point outwards
        std::reverse(face.around.begin(), face.around.end());
      face.area = area_of(face.around);
      faces.push_back(face);
    }
  return faces;
}

/// Numbers the patches. Faces with a common node and the same normal belong to one patch.
void number_patches(std::vector<Face> &faces)
{
  Forest forest(faces.size());
  const auto normal = [](const Face &face) {
    return dealii::cross_product_3d(face.around[2] - face.around[0],
                                    face.around[3] - face.around[1]) /
           (2. * face.area);
  };
  std::map<LocalIndex, std::vector<std::size_t>> at_node;
  for (std::size_t i = 0; i < faces.size(); ++i)
    for (const LocalIndex node : faces[i].nodes)
      at_node[node].push_back(i);
  for (const auto &[node, around] : at_node)
    for (std::size_t k = 1; k < around.size(); ++k)
      for (std::size_t l = 0; l < k; ++l)
        if (normal(faces[around[k]]) * normal(faces[around[l]]) > 0.999)
          forest.unite(around[k], around[l]);
  for (std::size_t i = 0; i < faces.size(); ++i)
    faces[i].patch = forest.root(i);
}

/// Integrals of one face over its overlaps with others.
TiedFace integrate(const std::vector<Face> &faces,
                   const std::size_t tied,
                   const std::vector<std::size_t> &others)
{
  const Face &face = faces[tied];
  TiedFace result;
  result.face = tied;
  dealii::FullMatrix<double> masses(4, 4);
  std::map<LocalIndex, std::array<double, 4>> mixed;
  for (const std::size_t other : others)
    {
      const Face &master               = faces[other];
      const std::vector<Point> polygon = overlap(face.around, master.around);
      // Exact for parallelograms, for which the products have degree four.
      const dealii::QGauss<1> gauss(
        face.shapes.is_parallelogram() && master.shapes.is_parallelogram() ? 3 : 8);
      for (std::size_t i = 2; i < polygon.size(); ++i)
        {
          const auto a = polygon[i - 1] - polygon[0], b = polygon[i] - polygon[0];
          const double twice_area = dealii::cross_product_3d(a, b).norm();
          for (unsigned int p = 0; p < gauss.size(); ++p)
            for (unsigned int q = 0; q < gauss.size(); ++q)
              {
                const double u = gauss.point(p)[0], v = gauss.point(q)[0];
                const double weight           = gauss.weight(p) * gauss.weight(q) * u * twice_area;
                const Point x                 = polygon[0] + u * ((1. - v) * a + v * b);
                const std::array<double, 4> N = face.shapes.values(x), M = master.shapes.values(x);
                for (unsigned int s = 0; s < 4; ++s)
                  {
                    result.sizes[s] += weight * N[s];
                    for (unsigned int t = 0; t < 4; ++t)
                      {
                        masses(s, t) += weight * N[s] * N[t];
                        mixed[master.nodes[t]][s] += weight * N[s] * M[t];
                      }
                  }
              }
        }
    }
  // psi_s = sum_t A_st N_t with A = diag(sizes) masses^-1. The matrix is scaled, as overlaps may be
  // small.
  dealii::FullMatrix<double> A(4, 4);
  std::array<double, 4> scale{};
  for (unsigned int s = 0; s < 4; ++s)
    scale[s] = 1. / std::sqrt(masses(s, s));
  for (unsigned int s = 0; s < 4; ++s)
    for (unsigned int t = 0; t < 4; ++t)
      A(s, t) = scale[s] * masses(s, t) * scale[t];
  A.gauss_jordan();
  for (const auto &[node, of_shapes] : mixed)
    {
      std::array<double, 4> of_dual{};
      for (unsigned int s = 0; s < 4; ++s)
        for (unsigned int t = 0; t < 4; ++t)
          of_dual[s] += result.sizes[s] * scale[s] * A(s, t) * scale[t] * of_shapes[t];
      result.mixed.emplace_back(node, of_dual);
    }
  return result;
}

/// Pairs of touching faces between two patches.
struct Interface
{
  /// For each face of a side, the faces that it touches.
  std::array<std::map<std::size_t, std::vector<std::size_t>>, 2> others;
  double area = 0.;

  /// Returns which side is to be tied.
  std::size_t tied_side(const std::vector<Face> &faces) const
  {
    std::array<double, 2> covered{};
    for (std::size_t side = 0; side < 2; ++side)
      {
        double sum = 0.;
        for (const auto &[face, list] : others[side])
          sum += faces[face].area;
        covered[side] = area / sum;
      }
    if (std::abs(covered[0] - covered[1]) > 0.05)
      return covered[1] > covered[0] ? 1 : 0;
    return others[1].size() > others[0].size() ? 1 : 0;
  }
};

class Ties
{
public:
  Ties(const ElementMesh &mesh, const std::vector<Face> &faces)
    : faces_(faces)
    , value_(mesh.n_dofs(), 0.)
    , is_held_(mesh.n_dofs(), false)
    , is_tied_(mesh.n_nodes, false)
    , is_master_(mesh.n_nodes, false)
  {
    for (std::size_t k = 0; k < mesh.constrained_dofs.size(); ++k)
      {
        is_held_[mesh.constrained_dofs[k]] = true;
        value_[mesh.constrained_dofs[k]]   = mesh.constrained_values[k];
      }
  }

  void add(const Interface &interface)
  {
    const std::size_t side = interface.tied_side(faces_);
    constexpr double least = 1e-9; // smallest overlap that counts, relative to the face
    std::vector<TiedFace> tied_faces;
    // By node: covered area and total area of its faces.
    std::map<LocalIndex, std::array<double, 2>> covered;
    std::set<LocalIndex> of_others;
    for (const auto &[face, list] : interface.others[side])
      {
        TiedFace tied = integrate(faces_, face, list);
        double size   = 0.;
        for (unsigned int s = 0; s < 4; ++s)
          size += tied.sizes[s];
        if (size < least * faces_[face].area)
          continue;
        for (unsigned int s = 0; s < 4; ++s)
          {
            covered[faces_[face].nodes[s]][0] += tied.sizes[s];
            covered[faces_[face].nodes[s]][1] += faces_[face].area / 4.;
          }
        for (const auto &[master, values] : tied.mixed)
          of_others.insert(master);
        tied_faces.push_back(std::move(tied));
      }
    std::set<LocalIndex> nodes;
    for (const auto &[node, areas] : covered)
      if (areas[0] > 0.25 * areas[1] && of_others.count(node) == 0 && !is_tied_[node] &&
          !is_master_[node])
        nodes.insert(node);

    std::map<LocalIndex, std::map<LocalIndex, double>> rows;
    std::map<LocalIndex, double> sizes;
    for (const TiedFace &tied : tied_faces)
      {
        bool is_untied = true;
        for (unsigned int c = 0; c < 3; ++c)
          {
            std::vector<unsigned int> with_row, without;
            bool is_held = true;
            for (unsigned int s = 0; s < 4; ++s)
              {
                const LocalIndex node = faces_[tied.face].nodes[s];
                is_held               = is_held && is_held_[3 * node + c];
                (nodes.count(node) > 0 && !is_held_[3 * node + c] ? with_row : without)
                  .push_back(s);
              }
            is_untied          = is_untied && with_row.empty() && !is_held;
            const double share = 1. / static_cast<double>(with_row.size());
            for (const unsigned int s : with_row)
              {
                const LocalIndex dof = 3 * faces_[tied.face].nodes[s] + c;
                auto &row            = rows[dof];
                sizes[dof] += tied.sizes[s];
                for (const auto &[master, values] : tied.mixed)
                  {
                    double value = values[s];
                    for (const unsigned int h : without)
                      value += share * values[h];
                    row[3 * master + c] += value;
                  }
                for (const unsigned int h : without)
                  row[3 * faces_[tied.face].nodes[h] + c] -= share * tied.sizes[h];
              }
          }
        if (is_untied)
          {
            if (untied_area_ == 0.)
              untied_ = {{faces_[tied.face].place,
                          faces_[interface.others[side].at(tied.face).front()].place}};
            untied_area_ += faces_[tied.face].area;
          }
      }
    for (const LocalIndex node : nodes)
      is_tied_[node] = true;
    for (const auto &[dof, row] : rows)
      resolve(dof, sizes.at(dof), row);
  }

  TiedFaces take(const ElementMesh &mesh) const
  {
    TiedFaces result;
    result.untied_area = untied_area_;
    result.untied      = untied_;
    for (std::size_t node = 0; node < mesh.n_nodes; ++node)
      result.n_nodes += is_tied_[node] ? 1 : 0;
    AffineRows &rows = result.rows;
    if (!rows_.empty())
      rows.offsets = {0};
    for (const auto &[dof, row] : rows_)
      {
        rows.dofs.push_back(dof);
        rows.values.push_back(value_[dof]);
        for (const auto &[master, weight] : row)
          {
            rows.masters.push_back(master);
            rows.weights.push_back(weight);
          }
        rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
      }
    return result;
  }

private:
  /// Adds a row. Masters that are held, or have rows already, are replaced by their values or
  /// masters.
  void
  resolve(const LocalIndex dof, const double size, const std::map<LocalIndex, double> &integrals)
  {
    constexpr double nothing = 1e-14;
    auto &row                = rows_[dof];
    double value             = 0.;
    for (const auto &[master, integral] : integrals)
      {
        const double weight = integral / size;
        const auto before   = rows_.find(master);
        if (is_held_[master])
          value += weight * value_[master];
        else if (std::abs(weight) < nothing)
          continue;
        else if (is_tied_[master / 3] && before != rows_.end())
          {
            value += weight * value_[master];
            for (const auto &[of_master, further] : before->second)
              row[of_master] += weight * further;
          }
        else
          row[master] += weight;
      }
    value_[dof] = value;
    for (const auto &[master, weight] : row)
      is_master_[master / 3] = true;
  }

  const std::vector<Face> &faces_;
  std::vector<double> value_; ///< values of held DoFs and of rows
  std::vector<bool> is_held_; ///< marks of the DoFs
  std::vector<bool> is_tied_, is_master_;
  std::map<LocalIndex, std::map<LocalIndex, double>> rows_;
  double untied_area_ = 0.;
  std::array<DeckMesh::Face, 2> untied_{};
};
} // namespace

TiedFaces
tie_faces(const DeckMesh &mesh, const std::vector<UnjoinedFaces> &unjoined, const double tolerance)
{
  std::vector<Face> faces = collect_faces(mesh, unjoined);
  number_patches(faces);
  std::vector<FacePoints> around;
  for (const Face &face : faces)
    around.push_back(face.around);
  std::map<std::array<std::size_t, 2>, Interface> interfaces;
  for (const auto &[first, second, area] : find_touching(around, tolerance))
    {
      std::size_t a = first, b = second;
      if (faces[a].patch > faces[b].patch)
        std::swap(a, b);
      Interface &interface = interfaces[{{faces[a].patch, faces[b].patch}}];
      interface.others[0][a].push_back(b);
      interface.others[1][b].push_back(a);
      interface.area += area;
    }
  Ties ties(mesh.elements, faces);
  for (const auto &[patches, interface] : interfaces)
    ties.add(interface);
  return ties.take(mesh.elements);
}
} // namespace strut
