// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/compressed_bytes.h"

#include <deal.II/base/mpi.h>

#include <boost/serialization/string.hpp>
#include <zlib.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <new>
#include <numeric>

namespace strut::plugin
{
namespace
{
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
  rank_            = dealii::Utilities::MPI::this_mpi_process(communicator);
  const auto sizes = dealii::Utilities::MPI::all_gather(communicator, mine.size());
  begins_          = {0};
  std::partial_sum(sizes.begin(), sizes.end(), std::back_inserter(begins_));

  std::string completed;
  std::string_view bytes = mine;
  if (sizes.size() > 1)
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

unsigned int CompressedBytes::owner(const std::uint64_t position) const
{
  const auto next = std::upper_bound(begins_.begin(), begins_.end(), position);
  return static_cast<unsigned int>(next - begins_.begin()) - 1;
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
  std::map<unsigned int, std::string> heads;
  if (n_head > 0)
    heads[owner(begins_[rank_] / block_size * block_size)] = mine.substr(0, n_head);
  std::string bytes(mine.substr(n_head));
  for (const auto &[rank, end_of_block] :
       dealii::Utilities::MPI::some_to_some(communicator, heads)) // ascending ranks
    bytes += end_of_block;
  return bytes;
}
} // namespace strut::plugin
