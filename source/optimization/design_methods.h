// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/optimization/design_method.h"
#include "source/optimization/maps/design_chain.h"
#include "source/optimization/optimization_settings.h"
#include "source/optimization/problem/optimization_problem.h"

#include <strut/backend/memory_plan.h>
#include <strut/base/parameter.h>
#include <strut/solvers/state/state_solver.h>
#include <strut/solvers/structure.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// The parts from which a design method is made. The objects must outlive the method.
struct DesignContext
{
  Execution execution;
  const ElementMesh &mesh;
  StateSolver &state;
  OptimizationProblem problem; ///< the problem; evolutions minimise the compliance and ignore it
  DesignChain &map;
  OptimizationSettings settings;
  double filter_radius = 0; ///< length units of the mesh
  /// Planes of symmetry at the nodes, `[n_nodes]` or empty: bit d is set if a plane with the normal
  /// d passes through the node.
  std::vector<std::uint8_t> mirrors = {};
};

/// The parts of a design that can be checked before anything is allocated or solved.
struct DesignCheck
{
  Backend &backend;
  Communicator communicator;
  const ElementMesh &mesh;
  std::vector<const LoadCase *> load_cases;
  OptimizationSettings settings;
  std::vector<std::uint8_t> mirrors = {}; ///< planes of symmetry at the nodes, as in DesignContext
};

/// Name of a method in the deck, and how to make it. Each method has a file of its own and a line
/// in design_methods.cc.
struct DesignMethodEntry
{
  std::string name;
  std::string summary;
  /// Make the method.
  /// @param values  of parameters that differ from their defaults
  std::unique_ptr<DesignMethod> (*make)(const DesignContext &context,
                                        const ParameterValues &values);
  /// Bytes that the method will keep on the backend, without the maps and the sensitivity filter of
  /// the deck, and without the volumes by which its own filter weighs elements.
  double (*memory_estimate)(const MeshSize &size, double filter_radius);
  std::vector<Parameter> parameters = {};
  /// The method takes objective, constraints, maps and update from the deck. Other methods minimise
  /// the compliance for a volume, by a rule of their own.
  bool solves_any_problem = false;
  /// The method filters by itself, with the filter radius of the deck.
  bool has_own_filter = false;
  /// Says why the method cannot take a load case, and what to do; empty if it can. Null if it takes
  /// all load cases.
  std::string (*obstacle)(const LoadCase &load_case) = nullptr;
  /// The method makes densities between void and solid, whose stiffness is less than their volume.
  bool makes_grey          = false;
  bool uses_nodal_stresses = false; ///< the method uses nodal stresses of trilinear elements
  bool counts_void         = false; ///< void has the minimum density, and counts in the volume
  /// The parameter that damps designs that alternate between two, and the value to set. An empty
  /// value stands for smaller values. The name may be empty.
  std::pair<std::string, std::string> steadied_by = {};
  /// Whether elements without material are left out of the system. Null if they always are.
  bool (*excludes_void)(const ParameterValues &values) = nullptr;
  /// Throws Error if the method cannot begin. Null if there is nothing to check. Collective.
  void (*check)(const DesignCheck &design, const ParameterValues &values) = nullptr;
};

const std::vector<DesignMethodEntry> &design_methods();

/// Find a method by its name.
/// @param name  a name in design_methods(); throws Error with the list otherwise
const DesignMethodEntry &find_design_method(const std::string &name);

/// Throws Error if the method cannot take the load case.
void check_load_case(const DesignMethodEntry &method, const LoadCase &load_case);

/// Throws Error if a method cannot begin with this design because its volume is out of reach.
/// Collective.
void check_design(const std::string &name,
                  const DesignCheck &design,
                  const ParameterValues &values = {});

/// Make a method by its name.
/// @param name  a name in design_methods(); throws Error with the list otherwise
/// @param values  of parameters; throws Error for an unknown parameter, or a value that is not
///   allowed
std::unique_ptr<DesignMethod> make_design_method(const std::string &name,
                                                 const DesignContext &context,
                                                 const ParameterValues &values = {});
} // namespace strut
