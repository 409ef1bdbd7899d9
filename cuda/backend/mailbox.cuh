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
/// Messages from GPU to GPU through memory that both can write.
///
/// The receiver has a box for each sender, of words: four bytes of a number, and the number of the message beside them, which come
/// at once. So the receiver sees by each word whether it has come; there is no other flag, no fence and no barrier, and a message
/// takes as long as one word.
///
/// A box has two places, taken in turn. Every exchange goes both ways, if need be with one word for nothing: who has message k - 1
/// of a peer knows that the peer has read message k - 2, and may write message k there.
///
/// Messages are counted on the device, so a recorded kernel does the same as one that is launched. Ranks that exchange in the same
/// order wait for each other only as long as the other one is behind.
namespace mailbox
{
constexpr unsigned int most_blocks  = 256; ///< all of them fit on a GPU at once
constexpr unsigned int block_size   = 512;
constexpr unsigned int most_letters = 32;
constexpr std::uint32_t itself      = VectorOperations<float>::itself; ///< among the places

/// Parts of a number, each with the number of the message.
template <typename Number>
struct alignas(2 * sizeof(Number)) Words
{
  static constexpr unsigned int n = sizeof(Number) / sizeof(std::uint32_t);
  static_assert(n == 1 || n == 2);
  struct
  {
    std::uint32_t part, message;
  } of[n];
};

/// The messages to one peer and from it, as the kernel sees them.
struct Letter
{
  const char *send;
  char *receive;
  std::size_t n_send, n_receive;         ///< bytes, multiples of 4
  char *outbox;                          ///< over there
  const char *inbox;                     ///< here
  std::size_t outbox_bytes, inbox_bytes; ///< of one place
  std::uint32_t *n_before; ///< messages to this peer, which are as many as those from it
};

struct Letters
{
  Letter of[most_letters];
  unsigned int n;
  std::uint32_t *n_finished; ///< blocks of the running kernel; 0 between kernels
};

/// Of one place: room for a message of n bytes, and more, so that boxes seldom grow.
inline std::size_t place_for(const std::size_t n)
{
  std::size_t bytes = std::size_t(1) << 19;
  while (bytes < 2 * n)
    bytes *= 2;
  return bytes;
}

/// Over there, in one transaction of 8 or 16 bytes.
__device__ inline void
put(Words<std::uint32_t> *const to, const std::uint32_t number, const std::uint32_t message)
{
  asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(number), "r"(message)
               : "memory");
}
__device__ inline void put(Words<float> *const to, const float number, const std::uint32_t message)
{
  put(reinterpret_cast<Words<std::uint32_t> *>(to), __float_as_uint(number), message);
}
__device__ inline void
put(Words<double> *const to, const double number, const std::uint32_t message)
{
  asm volatile("st.volatile.global.v4.u32 [%0], {%1, %2, %3, %2};" ::"l"(to),
               "r"(__double2loint(number)),
               "r"(message),
               "r"(__double2hiint(number))
               : "memory");
}

/// As soon as it has come. The halves of a double may come one by one.
__device__ inline std::uint32_t take(const Words<std::uint32_t> *const from,
                                     const std::uint32_t message)
{
  std::uint32_t number, come;
  do
    asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];"
                 : "=r"(number), "=r"(come)
                 : "l"(from)
                 : "memory");
  while (come != message);
  return number;
}
__device__ inline float take(const Words<float> *const from, const std::uint32_t message)
{
  return __uint_as_float(take(reinterpret_cast<const Words<std::uint32_t> *>(from), message));
}
__device__ inline double take(const Words<double> *const from, const std::uint32_t message)
{
  std::uint32_t low, high, come_low, come_high;
  do
    asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(low), "=r"(come_low), "=r"(high), "=r"(come_high)
                 : "l"(from)
                 : "memory");
  while (come_low != message || come_high != message);
  return __hiloint2double(static_cast<int>(high), static_cast<int>(low));
}

/// Formula:   what SharedNumbers says: words over there = x_(gathered), x_(rows) or the messages; then
///            x_(rows_k) = sum of in_(places_j) for offsets_k <= j < offsets_(k+1), or receive = what has come
/// Layout:    SharedNumbers, Letter, Words
/// Threads:   thread t has numbers or rows t, t + n_threads, ...: it sends all of its own, then waits for those that it uses. A row is
///            sent, summed and written by the same thread
/// Bytes:     of a float or double that is sent 4 (its entry) + 4 or 8, and 8 or 16 over there; of a row 8 and 4 for each place,
///            8 or 16 for each that has come
/// Determinism: the order of the places
template <typename Number>
__global__ void __launch_bounds__(block_size)
  exchange_kernel(const __grid_constant__ Letters letters,
                  const SharedNumbers<Number> shared,
                  Number *const x)
{
  __shared__ Words<Number> *outboxes[most_letters];
  __shared__ const Words<Number> *inboxes[most_letters];
  __shared__ std::uint32_t messages[most_letters];
  __shared__ std::uint32_t begins[most_letters + 1]; // places
  if (threadIdx.x < letters.n)
    {
      const Letter &letter        = letters.of[threadIdx.x];
      const std::uint32_t message = *letter.n_before + 1;
      messages[threadIdx.x]       = message;
      outboxes[threadIdx.x] =
        reinterpret_cast<Words<Number> *>(letter.outbox + message % 2 * letter.outbox_bytes);
      inboxes[threadIdx.x] =
        reinterpret_cast<const Words<Number> *>(letter.inbox + message % 2 * letter.inbox_bytes);
      if (blockIdx.x == 0 && letter.n_send == 0)
        put(outboxes[threadIdx.x], Number(0), message);
    }
  if (threadIdx.x == 0)
    {
      begins[0] = 0;
      for (unsigned int l = 0; l < letters.n; ++l)
        begins[l + 1] =
          begins[l] + static_cast<std::uint32_t>(letters.of[l].n_receive / sizeof(Number));
    }
  __syncthreads();
  const std::size_t first = std::size_t(blockIdx.x) * block_size + threadIdx.x;
  const std::size_t step  = std::size_t(gridDim.x) * block_size;
  const auto letter_of    = [&](const std::uint32_t place) {
    unsigned int l = letters.n - 1;
    while (place < begins[l])
      --l;
    return l;
  };

  // (1) All that is sent.
  if (shared.sends_rows)
    for (std::size_t k = first; k < shared.n_rows; k += step)
      {
        const Number value = x[shared.rows[k]];
        for (std::uint32_t j = shared.offsets[k]; j < shared.offsets[k + 1]; ++j)
          if (const std::uint32_t place = shared.places[j]; place < begins[letters.n])
            {
              const unsigned int l = letter_of(place);
              put(outboxes[l] + (place - begins[l]), value, messages[l]);
            }
      }
  else
    {
      const std::uint32_t *gathered = shared.gathered;
      for (unsigned int l = 0; l < letters.n; ++l)
        {
          const std::size_t n    = letters.of[l].n_send / sizeof(Number);
          const auto *const from = reinterpret_cast<const Number *>(letters.of[l].send);
          for (std::size_t i = first; i < n; i += step)
            put(outboxes[l] + i, gathered != nullptr ? x[gathered[i]] : from[i], messages[l]);
          if (gathered != nullptr)
            gathered += n;
        }
    }

  // (2) All that comes.
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
                const unsigned int l = letter_of(place);
                sum += take(inboxes[l] + (place - begins[l]), messages[l]);
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
          to[i] = take(inboxes[l] + i, messages[l]);
      }
  if (blockIdx.x == 0 && threadIdx.x < letters.n && letters.of[threadIdx.x].n_receive == 0)
    take(inboxes[threadIdx.x], messages[threadIdx.x]);

  // (3) All blocks have looked at the counts.
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(letters.n_finished, 1u) == gridDim.x - 1)
    {
      *letters.n_finished = 0;
      for (unsigned int l = 0; l < letters.n; ++l)
        *letters.of[l].n_before = messages[l];
    }
}
} // namespace mailbox
} // namespace strut::cuda
