// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/transports.h"
#include "cuda/base/check.h"
#include "cuda/base/nccl.h"

namespace strut::cuda
{
namespace
{
/// Transport between GPUs by NCCL. Messages travel on a stream of their own, beside work that is
/// submitted between begin() and finish().
class NcclTransport : public Transport
{
public:
  NcclTransport(const Context &context, const Communicator &communicator, const Nccl &nccl)
    : context_(context), nccl_(nccl)
  {
    Nccl::UniqueId id = {};
    if (communicator.rank() == 0)
      nccl_.check(nccl_.GetUniqueId(&id), "ncclGetUniqueId");
    MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, communicator.mpi());
    context_.activate();
    try
      {
        STRUT_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
        STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&begun_, cudaEventDisableTiming));
        STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&arrived_, cudaEventDisableTiming));
        nccl_.check(nccl_.CommInitRank(&comm_, communicator.size(), id, communicator.rank()),
                    "ncclCommInitRank");
      }
    catch (...)
      {
        release();
        throw;
      }
  }

  ~NcclTransport() override
  {
    release();
  }

  NcclTransport(const NcclTransport &)            = delete;
  NcclTransport &operator=(const NcclTransport &) = delete;

  std::string name() const override
  {
    return "NCCL " + nccl_.version();
  }

  bool only_submits() const override
  {
    return true;
  }

  void begin(const std::vector<Message> &messages) override
  {
    STRUT_CUDA_CHECK(cudaEventRecord(begun_, context_.activate()));
    STRUT_CUDA_CHECK(cudaStreamWaitEvent(stream_, begun_, 0));
    nccl_.check(nccl_.GroupStart(), "ncclGroupStart");
    try
      {
        for (const Message &message : messages)
          {
            if (message.n_send > 0)
              nccl_.check(
                nccl_.Send(message.send, message.n_send, Nccl::bytes, message.rank, comm_, stream_),
                "ncclSend");
            if (message.n_receive > 0)
              nccl_.check(
                nccl_.Recv(
                  message.receive, message.n_receive, Nccl::bytes, message.rank, comm_, stream_),
                "ncclRecv");
          }
      }
    catch (...) // Later calls must not belong to this group.
      {
        nccl_.GroupEnd();
        throw;
      }
    nccl_.check(nccl_.GroupEnd(), "ncclGroupEnd");
    STRUT_CUDA_CHECK(cudaEventRecord(arrived_, stream_));
  }

  void finish() override
  {
    STRUT_CUDA_CHECK(cudaStreamWaitEvent(context_.activate(), arrived_, 0));
  }

  void sum(double *const values, const std::size_t n) override
  {
    nccl_.check(
      nccl_.AllReduce(values, values, n, Nccl::float64, Nccl::sum, comm_, context_.activate()),
      "ncclAllReduce");
  }

private:
  void release() noexcept
  {
    // No error leaves here, as in Context::release(). The communicator is first, since it waits for
    // its streams.
    cudaSetDevice(context_.device());
    if (stream_ != nullptr)
      cudaStreamSynchronize(stream_);
    if (comm_ != nullptr)
      nccl_.CommDestroy(comm_);
    for (const cudaEvent_t event : {begun_, arrived_})
      if (event != nullptr)
        cudaEventDestroy(event);
    if (stream_ != nullptr)
      cudaStreamDestroy(stream_);
    cudaGetLastError();
  }

  const Context &context_;
  const Nccl &nccl_;
  Nccl::Comm comm_     = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begun_   = nullptr; ///< the main stream has reached the exchange
  cudaEvent_t arrived_ = nullptr;
};
} // namespace

std::unique_ptr<Transport>
make_nccl_transport(const Context &context, const Communicator &communicator, const Nccl &nccl)
{
  return std::make_unique<NcclTransport>(context, communicator, nccl);
}
} // namespace strut::cuda
