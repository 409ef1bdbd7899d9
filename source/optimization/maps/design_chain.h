// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/maps/passive_elements.h"

#include <strut/optimization/maps/design_map.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The maps from the design variables to the densities, one after the other; none, and the
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

  /// All maps are.
  bool is_affine() const;
  /// All maps are.
  bool is_settled() const;
  /// The first iteration with the parameters of the current one, in all maps.
  unsigned int unchanged_since() const;
  void begin_iteration(unsigned int iteration);
  /// Of all maps that change along the way, in words.
  std::string current_parameters() const;
  /// DesignMap::remark() of all maps that have one.
  std::vector<std::string> remarks() const;

  /// The densities of a design, which are another array, and overwritten. Not for an empty chain.
  void forward(const Array<double> &design, Array<double> &densities);

  /// The threshold of the last map is so much above the one that it was made with, from here on.
  /// @return false: it has none
  bool shift_threshold(double shift);

  /// The densities of the design of the last forward() by the last map alone: after
  /// shift_threshold().
  void forward_last(const Array<double> &design, Array<double> &densities);

  /// A derivative by the densities becomes one by the design variables, in place; zero in solid and
  /// void elements. Nothing happens in an empty chain.
  /// @param design  that of the last forward()
  void backward(const Array<double> &design, Array<double> &derivative);

private:
  std::vector<std::unique_ptr<DesignMap>> maps_;
  std::unique_ptr<PassiveElements> passive_;
  std::vector<Array<double>> between_; ///< the results of all maps but the last one
};

/// The values of parameters of maps, by the maps' names.
using ValuesOfMaps = std::map<std::string, ParameterValues>;

/// One of them. Throws MapError for a value that is not allowed, or that suits no such mesh, and
/// Error if it needs a radius and has none. Collective.
std::unique_ptr<DesignMap> make_design_map(const std::string &name,
                                           Backend &backend,
                                           const Communicator &communicator,
                                           const ElementMesh &mesh,
                                           const MapSettings &settings,
                                           const ValuesOfMaps &values);

/// @param names  of design_maps(), in their order; throws Error with the list for others, for a map
///   named twice, for a value
/// of no parameter or one that is not allowed, and if a map needs a radius and has none
/// @param settings  of each of them, but for the values
DesignChain make_design_chain(const std::vector<std::string> &names,
                              Backend &backend,
                              const Communicator &communicator,
                              const ElementMesh &mesh,
                              const MapSettings &settings,
                              const ValuesOfMaps &values = {});

/// Bytes that a chain, and Simp for it, will keep on a rank, about. Throws Error for an unknown
/// name. Collective.
/// @param on_device  the backend computes on one
double chain_memory_estimate(const std::vector<std::string> &names,
                             const Communicator &communicator,
                             const ElementMesh &mesh,
                             bool on_device,
                             const ValuesOfMaps &values = {});
} // namespace strut
