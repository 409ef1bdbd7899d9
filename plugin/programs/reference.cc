// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/reference.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/mesh/mesh_source.h"
#include "plugin/parameters/parameter_reference.h"
#include "plugin/run/all_parameters.h"

namespace strut::plugin
{
namespace
{
const std::string introduction =
  "# Parameters\n\n"
  "Every entry of a deck with its default, what is allowed, and what it means. Written by\n"
  "`strut --write-reference doc/parameters.md` from what the program declares: do not edit. How to\n"
  "write a deck: [decks.md](decks.md).\n\n"
  "A heading is the path of subsections: `Mesh / Box` is `subsection Box` within\n"
  "`subsection Mesh`. `<name>` is a name of your own; there may be any number of such subsections.\n"
  "The entries before the first heading stand at the top of the deck, in no subsection.\n";

bool lists_float(const StrategyList<float> &list, const std::string &name)
{
  return std::any_of(list.begin(), list.end(), [&](const auto &s) { return s.name == name; });
}

/// One row for each strategy of a backend.
void write_strategies(const std::string &backend,
                      const StrategyList<double> &strategies,
                      const StrategyList<float> &in_float,
                      std::ostream &out)
{
  for (const Strategy<double> &strategy : strategies)
    out << "| `" << strategy.name << "` | " << backend << " | "
        << (lists_float(in_float, strategy.name) ? "double, float" : "double") << " | "
        << (strategy.deterministic ? "yes" : "no") << " | " << strategy.summary << " |\n";
}
} // namespace

void write_reference(const std::string &file_name)
{
  if (Communicator(MPI_COMM_WORLD).rank() != 0)
    return;

  const AllParameters declared("<name>", "<name>", "<name>");
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);

  std::ostringstream text;
  text << introduction;
  write_parameter_reference(parameters, text);
  text
    << "\n## Boundary ids\n\n"
       "Those of each source of meshes; `strut --validate` prints them with areas and places.\n\n";
  for (const auto &source : make_mesh_sources())
    text << "- `" << source->name << "`: " << source->boundaries() << '\n';
  text
    << "\n## Operators\n\n"
       "What `set Operator` may name, by backend. The same bits: whether two applications give\n"
       "them, which `set Deterministic = true` asks for. The threads of `dealii_matrix_free` and\n"
       "`trilinos_csr`, which are there to compare with, are those of the deal.II and Trilinos installed.\n\n"
       "| operator | backend | precision | same bits | how |\n|---|---|---|---|---|\n";
  write_strategies("cpu", cpu_strategies<double>(), cpu_strategies<float>(), text);
  write_strategies("cuda", cuda_strategies<double>(), cuda_strategies<float>(), text);
  write_file_atomically(file_name, text.str());
}
} // namespace strut::plugin
