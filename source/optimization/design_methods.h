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
/// The parts that a design method is made with. The objects must outlive the method.
struct DesignContext
{
  Execution execution;
  const ElementMesh &mesh;
  StateSolver &state;
  OptimizationProblem problem; ///< evolutions minimise the compliance, and take none
  DesignChain &map;
  OptimizationSettings settings;
  double filter_radius = 0; ///< length units of the mesh
  /// `[n_nodes]`, or empty: bit d if a plane of symmetry with the normal d passes through the node.
  std::vector<std::uint8_t> mirrors = {};
};

/// What can be said of a design method before anything is allocated or solved.
struct DesignCheck
{
  Backend &backend;
  Communicator communicator;
  const ElementMesh &mesh;
  std::vector<const LoadCase *> load_cases;
  OptimizationSettings settings;
  std::vector<std::uint8_t> mirrors = {}; ///< as in DesignContext
};

/// A method's name in the deck, and how to make one. One file and one line in design_methods.cc
/// each.
struct DesignMethodEntry
{
  std::string name;
  std::string summary;
  /// @param values  of parameters that differ from their defaults; so below
  std::unique_ptr<DesignMethod> (*make)(const DesignContext &context,
                                        const ParameterValues &values);
  /// Bytes that it will keep on the backend, without those for maps and sensitivity filter of the
  /// deck.
  double (*memory_estimate)(const MeshSize &size, double filter_radius);
  std::vector<Parameter> parameters = {};
  /// It takes objective, constraints, maps and update from the deck; else the least compliance for
  /// a volume, by a rule of its own.
  bool solves_any_problem = false;
  bool has_own_filter     = false; ///< with the filter radius of the deck
  /// Why it cannot take a load case, and what to do; empty if it can. Null: it takes all.
  std::string (*obstacle)(const LoadCase &load_case) = nullptr;
  bool makes_grey =
    false; ///< densities between those of void and solid, with less stiffness than their volume
  bool uses_nodal_stresses = false; ///< those of trilinear elements
  bool counts_void         = false; ///< void has the minimum density, and counts in the volume
  /// One of its parameters that lets designs that alternate between two settle, and with which
  /// value; smaller ones if that is empty. May be empty.
  std::pair<std::string, std::string> steadied_by = {};
  /// Whether elements without material are not part of the system; null: they are.
  bool (*excludes_void)(const ParameterValues &values) = nullptr;
  /// Throws Error if the method cannot begin; null if there is nothing to check. Collective.
  void (*check)(const DesignCheck &design, const ParameterValues &values) = nullptr;
};

const std::vector<DesignMethodEntry> &design_methods();

/// One more method, from outside of the core: after the others, for the life of the program, before
/// a parameter file is read. Throws Error if the name is taken.
void add_design_method(const DesignMethodEntry &method);

/// @param name  a name in design_methods(); throws Error with the list otherwise
const DesignMethodEntry &find_design_method(const std::string &name);

/// Throws Error if there is an obstacle.
void check_load_case(const DesignMethodEntry &method, const LoadCase &load_case);

/// Throws Error if a method could not begin with this design: its volume cannot be met. Collective.
void check_design(const std::string &name,
                  const DesignCheck &design,
                  const ParameterValues &values = {});

/// @param name  a name in design_methods(); throws Error with the list otherwise
/// @param values  throws Error for one of no parameter, or one that is not allowed
std::unique_ptr<DesignMethod> make_design_method(const std::string &name,
                                                 const DesignContext &context,
                                                 const ParameterValues &values = {});
} // namespace strut
