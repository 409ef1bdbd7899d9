// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "host_memory.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>
#include <sstream>

namespace strut::cpu
{
namespace
{
constexpr std::align_val_t alignment{64};
}

void *HostMemory::allocate(const std::size_t bytes)
{
  // Linux grants more than it has and ends the process later, so look before asking.
  const std::size_t free = available();
  void *pointer          = bytes <= free ? ::operator new(bytes, alignment, std::nothrow) : nullptr;
  if (pointer == nullptr)
    {
      std::ostringstream text;
      text << "Not enough host memory: " << bytes / 1e6 << " MB needed for one more array, "
           << free / 1e6 << " MB free, " << in_use_ / 1e6 << " MB already taken.\n"
           << "  Use fewer elements, 'set Precision = float', or another operator strategy.";
      throw OutOfMemory(text.str());
    }
  in_use_ += bytes;
  peak_ = std::max(peak_, in_use_);
  return pointer;
}

void HostMemory::deallocate(void *pointer, const std::size_t bytes) noexcept
{
  ::operator delete(pointer, alignment);
  in_use_ -= bytes;
}

void HostMemory::copy_from_host(void *destination, const void *host_source, const std::size_t bytes)
{
  std::memcpy(destination, host_source, bytes);
}

void HostMemory::copy_to_host(void *host_destination, const void *source, const std::size_t bytes)
{
  std::memcpy(host_destination, source, bytes);
}

void HostMemory::copy(void *destination, const void *source, const std::size_t bytes)
{
  std::memmove(destination, source, bytes);
}

void HostMemory::set_zero(void *destination, const std::size_t bytes)
{
  std::memset(destination, 0, bytes);
}

std::size_t HostMemory::available() const
{
  std::ifstream file("/proc/meminfo");
  std::string key, unit;
  std::size_t kilobytes = 0;
  while (file >> key >> kilobytes)
    {
      if (key == "MemAvailable:")
        return kilobytes * 1024;
      std::getline(file, unit);
    }
  return ~std::size_t(0); // unknown: let the allocation itself decide
}
} // namespace strut::cpu
