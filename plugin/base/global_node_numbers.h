// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <deal.II/base/mpi.h>

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace strut
{
/// The sum of a number over the ranks before this one. Collective.
std::uint64_t sum_before(MPI_Comm communicator, std::uint64_t n);

/// The values of all other ranks, rank after rank. Collective.
template <typename T>
std::vector<T> of_other_ranks(MPI_Comm communicator, const std::vector<T> &ours)
{
  static_assert(std::is_trivially_copyable_v<T>, "these travel as bytes");
  const auto *const begin = reinterpret_cast<const char *>(ours.data());
  const std::vector<char> our_bytes(begin, begin + ours.size() * sizeof(T));
  const auto of_ranks    = dealii::Utilities::MPI::all_gather(communicator, our_bytes);
  const std::size_t mine = dealii::Utilities::MPI::this_mpi_process(communicator);
  std::vector<T> others;
  for (std::size_t rank = 0; rank < of_ranks.size(); ++rank)
    if (const std::vector<char> &bytes = of_ranks[rank]; rank != mine && !bytes.empty())
      {
        const std::size_t n = others.size();
        others.resize(n + bytes.size() / sizeof(T));
        std::memcpy(&others[n], bytes.data(), bytes.size());
      }
  return others;
}

/// Numbers of nodes over all ranks: the owned nodes of each rank follow those of the previous one.
/// Each node has one number, also where ranks meet.
class GlobalNodeNumbers
{
public:
  /// Collective.
  GlobalNodeNumbers(MPI_Comm communicator, const ElementMesh &mesh);

  std::uint64_t operator()(const LocalIndex node) const
  {
    return node < n_owned_ ? first_ + node : ghosts_[node - n_owned_];
  }

  /// Numbers of nodes and elements of all ranks.
  std::uint64_t n_nodes() const
  {
    return n_nodes_;
  }
  std::uint64_t n_elements() const
  {
    return n_elements_;
  }
  /// Number of this rank's first element; its elements follow those of the previous rank.
  std::uint64_t first_element() const
  {
    return first_element_;
  }

private:
  std::size_t n_owned_;
  std::uint64_t first_; ///< number of this rank's first node
  std::uint64_t first_element_;
  std::uint64_t n_nodes_;
  std::uint64_t n_elements_;
  std::vector<std::uint64_t> ghosts_;
};
} // namespace strut
