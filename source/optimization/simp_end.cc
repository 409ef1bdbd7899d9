// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// When a run by Simp ends, and what is to be said of its design then.
#include "source/optimization/short_text.h"
#include "source/optimization/simp.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace strut
{
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
  const bool checks_volume = update_->fills_volume() && !robust().are_there();
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
    constexpr double most = 1e-2; // of the limit

    if (!(excess > volume_tolerance * size))
      return;
    verdict.text +=
      (verdict.text.empty() ? "" : "; ") +
      ("the design breaks the constraint '" + name + "'" + where + ": " + short_text(value) +
       (sign > 0. ? " is more than " : " is less than ") + short_text(limit));
    verdict.falls_short = verdict.falls_short || excess > most * size;
  };
  const std::vector<DesignConstraint> &constraints = functions_.problem().constraints;
  for (std::size_t i = 0; i < constraints.size(); ++i)
    {
      const double sign  = constraints[i].at_least ? -1. : 1.;
      const double value = last.values[last.values.size() - constraints.size() + i];
      const bool blueprint =
        !blueprint_constraints_.empty() &&
        sign * (blueprint_constraints_[i] - value) > 0.; // is worse than what is analysed
      add(constraints[i].function.name,
          blueprint ? blueprint_constraints_[i] : value,
          constraints[i].limit,
          sign,
          size_of(constraints[i]),
          blueprint ? " in the blueprint" : "");
    }
  for (const Response *const response : functions_.responses())
    if (const ResponseFault fault = response->fault(); !fault.text.empty())
      {
        verdict.text += (verdict.text.empty() ? "" : "; ") + fault.text;
        verdict.falls_short = verdict.falls_short || fault.falls_short;
      }
  if (const double missed = missed_volume(); std::abs(missed) > volume_tolerance)
    {
      verdict.text +=
        (verdict.text.empty() ? "" : "; ") +
        ("the blueprint misses the volume: volume fraction " +
         short_text(volume_.fraction(volume_.target)) + " asked, " +
         short_text(last.volume_fraction) +
         " got. The limit on the volume of the dilated field still follows the design; allow more iterations");
      verdict.falls_short =
        verdict.falls_short ||
        strut::misses_volume(volume_.fraction(volume_.target), last.volume_fraction);
    }
  if (functions_.problem().limits_volume && !checks_volume && !robust().are_there())
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
        return record.values[density_change] < limit * stopping_factor_;
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
  // designs of maps that have changed since do not count
  if (!settled_ || history_.size() < wanted ||
      history_[history_.size() - wanted].iteration < map_.unchanged_since())
    return false;
  for (std::size_t i = history_.size() - wanted; i < history_.size(); ++i)
    if (!meets_criterion(i))
      return false;
  return !(std::abs(missed_volume()) > volume_tolerance);
}

bool Simp::finished() const
{
  return converged() ||
         (!history_.empty() && history_.back().iteration >= settings_.stopping.max_iterations);
}

std::string Simp::note() const
{
  return settled_
           ? ""
           : "the filter was still changing; allow more iterations for the design that it ends with";
}
} // namespace strut
