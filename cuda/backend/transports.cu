// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/transports.h"
#include "cuda/base/nccl.h"

#include <strut/base/exceptions.h>

#include <cstdint>
#include <set>
#include <vector>

namespace strut::cuda
{
namespace
{
/// Whether two ranks share a GPU. Collective.
bool any_shared(const Context &context, const Communicator &communicator)
{
  std::vector<std::uint32_t> own;
  for (const char letter : context.uuid())
    own.push_back(static_cast<unsigned char>(letter));
  const std::vector<std::uint32_t> all = communicator.gather_indices(own);
  std::set<std::vector<std::uint32_t>> devices;
  for (auto begin = all.begin(); begin != all.end();
       begin += static_cast<std::ptrdiff_t>(own.size()))
    devices.emplace(begin, begin + static_cast<std::ptrdiff_t>(own.size()));
  return devices.size() < static_cast<std::size_t>(communicator.size());
}

/// Whether all ranks are on one machine. Collective.
bool on_one_machine(const Communicator &communicator)
{
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(communicator.mpi(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  int n = 0;
  MPI_Comm_size(machine, &n);
  MPI_Comm_free(&machine);
  return !communicator.any(n < communicator.size());
}
} // namespace

std::unique_ptr<Transport> make_transport(const Context &context,
                                          const Communicator &communicator,
                                          const Communication communication)
{
  if (communicator.size() == 1 || communication == Communication::staged)
    return make_staged_transport(context, communicator, "");
  const bool is_shared = any_shared(context, communicator);
  std::string obstacle;
  if (communication != Communication::nccl)
    {
      obstacle = !on_one_machine(communicator) ? "ranks are on several machines"
                 : is_shared                   ? "ranks share a GPU"
                                               : "";
      if (obstacle.empty())
        if (auto transport = make_peer_transport(context, communicator, obstacle))
          return transport;
      if (communication == Communication::peer)
        throw Error("Messages through each other's memory are asked for, but " + obstacle + ".",
                    Remedy::communicate_through_host);
    }
  const std::string no_peer = obstacle;
  obstacle.clear();
  const Nccl *const nccl = open_nccl(obstacle);
  if (communicator.any(nccl == nullptr))
    obstacle = obstacle.empty() ? "another rank does not find libnccl.so.2" : obstacle;
  else if (is_shared)
    obstacle = "ranks share a GPU";
  if (obstacle.empty())
    return make_nccl_transport(context, communicator, *nccl);
  if (communication == Communication::nccl)
    throw Error("NCCL is asked for, but " + obstacle + ".", Remedy::communicate_through_host);
  if (!no_peer.empty() && no_peer != obstacle)
    obstacle = no_peer + "; " + obstacle;
  return make_staged_transport(context, communicator, obstacle);
}
} // namespace strut::cuda
