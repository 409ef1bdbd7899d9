// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparison/comparison.h"

#include <ostream>

#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/run/versions.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"

namespace strut
{
Comparison::Comparison(DeckParameters &parameters,
                       const ComparisonOptions &options,
                       const Communicator &communicator,
                       std::ostream &log)
  : parameters(parameters)
  , options(options)
  , communicator(communicator)
  , log(log)
  , folder(options.output.empty() ? "output/" + parameters.base_name + "-comparison"
                                  : options.output)
{
  require_known("--backends", options.backends, {"cuda", "cpu"});
  for (const std::string &text : options.threads)
    to_threads(text);
  choose_backends(this->options.backends, communicator, log);
}

void Comparison::set_up(const bool with_hierarchy, ComparedMesh &results) const
{
  if (communicator.rank() == 0)
    create_folder(folder);
  Problem &problem = parameters.problem;
  problem.setup(communicator.mpi(), with_hierarchy);
  if (problem.has_materials())
    throw EntryError(
      {"Materials"},
      "",
      "The comparison measures structures of one material.\nLeave this subsection out.");
  problem.check_well_posed();
  const ElementMesh &mesh = problem.mesh();
  results.deck            = parameters.base_name;
  results.n_elements      = communicator.sum(static_cast<double>(mesh.n_elements));
  results.n_nodes         = communicator.sum(static_cast<double>(mesh.n_owned_nodes));
  results.label           = {{"program", strut_version()},
                             {"date", today()},
                             {"deck", parameters.deck.file_name()},
                             {"elements", all_digits(results.n_elements) + " of type " + mesh.type.name},
                             {"degrees of freedom", all_digits(results.n_dofs())},
                             {"ranks", std::to_string(communicator.size())},
                             {"libraries", library_versions()}};
  log << strut_version() << ", " << library_versions() << '\n' << problem.describe() << std::flush;
}
} // namespace strut
