// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/collective.h"

#include <deal.II/base/mpi.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace strut::plugin
{
namespace
{
constexpr std::size_t largest_piece = std::size_t(1) << 28; // bytes; MPI counts with int

bool is_root(MPI_Comm communicator)
{
  return dealii::Utilities::MPI::this_mpi_process(communicator) == 0;
}

template <typename Transfer>
void in_pieces(const std::size_t n_bytes, const Transfer &transfer)
{
  for (std::size_t begin = 0; begin < n_bytes; begin += largest_piece)
    transfer(begin, static_cast<int>(std::min(largest_piece, n_bytes - begin)));
}

/// One after the other by rank. `n_of_rank` counts on rank 0 only.
template <typename T>
std::vector<T> concatenate(MPI_Comm communicator,
                           const std::vector<T> &values,
                           const std::vector<std::uint64_t> &n_of_rank,
                           const std::size_t n_components)
{
  std::vector<T> all;
  if (!is_root(communicator))
    {
      send_bytes(communicator, 0, values.data(), values.size() * sizeof(T));
      return all;
    }
  all.resize(std::accumulate(n_of_rank.begin(), n_of_rank.end(), std::uint64_t(0)) * n_components);
  std::copy(values.begin(), values.end(), all.begin());
  std::size_t begin = values.size();
  for (std::size_t rank = 1; rank < n_of_rank.size(); ++rank)
    {
      const std::size_t n = n_of_rank[rank] * n_components;
      receive_bytes(communicator, static_cast<int>(rank), all.data() + begin, n * sizeof(T));
      begin += n;
    }
  return all;
}
} // namespace

void send_bytes(MPI_Comm communicator, const int to, const void *data, const std::size_t n_bytes)
{
  in_pieces(n_bytes, [&](const std::size_t begin, const int n) {
    MPI_Send(static_cast<const char *>(data) + begin, n, MPI_BYTE, to, 0, communicator);
  });
}

void receive_bytes(MPI_Comm communicator, const int from, void *data, const std::size_t n_bytes)
{
  in_pieces(n_bytes, [&](const std::size_t begin, const int n) {
    MPI_Recv(
      static_cast<char *>(data) + begin, n, MPI_BYTE, from, 0, communicator, MPI_STATUS_IGNORE);
  });
}

KeyedField::KeyedField(MPI_Comm communicator, const std::vector<std::uint64_t> &keys)
  : communicator_(communicator), n_local_(keys.size())
{
  const bool root = is_root(communicator);
  n_of_rank_      = dealii::Utilities::MPI::gather(communicator, std::uint64_t(n_local_));

  const std::vector<std::uint64_t> all = concatenate(communicator, keys, n_of_rank_, 1);
  std::uint64_t summary[3]             = {all.size(), 1469598103934665603ULL, 0};
  if (root)
    {
      order_.resize(all.size());
      std::iota(order_.begin(), order_.end(), std::uint64_t(0));
      std::sort(order_.begin(), order_.end(), [&](const std::uint64_t a, const std::uint64_t b) {
        return all[a] < all[b];
      });
      for (std::size_t i = 0; i < order_.size(); ++i)
        {
          // the step of FNV-1a, by words
          summary[1] = (summary[1] ^ all[order_[i]]) * 1099511628211ULL;
          if (i > 0 && all[order_[i]] == all[order_[i - 1]])
            summary[2] = 1;
        }
    }
  MPI_Bcast(summary, 3, MPI_UINT64_T, 0, communicator);
  n_global_    = summary[0];
  fingerprint_ = summary[1];
  if (summary[2] != 0)
    throw std::invalid_argument("KeyedField: two entities have the same key");
}

std::vector<double> KeyedField::gather(const std::vector<double> &values,
                                       const std::size_t n_components) const
{
  if (values.size() != n_local_ * n_components)
    throw std::invalid_argument("KeyedField::gather: wrong number of values");
  const std::vector<double> all = concatenate(communicator_, values, n_of_rank_, n_components);
  std::vector<double> sorted(all.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    std::copy_n(all.begin() + order_[i] * n_components,
                n_components,
                sorted.begin() + i * n_components);
  return sorted;
}

std::vector<double> KeyedField::scatter(const std::vector<double> &sorted,
                                        const std::size_t n_components) const
{
  std::vector<double> values(n_local_ * n_components);
  if (!is_root(communicator_))
    {
      receive_bytes(communicator_, 0, values.data(), values.size() * sizeof(double));
      return values;
    }
  if (sorted.size() != n_global_ * n_components)
    throw std::invalid_argument("KeyedField::scatter: wrong number of values");
  std::vector<double> all(sorted.size());
  for (std::size_t i = 0; i < order_.size(); ++i)
    std::copy_n(sorted.begin() + i * n_components,
                n_components,
                all.begin() + order_[i] * n_components);
  std::copy_n(all.begin(), values.size(), values.begin());
  std::size_t begin = values.size();
  for (std::size_t rank = 1; rank < n_of_rank_.size(); ++rank)
    {
      const std::size_t n = n_of_rank_[rank] * n_components;
      send_bytes(communicator_, static_cast<int>(rank), all.data() + begin, n * sizeof(double));
      begin += n;
    }
  return values;
}
} // namespace strut::plugin
