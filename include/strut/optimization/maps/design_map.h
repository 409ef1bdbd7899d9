// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/design/optimality_criteria.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// A step on the way from the design variables to the physical densities, against checkerboards, for a length scale, or
/// towards void and solid. All arrays are `[n_elements]` on the backend, for the elements of this rank.
///
/// Solid and void elements are no design variables: the chain around the map gives them their own values again, and takes
/// no derivative by them. A map may see them.
///
/// The members that take arrays are collective: every rank calls them in the same order, without elements too.
class DesignMap
{
public:
  virtual ~DesignMap() = default;

  /// y = map(x); y is overwritten, and is not x.
  virtual void forward(const Array<double> &x, Array<double> &y) = 0;

  /// `J(x)^T s` in place, with J = dy/dx at x: a derivative by y becomes one by x.
  virtual void backward(const Array<double> &x, Array<double> &s) = 0;

  /// Whether the same matrix takes every change of x to that of y. Then the volume of a trial design follows from the
  /// derivative, and the trial need not be mapped. "No" is always right, and costs some ten calls of forward() in an
  /// iteration.
  virtual bool is_affine() const = 0;

  /// The calls from here on belong to this iteration, from 1: for parameters that change along the way. A restart
  /// begins with a later one. Unless overridden: nothing.
  virtual void begin_iteration(unsigned int iteration);

  /// The first iteration with the parameters of the current one. Unless overridden: 1.
  virtual unsigned int unchanged_since() const
  {
    return 1;
  }

  /// Move the threshold between void and solid to so much above the one that it was made with, from here on.
  /// Unless overridden: the map has none, and nothing happens. @return whether it has one
  virtual bool shift_threshold(double)
  {
    return false;
  }

  /// The parameters that change along the way, as they are in the current iteration: "the projection has ...". Unless
  /// overridden: none.
  virtual std::string current_parameters() const
  {
    return {};
  }

  /// Remark for the user on the map on this mesh, in words and the same on every rank; empty unless overridden.
  virtual std::string remark() const
  {
    return {};
  }

  /// Whether later iterations change the map no more. Until then the optimization does not end by its stopping rule.
  /// Unless overridden: yes.
  virtual bool is_settled() const
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
  ParameterValues values = {}; ///< of the map's parameters that differ from their defaults
};

/// A map's name in the deck, and how to make one. One file and one line in design_maps.cc each.
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
  /// Bytes per element that it and the optimization keep for it, besides its result: for the estimate of the memory.
  double bytes_per_element = 0.;
  /// More of them, of all elements of a rank, that depend on the mesh; null: none. Collective.
  /// @param on_device  the backend computes on one
  /// @param values  of the map's parameters that differ from their defaults
  double (*bytes_on_mesh)(const Communicator &communicator,
                          const ElementMesh &mesh,
                          bool on_device,
                          const ParameterValues &values) = nullptr;
};

/// DesignMapEntry::make of a map that is made from these four.
template <typename Map>
std::unique_ptr<DesignMap> make_map(Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const MapSettings &settings)
{
  return std::make_unique<Map>(backend, communicator, mesh, settings);
}

const std::vector<DesignMapEntry> &design_maps();

/// One more map, from outside of the core: after the others, for the life of the program, before a parameter file is
/// read. Throws Error if the name is taken.
void add_design_map(const DesignMapEntry &map);

/// @param name  a name in design_maps(); throws Error with the list otherwise
const DesignMapEntry &find_design_map(const std::string &name);
} // namespace strut
