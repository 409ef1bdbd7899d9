// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/base/nccl.h"

#include <strut/base/exceptions.h>

#include <dlfcn.h>

namespace strut::cuda
{
namespace
{
template <typename Function>
bool find(void *const library, const char *const name, Function *&function)
{
  function = reinterpret_cast<Function *>(dlsym(library, name));
  return function != nullptr;
}

struct Opened
{
  Nccl nccl = {};
  std::string reason; ///< reason if the library is not available

  Opened()
  {
    void *const library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr)
      {
        reason = "libnccl.so.2 was not found";
        return;
      }
    const bool complete =
      find(library, "ncclGetVersion", nccl.GetVersion) &&
      find(library, "ncclGetUniqueId", nccl.GetUniqueId) &&
      find(library, "ncclCommInitRank", nccl.CommInitRank) &&
      find(library, "ncclCommDestroy", nccl.CommDestroy) &&
      find(library, "ncclGroupStart", nccl.GroupStart) &&
      find(library, "ncclGroupEnd", nccl.GroupEnd) && find(library, "ncclSend", nccl.Send) &&
      find(library, "ncclRecv", nccl.Recv) && find(library, "ncclAllReduce", nccl.AllReduce) &&
      find(library, "ncclGetErrorString", nccl.GetErrorString);
    if (!complete)
      reason = "libnccl.so.2 is older than 2.7";
  }
};
} // namespace

std::string Nccl::version() const
{
  int number = 0;
  check(GetVersion(&number), "ncclGetVersion");
  const int of_major = number < 10000 ? 1000 : 10000; // 2700 is 2.7.0, 22703 is 2.27.3.
  return std::to_string(number / of_major) + '.' + std::to_string(number % of_major / 100) + '.' +
         std::to_string(number % 100);
}

void Nccl::check(const Result result, const char *const call) const
{
  if (result != 0)
    throw Error(std::string("NCCL: ") + call + " fails: " + GetErrorString(result) +
                  ".\n  NCCL_DEBUG=WARN in the environment makes it say more.",
                Remedy::communicate_through_host);
}

const Nccl *open_nccl(std::string &reason)
{
  static const Opened opened;
  reason = opened.reason;
  return opened.reason.empty() ? &opened.nccl : nullptr;
}
} // namespace strut::cuda
