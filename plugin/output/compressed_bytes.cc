// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/compressed_bytes.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <numeric>

namespace strut::plugin
{
namespace
{
constexpr int block_tag = 4712;

/// @return empty if zlib found no memory
std::string compressed(const std::string_view bytes)
{
  uLongf size = ::compressBound(bytes.size());
  std::string result(size, '\0');
  const int code = ::compress2(reinterpret_cast<Bytef *>(result.data()),
                               &size,
                               reinterpret_cast<const Bytef *>(bytes.data()),
                               bytes.size(),
                               Z_BEST_SPEED);
  result.resize(code == Z_OK ? size : 0);
  result.shrink_to_fit();
  return result;
}
} // namespace

CompressedBytes::CompressedBytes(MPI_Comm communicator, const std::string_view mine)
{
  int n_ranks = 1;
  MPI_Comm_rank(communicator, &rank_);
  MPI_Comm_size(communicator, &n_ranks);
  const std::uint64_t n_mine = mine.size();
  begins_.resize(static_cast<std::size_t>(n_ranks) + 1, 0);
  MPI_Allgather(&n_mine, 1, MPI_UINT64_T, &begins_[1], 1, MPI_UINT64_T, communicator);
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());

  std::string completed;
  std::string_view bytes = mine;
  if (n_ranks > 1)
    {
      completed = whole_blocks(communicator, mine);
      bytes     = completed;
    }
  blocks_.resize((bytes.size() + block_size - 1) / block_size);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t k = 0; k < blocks_.size(); ++k)
    blocks_[k] = compressed(bytes.substr(k * block_size, block_size));
  for (const std::string &block : blocks_)
    if (block.empty())
      throw std::bad_alloc();
}

int CompressedBytes::owner(const std::uint64_t position) const
{
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), position);
  return static_cast<int>(next - begins_.begin()) - 1;
}

std::uint64_t CompressedBytes::head() const
{
  const std::uint64_t begin      = begins_[rank_];
  const std::uint64_t next_block = (begin + block_size - 1) / block_size * block_size;
  return std::min(next_block, begins_[rank_ + 1]) - begin;
}

std::string CompressedBytes::whole_blocks(MPI_Comm communicator, const std::string_view mine) const
{
  const std::uint64_t n_head = head();
  MPI_Request request        = MPI_REQUEST_NULL;
  if (n_head > 0)
    MPI_Isend(mine.data(),
              static_cast<int>(n_head),
              MPI_BYTE,
              owner(begins_[rank_] / block_size * block_size),
              block_tag,
              communicator,
              &request);

  std::string bytes(mine.substr(n_head));
  if (!bytes.empty())
    {
      const std::uint64_t last_block =
        begins_[rank_] + n_head + (bytes.size() - 1) / block_size * block_size;
      const std::uint64_t wanted = std::min(last_block + block_size, begins_.back());
      for (int rank = rank_ + 1; begins_[rank] < wanted; ++rank)
        {
          const std::uint64_t n = std::min(begins_[rank + 1], wanted) - begins_[rank];
          if (n == 0)
            continue;
          const std::size_t position = bytes.size();
          bytes.resize(position + n);
          MPI_Recv(&bytes[position],
                   static_cast<int>(n),
                   MPI_BYTE,
                   rank,
                   block_tag,
                   communicator,
                   MPI_STATUS_IGNORE);
        }
    }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return bytes;
}
} // namespace strut::plugin
