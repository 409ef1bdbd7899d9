// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/require_room.h"

#include "plugin/application/option_remedies.h"
#include "plugin/base/attempt.h"
#include "source/base/text.h"
#include "source/base/trial_allocation.h"

namespace strut
{
void require_room(const Communicator &communicator, const ChosenBackend &chosen, std::size_t bytes)
{
  Memory &memory = chosen.backend->memory();
  if (memory.is_host())
    {
      // On the host a test allocation would show nothing, as memory counts as free until it is
      // written.
      const double all = communicator.sum(static_cast<double>(bytes)) / communicator.size() *
                         static_cast<double>(chosen.n_sharing);
      attempt_together(communicator, [&]() {
        in_words_of_options([&]() {
          if (all > static_cast<double>(memory.available()))
            throw OutOfMemory("Not enough memory for the solver: the ranks of this machine need " +
                              format_bytes(all) + " together, and " +
                              format_bytes(static_cast<double>(memory.available())) + " are free.");
        });
      });
      return;
    }
  const auto failure = try_allocation(communicator, memory, bytes);
  attempt_together(communicator, [&]() {
    in_words_of_options([&]() {
      if (failure.has_value())
        throw *failure;
    });
  });
}
} // namespace strut
