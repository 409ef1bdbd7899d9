// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/watchdog.h"

#include <strut/base/communicator.h>

#include <algorithm>
#include <numeric>

namespace strut
{
Communicator::Communicator(MPI_Comm comm) : comm_(comm)
{
  int mpi_runs = 0;
  MPI_Initialized(&mpi_runs);
  if (mpi_runs == 0) // deal.II's serial programs
    return;
  MPI_Comm_rank(comm_, &rank_);
  MPI_Comm_size(comm_, &size_);
}

void Communicator::sum(double *values, const std::size_t n) const
{
  if (size_ == 1)
    return;
  const watchdog::Wait wait;
  for (std::size_t begin = 0; begin < n; begin += most_values) // MPI counts are int
    MPI_Allreduce(MPI_IN_PLACE,
                  values + begin,
                  static_cast<int>(std::min(n - begin, most_values)),
                  MPI_DOUBLE,
                  MPI_SUM,
                  comm_);
}

double Communicator::sum(double value) const
{
  sum(&value, 1);
  return value;
}

std::size_t Communicator::sum(const std::size_t value) const
{
  unsigned long long sum = value;
  const watchdog::Wait wait;
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_);
  return sum;
}

double Communicator::max(double value) const
{
  const watchdog::Wait wait;
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return value;
}

double Communicator::min(double value) const
{
  const watchdog::Wait wait;
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return value;
}

bool Communicator::any(const bool value) const
{
  return max(value ? 1. : 0.) > 0.;
}

namespace
{
template <typename Number>
std::vector<Number> gather(const Communicator &communicator,
                           const std::vector<Number> &values,
                           const MPI_Datatype type,
                           const std::size_t most_per_message)
{
  if (communicator.size() == 1)
    return values;
  const watchdog::Wait wait;
  const unsigned long long n = values.size();
  std::vector<unsigned long long> counts(communicator.size());
  MPI_Allgather(
    &n, 1, MPI_UNSIGNED_LONG_LONG, counts.data(), 1, MPI_UNSIGNED_LONG_LONG, communicator.mpi());
  std::vector<Number> all(std::accumulate(counts.begin(), counts.end(), std::size_t(0)));

  if (all.size() <= most_per_message)
    {
      std::vector<int> int_counts(counts.begin(), counts.end()), begins(counts.size(), 0);
      std::partial_sum(int_counts.begin(), int_counts.end() - 1, begins.begin() + 1);
      MPI_Allgatherv(values.data(),
                     static_cast<int>(n),
                     type,
                     all.data(),
                     int_counts.data(),
                     begins.data(),
                     type,
                     communicator.mpi());
      return all;
    }

  // MPI counts are int: gather from one rank after the other, in pieces.
  Number *place = all.data();
  for (int rank = 0; rank < communicator.size(); ++rank)
    {
      if (rank == communicator.rank())
        std::copy(values.begin(), values.end(), place);
      for (std::size_t left = counts[rank]; left > 0;)
        {
          const std::size_t piece = std::min(left, most_per_message);
          MPI_Bcast(place, static_cast<int>(piece), type, rank, communicator.mpi());
          place += piece;
          left -= piece;
        }
    }
  return all;
}
} // namespace

std::vector<double> Communicator::gather(const std::vector<double> &values,
                                         const std::size_t most_per_message) const
{
  return strut::gather(*this, values, MPI_DOUBLE, most_per_message);
}

std::vector<std::uint32_t> Communicator::gather_indices(const std::vector<std::uint32_t> &values,
                                                        const std::size_t most_per_message) const
{
  return strut::gather(*this, values, MPI_UINT32_T, most_per_message);
}
} // namespace strut
