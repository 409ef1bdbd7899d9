// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/trial_allocation.h"

#include <strut/base/array.h>

#include <cstdint>

namespace strut
{
std::optional<OutOfMemory>
try_allocation(const Communicator &communicator, Memory &memory, const std::size_t bytes)
{
  std::optional<OutOfMemory> failure;
  Array<std::uint8_t> room;
  try
    {
      room = Array<std::uint8_t>(memory, bytes);
    }
  catch (const OutOfMemory &error)
    {
      failure = error;
    }
  communicator.any(failure.has_value()); // all ranks hold their bytes before any rank frees them
  return failure;
}
} // namespace strut
