// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/mesh/element_mesh.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The map from the design variables to the physical densities, against checkerboards and for a length
/// scale. All arrays are `[n_elements]` on the backend, for the elements of this rank.
///
/// A filter may act on the design variables: then the densities differ from them, and sensitivities
/// follow by the chain rule. Or it acts on the sensitivities alone, and keeps_densities().
///
/// Solid and void elements (ElementMesh::flags) are no design variables: the optimization never changes
/// them, and ignores their sensitivities. A filter that changes densities must give each of them its own
/// design variable, exactly: 1 or the minimum density. Their neighbours may see them.
///
/// The members that take arrays are collective: every rank calls them in the same order, without elements
/// too. `densities` is never the array `design`; `sensitivities` are neither of them.
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

  /// Whether densities() is affine: the same matrix takes every change of the design to that of the
  /// densities. Then the volume of a trial design follows from volume_sensitivities(), and need not be
  /// filtered. Unless overridden: only if the densities are kept. "No" is always right, and costs a call
  /// of densities() for each trial, some ten in an iteration.
  virtual bool is_linear() const
  {
    return keeps_densities();
  }

  /// The calls from here on belong to this iteration, from 1: for parameters that change along the way. A restart
  /// begins with a later one. Unless overridden: nothing.
  virtual void begin_iteration(unsigned int iteration);

  /// The first iteration with the parameters of the current one. Unless overridden: 1.
  virtual unsigned int unchanged_since() const
  {
    return 1;
  }

  /// Whether later iterations change the filter no more. Until then the optimization does not end by its
  /// stopping rule. Unless overridden: yes.
  virtual bool is_settled() const
  {
    return true;
  }

  /// The densities that follow from the design variables; overwritten. Unless overridden: the same.
  virtual void densities(const Array<double> &design, Array<double> &densities);

  /// Turn the sensitivities of the objective with respect to the densities into those that the
  /// update of the design variables takes.
  virtual void objective_sensitivities(const Array<double> &design,
                                       Array<double> &sensitivities) = 0;

  /// The same for the volume. Unless overridden: unchanged.
  virtual void volume_sensitivities(const Array<double> &design, Array<double> &sensitivities);
};

/// The settings from which a filter is made.
struct FilterSettings
{
  double radius = 0; ///< length units of the mesh; 0 filters nothing
  double minimum_density =
    OptimalityCriteria().minimum_density; ///< lower bound of the design variables
  ParameterValues values = {}; ///< of the filter's parameters that differ from their defaults
};

/// A filter's name in the deck, and how to make one. One file and one line in filters.cc each.
struct FilterEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<Filter> (*make)(Backend &backend,
                                  const Communicator &communicator,
                                  const ElementMesh &mesh,
                                  const FilterSettings &settings);
  std::vector<Parameter> parameters = {};
  bool needs_radius                 = false; ///< a radius of 0 is an error, instead of no filter
  /// Fields of doubles that it and the optimization keep for it, apart from neighbours: for the estimate
  /// of the memory.
  unsigned int n_fields = 0;
  bool has_neighbours   = true; ///< keeps a NeighbourhoodMean; for the same
};

/// FilterEntry::make of a filter that is made from these four.
template <typename F>
std::unique_ptr<Filter> make_filter(Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const FilterSettings &settings)
{
  return std::make_unique<F>(backend, communicator, mesh, settings);
}

const std::vector<FilterEntry> &filters();

/// One more filter, from outside of the core: after the others, for the life of the program, before a
/// parameter file is read. Throws Error if the name is taken.
void add_filter(const FilterEntry &filter);

/// @param name  a name in filters(); throws Error with the list otherwise
const FilterEntry &find_filter(const std::string &name);

/// Bytes that make_filter() and Simp for it will keep, about. Throws Error for an unknown name.
double filter_memory_estimate(const std::string &name, double radius, std::size_t n_elements);

/// @param name  a name in filters(); throws Error with the list otherwise
/// @param settings  throws Error for a value of no parameter, or one that is not allowed, or if the filter needs a radius
/// and has none
std::unique_ptr<Filter> make_filter(const std::string &name,
                                    Backend &backend,
                                    const Communicator &communicator,
                                    const ElementMesh &mesh,
                                    const FilterSettings &settings);
} // namespace strut
