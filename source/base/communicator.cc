// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/communicator.h>

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
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(n), MPI_DOUBLE, MPI_SUM, comm_);
}

double Communicator::sum(double value) const
{
  sum(&value, 1);
  return value;
}

std::size_t Communicator::sum(const std::size_t value) const
{
  unsigned long long sum = value;
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, comm_);
  return sum;
}

double Communicator::max(double value) const
{
  if (size_ > 1)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return value;
}

double Communicator::min(double value) const
{
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
std::vector<Number>
gather(const Communicator &communicator, const std::vector<Number> &values, const MPI_Datatype type)
{
  if (communicator.size() == 1)
    return values;
  const int n = static_cast<int>(values.size());
  std::vector<int> counts(communicator.size()), begins(communicator.size(), 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, communicator.mpi());
  for (int rank = 1; rank < communicator.size(); ++rank)
    begins[rank] = begins[rank - 1] + counts[rank - 1];
  std::vector<Number> all(begins.back() + counts.back());
  MPI_Allgatherv(
    values.data(), n, type, all.data(), counts.data(), begins.data(), type, communicator.mpi());
  return all;
}
} // namespace

std::vector<double> Communicator::gather(const std::vector<double> &values) const
{
  return strut::gather(*this, values, MPI_DOUBLE);
}

std::vector<std::uint32_t>
Communicator::gather_indices(const std::vector<std::uint32_t> &values) const
{
  return strut::gather(*this, values, MPI_UINT32_T);
}
} // namespace strut
