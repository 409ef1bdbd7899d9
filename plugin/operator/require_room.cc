// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operator/require_room.h"

#include <strut/base/text.h>

#include "plugin/base/attempt.h"
#include "plugin/operator/option_remedies.h"

namespace strut::plugin
{
namespace
{
/// A trial allocation: whether so much memory is free.
class Room
{
public:
  Room(Memory &memory, const std::size_t bytes)
    : memory_(memory), bytes_(bytes), pointer_(memory.allocate(bytes))
  {}
  ~Room()
  {
    memory_.deallocate(pointer_, bytes_);
  }
  Room(const Room &)            = delete;
  Room &operator=(const Room &) = delete;

private:
  Memory &memory_;
  const std::size_t bytes_;
  void *const pointer_;
};
} // namespace

void require_room(const Communicator &communicator, const ChosenBackend &chosen, std::size_t bytes)
{
  Memory &memory = chosen.backend->memory();
  if (memory.is_host())
    {
      // Memory of the host that nobody has written to counts as free still, so taking some shows nothing.
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
  std::unique_ptr<Room> room;
  attempt_together(communicator, [&]() {
    in_words_of_options([&]() { room = std::make_unique<Room>(memory, bytes); });
  }); // all have theirs before any gives it back
}
} // namespace strut::plugin
