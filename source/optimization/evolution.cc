// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/evolution.h"
#include "source/backend/to_host.h"
#include "source/mesh/prescribed_displacements.h"
#include "source/optimization/design_pieces.h"
#include "source/optimization/responses/compliance.h"
#include "source/optimization/short_text.h"
#include "source/optimization/solve_load_cases.h"
#include "source/optimization/volume_check.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace strut
{
namespace
{
/// Largest ratio of the compliances of a design and the one before it.
constexpr double most_growth = 10.;
/// Factor by which each sound design raises the largest change, up to its value before changes were
/// refused.
constexpr double recovery = 1.2;
/// The verdict warns where C V ends more times above its least value. Slender members alone make it
/// grow by less.
constexpr double told_growth_of_index = 2.;

LoadNodes nodes_of(const DesignContext &context)
{
  LoadNodes nodes(context.execution.communicator, context.mesh, context.mirrors);
  for (std::size_t l = 0; l < context.state.n_load_cases(); ++l)
    nodes.add(context.state.load_case(l));
  return nodes;
}

/// A number for a message, with a few digits.
std::string text_of(const double value)
{
  return short_text(value, 3);
}

/// Mark the elements for a method that is about to begin.
KeptElements keep_elements_of(const DesignContext &context, const SolidElements wanted)
{
  const Execution &execution = context.execution;
  DesignCheck design{
    execution.backend, execution.communicator, context.mesh, {}, context.settings, context.mirrors};
  for (std::size_t l = 0; l < context.state.n_load_cases(); ++l)
    design.load_cases.push_back(&context.state.load_case(l));
  return keep_elements(design, wanted);
}
} // namespace

KeptElements keep_elements(const DesignCheck &design, const SolidElements wanted)
{
  KeptElements kept{design.mesh.flags, 0.};
  if (wanted == SolidElements::nothing)
    return kept;
  const bool and_at_supports = wanted == SolidElements::at_loads_and_supports;
  LoadNodes nodes(design.communicator, design.mesh, design.mirrors);
  for (const LoadCase *const load_case : design.load_cases)
    nodes.add(*load_case);
  const auto near = nodes.elements(design.backend, design.communicator, and_at_supports);
  for (std::size_t e = 0; e < near.size(); ++e)
    if (near[e] != 0 && kept.flags[e] == DesignFlag::design)
      {
        kept.flags[e] = DesignFlag::solid;
        kept.volume += design.mesh.volumes[e];
      }
  kept.volume                   = design.communicator.sum(kept.volume);
  const VolumeConstraint volume = VolumeConstraint::build(design.communicator,
                                                          design.mesh,
                                                          design.settings.volume_fraction,
                                                          0.,
                                                          design.settings.count_non_design);
  if (kept.volume > volume.target)
    throw Error(
      "The elements at loads" + std::string(and_at_supports ? " and supports" : "") +
        " stay solid, and they alone are " + text_of(100. * kept.volume / volume.design) +
        " % of the volume to design, where " + text_of(100. * volume.target / volume.design) +
        " % shall be left. A force that acts everywhere keeps them all; a weight that follows the "
        "material keeps none.",
      Remedy::raise_volume_fraction_or_keep_none);
  return kept;
}

void declare_solid_elements(ParameterList &list, SolidElements &setting)
{
  list.add<SolidElements>(
    "Solid elements",
    setting,
    {{"none", SolidElements::nothing},
     {"at loads", SolidElements::at_loads},
     {"at loads and supports", SolidElements::at_loads_and_supports}},
    "Which elements no change takes: those around nodes with a load, with a support too, or none.");
}

Evolution::Evolution(const DesignContext &context,
                     const Interpolation &interpolation,
                     const double void_density,
                     const double largest_change,
                     const double least_change,
                     const SolidElements solid)
  : backend_(context.execution.backend)
  , communicator_(context.execution.communicator)
  , timing_(context.execution.timing)
  , state_(context.state)
  , volume_(VolumeConstraint::build(communicator_,
                                    context.mesh,
                                    context.settings.volume_fraction,
                                    0.,
                                    context.settings.count_non_design))
  , kept_(keep_elements_of(context, solid))
  , flags_(backend_.memory(), kept_.flags)
  , next_(backend_.memory(), VolumeConstraint::uniform_design(context.mesh, void_density, 1.))
  , analysed_(backend_.memory(), context.mesh.n_elements)
  , stiffness_(backend_.memory(), context.mesh.n_elements)
  , energies_(backend_.memory(), context.mesh.n_elements)
  , void_density_(void_density)
  , next_material_(volume_.design)
  , largest_change_(largest_change)
  , first_change_(largest_change)
  , mesh_(context.mesh)
  , load_nodes_(nodes_of(context))
  , interpolation_(interpolation)
  , least_change_(least_change)
  , max_iterations_(context.settings.stopping.max_iterations)
{
  loads_alone_ = !communicator_.any(prescribes_displacements(context.mesh));
}

void Evolution::warn(const std::string &text)
{
  warnings_ += (warnings_.empty() ? "" : "; ") + text;
}

void Evolution::add_compliance(const std::size_t l, IterationRecord &record)
{
  const LoadCase &load_case = state_.load_case(l);
  const double C = compliance_of(backend_, communicator_, state_, l, stiffness_, energies_);
  require_computable(load_case.name, C);
  record.objective += load_case.weight * C;
  record.case_objectives.push_back(C);
}

std::string Evolution::analyse(Array<double> &design, IterationRecord &record)
{
  was_solved_ = false;
  if (load_path_ != nullptr)
    {
      TimingTable::Scope scope(timing_, "load path", &backend_);
      const LoadPath::Report report = load_path_->update(*fields_, flags_, design);
      if (report.n_islands > 0)
        warn("material that no load acts on was taken away, " +
             text_of(100. * report.volume / volume_.design) + " % of the volume to design");
      next_material_ -= report.volume;
      if (!report.obstacle.empty())
        return report.obstacle;
    }
  bool at_limit = false;
  try
    {
      backend_.design_operations().interpolate(interpolation_, design, stiffness_);
      state_.set_stiffness(stiffness_);
      state_.set_densities(design);
      begin_analysis();
      at_limit =
        solve_load_cases(state_,
                         // The first displacements begin at zero, too far from a stress that may be
                         // cut.
                         history_.empty() ? SolveTo::tolerance : SolveTo::tolerance_or_limit,
                         record,
                         [&](const std::size_t l, const auto &) {
                           add_compliance(l, record);
                           add_load_case(state_.load_case(l).weight, design);
                         });
    }
  catch (const SolverFailure &failure)
    {
      if (history_.empty())
        throw;
      const std::string &reason = failure.reason;
      return reason.substr(0, reason.find_last_not_of('.') + 1); // Further text follows behind it.
    }
  was_solved_ = true;
  // Displacements that have not converged say nothing about the design.
  if (history_.empty() || at_limit)
    return "";
  // A negative compliance is rounding in a solve of a singular system.
  if (loads_alone_ && record.objective < 0.)
    return "its compliance comes out as " + text_of(record.objective) + ", parts of it are loose";
  const double last = history_.back().objective;
  // Prescribed displacements contribute with the other sign, so the sum may be near zero.
  double size = std::abs(last);
  if (!loads_alone_)
    for (const IterationRecord &before : history_)
      size = std::max(size, std::abs(before.objective));
  if (record.objective > last + (most_growth - 1.) * size)
    return "the compliance grows from " + text_of(last) + " to " + text_of(record.objective);
  return "";
}

bool Evolution::has_broken_members(const IterationRecord &record) const
{
  if (history_.empty())
    return false;
  if (!loads_alone_) // A reaction that falls so fast means broken members.
    return std::abs(record.objective) < 0.9 * std::abs(history_.back().objective);
  double least = index(record);
  for (const IterationRecord &before : history_)
    least = std::min(least, index(before));
  return least > 0. && index(record) > most_growth_of_index * least;
}

bool Evolution::parts_load(const Array<double> &design) const
{
  // The smallest number above the density of void.
  const double least = std::nextafter(void_density_, 1.);
  return parts_load_from_supports(
    backend_, communicator_, mesh_, design.to_host(), load_nodes_, least);
}

IterationRecord Evolution::iterate()
{
  const auto start = TimingTable::Clock::now();
  IterationRecord record;
  record.iteration       = history_.empty() ? 1 : history_.back().iteration + 1;
  unsigned int n_refused = 0;

  while (true)
    {
      // The intended volume: removing islands may take away more.
      const double changed_to = next_material_;
      std::string obstacle    = analyse(next_, record);
      record.volume_fraction  = volume_.fraction(next_material_);
      if (obstacle.empty() && has_broken_members(record) && parts_load(next_))
        obstacle = "it parts a load from the supports: no path leads through faces of elements";
      if (obstacle.empty())
        {
          analysed_.swap(next_);
          on_accepted();
          material_ = next_material_;
          if (n_refused == 0)
            largest_change_ = std::min(first_change_, recovery * largest_change_);
          break;
        }
      // This is an error of the load path: a failure of the solver would have ended the run.
      if (history_.empty())
        throw Error("Without its void regions the body cannot be analysed: " + obstacle + ".",
                    Remedy::shrink_non_design_regions);
      ++n_refused;
      warn("the change to the volume fraction " + text_of(volume_.fraction(next_material_)) +
           " was refused: " + obstacle);
      const double taken = 1. - changed_to / material_;
      largest_change_    = 0.5 * (taken > 0. ? std::min(largest_change_, taken) : largest_change_);
      on_refused();
      state_.begin_again();
      ended_ = largest_change_ < least_change_;
      if (ended_)
        {
          why_ended_ = obstacle;
          if (const std::string again = analyse(analysed_, record);
              !again.empty()) // Solved again for the results.
            throw SolverFailure("The last sound design cannot be analysed: " + again + ".",
                                Remedy::check_supports_or_use_jacobi);
          break;
        }
      warn("the next changes take at most " + text_of(100. * largest_change_) + " % of the volume");
      change();
    }
  record.volume_fraction = volume_.fraction(material_);
  record.values          = measure();
  record.values.push_back(n_refused);
  history_.push_back(record);
  if (!ended_)
    change();
  history_.back().seconds =
    std::chrono::duration<double>(TimingTable::Clock::now() - start).count();
  return history_.back();
}

void Evolution::complete_last()
{
  solve_load_cases(state_,
                   SolveTo::tolerance,
                   history_.back(),
                   [&](const std::size_t l, const auto &) { add_compliance(l, history_.back()); });
}

bool Evolution::finished() const
{
  return ended_ || converged() ||
         (!history_.empty() && history_.back().iteration >= max_iterations_);
}

DesignVerdict Evolution::verdict() const
{
  if (history_.empty())
    return {};
  const bool misses =
    misses_volume(volume_.fraction(volume_.target), history_.back().volume_fraction);
  DesignVerdict verdict{verdict_on_volume(misses), misses};
  if (parts_load(analysed_))
    {
      verdict.text +=
        (verdict.text.empty() ? "" : "; ") +
        std::string(
          "no path through faces of elements leads from a load to the supports: the design "
          "hangs together by edges, if at all. Take a finer mesh, more volume or smaller "
          "changes");
      verdict.falls_short = true;
    }
  else if (const auto [growth, number] = growth_of_index(); growth > told_growth_of_index)
    verdict.text +=
      (verdict.text.empty() ? "" : "; ") + std::string("compliance times volume is ") +
      text_of(growth) + " times that of design " + std::to_string(number) +
      ": members have broken since. Take a finer mesh, more volume or smaller changes";
  return verdict;
}

std::pair<double, unsigned int> Evolution::growth_of_index() const
{
  const auto least =
    std::min_element(history_.begin(), history_.end(), [](const auto &a, const auto &b) {
      return index(a) < index(b);
    });
  if (!loads_alone_ || !(index(*least) > 0.))
    return {1., least->iteration};
  return {index(history_.back()) / index(*least), least->iteration};
}

std::string Evolution::verdict_on_volume(const bool misses) const
{
  const std::string volume = "volume fraction is " + text_of(history_.back().volume_fraction) +
                             ", where " + text_of(volume_.fraction(volume_.target)) + " was asked";
  if (!ended_ && has_reached_volume())
    return misses ? "the " + volume + ": " + volume_step() : "";
  if (!ended_)
    return "the limit of iterations came first: its " + volume + "; allow more iterations";
  return "no further design was sound" + (why_ended_.empty() ? "" : ": " + why_ended_) +
         ". This is the last sound one" +
         (misses ? ": its " + volume +
                     "; a finer mesh has thinner members, and solid regions at the loads keep them"
                 : "");
}

DesignState Evolution::state() const
{
  DesignState state = own_state();
  Memory &memory    = backend_.memory();
  std::vector<std::vector<double>> fields; // a list of them would be copied
  fields.push_back(to_host(memory, next_));
  fields.push_back(to_host(memory, analysed_));
  std::move(state.element_fields.begin(), state.element_fields.end(), std::back_inserter(fields));
  state.element_fields = std::move(fields);
  state.numbers.insert(state.numbers.begin(),
                       {next_material_, material_, largest_change_, ended_ ? 1. : 0.});
  return state;
}

void Evolution::restore(const DesignState &state, std::vector<IterationRecord> history)
{
  next_.copy_from_host(state.element_fields.at(0));
  analysed_.copy_from_host(state.element_fields.at(1));
  next_material_  = state.numbers.at(0);
  material_       = state.numbers.at(1);
  largest_change_ = state.numbers.at(2);
  ended_          = state.numbers.at(3) != 0.;
  history_        = std::move(history);
  restore_own({{state.element_fields.begin() + n_fields, state.element_fields.end()},
               {state.numbers.begin() + n_numbers, state.numbers.end()},
               state.node_fields,
               state.vectors,
               state.packed});
}
} // namespace strut
