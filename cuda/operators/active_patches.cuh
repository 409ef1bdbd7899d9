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
/// The patches that contain an element with stiffness, in their order. A product skips the others,
/// so elements outside of the structure cost nothing but their entries in the vectors.
class ActivePatches
{
public:
  ActivePatches(Memory &memory, const Array<Patches::Patch> &all)
    : all_(all), has_stiffness_(memory, all.size()), active_(memory, all.size()), count_(memory, 1)
  {
    std::size_t bytes = 0;
    STRUT_CUDA_CHECK(select(nullptr, bytes, nullptr));
    scratch_ = Array<char>(memory, bytes);
    n_       = all.size();
  }

  /// Find the patches.
  /// @param stiffness  of the elements in the order of the patches
  template <typename Number>
  void update(const Context &context, const Array<Number> &stiffness)
  {
    if (all_.size() == 0)
      return;
    const Patches::Patch *const patches = all_.data();
    const Number *const factors         = stiffness.data();
    std::uint8_t *const flags           = has_stiffness_.data();
    parallel_for(context, all_.size(), [=] __device__(const std::size_t p) {
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
    return n_ == all_.size();
  }
  const Patches::Patch *data() const
  {
    return are_all() ? all_.data() : active_.data();
  }

private:
  cudaError_t select(void *const scratch, std::size_t &bytes, const cudaStream_t stream)
  {
    return cub::DeviceSelect::Flagged(scratch,
                                      bytes,
                                      all_.data(),
                                      has_stiffness_.data(),
                                      active_.data(),
                                      count_.data(),
                                      static_cast<int>(all_.size()),
                                      stream);
  }

  const Array<Patches::Patch> &all_;
  Array<std::uint8_t> has_stiffness_;
  Array<Patches::Patch> active_;
  Array<std::uint32_t> count_;
  Array<char> scratch_;
  std::size_t n_ = 0;
};
} // namespace strut::cuda
