// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "cuda/base/parallel_loop.cuh"
#include "source/mesh/patches.h"

#include <strut/base/array.h>

#include <cub/device/device_select.cuh>

#include <cstdint>

namespace strut::cuda
{
/// Those of successive patches that have an element with stiffness, in their order: a product passes over the others,
/// so elements outside of the structure cost nothing but their entries in the vectors.
class ActivePatches
{
public:
  /// @param all  of which these are `begin` to `end`
  ActivePatches(Memory &memory,
                const Array<Patches::Patch> &all,
                const std::size_t begin,
                const std::size_t end)
    : all_(all.data() + begin)
    , n_all_(end - begin)
    , has_stiffness_(memory, n_all_)
    , active_(memory, n_all_)
    , count_(memory, 1)
  {
    std::size_t bytes = 0;
    STRUT_CUDA_CHECK(select(nullptr, bytes, nullptr));
    scratch_ = Array<char>(memory, bytes);
    n_       = n_all_;
  }

  /// @param stiffness  of the elements in the order of the patches
  template <typename Number>
  void update(const Context &context, const Array<Number> &stiffness)
  {
    if (n_all_ == 0)
      return;
    const Patches::Patch *const patches = all_;
    const Number *const factors         = stiffness.data();
    std::uint8_t *const flags           = has_stiffness_.data();
    parallel_for(context, n_all_, [=] __device__(const std::size_t p) {
      bool found = false;
      for (unsigned int e = 0; e < patches[p].n_elements && !found; ++e)
        found = factors[patches[p].first_element + e] != Number(0);
      flags[p] = found ? 1 : 0;
    });
    std::size_t bytes = scratch_.size();
    STRUT_CUDA_CHECK(select(scratch_.data(), bytes, context.activate()));
    n_ = count_.to_host()[0];
  }

  std::size_t size() const
  {
    return n_;
  }
  bool are_all() const
  {
    return n_ == n_all_;
  }
  const Patches::Patch *data() const
  {
    return are_all() ? all_ : active_.data();
  }

private:
  cudaError_t select(void *const scratch, std::size_t &bytes, const cudaStream_t stream)
  {
    return cub::DeviceSelect::Flagged(scratch,
                                      bytes,
                                      all_,
                                      has_stiffness_.data(),
                                      active_.data(),
                                      count_.data(),
                                      static_cast<int>(n_all_),
                                      stream);
  }

  const Patches::Patch *const all_;
  const std::size_t n_all_;
  Array<std::uint8_t> has_stiffness_;
  Array<Patches::Patch> active_;
  Array<std::uint32_t> count_;
  Array<char> scratch_;
  std::size_t n_ = 0;
};
} // namespace strut::cuda
