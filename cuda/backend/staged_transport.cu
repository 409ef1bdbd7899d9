// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/transports.h"
#include "cuda/base/check.h"
#include "source/backend/mpi_transport.h"

#include <utility>

namespace strut::cuda
{
namespace
{
/// Page-locked host memory that grows.
class Staging
{
public:
  explicit Staging(const Context &context) : context_(context)
  {}

  ~Staging()
  {
    cudaSetDevice(context_.device());
    cudaFreeHost(data_);
    cudaGetLastError();
  }

  Staging(const Staging &)            = delete;
  Staging &operator=(const Staging &) = delete;

  /// Returns room for so many bytes. The contents are lost if it grows; the stream must be idle
  /// then.
  char *reserve(const std::size_t bytes)
  {
    if (bytes > capacity_)
      {
        context_.synchronize();
        STRUT_CUDA_CHECK(cudaFreeHost(std::exchange(data_, nullptr)));
        capacity_ = 0;
        STRUT_CUDA_CHECK(cudaHostAlloc(&data_, bytes, cudaHostAllocDefault));
        capacity_ = bytes;
      }
    return static_cast<char *>(data_);
  }

private:
  const Context &context_;
  void *data_           = nullptr;
  std::size_t capacity_ = 0;
};

/// Transport by way of page-locked host memory. MPI never sees a device pointer.
class StagedTransport : public Transport
{
public:
  StagedTransport(const Context &context, const Communicator &communicator, std::string reason)
    : context_(context)
    , host_(communicator)
    , reason_(std::move(reason))
    , sent_(context)
    , received_(context)
    , sums_(context)
  {}

  std::string name() const override
  {
    return "page-locked host memory and MPI" + (reason_.empty() ? "" : " (" + reason_ + ")");
  }

  void begin(const std::vector<Message> &messages) override
  {
    const cudaStream_t stream = context_.activate();
    std::size_t n_sent = 0, n_received = 0;
    for (const Message &message : messages)
      {
        n_sent += message.n_send;
        n_received += message.n_receive;
      }
    char *sent     = sent_.reserve(n_sent);
    char *received = received_.reserve(n_received);
    messages_      = messages;
    on_host_       = messages;
    for (Message &message : on_host_)
      {
        if (message.n_send > 0)
          STRUT_CUDA_CHECK(
            cudaMemcpyAsync(sent, message.send, message.n_send, cudaMemcpyDeviceToHost, stream));
        message.send    = sent;
        message.receive = received;
        sent += message.n_send;
        received += message.n_receive;
      }
    // Now the copy from `received` of the last exchange is complete as well.
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
    host_.begin(on_host_);
  }

  void finish() override
  {
    host_.finish();
    const cudaStream_t stream = context_.activate();
    for (std::size_t k = 0; k < messages_.size(); ++k)
      if (messages_[k].n_receive > 0)
        STRUT_CUDA_CHECK(cudaMemcpyAsync(messages_[k].receive,
                                         on_host_[k].receive,
                                         messages_[k].n_receive,
                                         cudaMemcpyHostToDevice,
                                         stream));
  }

  void sum(double *const values, const std::size_t n) override
  {
    const cudaStream_t stream = context_.activate();
    double *const on_host     = reinterpret_cast<double *>(sums_.reserve(n * sizeof(double)));
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(on_host, values, n * sizeof(double), cudaMemcpyDeviceToHost, stream));
    STRUT_CUDA_CHECK(cudaStreamSynchronize(stream));
    host_.sum(on_host, n);
    STRUT_CUDA_CHECK(
      cudaMemcpyAsync(values, on_host, n * sizeof(double), cudaMemcpyHostToDevice, stream));
  }

private:
  const Context &context_;
  MpiTransport host_;
  std::string reason_; ///< reason for not using a faster transport
  Staging sent_, received_, sums_;
  std::vector<Message> messages_, on_host_; ///< messages of the exchange in progress
};
} // namespace

std::unique_ptr<Transport> make_staged_transport(const Context &context,
                                                 const Communicator &communicator,
                                                 const std::string &reason)
{
  return std::make_unique<StagedTransport>(context, communicator, reason);
}
} // namespace strut::cuda
