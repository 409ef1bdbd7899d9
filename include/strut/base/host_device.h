// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

/// Marks functions that run both on a CPU lane and on a GPU thread. Expands to nothing for a host
/// compiler, so headers that use it need no CUDA.
#ifdef __CUDACC__
#  define STRUT_HOST_DEVICE __host__ __device__
#else
#  define STRUT_HOST_DEVICE
#endif

/// Marks a lambda that runs where the backend computes, in a header that each backend compiles for
/// itself: `[=] STRUT_BODY(const std::size_t i) { ... }`.
#ifdef __CUDACC__
#  define STRUT_BODY __device__
#else
#  define STRUT_BODY
#endif

/// Unrolls a loop over a short array: the index of a register of a GPU thread must be a
/// compile-time constant.
#ifdef __CUDA_ARCH__
#  define STRUT_UNROLL _Pragma("unroll")
#else
#  define STRUT_UNROLL
#endif
