// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/transport.h"

#include <strut/backend/vector_operations.h>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

namespace strut::cuda
{
/// Messages between GPUs through memory that both can write.
///
/// The receiver has a box for each sender. A box consists of words: four bytes of a number, and the
/// number of the message, which arrive together. So the receiver sees from each word whether it has
/// arrived. There is no other flag, fence or barrier, and a message takes as long as one word.
///
/// A box has two places, used in turn. Every exchange has both directions, if need be with one
/// empty word. A rank that has message k - 1 of a peer knows that the peer has read message k - 2.
/// So it may write message k there.
///
/// Messages are counted on the device, so a recorded kernel works like one that is launched. Ranks
/// that exchange in the same order wait for each other only as long as the other one is behind.
namespace mailbox
{
constexpr unsigned int most_blocks  = 256; ///< small enough to be resident on a GPU at once
constexpr unsigned int block_size   = 512;
constexpr unsigned int most_letters = 32;
constexpr std::uint32_t itself      = VectorOperations<float>::itself; ///< mark among the places

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
  char *outbox;                          ///< box of this rank at the peer
  const char *inbox;                     ///< box of the peer here
  std::size_t outbox_bytes, inbox_bytes; ///< size of one place
  /// Number of messages to this peer so far, which equals the number of those from it.
  std::uint32_t *n_before;
};

struct Letters
{
  Letter of[most_letters];
  unsigned int n;
  /// Number of blocks of the running kernel that have read the counts; 0 between kernels.
  std::uint32_t *n_looked;
  std::uint32_t n_received; ///< numbers of all messages together
};

/// Returns the size of one place: room for a message of n bytes, and more, so that boxes seldom
/// grow.
inline std::size_t place_for(const std::size_t n)
{
  std::size_t bytes = std::size_t(1) << 19;
  while (bytes < 2 * n)
    bytes *= 2;
  return bytes;
}

/// Writes a word at the peer, in one transaction of 8 or 16 bytes.
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

/// Waits for a word and returns its number. The halves of a double may arrive separately.
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

/// A row of SharedNumbers with its first places. It contains all that is known before messages
/// arrive, so that nothing else remains to be read then.
template <typename Number>
struct Row
{
  /// Places kept here; there are more where many ranks meet.
  static constexpr std::uint32_t n_kept = 4;

  Row() = default;

  __device__ Row(const SharedNumbers<Number> &shared,
                 const std::uint32_t n_received,
                 const Number *const x,
                 const std::size_t k)
    : begin(shared.offsets[k]), n(shared.offsets[k + 1] - begin), entry(shared.rows[k])
  {
#pragma unroll
    for (std::uint32_t j = 0; j < n_kept; ++j)
      places[j] = j < n ? shared.places[begin + j] : itself;
    old = x[entry];
#pragma unroll
    for (std::uint32_t j = 0; j < n_kept; ++j)
      here[j] = number_here(shared, n_received, places[j]);
  }

  /// Returns the number at a place that is not in a message.
  __device__ Number number_here(const SharedNumbers<Number> &shared,
                                const std::uint32_t n_received,
                                const std::uint32_t place) const
  {
    return place == itself || place < n_received ? old : shared.in[place];
  }

  /// Calls use(place, the number here), in the order of the places.
  template <typename Use>
  __device__ void for_each_place(const SharedNumbers<Number> &shared,
                                 const std::uint32_t n_received,
                                 const Use &use) const
  {
#pragma unroll
    for (std::uint32_t j = 0; j < n_kept; ++j)
      if (j < n)
        use(places[j], here[j]);
    for (std::uint32_t j = n_kept; j < n; ++j)
      {
        const std::uint32_t place = shared.places[begin + j];
        use(place, number_here(shared, n_received, place));
      }
  }

  std::uint32_t begin, n, entry;
  Number old; ///< x_(entry) before the exchange
  std::uint32_t places[n_kept];
  Number here[n_kept];
};

/// Formula:   as SharedNumbers: words at the peer = x_(gathered), x_(rows) or the messages; then
///            x_(rows_k) = sum of in_(places_j) for offsets_k <= j < offsets_(k+1), or receive =
///            the messages that arrived.
/// Layout:    SharedNumbers, Letter, Words.
/// Threads:   thread t has numbers or rows t, t + n_threads, ...: it sends all of its own, then
///            waits for those that it uses. A row is sent, summed and written by the same thread.
/// Bytes:     of a float or double that is sent 4 (its entry) + 4 or 8, and 8 or 16 at the peer; of
///            a row 8 and 4 for each place, 8 or 16 for each that arrived.
/// Determinism: sums are in the order of the places.
template <typename Number>
__global__ void __launch_bounds__(block_size)
  exchange_kernel(const __grid_constant__ Letters letters,
                  const SharedNumbers<Number> shared,
                  Number *const x)
{
  __shared__ Words<Number> *outboxes[most_letters];
  __shared__ const Words<Number> *inboxes[most_letters];
  __shared__ std::uint32_t messages[most_letters];
  __shared__ std::uint32_t begins[most_letters + 1]; // First place of each message.
  const std::uint32_t n_received = letters.n_received;
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
  // The first row of a thread, mostly its only one, is loaded together with the counts.
  const std::size_t first = std::size_t(blockIdx.x) * block_size + threadIdx.x;
  const std::size_t step  = std::size_t(gridDim.x) * block_size;
  const bool has_row      = shared.rows != nullptr && first < shared.n_rows;
  const auto row_of = [&](const std::size_t k) { return Row<Number>(shared, n_received, x, k); };
  Row<Number> own;
  if (has_row)
    own = row_of(first);
  __syncthreads();
  const auto letter_of = [&](const std::uint32_t place) {
    unsigned int l = letters.n - 1;
    while (place < begins[l])
      --l;
    return l;
  };

  // (1) Send all numbers.
  const auto send = [&](const Row<Number> &row) {
    row.for_each_place(shared, n_received, [&](const std::uint32_t place, Number) {
      if (place >= n_received)
        return;
      const unsigned int l = letter_of(place);
      put(outboxes[l] + (place - begins[l]), row.old, messages[l]);
    });
  };
  if (shared.sends_rows)
    {
      if (has_row)
        send(own);
      for (std::size_t k = first + step; k < shared.n_rows; k += step)
        send(row_of(k));
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

  // (2) Update the counts for the next kernel, after all blocks have read them. Messages travel
  //     meanwhile.
  if (threadIdx.x == 0 && atomicAdd(letters.n_looked, 1u) == gridDim.x - 1)
    {
      *letters.n_looked = 0;
      for (unsigned int l = 0; l < letters.n; ++l)
        *letters.of[l].n_before = messages[l];
    }

  // (3) Receive all numbers.
  const auto sum_up = [&](const Row<Number> &row) {
    Number sum = Number(0);
    row.for_each_place(shared, n_received, [&](const std::uint32_t place, const Number here) {
      if (place >= n_received)
        sum += here;
      else
        {
          const unsigned int l = letter_of(place);
          sum += take(inboxes[l] + (place - begins[l]), messages[l]);
        }
    });
    x[row.entry] = sum;
  };
  if (shared.rows != nullptr)
    {
      if (has_row)
        sum_up(own);
      for (std::size_t k = first + step; k < shared.n_rows; k += step)
        sum_up(row_of(k));
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
}
} // namespace mailbox
} // namespace strut::cuda
