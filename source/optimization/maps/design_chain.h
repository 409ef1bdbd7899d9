// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/optimization/maps/design_map.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The solid and void elements of a rank, which no map changes.
class PassiveElements
{
public:
  PassiveElements(Backend &backend, const ElementMesh &mesh)
    : backend_(backend)
    , indices_(backend.memory(), indices_in(mesh))
    , values_(backend.memory(), indices_.size())
  {}

  /// Set to_e = from_e in these elements.
  void copy(const Array<double> &from, Array<double> &to)
  {
    const auto &vectors = backend_.vector_operations<double>();
    vectors.gather(indices_, from, values_);
    vectors.scatter(indices_, values_, to);
  }

  /// Set values_e = 0 in these elements.
  void set_zero(Array<double> &values) const
  {
    backend_.vector_operations<double>().set(indices_, 0., values);
  }

private:
  static std::vector<std::uint32_t> indices_in(const ElementMesh &mesh)
  {
    std::vector<std::uint32_t> indices;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::design)
        indices.push_back(static_cast<std::uint32_t>(e));
    return indices;
  }

  Backend &backend_;
  Array<std::uint32_t> indices_;
  Array<double> values_;
};

/// The maps from the design variables to the densities, one after the other. Without maps the
/// densities are the variables. Solid and void elements keep their values at each step, and no
/// derivative passes through them.
class DesignChain
{
public:
  DesignChain() = default;
  DesignChain(Backend &backend,
              const ElementMesh &mesh,
              std::vector<std::unique_ptr<DesignMap>> maps);

  bool empty() const
  {
    return maps_.empty();
  }

  /// Whether all maps are affine.
  bool is_affine() const;
  /// Whether all maps are settled in this iteration.
  bool is_settled(unsigned int iteration) const;
  /// First iteration since which no map has changed its parameters until this one.
  unsigned int unchanged_since(unsigned int iteration) const;
  /// Parameters in this iteration of all maps that change during the run, as text.
  std::string parameters_in(unsigned int iteration) const;
  /// Whether the last map has a threshold that can be shifted. Throws Error for a shift that leads
  /// out of range.
  bool can_shift(double shift) const;
  /// DesignMap::remark() of all maps that have one.
  std::vector<std::string> remarks() const;

  /// Compute the densities of a design into another array. Not for an empty chain. A shift is that
  /// of the threshold of the last map.
  void
  forward(const Array<double> &design, Array<double> &densities, const MapPoint &at = MapPoint());

  /// Apply the last map again to the design of the last forward(), with another shift.
  void forward_last(const Array<double> &design, Array<double> &densities, const MapPoint &at);

  /// Transform a derivative by the densities into one by the design variables, in place. It is zero
  /// in solid and void elements. An empty chain does nothing.
  /// @param design  the design of the last forward()
  void
  backward(const Array<double> &design, Array<double> &derivative, const MapPoint &at = MapPoint());

private:
  std::vector<std::unique_ptr<DesignMap>> maps_;
  std::unique_ptr<PassiveElements> passive_;
  std::vector<Array<double>> between_; ///< the results of all maps but the last one
};

/// Values of parameters of maps, by name of the map.
using ValuesOfMaps = std::map<std::string, ParameterValues>;

/// Make one map. Throws MapError for a value that is not allowed, or that does not suit the mesh.
/// Throws Error if the map needs a radius and has none. Collective.
std::unique_ptr<DesignMap> make_design_map(const std::string &name,
                                           Backend &backend,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const MapSettings &settings,
                                           const ValuesOfMaps &values);

/// Make a chain of maps. Throws Error for a value of an unknown parameter or one that is not
/// allowed, and if a map needs a radius and has none.
/// @param names  of design_maps(), in their order; throws Error with the list for others, and for a
///   map named twice
/// @param settings  for each of the maps, without the values
DesignChain make_design_chain(const std::vector<std::string> &names,
                              Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const MapSettings &settings,
                              const ValuesOfMaps &values = {});

/// Estimated bytes that a chain, and Simp for it, will keep on a rank. Throws Error for an unknown
/// name. Collective.
/// @param on_device  whether the backend computes on a device
/// @param settings  for each of the maps, without the values
double chain_memory_estimate(const std::vector<std::string> &names,
                             const Communicator &communicator,
                             const ElementMesh &mesh,
                             bool on_device,
                             const ValuesOfMaps &values  = {},
                             const MapSettings &settings = {});
} // namespace strut
