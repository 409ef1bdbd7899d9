// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/base/text.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <new>

#include "source/base/parallel_loop.h"

namespace strut::cpu
{
namespace
{
constexpr std::align_val_t alignment{64};

/// Calls body(first byte, number of bytes) for parts of an array. All threads share a large one:
/// the system provides a page when it is first touched, and one thread cannot use the full memory
/// bandwidth.
template <typename Body>
void for_parts(const std::size_t bytes, const Body &body)
{
  // smaller arrays take less time than waking a thread
  constexpr std::size_t least = std::size_t(1) << 22;
  const std::size_t n_parts   = std::min(bytes / least, std::size_t(default_n_threads()));
  if (n_parts < 2)
    return body(std::size_t(0), bytes);
  parallel_ranges(static_cast<int>(n_parts),
                  bytes,
                  [&](const std::size_t begin, const std::size_t end) {
                    body(begin, end - begin);
                  });
}

char *at(void *const pointer, const std::size_t byte)
{
  return static_cast<char *>(pointer) + byte;
}
const char *at(const void *const pointer, const std::size_t byte)
{
  return static_cast<const char *>(pointer) + byte;
}

/// Host memory, aligned to cache lines.
class HostMemory : public Memory
{
public:
  void *allocate(const std::size_t bytes) override
  {
    // Linux grants more than it has and ends the process later, so check before allocating.
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
    for_parts(bytes, [&](const std::size_t first, const std::size_t n) {
      std::memcpy(at(destination, first), at(host_source, first), n);
    });
  }

  void copy_to_host(void *host_destination, const void *source, const std::size_t bytes) override
  {
    for_parts(bytes, [&](const std::size_t first, const std::size_t n) {
      std::memcpy(at(host_destination, first), at(source, first), n);
    });
  }

  void copy(void *destination, const void *source, const std::size_t bytes) override
  {
    std::memmove(destination, source, bytes);
  }

  void set_zero(void *destination, const std::size_t bytes) override
  {
    for_parts(bytes, [&](const std::size_t first, const std::size_t n) {
      std::memset(at(destination, first), 0, n);
    });
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
    return ~std::size_t(0); // unknown: let the allocation itself fail
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
