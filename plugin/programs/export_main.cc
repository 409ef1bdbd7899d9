// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <cmath>
#include <filesystem>
#include <iostream>
#include <utility>
#include <vector>

#include "plugin/deck/output/result_file.h"
#include "plugin/deck/part/part_file.h"
#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/remedies.h"
#include "source/base/team.h"
#include "source/base/text.h"

namespace strut
{
namespace
{
int run(const ExportOptions &options)
{
  if (Communicator(MPI_COMM_WORLD).size() > 1)
    throw Error("A part is made on one process.\nStart the program without mpirun.");
  std::vector<std::filesystem::path> outputs(options.outputs.begin(), options.outputs.end());
  if (outputs.empty())
    outputs.push_back(std::filesystem::path(options.result).replace_extension(".3mf"));
  for (const std::filesystem::path &output : outputs) // checked before the work
    if (const std::string ending = output.extension().string(); ending.size() > 1)
      find_part_format(ending.substr(1));
    else
      throw Error("The name '" + output.string() +
                  "' has no ending that names a format: part.3mf.");

  for (const std::filesystem::path &output : outputs)
    if (output.has_parent_path() && !std::filesystem::is_directory(output.parent_path()))
      throw Error("There is no folder '" + output.parent_path().string() + "' for the part.");
  if (!std::isfinite(options.part.settings.error) ||
      !std::isfinite(options.part.level.value_or(0.)))
    throw Error("A level and an error are numbers.");

  const int n_threads     = cpu::default_n_threads();
  const ResultFile result = read_result(options.result, n_threads);
  const Part part         = part_of_design(MPI_COMM_SELF,
                                   result.mesh,
                                   result.densities,
                                   options.part,
                                   static_cast<unsigned int>(n_threads));
  std::vector<WrittenPart> files;
  for (const std::filesystem::path &output : outputs)
    {
      PartRequest request = options.part;
      request.base_name   = std::filesystem::path(output).replace_extension().string();
      request.formats     = {output.extension().string().substr(1)};
      for (WrittenPart &written : write_part(part, request, n_threads))
        files.push_back(std::move(written));
    }
  std::cout << "The part of " << options.result << ":\n"
            << describe_part(part, files, options.part.unit);
  if (result.rounding > 0.)
    std::cout
      << "  NOTE: the result has densities alone ('Output / Fields = density'), rounded by up to 1/"
      << 1. / result.rounding << ".\n";
  return 0;
}
} // namespace

int export_main(int argc, char **argv)
{
  ExportOptions options;
  return run_program(
    argc,
    argv,
    [&] { return parse_export(argc, argv, options); },
    [&] { return guard("strut-export", {}, plain_remedy, [&] { return run(options); }); });
}
} // namespace strut
