// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace strut::cuda
{
/// Messages from GPU to GPU through memory that both can write: boxes and flags.
///
/// The receiver has a box for each sender. A message is cut into parts, block b of the kernels has part b. It writes the part
/// into the box over there, then the number of the message, counted by block, to the flag `arrived` behind it. The block of
/// the receiver waits for that number, copies the part, and writes the number to the flag `taken` at the sender. A box has two
/// places for each part, taken in turn: the sender writes message k when message k - 2 was taken.
///
/// Numbers are counted on the device, so a recorded kernel does the same as one that is launched. Ranks that exchange in the same
/// order wait for each other only as long as the other one is behind.
namespace mailbox
{
constexpr unsigned int n_blocks     = 16;
constexpr unsigned int block_size   = 512;
constexpr unsigned int most_letters = 8; ///< of one launch

/// Written by one peer. Each flag in a line of the cache of its own.
struct Flags
{
  struct alignas(128) Flag
  {
    std::uint32_t number;
  };
  Flag arrived[n_blocks]; ///< messages of the peer
  Flag taken[n_blocks];   ///< ours, by the peer
};

/// Messages to and from one peer so far.
struct Counts
{
  std::uint32_t sent[n_blocks], received[n_blocks];
};

/// One message, as a kernel sees it.
struct Letter
{
  const char *from;
  char *to;
  std::size_t n;        ///< bytes, a multiple of 4
  std::size_t capacity; ///< of the box, for one message
  Flags::Flag *done;    ///< over there: the part is in the box, or out of it
  Flags::Flag *awaited; ///< here
  std::uint32_t *count; ///< `[n_blocks]`, messages before
};

struct Letters
{
  Letter of[most_letters];
};

/// Room for a message of n bytes, and more, so that boxes seldom grow.
inline std::size_t capacity_for(const std::size_t n)
{
  std::size_t capacity = std::size_t(1) << 18;
  while (capacity < n)
    capacity *= 2;
  return capacity;
}

/// Of a box: two places for each message.
inline std::size_t bytes_of_box(const std::size_t capacity)
{
  return 2 * (capacity + 16 * n_blocks);
}

/// The part of a message of n bytes that block b has, and how many blocks have some.
struct Cut
{
  unsigned int n_parts;
  std::size_t begin, end;

  __device__ Cut(const std::size_t n, const unsigned int b)
  {
    constexpr std::size_t least = 8192; // bytes of a part
    n_parts                     = static_cast<unsigned int>(
      n < least ? 1 : (n / least < n_blocks ? n / least : std::size_t(n_blocks)));
    const std::size_t size = ((n + n_parts - 1) / n_parts + 15) / 16 * 16;
    begin                  = size * b < n ? size * b : n;
    end                    = begin + size < n ? begin + size : n;
  }
};

/// Where part b of message `number` is in a box.
__device__ inline std::size_t
place_in_box(const std::size_t capacity, const unsigned int b, const std::uint32_t number)
{
  const std::size_t of_part = capacity / n_blocks + 16;
  return (number % 2 * n_blocks + b) * of_part;
}

/// Until `number` - `ahead` has come. By one thread of a block, for all: the others go on behind a barrier.
__device__ inline void
wait_for(const Flags::Flag *const flag, const std::uint32_t number, const std::uint32_t ahead)
{
  const volatile std::uint32_t *const come = &flag->number;
  while (static_cast<std::int32_t>(number - ahead - *come) > 0)
    {}
  __threadfence_system(); // nothing behind is read before
}

/// What all threads of the block have written, then the flag.
__device__ inline void raise(Flags::Flag *const flag, const std::uint32_t number)
{
  __threadfence_system();
  *static_cast<volatile std::uint32_t *>(&flag->number) = number;
}

/// Formula:   box over there = message, or message = box here; then flag over there = number
/// Layout:    Letter; parts by 4 bytes
/// Threads:   block (b, l) has part b of letter l
/// Bytes:     those of the messages, read and written
/// Determinism: copies
template <bool sends>
__global__ void __launch_bounds__(block_size) copy_kernel(const __grid_constant__ Letters letters)
{
  const Letter &letter = letters.of[blockIdx.y];
  const unsigned int b = blockIdx.x;
  const Cut cut(letter.n, b);
  if (b >= cut.n_parts)
    return;
  const std::uint32_t number = letter.count[b] + 1;
  if (threadIdx.x == 0)
    wait_for(letter.awaited + b, number, sends ? 2 : 0);
  __syncthreads();
  const std::size_t in_box = place_in_box(letter.capacity, b, number);
  const auto *const from =
    reinterpret_cast<const std::uint32_t *>(letter.from + (sends ? cut.begin : in_box));
  auto *const to = reinterpret_cast<std::uint32_t *>(letter.to + (sends ? in_box : cut.begin));
  for (std::size_t i = threadIdx.x; i < (cut.end - cut.begin) / 4; i += block_size)
    to[i] = __ldcg(from + i); // past the L1: the other GPU wrote what is in a box
  __syncthreads();
  if (threadIdx.x == 0)
    {
      raise(letter.done + b, number);
      letter.count[b] = number;
    }
}
} // namespace mailbox
} // namespace strut::cuda
