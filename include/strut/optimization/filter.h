// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/backend.h>
#include <strut/mesh/element_mesh.h>
#include <strut/parallel/communicator.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// What stands between the design variables and the densities, against checkerboards and for a length
/// scale. All arrays are `[n_elements]` on the backend.
///
/// A filter may act on the design variables (then `densities` differ from them, and sensitivities
/// follow by the chain rule), or on the sensitivities alone.
class Filter
{
public:
  virtual ~Filter() = default;

  /// Whether the densities are the design variables: then neither densities() nor
  /// volume_sensitivities() is called. Unless overridden: yes.
  virtual bool keeps_densities() const
  {
    return true;
  }

  /// Densities that the design variables stand for. Unless overridden: the same.
  virtual void densities(const Array<double> &design, Array<double> &densities);

  /// Turn the sensitivities of the objective with respect to the densities into those that the
  /// update of the design variables takes.
  virtual void objective_sensitivities(const Array<double> &design,
                                       Array<double> &sensitivities) = 0;

  /// The same for the volume. Unless overridden: unchanged.
  virtual void volume_sensitivities(Array<double> &sensitivities);
};

/// A filter's name in the deck, and how to make one. One file and one line in filters.cc each.
struct FilterEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<Filter> (*make)(Backend &backend,
                                  const Communicator &communicator,
                                  const ElementMesh &mesh,
                                  double radius);
};

const std::vector<FilterEntry> &filters();

/// One more filter, from outside of the core: after the others, for the life of the program, before a
/// parameter file is read. Throws Error if the name is taken.
void add_filter(const FilterEntry &filter);

/// @param name  a name in filters(); throws Error with the list otherwise
/// @param radius  length units of the mesh; 0 filters nothing
std::unique_ptr<Filter> make_filter(const std::string &name,
                                    Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    double radius);
} // namespace strut
