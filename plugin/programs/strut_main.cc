// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/programs/example_deck.h"
#include "plugin/programs/options.h"
#include "plugin/programs/program.h"
#include "plugin/programs/reference.h"
#include "plugin/run/design_run.h"
#include "plugin/studies/comparators/comparators.h"

namespace strut::plugin
{
namespace
{
/// What needs neither a deck nor MPI. @return -1 if that was not all
int begin(const int argc, char **argv, StrutOptions &options)
{
  if (const int code = parse_strut(argc, argv, options); code >= 0)
    return code;
  register_comparators();
  if (options.new_deck.empty() && options.reference.empty())
    return -1;
  return guard("strut", options.deck, deck_remedy, [&] {
    if (!options.new_deck.empty())
      write_example_deck(options.new_deck);
    else
      write_reference(options.reference);
    return 0;
  });
}

int run(const StrutOptions &options)
{
  DesignRun application(options.deck, options.quiet, MPI_COMM_WORLD);
  if (!options.validate)
    return application.run(options.resume.empty()     ? Resume::no
                           : options.resume == "auto" ? Resume::automatic
                                                      : Resume::yes);
  application.validate();
  return 0;
}
} // namespace

int strut_main(int argc, char **argv)
{
  StrutOptions options;
  return run_program(
    argc,
    argv,
    [&] { return begin(argc, argv, options); },
    [&] { return guard("strut", options.deck, deck_remedy, [&] { return run(options); }); });
}
} // namespace strut::plugin
