// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/example_deck.h"

#include <strut/base/exceptions.h>

#include <fstream>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/parameters/default_deck.h"
#include "plugin/run/all_parameters.h"

namespace strut::plugin
{
void write_example_deck(const std::string &file_name)
{
  const Communicator communicator(MPI_COMM_WORLD);
  if (communicator.any(communicator.rank() == 0 && std::ifstream(file_name).good()))
    throw Error("The file " + file_name +
                " exists; it was not overwritten.\n  Choose another name, or remove it.");
  if (communicator.rank() != 0)
    return;

  const AllParameters declared("wall", "tip");
  dealii::ParameterHandler &parameters = dealii::ParameterAcceptor::prm;
  dealii::ParameterAcceptor::declare_all_parameters(parameters);
  parameters.enter_subsection("Supports");
  parameters.enter_subsection("wall");
  parameters.set("Boundary ids", "0");
  parameters.leave_subsection();
  parameters.leave_subsection();
  parameters.enter_subsection("Loads");
  parameters.enter_subsection("tip");
  parameters.set("Expression", "x > xmax - tol && z < zmin + tol");
  parameters.set("Type", "total force");
  parameters.set("Value", "0, 0, -1");
  parameters.leave_subsection();
  parameters.leave_subsection();

  std::ostringstream text;
  text
    << "# A deck of strut, with every entry: leave out what you do not change. Where the value below\n"
       "# is not the default, the comment says so. Supports, loads and non-design regions: as many\n"
       "# as you like, under names of your own. Look at the mesh and its boundary ids with:\n"
       "#   strut --validate "
    << file_name << "\n\n";
  write_default_deck(parameters, text);
  write_file_atomically(file_name, text.str());
}
} // namespace strut::plugin
