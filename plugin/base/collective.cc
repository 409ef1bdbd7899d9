// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/collective.h"

#include <algorithm>

namespace strut
{
namespace
{
constexpr std::size_t largest_piece = std::size_t(1) << 28; // in bytes; MPI counts with int

template <typename Transfer>
void in_pieces(const std::size_t n_bytes, const Transfer &transfer)
{
  for (std::size_t begin = 0; begin < n_bytes; begin += largest_piece)
    transfer(begin, static_cast<int>(std::min(largest_piece, n_bytes - begin)));
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
} // namespace strut
