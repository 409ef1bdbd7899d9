// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/driver/application.h"
#include "plugin/driver/example_deck.h"
#include "plugin/driver/options.h"
#include "plugin/driver/program.h"
#include "plugin/driver/reference.h"
#include "plugin/operators/comparators.h"

namespace strut::plugin
{
namespace
{
int run(const StrutOptions &options)
{
  if (!options.new_deck.empty())
    {
      write_example_deck(options.new_deck);
      return 0;
    }
  if (!options.reference.empty())
    {
      write_reference(options.reference);
      return 0;
    }
  Application application(options.deck, options.quiet, MPI_COMM_WORLD);
  if (!options.validate)
    return application.run(options.resume);
  application.validate();
  return 0;
}
} // namespace

int strut_main(int argc, char **argv)
{
  wait_politely(argv);
  return with_mpi(argc, argv, [&] {
    StrutOptions options;
    if (const int code = parse_strut(argc, argv, options); code >= 0)
      return code;
    register_comparators();
    return guard("strut", options.deck, [&] { return run(options); });
  });
}
} // namespace strut::plugin
