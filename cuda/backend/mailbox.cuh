// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/transport.h>
#include <strut/backend/vector_operations.h>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace strut::cuda
{
/// Messages from GPU to GPU through memory that both can write: boxes and flags.
///
/// The receiver has a box for each sender. The sender writes its message into the box over there, then the number of the message
/// to the flag `arrived` behind it. The receiver waits for that number, uses what is in the box, and writes the number to the
/// flag `taken` at the sender. A box has two places, taken in turn: the sender writes message k when message k - 2 was taken.
///
/// Numbers are counted on the device, so a recorded kernel does the same as one that is launched. Ranks that exchange in the same
/// order wait for each other only as long as the other one is behind.
namespace mailbox
{
constexpr unsigned int most_blocks =
  256; ///< all of them fit on a GPU at once, since they wait for each other
constexpr unsigned int block_size   = 512;
constexpr unsigned int most_letters = 32;
constexpr std::uint32_t itself      = VectorOperations<float>::itself; ///< among the places

/// Written by one peer, or by the rank itself. Each flag in a line of the cache of its own.
struct Flags
{
  struct alignas(128) Flag
  {
    std::uint32_t number;
  };
  Flag
    arrived; ///< messages of the peer; of the rank itself: exchanges that have read all that they send
  Flag taken; ///< ours, by the peer
};

/// Messages to and from one peer so far; of the rank itself: its exchanges, as sent.
struct Counts
{
  std::uint32_t sent, received;
};

/// Blocks that have come to an end of the running kernel; zeros between kernels.
struct Tickets
{
  std::uint32_t written, read;
};

/// The messages to one peer and from it, as the kernel sees them.
struct Letter
{
  const char *send;
  char *receive;
  std::size_t n_send, n_receive;         ///< bytes, multiples of 4
  char *outbox;                          ///< over there
  const char *inbox;                     ///< here
  std::size_t outbox_bytes, inbox_bytes; ///< for one message
  Flags *there;                          ///< ours over there
  Flags *here;                           ///< those of the peer
  Counts *counts;
};

struct Letters
{
  Letter of[most_letters];
  unsigned int n;
  Flags *own;
  Counts *own_counts;
  Tickets *tickets;
};

/// Room for a message of n bytes, and more, so that boxes seldom grow.
inline std::size_t capacity_for(const std::size_t n)
{
  std::size_t capacity = std::size_t(1) << 18;
  while (capacity < n)
    capacity *= 2;
  return capacity;
}

/// Of a box: two places.
inline std::size_t bytes_of_box(const std::size_t capacity)
{
  return 2 * capacity;
}

/// Until `number` - `ahead` has come. By one thread of a block, for all: the others go on behind a barrier.
__device__ inline void
wait_for(const Flags::Flag &flag, const std::uint32_t number, const std::uint32_t ahead)
{
  const volatile std::uint32_t *const come = &flag.number;
  while (static_cast<std::int32_t>(number - ahead - *come) > 0)
    {}
  __threadfence_system(); // nothing behind is read before
}

__device__ inline void raise(Flags::Flag &flag, const std::uint32_t number)
{
  *static_cast<volatile std::uint32_t *>(&flag.number) = number;
}

/// Whether this block is the last one here, of all of them. By one thread; what its block did before is seen by the GPUs before
/// what the last one does behind.
__device__ inline bool last_to_come(std::uint32_t &ticket)
{
  __threadfence_system();
  if (atomicAdd(&ticket, 1u) != gridDim.x - 1)
    return false;
  ticket = 0;
  __threadfence_system();
  return true;
}

/// Formula:   boxes over there = x_(gathered), or the messages; flags `arrived`. Then for each row k
///            x_(rows_k) = sum of in_(places_j) for offsets_k <= j < offsets_(k+1), where what came is read from the boxes;
///            or without rows: receive = what came. Flags `taken`
/// Layout:    SharedNumbers, Letter
/// Threads:   all threads of the grid share the numbers of each message, then the rows; waits by one thread for each flag
/// Bytes:     4 and the number for each that is sent, over there the number; 4 for each row and place, the number for each place
/// Determinism: the order of the places
template <typename Number>
__global__ void __launch_bounds__(block_size)
  exchange_kernel(const __grid_constant__ Letters letters,
                  const SharedNumbers<Number> shared,
                  Number *const x)
{
  __shared__ const Number *boxes[most_letters]; // place 0 would be there
  __shared__ std::size_t begins[most_letters + 1];
  const std::size_t first = std::size_t(blockIdx.x) * block_size + threadIdx.x;
  const std::size_t step  = std::size_t(gridDim.x) * block_size;
  const Letter &of_thread = letters.of[threadIdx.x < letters.n ? threadIdx.x : 0];
  const bool sends        = threadIdx.x < letters.n && of_thread.n_send > 0;
  const bool receives     = threadIdx.x < letters.n && of_thread.n_receive > 0;

  // (1) The messages, as soon as there is room.
  if (sends)
    wait_for(of_thread.here->taken, of_thread.counts->sent + 1, 2);
  __syncthreads();
  const std::uint32_t *gathered = shared.gathered;
  for (unsigned int l = 0; l < letters.n; ++l)
    {
      const Letter &letter    = letters.of[l];
      const std::size_t n     = letter.n_send / sizeof(Number);
      const std::size_t place = (letter.counts->sent + 1) % 2 * letter.outbox_bytes;
      auto *const to          = reinterpret_cast<Number *>(letter.outbox + place);
      const auto *const from  = reinterpret_cast<const Number *>(letter.send);
      for (std::size_t i = first; i < n; i += step)
        to[i] = gathered != nullptr ? x[gathered[i]] : from[i];
      if (gathered != nullptr)
        gathered += n;
    }
  __syncthreads();
  if (threadIdx.x == 0 && last_to_come(letters.tickets->written))
    {
      for (unsigned int l = 0; l < letters.n; ++l)
        if (letters.of[l].n_send > 0)
          raise(letters.of[l].there->arrived, letters.of[l].counts->sent + 1);
      raise(letters.own->arrived, letters.own_counts->sent + 1);
    }

  // (2) What comes. No block writes to x before all have read what they send.
  if (receives)
    wait_for(of_thread.here->arrived, of_thread.counts->received + 1, 0);
  if (threadIdx.x == letters.n && shared.rows != nullptr)
    wait_for(letters.own->arrived, letters.own_counts->sent + 1, 0);
  if (threadIdx.x < letters.n)
    {
      const std::size_t place = (of_thread.counts->received + 1) % 2 * of_thread.inbox_bytes;
      begins[threadIdx.x]     = shared.rows == nullptr
                                  ? 0
                                  : reinterpret_cast<const Number *>(of_thread.receive) - shared.in;
      boxes[threadIdx.x] =
        reinterpret_cast<const Number *>(of_thread.inbox + place) - begins[threadIdx.x];
      if (threadIdx.x == letters.n - 1)
        begins[letters.n] = begins[threadIdx.x] + of_thread.n_receive / sizeof(Number);
    }
  __syncthreads();
  if (shared.rows != nullptr)
    for (std::size_t k = first; k < shared.n_rows; k += step)
      {
        const std::uint32_t row = shared.rows[k];
        const Number old        = x[row];
        Number sum              = Number(0);
        for (std::uint32_t j = shared.offsets[k]; j < shared.offsets[k + 1]; ++j)
          {
            const std::uint32_t place = shared.places[j];
            if (place == itself)
              sum += old;
            else if (place >= begins[letters.n])
              sum += shared.in[place];
            else
              {
                unsigned int l = letters.n - 1;
                while (place < begins[l])
                  --l;
                sum += __ldcg(boxes[l] + place); // past the L1: the other GPU wrote it
              }
          }
        x[row] = sum;
      }
  else
    for (unsigned int l = 0; l < letters.n; ++l)
      {
        const std::size_t n = letters.of[l].n_receive / sizeof(Number);
        auto *const to      = reinterpret_cast<Number *>(letters.of[l].receive);
        for (std::size_t i = first; i < n; i += step)
          to[i] = __ldcg(boxes[l] + i);
      }

  // (3) The boxes are free again.
  __syncthreads();
  if (threadIdx.x == 0 && last_to_come(letters.tickets->read))
    {
      for (unsigned int l = 0; l < letters.n; ++l)
        {
          const Letter &letter = letters.of[l];
          if (letter.n_receive > 0)
            raise(letter.there->taken, ++letter.counts->received);
          if (letter.n_send > 0)
            ++letter.counts->sent;
        }
      ++letters.own_counts->sent;
    }
}
} // namespace mailbox
} // namespace strut::cuda
