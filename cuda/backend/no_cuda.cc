// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

// Replaces the CUDA backend in a build without the CUDA toolkit.

#include "source/backend/cuda_stream.h"

#include <strut/base/exceptions.h>

namespace strut
{
bool cuda_compiled()
{
  return false;
}

template <typename Number>
const StrategyList<Number> &cuda_strategies()
{
  static const StrategyList<Number> none;
  return none;
}

template const StrategyList<double> &cuda_strategies<double>();
template const StrategyList<float> &cuda_strategies<float>();

template <typename Number>
void add_cuda_strategy(const Strategy<Number> &strategy)
{
  throw Error("The operator '" + strategy.name +
              "' is one of the CUDA backend, and this build has none. Ask cuda_compiled() first.");
}

template void add_cuda_strategy<double>(const Strategy<double> &);
template void add_cuda_strategy<float>(const Strategy<float> &);

int n_cuda_devices(std::string *reason)
{
  if (reason != nullptr)
    *reason = "this build has no CUDA backend";
  return 0;
}

std::unique_ptr<Backend> make_cuda_backend(const int device, const Communication communication)
{
  return make_cuda_backend(device, communication, nullptr);
}

std::unique_ptr<Backend> make_cuda_backend(int, Communication, void *)
{
  throw Error("The CUDA backend was asked for, but this build has none.", Remedy::build_with_cuda);
}
} // namespace strut
