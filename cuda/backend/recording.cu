// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/check.h"

#include <strut/base/exceptions.h>

#include <exception>
#include <utility>

namespace strut::cuda
{
namespace
{
/// A recording as a CUDA graph, captured from the stream. NCCL's messages are part of it.
class Graph : public Recording
{
public:
  explicit Graph(const Context &context) : context_(context)
  {}

  ~Graph() override
  {
    cudaSetDevice(context_.device()); // No error leaves here, as in Context::release().
    forget();
    cudaGetLastError();
  }

  Graph(const Graph &)            = delete;
  Graph &operator=(const Graph &) = delete;

  bool record(const std::function<void()> &work) override
  {
    const cudaStream_t stream = context_.activate();
    // Other threads may make calls of their own meanwhile.
    STRUT_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    bool submitted = true;
    std::exception_ptr failure; // The capture of the stream must end after a failure as well.
    try
      {
        work();
      }
    catch (const Error &) // The call cannot be recorded.
      {
        submitted = false;
      }
    catch (...)
      {
        submitted = false;
        failure   = std::current_exception();
      }
    cudaGraph_t graph        = nullptr;
    const cudaError_t status = cudaStreamEndCapture(stream, &graph);
    const bool recorded      = submitted && status == cudaSuccess && take(graph);
    if (graph != nullptr)
      cudaGraphDestroy(graph);
    if (!recorded)
      forget();
    cudaGetLastError(); // This clears the error of a call that cannot be recorded.
    if (failure != nullptr)
      std::rethrow_exception(failure);
    return recorded;
  }

  void run() override
  {
    STRUT_CUDA_CHECK(cudaGraphLaunch(executable_, context_.activate()));
  }

private:
  /// Update the executable graph, which is cheaper, or make a new one.
  bool take(const cudaGraph_t graph)
  {
    cudaGraphExecUpdateResultInfo info;
    if (executable_ != nullptr && cudaGraphExecUpdate(executable_, graph, &info) == cudaSuccess)
      return true;
    forget();
    return cudaGraphInstantiate(&executable_, graph, 0) == cudaSuccess;
  }

  void forget()
  {
    if (const cudaGraphExec_t old = std::exchange(executable_, nullptr))
      cudaGraphExecDestroy(old);
  }

  const Context &context_;
  cudaGraphExec_t executable_ = nullptr;
};
} // namespace

std::unique_ptr<Recording> make_recording(const Context &context)
{
  return std::make_unique<Graph>(context);
}
} // namespace strut::cuda
