// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The end of a run by Simp, and the verdict on its design.
#include "source/optimization/short_text.h"
#include "source/optimization/simp.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace strut
{
namespace
{
/// A constraint is never near its limit if no value came nearer than this share of its size.
constexpr double far_from_limit = 0.5;
} // namespace

double Simp::size_of(const DesignConstraint &constraint) const
{
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    if (functions_.rows()[i].function == &constraint.function)
      return sizes_[i];
  return 1.;
}

DesignVerdict Simp::verdict() const
{
  DesignVerdict verdict;
  const bool checks_volume = update_->fills_volume() && !robust().enabled();
  if (checks_volume)
    verdict = {volume_check_.verdict(), volume_check_.misses_volume()};
  if (history_.empty())
    return verdict;
  const IterationRecord &last = history_.back();
  const auto add              = [&](const std::string &name,
                       const double value,
                       const double limit,
                       const double sign,
                       const double size,
                       const std::string &where = "") {
    const double excess   = sign * (value - limit);
    constexpr double most = 1e-2; // Relative to the limit.

    if (!(excess > VolumeLimit::tolerance * size))
      return;
    verdict.add("the design breaks the constraint '" + name + "'" + where + ": " +
                  short_text(value) + (sign > 0. ? " is more than " : " is less than ") +
                  short_text(limit),
                excess > most * size);
  };
  const std::vector<DesignConstraint> &constraints = functions_.problem().constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    {
      const double sign  = constraints[i].at_least ? -1. : 1.;
      const double value = last.values[last.values.size() - constraints.size() + i];
      // The value in the blueprint is worse than in the analysed field.
      const bool blueprint =
        !blueprint_constraints_.empty() && sign * (blueprint_constraints_[i] - value) > 0.;
      add(constraints[i].function.name,
          blueprint ? blueprint_constraints_[i] : value,
          constraints[i].limit,
          sign,
          size_of(constraints[i]),
          blueprint ? " in the blueprint" : "");
    }
  constexpr double nearly_solid  = 0.95;
  verdict.smaller_steps_may_help = !constraints.empty() && verdict.falls_short &&
                                   last.volume_fraction < nearly_solid && moves_.can_be_smaller();
  for (const Response *const response : functions_.responses())
    if (const ResponseFault fault = response->fault(); !fault.text.empty())
      verdict.add(fault.text, fault.falls_short);
  if (const double missed = missed_volume(); std::abs(missed) > VolumeLimit::tolerance)
    verdict.add(
      "the blueprint misses the volume: volume fraction " +
        short_text(volume_.fraction(volume_.target)) + " asked, " +
        short_text(last.volume_fraction) +
        " got. The limit on the volume of the dilated field still follows the design; allow more iterations",
      strut::misses_volume(volume_.fraction(volume_.target), last.volume_fraction));
  if (functions_.problem().limits_volume && !checks_volume && !robust().enabled())
    add("volume fraction",
        last.volume_fraction,
        volume_.fraction(volume_.target),
        1.,
        volume_.fraction(volume_.target));
  return verdict;
}

bool Simp::meets_criterion(const std::size_t i) const
{
  const IterationRecord &record = history_[i];
  const double dJ    = i == 0 ? -1. : std::abs(record.objective - history_[i - 1].objective);
  const double limit = settings_.stopping.tolerance;
  switch (settings_.stopping.criterion)
    {
      case StoppingRule::Criterion::compliance_change:
        return dJ >= 0. && dJ < limit;
      case StoppingRule::Criterion::relative_compliance_change:
        return dJ >= 0. && dJ < limit * std::abs(record.objective);
      case StoppingRule::Criterion::density_change:
        return record.values[density_change] < limit * moves_.stopping_factor();
      case StoppingRule::Criterion::kkt:
        return update_->kkt_column() >= 0 &&
               record.values[first_of_update + static_cast<std::size_t>(update_->kkt_column())] <
                 limit;
      case StoppingRule::Criterion::none:
        break;
    }
  return false;
}

bool Simp::converged() const
{
  const std::size_t wanted = settings_.stopping.n_designs;
  if (history_.empty() || history_.size() < wanted)
    return false;
  // Designs before the last change of the maps do not count.
  const unsigned int last = history_.back().iteration;
  if (!map_.is_settled(last) ||
      history_[history_.size() - wanted].iteration < map_.unchanged_since(last))
    return false;
  for (std::size_t i = history_.size() - wanted; i < history_.size(); ++i)
    if (!meets_criterion(i))
      return false;
  return !(std::abs(missed_volume()) > VolumeLimit::tolerance);
}

bool Simp::finished() const
{
  return converged() ||
         (!history_.empty() && history_.back().iteration >= settings_.stopping.max_iterations);
}

std::vector<std::string> Simp::notes() const
{
  std::vector<std::string> notes;
  if (!history_.empty() && !converged())
    if (const std::string text = note_on_maps(); !text.empty())
      notes.push_back(text);
  // All designs count, also those before a restart.
  const std::vector<DesignConstraint> &constraints = functions_.problem().constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    {
      const double sign = constraints[i].at_least ? -1. : 1.;
      double nearest    = -std::numeric_limits<double>::infinity();
      for (const IterationRecord &record : history_)
        nearest =
          std::max(nearest, sign * record.values[record.values.size() - constraints.size() + i]);
      if (!history_.empty() &&
          nearest - sign * constraints[i].limit < -far_from_limit * size_of(constraints[i]))
        notes.push_back("the constraint '" + constraints[i].function.name +
                        "' was never near its limit, " + short_text(constraints[i].limit) +
                        ": the nearest value was " + short_text(sign * nearest) +
                        ". Look at its sign and size, if it is to limit anything");
    }
  for (const Response *const response : functions_.responses())
    if (const std::string note = response->fault().note; !note.empty())
      notes.push_back(note);
  return notes;
}

std::string Simp::note_on_maps() const
{
  constexpr unsigned int n_to_settle = 10, farthest = 1'000'000;
  const unsigned int last = history_.back().iteration;
  unsigned int since      = 0; // First iteration with the final maps.
  for (unsigned int i = last; since == 0 && i < last + farthest; ++i)
    since = map_.is_settled(i) ? map_.unchanged_since(i) : 0;
  const bool is_settled = map_.is_settled(last);
  if (since <= 1 || (is_settled && last + 1 >= since + n_to_settle))
    return since == 0 ? "the filter was still changing" : "";
  const std::string wanted = "allow " + std::to_string(since + n_to_settle - 1) +
                             " iterations or more for the design that it ends with";
  if (!is_settled)
    return "the filter was still changing, until iteration " + std::to_string(since) + "; " +
           wanted;
  return "the filter has changed in iteration " + std::to_string(since) +
         ", and the designs since are few; " + wanted;
}
} // namespace strut
