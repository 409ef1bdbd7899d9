// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/mailbox.cuh"
#include "cuda/backend/transports.h"
#include "cuda/base/check.h"
#include "source/base/watchdog.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <exception>
#include <map>

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

/// From GPU to GPU of one machine: a kernel writes into the memory of the other one, and a flag behind it; that one's kernel
/// waits for the flag. No library's kernel takes a multiprocessor meanwhile, and an exchange is one short kernel, with what is
/// gathered before and summed after.
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
      own_flags_ = std::make_unique<Exported>(n * sizeof(mailbox::Flags));
      own_counts_ =
        std::make_unique<Exported>(sizeof(mailbox::Tickets) + n * sizeof(mailbox::Counts));
      own = own_flags_->handle();
    });
    if (!obstacle.empty())
      return obstacle;
    if (n > mailbox::most_letters)
      return "they are for " + std::to_string(mailbox::most_letters) + " ranks at most";
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

  /// The kernel that sends waits for what comes, so all is done by finish().
  void begin(const std::vector<Message> &messages) override
  {
    messages_ = messages;
  }

  void finish() override
  {
    launch(messages_, SharedNumbers<std::uint32_t>(), static_cast<std::uint32_t *>(nullptr));
  }

  bool exchange(const std::vector<Message> &messages,
                const SharedNumbers<double> &shared,
                double *const x) override
  {
    launch(messages, shared, x);
    return true;
  }
  bool exchange(const std::vector<Message> &messages,
                const SharedNumbers<float> &shared,
                float *const x) override
  {
    launch(messages, shared, x);
    return true;
  }

  void sum(double *const values, const std::size_t n) override
  {
    const auto n_ranks = static_cast<std::size_t>(communicator_.size());
    const auto own     = static_cast<std::size_t>(communicator_.rank());
    auto &places       = places_of_sums_[n];
    if (places == nullptr)
      places = make_places_of_sums(n);
    const auto *const rows    = reinterpret_cast<const std::uint32_t *>(places->data());
    const auto *const offsets = rows + n;

    // What comes is read where it is, so nothing is at `in`.
    auto *const in = reinterpret_cast<double *>(places->data());
    std::vector<Message> messages;
    for (std::size_t rank = 0; rank < n_ranks; ++rank)
      if (rank != own)
        messages.push_back({static_cast<int>(rank),
                            values,
                            n * sizeof(double),
                            in + messages.size() * n,
                            n * sizeof(double)});
    launch(messages, {nullptr, rows, offsets, offsets + n + 1, n, in}, values);
  }

private:
  /// Of n numbers that all ranks have: rows, offsets and places of SharedNumbers, with the ranks in their order.
  std::unique_ptr<Exported> make_places_of_sums(const std::size_t n) const
  {
    const auto n_ranks = static_cast<std::uint32_t>(communicator_.size());
    const auto own     = static_cast<std::uint32_t>(communicator_.rank());
    std::vector<std::uint32_t> rows, offsets, places;
    for (std::uint32_t i = 0; i < n; ++i)
      {
        rows.push_back(i);
        offsets.push_back(i * n_ranks);
        for (std::uint32_t rank = 0; rank < n_ranks; ++rank)
          places.push_back(rank == own ? mailbox::itself : (rank < own ? rank : rank - 1) * n + i);
      }
    offsets.push_back(static_cast<std::uint32_t>(n * n_ranks));
    rows.insert(rows.end(), offsets.begin(), offsets.end());
    rows.insert(rows.end(), places.begin(), places.end());
    const watchdog::Wait wait;
    auto result = std::make_unique<Exported>(rows.size() * sizeof(std::uint32_t));
    STRUT_CUDA_CHECK(cudaMemcpy(
      result->data(), rows.data(), rows.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice));
    return result;
  }

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

  /// The kernel of an exchange.
  template <typename Number>
  void
  launch(const std::vector<Message> &messages, const SharedNumbers<Number> &shared, Number *const x)
  {
    make_room(messages);
    const auto own             = static_cast<std::size_t>(communicator_.rank());
    const cudaStream_t stream  = context_.activate();
    mailbox::Flags *const here = reinterpret_cast<mailbox::Flags *>(own_flags_->data());
    auto *const tickets        = reinterpret_cast<mailbox::Tickets *>(own_counts_->data());
    auto *const counts         = reinterpret_cast<mailbox::Counts *>(tickets + 1);
    mailbox::Letters letters   = {{}, 0, here + own, counts + own, tickets};
    std::size_t n_sent = 0, n_received = 0; // bytes
    for (const Message &message : messages)
      {
        if (message.n_send == 0 && message.n_receive == 0)
          continue;
        const auto rank             = static_cast<std::size_t>(message.rank);
        const Peer &peer            = peers_[rank];
        mailbox::Flags *const there = reinterpret_cast<mailbox::Flags *>(peer.flags->data());
        letters.of[letters.n++]     = {static_cast<const char *>(message.send),
                                       static_cast<char *>(message.receive),
                                       message.n_send,
                                       message.n_receive,
                                   peer.outboxes.empty() ? nullptr : peer.outboxes.back()->data(),
                                   peer.inboxes.empty() ? nullptr : peer.inboxes.back()->data(),
                                   peer.outbox_bytes,
                                       peer.inbox_bytes,
                                       there + own,
                                       here + rank,
                                       counts + rank};
        n_sent += message.n_send;
        n_received += message.n_receive;
      }
    if (letters.n == 0)
      return;
    const std::size_t n =
      std::max(n_sent / sizeof(Number),
               shared.rows != nullptr ? shared.n_rows : n_received / sizeof(Number));
    const std::size_t n_blocks =
      std::clamp<std::size_t>((n + mailbox::block_size - 1) / mailbox::block_size,
                              1,
                              mailbox::most_blocks);
    mailbox::exchange_kernel<Number>
      <<<static_cast<unsigned int>(n_blocks), mailbox::block_size, 0, stream>>>(letters, shared, x);
    STRUT_CUDA_CHECK_LAUNCH("kernel of an exchange");
  }

  const Context &context_;
  const Communicator communicator_;
  std::vector<Peer> peers_;              ///< `[n_ranks]`, that of this one empty
  std::unique_ptr<Exported> own_flags_;  ///< written by the peers: `[n_ranks]` Flags
  std::unique_ptr<Exported> own_counts_; ///< Tickets, then `[n_ranks]` Counts
  std::map<std::size_t, std::unique_ptr<Exported>> places_of_sums_; ///< by how many numbers
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
