// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>

#include <memory>

namespace strut
{
/// Makes the CUDA backend with all its work on a stream of the application. Its work runs after all
/// that the application submitted to the stream before, and before all that it submits afterwards.
///
/// The legacy default stream cannot capture graphs: there each piece of work is launched on its
/// own.
///
/// @param device  number of the CUDA device
/// @param communication  how GPUs of several ranks exchange data
/// @param stream  a cudaStream_t of this device, which must outlive the backend; null: a stream of
///   the backend's own. The legacy default stream is `cudaStreamLegacy`.
/// @throws Error for a stream of another device, and for `cudaStreamPerThread`, which is a
///   different stream in each thread
std::unique_ptr<Backend> make_cuda_backend(int device, Communication communication, void *stream);
} // namespace strut
