// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/require_room.h"

#include "plugin/application/own_advice.h"

namespace strut::plugin
{
namespace
{
/// Memory that nobody writes to.
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
  // Memory of the host that nobody has written to counts as free still: ask for all ranks.
  if (memory.is_host())
    bytes *= static_cast<std::size_t>(chosen.n_sharing);
  std::unique_ptr<Room> room;
  attempt_together(communicator, [&]() {
    with_own_advice([&]() { room = std::make_unique<Room>(memory, bytes); });
  }); // all have theirs before any gives it back
}
} // namespace strut::plugin
