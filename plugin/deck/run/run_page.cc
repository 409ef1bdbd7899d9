// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/run_page.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/base/named_file.h"
#include "plugin/deck/output/surface.h"
#include "plugin/deck/page/part_data.h"
#include "source/surface/for_looking.h"

namespace strut
{
namespace
{
constexpr double seconds_between = 10.;
constexpr double share_of_time   = 0.02;
/// Number of elements whose surface is made in some tenths of a second.
constexpr std::size_t most_elements = 2'000'000;
/// Estimated seconds per element of a rank for a part, until the first one was made.
constexpr double seconds_per_element = 2e-6;
} // namespace

RunPage::RunPage(RunContext &run, const Optimizer &optimizer)
  : run_(run), optimizer_(optimizer), n_earlier_(optimizer.method->history().size())
{
  if (!is_wanted())
    return;
  const DeckParameters &parameters = run.parameters;
  std::vector<const LoadCase *> load_cases;
  for (std::size_t l = 0; l < optimizer.state->n_load_cases(); ++l)
    load_cases.push_back(&optimizer.state->load_case(l));
  page_.name  = parameters.base_name;
  page_.marks = marks_on_part(run.communicator, parameters.problem.mesh(), load_cases);
  for (const auto &constraint : parameters.constraints)
    page_.limits.push_back({constraint->name, constraint->describe(), constraint->get().limit});
  page_.limits_volume =
    parameters.optimization.problem_without_responses(parameters.constraints, load_cases.size())
      .limits_volume;
  if (run.communicator.rank() == 0)
    try
      {
        page_.deck = file_contents(run.file("original.prm"));
      }
    catch (const Error &error) // no reason to end a run
      {
        page_.deck = error.what();
      }
}

bool RunPage::is_due() const
{
  return is_wanted() && run_.communicator.any(run_.communicator.rank() == 0 &&
                                              (is_first_ || run_.timing.total() >= due_at_));
}

void RunPage::take_part(const std::function<void(const TriangleMesh &)> &measure)
{
  if (!is_wanted())
    return;
  if (run_.parameters.problem.summary().n_cells > most_elements)
    {
      page_.without_part =
        "No part is drawn of so many elements, to save the time. If the deck has 'Export / "
        "Formats = 3mf', the page shows that part.";
      return;
    }
  const TimingTable::Scope scope(run_.timing, "output: report");
  const double begin         = run_.timing.total();
  const ElementMesh &mesh    = run_.parameters.problem.mesh();
  const DesignMethod &method = *optimizer_.method;
  const auto n_threads       = static_cast<int>(run_.chosen.n_threads);
  const bool has_design      = method.history().size() > n_earlier_;
  const TriangleMesh surface =
    whole_surface(run_.communicator.mpi(),
                  make_enclosing_surface(run_.communicator.mpi(),
                                         mesh,
                                         has_design ? method.analysed_densities()
                                                    : std::vector<double>(mesh.n_elements, 1.),
                                         run_.chosen.n_threads)
                    .surface)
      .mesh;
  TriangleMesh by_cells = by_cells_for_looking(surface, most_part_triangles, n_threads);
  unfinished_part_      = std::async(std::launch::async, [mesh = std::move(by_cells)]() mutable {
    return whole_for_looking(std::move(mesh), most_part_triangles);
  });
  if (measure && run_.communicator.rank() == 0)
    measure(surface);
  page_.part_iteration = has_design ? method.history().back().iteration : 0;
  seconds_of_part_     = run_.timing.total() - begin;
}

void RunPage::take_part(const TriangleMesh &part)
{
  if (!is_wanted())
    return;
  const TimingTable::Scope scope(run_.timing, "output: report");
  unfinished_part_ = {};
  page_.part = for_looking(part, most_part_triangles, static_cast<int>(run_.chosen.n_threads));
  for (const Point &x : page_.part.vertices) // it may go on behind planes of symmetry
    page_.marks.box.add(x);
  page_.part_iteration = optimizer_.method->history().back().iteration;
  page_.without_part.clear();
}

void RunPage::take_no_part(const std::string &why)
{
  unfinished_part_   = {};
  page_.part         = {};
  page_.without_part = "No part is drawn: " + why + '.';
}

void RunPage::take_part_while_running()
{
  const bool is_uniform = std::exchange(is_first_, false);
  const double expected =
    seconds_of_part_ > 0.
      ? seconds_of_part_
      : seconds_per_element * static_cast<double>(run_.parameters.problem.mesh().n_elements);
  const bool is_cheap =
    run_.timing.seconds("output: report") + expected <= share_of_time * run_.timing.total();
  if (run_.communicator.any(run_.communicator.rank() == 0 && is_cheap && !is_uniform))
    take_part();
}

void RunPage::finish_part()
{
  if (!unfinished_part_.valid())
    return;
  const TimingTable::Scope scope(run_.timing, "output: report");
  page_.part = unfinished_part_.get();
}

void RunPage::write(RunSummary summary)
{
  if (!is_wanted() || run_.communicator.rank() != 0)
    return;
  finish_part();
  const TimingTable::Scope scope(run_.timing, "output: report");
  page_.summary = std::move(summary);
  due_at_       = run_.timing.total() + seconds_between;
  write_file_atomically(run_.file("report.html"), to_html(page_));
}
} // namespace strut
