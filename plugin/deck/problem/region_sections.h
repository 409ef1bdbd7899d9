// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/parameter_acceptor.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <strut/base/exceptions.h>
#include <strut/element/elasticity_matrix.h>
#include <strut/region.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "source/mesh/directed_displacements.h"
#include "source/mesh/rigid_region.h"

namespace strut
{
/// A subsection `<section> / <name>` of the deck about a region of the mesh.
class RegionSection : public dealii::ParameterAcceptor
{
public:
  RegionSection(const std::string &section, const std::string &name)
    : dealii::ParameterAcceptor("/" + section + "/" + name), name(name), section_(section)
  {
    region.declare(*this, path());
  }

  const std::string name;
  Region region;

  std::vector<std::string> path() const
  {
    return {section_, name};
  }

protected:
  [[noreturn]] void fail(const std::string &entry, const std::string &text) const
  {
    throw EntryError(path(), entry, text);
  }

private:
  const std::string section_;
};

/// Nodes with displacements prescribed along some directions: the subsection `Supports / <name>` of
/// the deck. The directions are those of the coordinates, of the normals of faces, and of an axis.
class Support : public RegionSection
{
public:
  explicit Support(const std::string &name);

  /// Returns whether component c is held.
  bool holds(unsigned int c) const;

  /// Prescribed displacement of component c, in length units of the mesh.
  double displacement(unsigned int c) const;

  /// Returns whether displacements are prescribed along directions that differ by node.
  bool is_oblique() const;

  /// Returns whether displacements are prescribed along normals.
  bool needs_normals() const;

  /// Returns the prescribed displacements of a node along normals and directions of the axis.
  /// @param normals  unit normals of the faces of the region at the node
  /// @param tolerance  distance from the axis of a node on it
  /// @return nothing for a node on the axis, where no direction is radial or tangential
  std::optional<std::vector<DirectedDisplacement>>
  displacements_at(const dealii::Point<3> &node,
                   const std::vector<dealii::Tensor<1, 3>> &normals,
                   double tolerance) const;

  /// Returns a text such as "x = 0, normal = 0.1".
  /// @throws EntryError for entries that contradict each other
  std::string describe() const;

private:
  bool holds(const std::string &direction) const;
  double displacement(const std::string &direction) const;

  std::string directions_            = "x, y, z";
  std::vector<double> displacements_ = {0.};
  std::vector<double> axis_, point_;
};

/// Planes of symmetry: the subsection `Symmetry` of the deck. Nodes on a plane may not leave it.
class SymmetryPlanes : public dealii::ParameterAcceptor
{
public:
  SymmetryPlanes();

  struct Plane
  {
    unsigned int component = 0; ///< direction of the normal
    double value           = 0;
    std::string text; ///< "x = xmin"

    /// Tells whether the mesh continues behind the plane, so that there is no image to be added.
    bool passes_through(const MeshSummary &summary) const;
  };

  /// The planes, with names of the mesh's box (xmin, ...) replaced by their values.
  /// @throws EntryError for text that is not a list of planes
  std::vector<Plane> planes(const MeshSummary &summary) const;

  /// Tells whether filters take the mirror image behind the planes into account.
  bool mirror_filters() const
  {
    return mirror_filters_;
  }

private:
  std::string planes_;
  bool mirror_filters_ = true;
};

/// Elements of another solid than that of `Material`: the subsection `Materials / <name>` of the
/// deck.
class MaterialRegion : public RegionSection
{
public:
  explicit MaterialRegion(const std::string &name);

  /// Young's modulus relative to that of `Material`. Throws EntryError for invalid values.
  double stiffness_ratio(const Material &material) const;
  /// Poisson's ratio. Throws EntryError for invalid values. Also throws if it differs from that of
  /// `Material`, and the formulation of `Material` supports only a single one.
  double poisson_ratio(const Material &material) const;
  /// Elasticity of an orthotropic solid; none for other solids. Throws EntryError as above, and for
  /// entries that contradict each other.
  std::optional<ElasticityMatrix> elasticity(const Material &material) const;
  /// Mass per volume relative to `Material`. Throws EntryError for invalid values.
  double mass_ratio() const;

  double strength = 0.; ///< force per area; 0: not known

private:
  double youngs_modulus_ = 0.; ///< 0: that of `Material`
  std::string poisson_ratio_;  ///< empty: that of `Material`
  double mass_ratio_ = 1.;
  std::vector<double> youngs_moduli_, poisson_ratios_,
    shear_moduli_; ///< moduli and ratios of an orthotropic solid; empty: it is isotropic
  dealii::Tensor<1, 3> first_axis_, second_axis_;
};

/// Springs from the nodes of a region to the ground: the subsection `Springs / <name>` of the deck.
/// They model the workpiece of a mechanism, for example.
class Spring : public RegionSection
{
public:
  explicit Spring(const std::string &name);

  /// Stiffness along x, y, z: force per displacement of the whole region. Throws EntryError for
  /// invalid values.
  std::array<double, 3> stiffness() const;

  /// Returns a text such as "stiffness (1, 0, 0)".
  std::string describe() const;

private:
  std::vector<double> stiffness_ = {0., 0., 0.};
};

/// A mass on the nodes of a region, which does not design: the subsection `Masses / <name>` of the
/// deck.
class PointMass : public RegionSection
{
public:
  explicit PointMass(const std::string &name);

  /// Returns the mass of the whole region. Throws EntryError for an invalid value.
  double mass() const;

private:
  double mass_ = 0.;
};

/// Nodes that move as a rigid body: the subsection `Couplings / <name>` of the deck.
class Coupling : public RegionSection
{
public:
  explicit Coupling(const std::string &name);

  /// Returns the motions of a region with these nodes. Throws EntryError for invalid values.
  RigidRegion rigid_region(const ElementMesh &mesh, std::vector<LocalIndex> nodes) const;

  /// Returns a text such as "rigid, along x = 0, about z = 0.1".
  std::string describe() const;

private:
  /// Returns the prescribed value of each motion.
  std::array<std::optional<double>, 6> motions() const;

  std::vector<double> point_;
  std::string motions_;
  std::vector<double> values_ = {0.};
};

/// Elements that the optimizer may not change: the subsection `Non-design regions / <name>` of the
/// deck.
class NonDesignRegion : public RegionSection
{
public:
  explicit NonDesignRegion(const std::string &name) : RegionSection("Non-design regions", name)
  {
    add_parameter("Density",
                  density_,
                  "solid: density 1 throughout; void: the minimum density throughout.",
                  prm,
                  dealii::Patterns::Selection("solid|void"));
    add_parameter(
      "Distance",
      distance_,
      "To faces of 'Boundary ids', in length units of the mesh: elements whose centres are at most so "
      "far from one belong to the region too. 0: only elements with a face there.");
  }

  bool is_solid() const
  {
    return density_ == "solid";
  }
  /// Throws EntryError for a negative distance, and for any in a region without boundary ids.
  double distance() const;
  std::string describe() const;

private:
  std::string density_ = "solid";
  double distance_     = 0.;
};
} // namespace strut
