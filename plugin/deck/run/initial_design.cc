// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/initial_design.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>
#include <system_error>
#include <vector>

#include "plugin/base/named_file.h"
#include "plugin/deck/output/field_on_mesh.h"
#include "plugin/deck/output/result_file.h"
#include "source/base/team.h"
#include "source/optimization/problem/volume_constraint.h"
#include "source/optimization/updates/bracketed_root.h"

namespace strut
{
namespace
{
[[noreturn]] void fail(const std::string &text)
{
  throw EntryError({"Optimization"}, "Initial design", text);
}

/// Design variables made from densities of a file, and their volume after the maps.
class ShiftedDesign
{
public:
  ShiftedDesign(RunContext &run, Optimizer &optimizer, std::vector<double> densities)
    : run_(run)
    , mesh_(run.parameters.problem.mesh())
    , map_(optimizer.map)
    , settings_(run.parameters.optimization.get())
    , constraint_(VolumeConstraint::build(run.communicator,
                                          mesh_,
                                          settings_.volume_fraction,
                                          settings_.criteria.minimum_density,
                                          settings_.count_non_design))
    , densities_(std::move(densities))
    , volumes_(run.backend().memory(), mesh_.volumes)
    , design_(run.backend().memory(), mesh_.n_elements)
    , mapped_(run.backend().memory(), map_.empty() ? 0 : mesh_.n_elements)
  {}

  const VolumeConstraint &constraint() const
  {
    return constraint_;
  }

  /// Design variables of all elements within their bounds, `[n_elements]`.
  std::vector<double> variables(const double addend) const
  {
    const double least = settings_.criteria.minimum_density;
    std::vector<double> values(mesh_.n_elements);
    for (std::size_t e = 0; e < values.size(); ++e)
      values[e] = mesh_.flags[e] == DesignFlag::solid ? 1.
                  : mesh_.flags[e] == DesignFlag::empty
                    ? least
                    : std::clamp(densities_[e] + addend, least, 1.);
    return values;
  }

  /// Volume of material in the design elements. Collective.
  double material(const double addend)
  {
    design_.copy_from_host(variables(addend));
    if (!map_.empty())
      map_.forward(design_, mapped_);
    return constraint_.material(run_.backend(),
                                run_.communicator,
                                volumes_,
                                map_.empty() ? design_ : mapped_);
  }

private:
  RunContext &run_;
  const ElementMesh &mesh_;
  DesignChain &map_;
  OptimizationSettings settings_;
  VolumeConstraint constraint_;
  std::vector<double> densities_;
  DesignVolumes volumes_;
  Array<double> design_, mapped_;
};

/// Returns the path of the file that the deck names.
std::string find(const RunContext &run)
{
  const DeckParameters &parameters = run.parameters;
  const std::string &name          = parameters.optimization.initial_design;
  if (!parameters.method_entry().solves_any_problem)
    fail("The method '" + parameters.optimization.method +
         "' begins with a design of its own.\nLeave this entry out, or 'set Method = simp'.");
  const NamedFile file =
    NamedFile::find(name, folder_of(parameters.deck.file_name()), "result (.vtu)");
  if (!file.obstacle.empty())
    fail(file.obstacle);
  std::error_code ignored;
  if (std::filesystem::equivalent(run.folder,
                                  std::filesystem::absolute(file.path).parent_path(),
                                  ignored))
    fail("\"" + file.path +
         "\" is in the output directory, whose results this run replaces.\nSet another 'Output "
         "directory', or copy the file.");
  return file.path;
}

double volume_of(const ElementMesh &mesh)
{
  return std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
}

std::string percent(const double share)
{
  std::ostringstream text;
  text.precision(3);
  text << 100. * share << " %";
  return text.str();
}
} // namespace

InitialDesign::InitialDesign(const RunContext &run)
{
  if (run.parameters.optimization.initial_design.empty())
    return;
  file_name_              = find(run);
  const ElementMesh &mesh = run.parameters.problem.mesh();
  const int n_threads     = cpu::default_n_threads();
  std::vector<double> is_there;
  double read = 0.; // volume of the design on its own mesh
  try
    {
      const ResultFile file = read_result(file_name_, n_threads);
      densities_            = field_on_mesh(file.mesh, file.densities, mesh, n_threads);
      is_there =
        field_on_mesh(file.mesh, std::vector<double>(file.densities.size(), 1.), mesh, n_threads);
      read = volume_of(file.mesh);
    }
  catch (const Error &error)
    {
      fail(error.what());
    }
  double common = 0.;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    common += mesh.volumes[e] * is_there[e];
  common               = run.communicator.sum(common);
  const double whole   = run.communicator.sum(volume_of(mesh));
  const double outside = 1. - common / whole, unused = 1. - common / read;
  constexpr double much = 0.01;
  if (common <= 1e-6 * std::min(whole, read))
    fail(
      "The mesh of \"" + file_name_ +
      "\" and that of this deck have nothing in common.\nCheck the units and the origin of both.");
  if (outside > much || unused > much)
    note_ = "  NOTE: of the mesh " + percent(std::max(outside, 0.)) +
            " are outside of that of the initial design, and void there; of that mesh " +
            percent(std::max(unused, 0.)) + " are outside of this one\n";
}

std::string InitialDesign::begin_with(RunContext &run, Optimizer &optimizer) const
{
  if (file_name_.empty())
    return "";
  const DeckParameters &parameters = run.parameters;
  ShiftedDesign design(run, optimizer, densities_);
  const VolumeConstraint &constraint = design.constraint();
  const double target                = constraint.target;
  const double tolerance             = 1e-9 * target;
  const double before                = design.material(0.);
  double addend                      = 0.;
  if (parameters.optimization.problem_without_responses(parameters.constraints).limits_volume &&
      std::abs(before - target) > tolerance)
    {
      const auto excess  = [&](const double x) { return design.material(x) - target; };
      const double there = before > target ? -1. : 1., missing = excess(there);
      if ((missing > 0.) == (before > target) && std::abs(missing) > tolerance)
        fail("No addend to its densities gives the volume fraction " +
             std::to_string(parameters.optimization.get().volume_fraction) +
             ": the maps, or solid and void regions, allow " +
             std::to_string(constraint.fraction(target + missing)) +
             (missing > 0. ? " at least" : " at most") + ".");
      addend = bracketed_root(0., before - target, there, missing, tolerance, excess);
    }
  const double after = design.material(addend);
  // For methods that solve arbitrary problems, the first field of the state is the next design.
  DesignState state          = optimizer.method->state();
  state.element_fields.at(0) = design.variables(addend);
  optimizer.method->restore(state, {});
  std::ostringstream text;
  text << "  initial design: " << file_name_ << ", volume fraction " << constraint.fraction(before)
       << (optimizer.map.empty() ? "" : " after the filter");
  if (std::abs(addend) > 1e-6) // smaller addends only correct rounding
    text << ", " << constraint.fraction(after) << " with " << addend << " added to its densities";
  text << '\n';
  return text.str();
}
} // namespace strut
