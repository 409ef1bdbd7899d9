// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/progress_lines.h"

#include <strut/version.h>

#include <ostream>

#include "plugin/base/json.h"

namespace strut
{
namespace
{
Json line_of(const std::string &event)
{
  Json json(Json::Layout::one_line);
  json.value("event", event);
  return json;
}
} // namespace

void ProgressLines::write(const std::string &line)
{
  if (out_ != nullptr)
    *out_ << line << std::flush;
}

void ProgressLines::begin(const Beginning &beginning)
{
  columns_  = beginning.columns;
  Json json = line_of("begin");
  json.value("strut", std::string(STRUT_VERSION))
    .value("deck", beginning.deck)
    .value("output directory", beginning.folder)
    .value("objective", beginning.objective)
    .value("elements", beginning.n_elements)
    .value("earlier iterations", beginning.n_earlier)
    .value("most iterations", beginning.max_iterations);
  write(json.text());
}

void ProgressLines::design(const IterationRecord &record)
{
  Json json = line_of("design");
  json.value("iteration", record.iteration)
    .value("objective", record.objective)
    .value("volume fraction", record.volume_fraction);
  for (std::size_t i = 0; i < std::min(columns_.size(), record.values.size()); ++i)
    json.value(columns_[i].name, record.values[i]);
  json.value("solver iterations", record.solver_iterations)
    .value("residual", record.residual)
    .value("seconds", record.seconds);
  write(json.text());
}

void ProgressLines::end(const RunStatus status,
                        const int exit_code,
                        const std::vector<std::string> &pictures,
                        const std::string &error)
{
  Json json = line_of("end");
  json.value("status", name_of(status))
    .value("exit code", exit_code)
    .value_or_null("error", error)
    .list("pictures", pictures);
  write(json.text());
}
} // namespace strut
