// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"

#include <strut/base/exceptions.h>
#include <strut/base/text.h>

#include <cstring>
#include <fstream>
#include <new>

namespace strut::cpu
{
namespace
{
constexpr std::align_val_t alignment{64};

/// Host memory, aligned to cache lines.
class HostMemory : public Memory
{
public:
  void *allocate(const std::size_t bytes) override
  {
    // Linux grants more than it has and ends the process later, so look before asking.
    const std::size_t free = available();
    void *pointer = bytes <= free ? ::operator new(bytes, alignment, std::nothrow) : nullptr;
    if (pointer == nullptr)
      {
        const auto shown = [](const std::size_t n) { return format_bytes(static_cast<double>(n)); };
        throw OutOfMemory("Not enough host memory: " + shown(bytes) +
                          " needed for one more array, " + shown(free) + " free, " +
                          shown(in_use()) + " already taken.");
      }
    count_allocated(bytes);
    return pointer;
  }

  void deallocate(void *pointer, const std::size_t bytes) noexcept override
  {
    ::operator delete(pointer, alignment);
    count_deallocated(bytes);
  }

  void copy_from_host(void *destination, const void *host_source, const std::size_t bytes) override
  {
    std::memcpy(destination, host_source, bytes);
  }

  void copy_to_host(void *host_destination, const void *source, const std::size_t bytes) override
  {
    std::memcpy(host_destination, source, bytes);
  }

  void copy(void *destination, const void *source, const std::size_t bytes) override
  {
    std::memmove(destination, source, bytes);
  }

  void set_zero(void *destination, const std::size_t bytes) override
  {
    std::memset(destination, 0, bytes);
  }

  std::size_t available() const override
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

  bool is_host() const override
  {
    return true;
  }
};
} // namespace

std::unique_ptr<Memory> make_memory()
{
  return std::make_unique<HostMemory>();
}
} // namespace strut::cpu
