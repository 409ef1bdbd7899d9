// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace strut
{
/// The group of ranks that share a problem. It is a thin value type over MPI_Comm, which it does
/// not own. Without MPI_Init (tests, single programs) it has one rank.
class Communicator
{
public:
  Communicator() = default; ///< one rank, without MPI
  explicit Communicator(MPI_Comm comm);

  int rank() const
  {
    return rank_;
  }
  int size() const
  {
    return size_;
  }
  MPI_Comm mpi() const
  {
    return comm_;
  }

  /// Reductions over all ranks; every rank gets the result. Collective.
  double sum(double value) const;
  void sum(double *values, std::size_t n) const;
  std::size_t sum(std::size_t value) const;
  double max(double value) const;
  double min(double value) const;
  bool any(bool value) const;

  /// The most values in one message: MPI counts them in int.
  static constexpr std::size_t most_values = std::numeric_limits<int>::max();

  /// Gathers the values of all ranks, one after another; every rank gets them. Collective.
  ///
  /// @param most_per_message  the same on every rank; smaller values are for tests only
  std::vector<double> gather(const std::vector<double> &values,
                             std::size_t most_per_message = most_values) const;
  std::vector<std::uint32_t> gather_indices(const std::vector<std::uint32_t> &values,
                                            std::size_t most_per_message = most_values) const;

private:
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_      = 0;
  int size_      = 1;
};
} // namespace strut
