// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <memory>

namespace strut
{
/// The CUDA backend with all its work on a stream of the application: it comes after what the application has submitted there
/// before, and before what it submits afterwards.
///
/// The legacy default stream has no graphs: there each piece of work is launched for itself.
///
/// @param stream  a cudaStream_t of this device, which must outlive the backend; null: a stream of the backend's own. The
/// legacy default stream is `cudaStreamLegacy`.
/// @throws Error for a stream of another device, and for `cudaStreamPerThread`, which is another one in each thread
std::unique_ptr<Backend> make_cuda_backend(int device, Communication communication, void *stream);
} // namespace strut
