// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/wall_bending.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "plugin/base/coordinate_text.h"

namespace strut
{
namespace
{
/// Smallest factor for which there is a note.
constexpr double least_factor = 1.25;

/// Layers through a wall that stresses at centres of elements need: these have 3/4 of the bending
/// stress at the surface.
constexpr unsigned int layers_for_stress = 4;

/// How walls of elements in a formulation bend.
struct Bending
{
  double (*of_one_layer)(double nu); ///< stiffness of a layer, relative to a plate
  bool bends_boxes;                  ///< whether walls of parallelepipeds bend as they should
  const char *remedy;                ///< other elements, for the note
};

const Bending &bending_of(const Material &material)
{
  constexpr auto pointwise = [](const double nu) { return (1. - nu) * (1. - nu) / (1. - 2. * nu); };
  static constexpr Bending of_formulation[] = {
    {pointwise, false, "; or 'set Element = incompatible modes' in subsection Material"},
    {[](const double nu) { return 1. - nu; }, false, ""},
    {pointwise, true, ""}};
  return of_formulation[static_cast<int>(material.formulation)];
}

/// The fault of a wall that a search looks for.
enum class Fault
{
  too_stiff,
  slanted, ///< the elements are no parallelepipeds, and too stiff
  few_layers
};

/// A path through a wall, from a face to the opposite face.
struct Wall
{
  double thickness      = 0;
  double edge           = 0; ///< longest edge along the wall
  unsigned int n_layers = 0;
  double factor         = 0;
  dealii::Point<3> place;
};

class WallSearch
{
public:
  WallSearch(const Fault fault, const MeshOfWalls &mesh)
    : fault_(fault)
    , mesh_(mesh.coarse)
    , per_edge_(1u << mesh.n_refinements)
    , all_(mesh)
    , in_walls_(mesh.coarse.cells.size(), false)
  {
    for (unsigned int cell = 0; cell < mesh_.cells.size(); ++cell)
      for (unsigned int face = 0; face < 6; ++face)
        if (mesh_.neighbours[cell][face] == CoarseMesh::nobody)
          follow(cell, face);
  }

  const Wall &worst() const
  {
    return worst_;
  }
  /// Fraction of the elements that are in such walls.
  double share() const
  {
    return static_cast<double>(std::count(in_walls_.begin(), in_walls_.end(), true)) /
           static_cast<double>(in_walls_.size());
  }

private:
  void follow(const unsigned int first_cell, const unsigned int first_face)
  {
    const dealii::Point<3> begin         = centre(first_cell, first_face);
    const dealii::Tensor<1, 3> direction = -1. * normal(first_cell, first_face);
    Wall wall;
    column_.clear();
    unsigned int cell = first_cell, face = first_face;
    while (true)
      {
        column_.push_back(cell);
        face ^= 1u;
        wall.edge      = std::max(wall.edge, edge_along(cell, face, direction));
        wall.thickness = std::abs((centre(cell, face) - begin) * direction);
        ++wall.n_layers;
        // It is thick enough already.
        if (factor(wall, all_.longest_edge) < least_factor)
          return;
        const std::uint32_t next = mesh_.neighbours[cell][face];
        if (next == CoarseMesh::nobody)
          break;
        const auto &behind = mesh_.neighbours[next];
        face =
          static_cast<unsigned int>(std::find(behind.begin(), behind.end(), cell) - behind.begin());
        if (face == 6)
          return;
        cell = next;
      }
    constexpr double opposite = 0.7; // cosine of 45 degrees
    // An edge of the body.
    if (normal(cell, face) * direction < opposite)
      return;
    const bool mirrored = is_on_plane(first_cell, first_face);
    // A slice of a thick body.
    if (mirrored && is_on_plane(cell, face))
      return;
    if (mirrored || is_on_plane(cell, face))
      {
        wall.thickness *= 2.;
        wall.n_layers *= 2;
      }
    wall.factor = factor(wall, wall.edge);
    if (wall.factor < least_factor)
      return;
    if (fault_ == Fault::slanted &&
        std::none_of(column_.begin(), column_.end(), [this](const unsigned int of_wall) {
          return is_slanted(of_wall);
          // It bends correctly.
        }))
      return;
    for (const unsigned int of_wall : column_)
      in_walls_[of_wall] = true;
    wall.place = begin + 0.5 * (centre(cell, face) - begin);
    if (wall.factor > worst_.factor)
      worst_ = wall;
  }

  /// Whether a cell is far from a parallelepiped. The measure is the difference of parallel edges,
  /// relative to the shortest of their means.
  bool is_slanted(const unsigned int cell) const
  {
    constexpr double slight = 0.1;
    // Sums and differences of the vertices: mean edges if k has one bit, differences of edges if it
    // has more.
    double shortest = std::numeric_limits<double>::max(), largest = 0.;
    for (unsigned int k = 1; k < 8; ++k)
      {
        dealii::Tensor<1, 3> sum;
        for (unsigned int v = 0; v < 8; ++v)
          {
            const unsigned int low = k & ~v;
            sum += ((low ^ low >> 1 ^ low >> 2) & 1u) == 0 ? mesh_.vertex(cell, v)
                                                           : -1. * mesh_.vertex(cell, v);
          }
        if (k == 1 || k == 2 || k == 4)
          shortest = std::min(shortest, sum.norm());
        else
          largest = std::max(largest, sum.norm());
      }
    return largest > slight * shortest;
  }

  double factor(const Wall &wall, const double edge) const
  {
    if (fault_ == Fault::few_layers)
      return wall.n_layers * per_edge_ < layers_for_stress
               ? double(layers_for_stress) / (wall.n_layers * per_edge_)
               : 1.;
    return wall_bending_factor(all_.material, edge, wall.thickness, wall.n_layers * per_edge_);
  }

  dealii::Point<3> centre(const unsigned int cell, const unsigned int face) const
  {
    dealii::Point<3> sum;
    for (const dealii::Point<3> &vertex : mesh_.around(cell, face))
      sum += vertex;
    return sum / 4.;
  }

  /// Unit normal of a face that points out of the cell.
  dealii::Tensor<1, 3> normal(const unsigned int cell, const unsigned int face) const
  {
    const auto v = mesh_.around(cell, face);
    const auto n = dealii::cross_product_3d(v[2] - v[0], v[3] - v[1]);
    return n / n.norm();
  }

  /// The longer edge of an element, projected normal to the path through the wall.
  double edge_along(const unsigned int cell,
                    const unsigned int face,
                    const dealii::Tensor<1, 3> &direction) const
  {
    double longest = 0.;
    for (unsigned int d = 0; d < 3; ++d)
      if (d != face / 2)
        {
          const dealii::Tensor<1, 3> edge = centre(cell, 2 * d + 1) - centre(cell, 2 * d);
          longest = std::max(longest, (edge - (edge * direction) * direction).norm());
        }
    return longest / per_edge_;
  }

  bool is_on_plane(const unsigned int cell, const unsigned int face) const
  {
    const auto vertices = mesh_.around(cell, face);
    return std::any_of(
      all_.planes.begin(), all_.planes.end(), [&](const SymmetryPlanes::Plane &plane) {
        return std::all_of(vertices.begin(), vertices.end(), [&](const dealii::Point<3> &vertex) {
          return std::abs(vertex[plane.component] - plane.value) <= all_.tolerance;
        });
      });
  }

  const Fault fault_;
  const CoarseMesh &mesh_;
  const unsigned int per_edge_; ///< number of elements along an edge of a coarse cell
  const MeshOfWalls &all_;
  std::vector<unsigned int> column_; ///< cells of the present path
  std::vector<bool> in_walls_;       ///< marks of the coarse cells
  Wall worst_;
};

/// Excess of bending stiffness from few layers, relative to a plate. In each layer, the strain
/// across the wall is constant.
double excess_of_layers(const Material &material, const unsigned int n_layers)
{
  return (bending_of(material).of_one_layer(material.poisson_ratio) - 1.) /
         (double(n_layers) * n_layers);
}

/// Excess of bending stiffness from elements that are too long, relative to a plate.
double excess_of_length(const Material &material, const double edge, const double thickness)
{
  const double slenderness = edge / thickness;
  return 0.5 * (1. - material.poisson_ratio) * slenderness * slenderness;
}
} // namespace

double wall_bending_factor(const Material &material,
                           const double edge,
                           const double thickness,
                           const unsigned int n_layers)
{
  return 1. + excess_of_layers(material, n_layers) + excess_of_length(material, edge, thickness);
}

std::string note_on_walls(const MeshOfWalls &mesh)
{
  const Material &material = mesh.material;
  const Bending &bending   = bending_of(material);
  const Fault fault        = bending.bends_boxes ? Fault::slanted : Fault::too_stiff;
  const WallSearch search(fault, mesh);
  const Wall &wall = search.worst();
  if (wall.factor < least_factor)
    return {};
  std::ostringstream text;
  text.precision(3);
  text << "NOTE: walls bend up to " << wall.factor << " times too stiffly: at "
       << place_text(wall.place) << " the wall is " << wall.thickness << " thick, and elements are "
       << wall.edge << " long.\n    " << 100. * search.share()
       << " % of the elements are in walls that bend more than " << least_factor
       << " times too stiffly. ";
  if (fault == Fault::slanted)
    {
      text
        << "Elements with incompatible modes bend as they should where opposite edges are parallel, and some here are not: "
           "the factor is between this and 1. Straighten them, or shorten them (doc/meshes.md)";
      return text.str();
    }
  const double of_length = excess_of_length(material, wall.edge, wall.thickness);
  const double of_layers = wall.factor - 1. - of_length;
  if (of_length < least_factor - 1.)
    text << "Take more layers of elements through the wall; shorter elements alone do not help";
  else if (of_layers < least_factor - 1.)
    text << "Let elements be at most half as long as the wall is thick; layers alone do not help";
  else
    text
      << "Let elements be at most half as long as the wall is thick, and take more layers of them through it";
  text << bending.remedy << " (doc/meshes.md)";
  return text.str();
}

std::string note_on_layers(const MeshOfWalls &mesh)
{
  const WallSearch search(Fault::few_layers, mesh);
  const Wall &wall = search.worst();
  if (wall.factor < least_factor)
    return {};
  const unsigned int n_layers = wall.n_layers << mesh.n_refinements;
  std::ostringstream text;
  text.precision(3);
  text
    << "NOTE: stresses at centres of elements, which limits and results have, miss the bending of walls: at "
    << place_text(wall.place) << " the wall has " << n_layers
    << (n_layers == 1
          ? " layer of elements, whose centres have none of the bending stress"
          : " layers of elements, whose centres have " +
              std::string(n_layers == 2 ? "half" : "two thirds") + " of the bending stress")
    << " at its surface. Take " << layers_for_stress
    << " layers or more. The log and summary.json have the largest stresses at corners and nodes at the end, which have all of it; 'Output / Nodal stress = true' writes them";
  return text.str();
}
} // namespace strut
