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
/// A CUDA graph, taken from the stream. NCCL's messages are part of it.
class Graph : public Recording
{
public:
  explicit Graph(const Context &context) : context_(context)
  {}

  ~Graph() override
  {
    cudaSetDevice(context_.device()); // no error leaves here, as in Context::release()
    forget();
    cudaGetLastError();
  }

  Graph(const Graph &)            = delete;
  Graph &operator=(const Graph &) = delete;

  bool record(const std::function<void()> &work) override
  {
    const cudaStream_t stream = context_.activate();
    // Other threads may go on with calls of their own meanwhile.
    STRUT_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    bool submitted = true;
    std::exception_ptr failure; // the stream must not stay as it is
    try
      {
        work();
      }
    catch (const Error &) // of a call that cannot be recorded
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
    cudaGetLastError(); // the refusal of a call that cannot be recorded
    if (failure != nullptr)
      std::rethrow_exception(failure);
    return recorded;
  }

  void run() override
  {
    STRUT_CUDA_CHECK(cudaGraphLaunch(executable_, context_.activate()));
  }

private:
  /// Renew what is there, which is cheaper, or make it.
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
