// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/mailbox.cuh"
#include "cuda/backend/transports.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/base/watchdog.h"

#include <strut/base/exceptions.h>

#include <exception>

namespace strut::cuda
{
namespace
{
constexpr int tag = 4712;

/// The bytes of a handle of CUDA's, for MPI.
struct Handle
{
  cudaIpcMemHandle_t ipc = {};
};

/// Memory of a GPU that other processes may open.
class Exported
{
public:
  /// Zeros. Whole pages of the driver, so that nothing else is opened with it.
  explicit Exported(const std::size_t bytes)
  {
    constexpr std::size_t page = std::size_t(2) << 20;
    const std::size_t n        = (bytes + page - 1) / page * page;
    STRUT_CUDA_CHECK(cudaMalloc(&data_, n));
    STRUT_CUDA_CHECK(cudaMemset(data_, 0, n));
    STRUT_CUDA_CHECK(cudaDeviceSynchronize());
  }
  ~Exported()
  {
    cudaFree(data_);
  }
  Exported(const Exported &)            = delete;
  Exported &operator=(const Exported &) = delete;

  char *data() const
  {
    return static_cast<char *>(data_);
  }
  Handle handle() const
  {
    Handle handle;
    STRUT_CUDA_CHECK(cudaIpcGetMemHandle(&handle.ipc, data_));
    return handle;
  }

private:
  void *data_ = nullptr;
};

/// That of another process.
class Opened
{
public:
  explicit Opened(const Handle &handle)
  {
    STRUT_CUDA_CHECK(cudaIpcOpenMemHandle(&data_, handle.ipc, cudaIpcMemLazyEnablePeerAccess));
  }
  ~Opened()
  {
    cudaIpcCloseMemHandle(data_);
  }
  Opened(const Opened &)            = delete;
  Opened &operator=(const Opened &) = delete;

  char *data() const
  {
    return static_cast<char *>(data_);
  }

private:
  void *data_ = nullptr;
};

/// From GPU to GPU of one machine: a kernel writes into the memory of the other one, and a flag behind it; another kernel there
/// waits for the flag. No library's kernel takes a multiprocessor meanwhile, and a message costs two short kernels.
class PeerTransport : public Transport
{
public:
  PeerTransport(const Context &context, const Communicator &communicator)
    : context_(context), communicator_(communicator), peers_(communicator.size())
  {}

  /// Open the flags of all ranks. @return why that cannot be, on every rank; empty if it can. Collective.
  std::string open()
  {
    const std::size_t n = peers_.size();
    Handle own;
    std::string obstacle = together([&]() {
      context_.activate();
      own_flags_  = std::make_unique<Exported>(n * sizeof(mailbox::Flags));
      own_counts_ = std::make_unique<Exported>(n * sizeof(mailbox::Counts));
      own         = own_flags_->handle();
    });
    if (!obstacle.empty())
      return obstacle;
    std::vector<Handle> all(n);
    MPI_Allgather(
      &own, sizeof(Handle), MPI_BYTE, all.data(), sizeof(Handle), MPI_BYTE, communicator_.mpi());
    return together([&]() {
      for (std::size_t rank = 0; rank < n; ++rank)
        if (static_cast<int>(rank) != communicator_.rank())
          peers_[rank].flags = std::make_unique<Opened>(all[rank]);
    });
  }

  /// Nobody frees what another rank still has open, unless this rank ends alone.
  ~PeerTransport() override
  {
    cudaSetDevice(context_.device()); // no error leaves here, as in Context::release()
    const watchdog::Wait wait;
    cudaDeviceSynchronize();
    for (Peer &peer : peers_)
      {
        peer.flags.reset();
        peer.outboxes.clear();
      }
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0 && std::uncaught_exceptions() == 0)
      MPI_Barrier(communicator_.mpi());
    cudaGetLastError();
  }

  PeerTransport(const PeerTransport &)            = delete;
  PeerTransport &operator=(const PeerTransport &) = delete;

  std::string name() const override
  {
    return "each other's memory";
  }

  bool only_submits() const override
  {
    return true;
  }

  void begin(const std::vector<Message> &messages) override
  {
    make_room(messages);
    messages_ = messages;
    launch(true);
  }

  void finish() override
  {
    launch(false);
  }

  void sum(double *const values, const std::size_t n) override
  {
    const auto n_ranks = static_cast<std::size_t>(communicator_.size());
    const auto own     = static_cast<std::size_t>(communicator_.rank());
    if (n_ranks * n > n_terms_)
      {
        const watchdog::Wait wait;
        context_.synchronize();
        n_terms_ = n_ranks * n;
        terms_   = std::make_unique<Exported>(n_terms_ * sizeof(double));
      }
    double *const terms = reinterpret_cast<double *>(terms_->data());
    std::vector<Message> messages;
    for (std::size_t rank = 0; rank < n_ranks; ++rank)
      if (rank != own)
        messages.push_back({static_cast<int>(rank),
                            values,
                            n * sizeof(double),
                            terms + rank * n,
                            n * sizeof(double)});
    begin(messages);
    finish();
    add_terms(values, n, terms, n_ranks, own);
  }

  /// values_i = sum over the ranks, in their order. (Public: it has a device lambda.)
  void add_terms(double *const values,
                 const std::size_t n,
                 const double *const terms,
                 const std::size_t n_ranks,
                 const std::size_t own)
  {
    parallel_for(context_, n, [=] __device__(const std::size_t i) {
      double sum = 0.;
      for (std::size_t rank = 0; rank < n_ranks; ++rank)
        sum += rank == own ? values[i] : terms[rank * n + i];
      values[i] = sum;
    });
  }

private:
  /// Do it on all ranks. @return the error, or that another rank has one. Collective.
  template <typename Work>
  std::string together(const Work &work) const
  {
    std::string error;
    try
      {
        work();
      }
    catch (const Error &thrown)
      {
        error = thrown.reason.substr(0, thrown.reason.find('\n'));
      }
    return communicator_.any(!error.empty()) && error.empty()
             ? "another rank cannot open the memory of its peers"
             : error;
  }

  struct Peer
  {
    std::unique_ptr<Opened> flags; ///< Flags over there, of all ranks
    std::vector<std::unique_ptr<Opened>>
      outboxes; ///< the inboxes over there; the last one is in use
    std::vector<std::unique_ptr<Exported>> inboxes; ///< here, for this peer; likewise
    std::size_t outbox_bytes = 0, inbox_bytes = 0;  ///< of a message, at most
  };

  /// Boxes that are too small are replaced. Both ends know of it, since both know the sizes of their messages. The old ones
  /// stay, since recorded kernels may use them; together they are not larger than the new one.
  void make_room(const std::vector<Message> &messages)
  {
    std::vector<const Message *> growing_out, growing_in;
    for (const Message &message : messages)
      {
        if (message.n_send > peers_[message.rank].outbox_bytes)
          growing_out.push_back(&message);
        if (message.n_receive > peers_[message.rank].inbox_bytes)
          growing_in.push_back(&message);
      }
    if (growing_out.empty() && growing_in.empty())
      return;
    const watchdog::Wait wait;
    context_.synchronize();
    std::vector<MPI_Request> requests(growing_in.size());
    std::vector<Handle> handles(growing_in.size());
    for (std::size_t k = 0; k < growing_in.size(); ++k)
      {
        Peer &peer              = peers_[growing_in[k]->rank];
        const std::size_t bytes = mailbox::capacity_for(growing_in[k]->n_receive);
        peer.inboxes.push_back(std::make_unique<Exported>(mailbox::bytes_of_box(bytes)));
        peer.inbox_bytes = bytes;
        handles[k]       = peer.inboxes.back()->handle();
        MPI_Isend(&handles[k],
                  sizeof(Handle),
                  MPI_BYTE,
                  growing_in[k]->rank,
                  tag,
                  communicator_.mpi(),
                  &requests[k]);
      }
    for (const Message *const message : growing_out)
      {
        Handle handle;
        MPI_Recv(&handle,
                 sizeof(Handle),
                 MPI_BYTE,
                 message->rank,
                 tag,
                 communicator_.mpi(),
                 MPI_STATUS_IGNORE);
        Peer &peer = peers_[message->rank];
        peer.outboxes.push_back(std::make_unique<Opened>(handle));
        peer.outbox_bytes = mailbox::capacity_for(message->n_send);
      }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  /// The kernels that send, or those that receive.
  void launch(const bool sends)
  {
    const auto own             = static_cast<std::size_t>(communicator_.rank());
    const cudaStream_t stream  = context_.activate();
    mailbox::Flags *const here = reinterpret_cast<mailbox::Flags *>(own_flags_->data());
    auto *const counts         = reinterpret_cast<mailbox::Counts *>(own_counts_->data());
    mailbox::Letters letters;
    unsigned int n = 0;
    const auto go  = [&]() {
      if (n == 0)
        return;
      const dim3 grid(mailbox::n_blocks, n);
      if (sends)
        mailbox::copy_kernel<true><<<grid, mailbox::block_size, 0, stream>>>(letters);
      else
        mailbox::copy_kernel<false><<<grid, mailbox::block_size, 0, stream>>>(letters);
      STRUT_CUDA_CHECK_LAUNCH("kernel of a mailbox");
      n = 0;
    };
    for (const Message &message : messages_)
      {
        if ((sends ? message.n_send : message.n_receive) == 0)
          continue;
        const auto rank             = static_cast<std::size_t>(message.rank);
        const Peer &peer            = peers_[rank];
        mailbox::Flags *const there = reinterpret_cast<mailbox::Flags *>(peer.flags->data());
        mailbox::Letter &letter     = letters.of[n++];
        if (sends)
          letter = {static_cast<const char *>(message.send),
                    peer.outboxes.back()->data(),
                    message.n_send,
                    peer.outbox_bytes,
                    there[own].arrived,
                    here[rank].taken,
                    counts[rank].sent};
        else
          letter = {peer.inboxes.back()->data(),
                    static_cast<char *>(message.receive),
                    message.n_receive,
                    peer.inbox_bytes,
                    there[own].taken,
                    here[rank].arrived,
                    counts[rank].received};
        if (n == mailbox::most_letters)
          go();
      }
    go();
  }

  const Context &context_;
  const Communicator communicator_;
  std::vector<Peer> peers_;              ///< `[n_ranks]`, that of this one empty
  std::unique_ptr<Exported> own_flags_;  ///< written by the peers: `[n_ranks]` Flags
  std::unique_ptr<Exported> own_counts_; ///< `[n_ranks]` Counts
  std::unique_ptr<Exported> terms_;      ///< of sums
  std::size_t n_terms_ = 0;
  std::vector<Message> messages_; ///< of the exchange that has begun
};
} // namespace

std::unique_ptr<Transport>
make_peer_transport(const Context &context, const Communicator &communicator, std::string &obstacle)
{
  auto transport = std::make_unique<PeerTransport>(context, communicator);
  obstacle       = transport->open();
  if (!obstacle.empty())
    return nullptr;
  return transport;
}
} // namespace strut::cuda
