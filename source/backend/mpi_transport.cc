// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/mpi_transport.h"
#include "source/base/watchdog.h"

#include <algorithm>

namespace strut
{
namespace
{
constexpr int tag = 4711;

/// Counts of MPI are int: a longer message is sent in pieces, which arrive in order.
constexpr std::size_t most_bytes = std::size_t(1) << 30;

template <typename Transfer>
void in_pieces(const std::size_t n, const Transfer &transfer)
{
  for (std::size_t begin = 0; begin < n; begin += most_bytes)
    transfer(begin, static_cast<int>(std::min(n - begin, most_bytes)));
}
} // namespace

MpiTransport::MpiTransport(const Communicator &communicator) : communicator_(communicator)
{}

std::string MpiTransport::name() const
{
  return "MPI";
}

void MpiTransport::begin(const std::vector<Message> &messages)
{
  const auto new_request = [&]() { return &requests_.emplace_back(MPI_REQUEST_NULL); };
  for (const Message &message : messages)
    {
      in_pieces(message.n_receive, [&](const std::size_t begin, const int n) {
        MPI_Irecv(static_cast<char *>(message.receive) + begin,
                  n,
                  MPI_BYTE,
                  message.rank,
                  tag,
                  communicator_.mpi(),
                  new_request());
      });
      in_pieces(message.n_send, [&](const std::size_t begin, const int n) {
        MPI_Isend(static_cast<const char *>(message.send) + begin,
                  n,
                  MPI_BYTE,
                  message.rank,
                  tag,
                  communicator_.mpi(),
                  new_request());
      });
    }
}

void MpiTransport::finish()
{
  if (requests_.empty()) // one rank may run without MPI
    return;
  const watchdog::Wait wait;
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  requests_.clear();
}

void MpiTransport::sum(double *const values, const std::size_t n)
{
  communicator_.sum(values, n);
}
} // namespace strut
