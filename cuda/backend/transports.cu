// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/transports.h"
#include "cuda/base/check.h"
#include "cuda/base/nccl.h"

#include <strut/base/exceptions.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <set>

namespace strut::cuda
{
namespace
{
/// Whether two ranks have one GPU: by its own number, since CUDA_VISIBLE_DEVICES counts anew. Collective.
bool any_shared(const Context &context, const Communicator &communicator)
{
  cudaDeviceProp properties;
  STRUT_CUDA_CHECK(cudaGetDeviceProperties(&properties, context.device()));
  using Uuid = std::array<std::uint32_t, sizeof(cudaUUID_t) / sizeof(std::uint32_t)>;
  std::vector<std::uint32_t> own(Uuid().size());
  std::memcpy(own.data(), &properties.uuid, sizeof(cudaUUID_t));
  const std::vector<std::uint32_t> all = communicator.gather_indices(own);
  std::set<Uuid> devices;
  for (std::size_t begin = 0; begin < all.size(); begin += own.size())
    {
      Uuid device;
      std::memcpy(device.data(), all.data() + begin, sizeof(cudaUUID_t));
      devices.insert(device);
    }
  return devices.size() < static_cast<std::size_t>(communicator.size());
}
} // namespace

std::unique_ptr<Transport> make_transport(const Context &context,
                                          const Communicator &communicator,
                                          const Communication communication)
{
  if (communicator.size() == 1 || communication == Communication::staged)
    return make_staged_transport(context, communicator, "");
  std::string obstacle;
  const Nccl *const nccl = open_nccl(obstacle);
  if (communicator.any(nccl == nullptr))
    obstacle = obstacle.empty() ? "another rank does not find libnccl.so.2" : obstacle;
  else if (any_shared(context, communicator))
    obstacle = "ranks share a GPU";
  if (obstacle.empty())
    return make_nccl_transport(context, communicator, *nccl);
  if (communication == Communication::nccl)
    throw Error("NCCL is asked for, but " + obstacle + ".", Remedy::communicate_through_host);
  return make_staged_transport(context, communicator, obstacle);
}
} // namespace strut::cuda
