// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>
#include <deal.II/base/types.h>

#include <deal.II/grid/tria_accessor.h>

#include <array>
#include <functional>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "plugin/deck/mesh/mesh_source.h"

namespace strut
{
/// A side of a block: a straight line, or an arc of a circle.
struct BlockSide
{
  static BlockSide line(const dealii::Point<2> &from, const dealii::Point<2> &to);

  /// @param from_angle,  to_angle  in radians, counter-clockwise from the x axis
  static BlockSide arc(const dealii::Point<2> &centre,
                       const double radius,
                       const double from_angle,
                       const double to_angle);

  /// The point at `s` in [0, 1], uniform in arc length.
  dealii::Point<2> at(const double s) const;

  dealii::Point<2> from, to;
  dealii::Point<2> centre;
  double radius     = 0.; ///< 0: a line
  double from_angle = 0.;
  double to_angle   = 0.;
};

/// A face of a cell, given by its vertices.
struct BlockFace
{
  std::array<dealii::Point<3>, 4> vertices;

  static BlockFace of(const dealii::TriaAccessor<2, 3, 3> &face);
  dealii::Point<3> center() const;
};

/// A plate of uniform thickness, made of four-sided blocks in the x-y plane. It collects the
/// blocks, joins them where their sides meet, and extrudes them along z.
class PlateBlocks
{
public:
  /// A circle that mesh lines follow: the section of a cylinder along z.
  struct Circle
  {
    dealii::Point<2> centre;
    double radius;
  };

  /// Adds the block between two opposite sides that run in the same direction. The two other sides
  /// are straight. The direction from `near` to `far` is to the left of the running direction.
  ///
  /// @param along  number of cells along the sides
  /// @param across  number of cells from `near` to `far`
  void add(const BlockSide &near,
           const BlockSide &far,
           const unsigned int along,
           const unsigned int across,
           const dealii::types::material_id material = 0);

  /// Number of elements of `layers` cells over the blocks after these global refinements.
  double n_elements(unsigned int layers, unsigned int refinements) const;

  /// Returns the cells, `layers` of them from z = 0 to `thickness`. They are not connected.
  CoarseMesh extrude(double thickness, unsigned int layers) const;

  /// Makes the triangulation of these cells. Refinement follows the circles on which sides lie:
  /// rings between two concentric arcs are refined to concentric layers.
  void create(dealii::Triangulation<3, 3> &triangulation,
              const double thickness,
              const unsigned int layers) const;

  /// Returns whether all vertices of a face are on a circle.
  static bool on_circle(const Circle &circle, const BlockFace &face);

private:
  struct Quad
  {
    std::array<dealii::Point<2>, 4> corners; ///< lexicographic
    dealii::types::material_id material;
    /// The axis, for cells between two arcs around the same centre.
    dealii::types::manifold_id ring;
  };

  /// Number of the axis through a point. It is the manifold id.
  dealii::types::manifold_id axis_number(const dealii::Point<2> &centre);

  std::vector<Quad> quads_;
  std::vector<dealii::Point<2>> axes_;
  std::set<std::pair<dealii::types::manifold_id, double>> circles_; ///< axis and radius
};

/// A generator of plates: blocks in the plane, extruded along z.
class PlateSource : public MeshSource
{
public:
  using MeshSource::MeshSource;

  /// A plate: its blocks and the parameters of the extrusion.
  struct Plate
  {
    PlateBlocks blocks;
    double thickness         = 1.;
    unsigned int layers      = 1; ///< number of coarse cells
    unsigned int refinements = 0;
    std::function<dealii::types::boundary_id(const BlockFace &face)> boundary_of;
  };

  unsigned int create(dealii::Triangulation<3, 3> &triangulation) const override;
  std::optional<CoarseMesh> create_cells() const override;

protected:
  /// Makes the plate from the parameters. @throws EntryError as create() does
  virtual Plate plate() const = 0;
};

/// A plane normal to a coordinate axis.
struct AxisPlane
{
  unsigned int axis;
  double position;
};

/// Returns the number of the plane that a point is on. The nearest plane counts, because of
/// rounding.
dealii::types::boundary_id plane_at(const dealii::Point<3> &point,
                                    std::initializer_list<AxisPlane> planes);
} // namespace strut
