// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

namespace strut
{
/// The rates of the hardware, measured in this run as references for other rates.
struct HardwareRates
{
  double copy_bandwidth; ///< bytes read plus bytes written, per second, of a large vector
  double flops_fp64;     ///< per second, see Backend::measure_flops()
  double flops_fp32;

  double flops(const Precision precision) const
  {
    return precision == Precision::fp64 ? flops_fp64 : flops_fp32;
  }

  /// @param n_bytes  size of the copied vector; reduced if two of it do not fit into memory
  static HardwareRates measure(Backend &backend, std::size_t n_bytes = std::size_t(1) << 30);
};

namespace cpu
{
/// Number of lanes of a SIMD instruction of strut's CPU code, with the instruction set for which it
/// was compiled (STRUT_MARCH).
unsigned int simd_lanes(Precision precision);
} // namespace cpu
} // namespace strut
