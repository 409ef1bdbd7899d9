// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "plugin/base/atomic_file.h"
#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/remedies.h"
#include "plugin/studies/runs/run_comparison.h"
#include "source/base/team.h"

namespace strut
{
namespace
{
void check_output(const CompareRunsOptions &options,
                  const std::string &option,
                  const std::string &file,
                  const std::string &ending)
{
  const std::filesystem::path path(file);
  if (path.extension() != ending)
    throw Error("The name '" + file + "' of " + option + " does not end in " + ending + ".");
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path()))
    throw Error("There is no folder '" + path.parent_path().string() + "' for the file of " +
                option + ".\nMake it first.");
  for (const std::string &run : {options.a, options.b})
    if (std::error_code ignored;
        std::filesystem::equivalent(run, std::filesystem::absolute(path).parent_path(), ignored))
      throw Error("The file '" + file + "' of " + option +
                  " would be among the results of the run '" + run + "'.\nName another folder.");
}

int run(const CompareRunsOptions &options)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    throw Error("Runs are compared on one process.\nStart the program without mpirun.");
  if (!options.output.empty()) // checked before the work
    check_output(options, "--output", options.output, ".vtu");
  if (!options.page.empty())
    check_output(options, "--page", options.page, ".html");
  if (options.tolerance && !(std::isfinite(*options.tolerance) && *options.tolerance >= 0.))
    throw Error("The tolerance is a number of at least 0.");

  const int n_threads            = cpu::default_n_threads();
  const RunComparison comparison = RunComparison::of(options.a, options.b, n_threads);
  std::cout << describe(comparison);
  if (!options.output.empty())
    {
      write_difference(options.output,
                       comparison.result_a,
                       comparison.designs,
                       {"A: " + comparison.run_a.result,
                        "B: " + comparison.run_b.result,
                        "difference: density of B minus density of A, on the mesh of A"},
                       n_threads);
      std::cout << "  written: " << options.output << '\n';
    }
  if (!options.page.empty())
    {
      write_file_atomically(options.page, to_html(comparison));
      std::cout << "  written: " << options.page << '\n';
    }
  if (!options.tolerance)
    return 0;
  auto found = comparison.curves.first_difference(*options.tolerance);
  if (!found && comparison.designs.largest > *options.tolerance)
    found = "the curves agree, but the last designs differ by " +
            number_text(comparison.designs.largest) + " in an element";
  std::cout << (found ? "\nDIFFERENT: " + *found
                      : "\nCurves and last designs agree to the tolerance of " +
                          number_text(*options.tolerance))
            << ".\n";
  return found ? 1 : 0;
}
} // namespace

int compare_runs_main(int argc, char **argv)
{
  CompareRunsOptions options;
  return run_program(
    argc,
    argv,
    [&] { return parse_compare_runs(argc, argv, options); },
    [&] { return guard("strut-compare-runs", {}, plain_remedy, [&] { return run(options); }); });
}
} // namespace strut
