// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/design/optimality_criteria.h>
#include <strut/mesh/element_mesh.h>
#include <strut/optimization/maps/neighbourhood_mean.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The place in a run at which a map is applied.
struct MapPoint
{
  unsigned int iteration = 1; ///< number of the design, counted from 1
  /// Addend to the threshold between void and solid, for maps that have one.
  double shift = 0.;
};

/// A step of the map from the design variables to the physical densities: against checkerboards,
/// for a length scale, or towards void and solid. All arrays are `[n_elements]` on the backend, for
/// the elements of this rank.
///
/// A map does not keep where in a run it is: that is an argument. A restart begins with a later
/// iteration.
///
/// Solid and void elements are no design variables. The chain around the map restores their values,
/// and ignores derivatives by them. A map may read them.
///
/// The members that take arrays are collective: every rank calls them in the same order, even
/// without elements.
class DesignMap
{
public:
  virtual ~DesignMap() = default;

  /// Sets y = map(x); y is overwritten, and must not be x.
  virtual void forward(const Array<double> &x, Array<double> &y, const MapPoint &at) = 0;

  /// Replaces s by `J(x)^T s`, with J = dy/dx at x: a derivative by y becomes one by x. The x is
  /// that of the last forward(), and the iteration, too.
  virtual void backward(const Array<double> &x, Array<double> &s, const MapPoint &at) = 0;

  /// Whether every change of y is the product of one constant matrix with the change of x. Then the
  /// volume of a trial design follows from the derivative, and the trial need not be mapped. "No"
  /// is always right, and costs some ten calls of forward() in an iteration.
  virtual bool is_affine() const = 0;

  /// The first iteration with the parameters of this one. Default: 1.
  virtual unsigned int unchanged_since(unsigned int /*iteration*/) const
  {
    return 1;
  }

  /// Whether the map has a threshold between void and solid, which MapPoint::shift moves. Throws
  /// Error for a shift that leads out of range. Default: there is none, and shifts are ignored.
  virtual bool can_shift(double /*shift*/) const
  {
    return false;
  }

  /// The parameters that change with the iterations, with their values in this one: "the projection
  /// has ...". Default: none.
  virtual std::string parameters_in(unsigned int /*iteration*/) const
  {
    return {};
  }

  /// Remark for the user about the map on this mesh, in words and the same on every rank. Default:
  /// empty.
  virtual std::string remark() const
  {
    return {};
  }

  /// Whether the map stays the same after this iteration. Until then the stopping rule does not end
  /// the optimization. Default: yes.
  virtual bool is_settled(unsigned int /*iteration*/) const
  {
    return true;
  }
};

/// The settings from which a map is made.
struct MapSettings
{
  double radius = 0; ///< length units of the mesh
  double minimum_density =
    OptimalityCriteria().minimum_density; ///< lower bound of the design variables
  ParameterValues values = {};            ///< parameters of the map that differ from their defaults
  FilterWeights weights  = FilterWeights::volume; ///< weights of elements in means
};

/// A map's name in the deck, and a function that makes one. Each map takes one file and one line in
/// design_maps.cc.
struct DesignMapEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<DesignMap> (*make)(Backend &backend,
                                     const Communicator &communicator,
                                     const ElementMesh &mesh,
                                     const MapSettings &settings);
  std::vector<Parameter> parameters = {};
  bool needs_radius                 = false; ///< a radius of 0 is an error
  /// Estimated bytes per element that the map and the optimization keep for it, besides its result.
  double bytes_per_element = 0.;
  /// Further bytes for all elements of a rank that depend on the mesh. Null: none. Collective.
  ///
  /// @param on_device  the backend computes on a device
  /// @param settings  the settings that make the map
  double (*bytes_on_mesh)(const Communicator &communicator,
                          const ElementMesh &mesh,
                          bool on_device,
                          const MapSettings &settings) = nullptr;
  bool takes_weights = false; ///< the map reads MapSettings::weights
};

/// DesignMapEntry::make for a map whose constructor takes these four arguments.
template <typename Map>
std::unique_ptr<DesignMap> make_map(Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const MapSettings &settings)
{
  return std::make_unique<Map>(backend, communicator, mesh, settings);
}

const std::vector<DesignMapEntry> &design_maps();

/// Adds a map from outside of the core, behind the others and for the life of the program. It must
/// be called before a parameter file is read. Throws Error if the name is taken.
void add_design_map(const DesignMapEntry &map);

/// The map of this name.
///
/// @param name  a name in design_maps(); throws Error with the list otherwise
const DesignMapEntry &find_design_map(const std::string &name);
} // namespace strut
