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

/// The bytes of a CUDA handle, for MPI.
struct Handle
{
  cudaIpcMemHandle_t ipc = {};
};

/// Memory of a GPU that other processes may open.
class Exported
{
public:
  /// Allocate zeros, in whole pages of the driver, so that nothing else is opened with them.
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

/// Opened memory of another process.
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

/// Transport between GPUs of one machine. A kernel writes into the memory of the other GPU, and
/// waits for the words that the other one writes here. No kernel of a library occupies a
/// multiprocessor meanwhile. An exchange is one short kernel, which also gathers before and sums
/// afterwards.
class PeerTransport : public Transport
{
public:
  PeerTransport(const Context &context, const Communicator &communicator)
    : context_(context), communicator_(communicator), peers_(communicator.size())
  {}

  /// Open a box of each rank. Collective.
  /// @return the reason on every rank if that is impossible; empty otherwise
  std::string open()
  {
    const std::size_t n = peers_.size();
    if (n > mailbox::most_letters)
      return "there are more than " + std::to_string(mailbox::most_letters) + " ranks";
    const auto own = static_cast<std::size_t>(communicator_.rank());
    std::vector<Handle> to_them(n), from_them(n);
    std::string obstacle = together([&]() {
      context_.activate();
      counts_ = std::make_unique<Exported>((1 + n) * sizeof(std::uint32_t));
      for (std::size_t rank = 0; rank < n; ++rank)
        if (rank != own)
          to_them[rank] = peers_[rank].new_inbox(0);
    });
    if (!obstacle.empty())
      return obstacle;
    MPI_Alltoall(to_them.data(),
                 sizeof(Handle),
                 MPI_BYTE,
                 from_them.data(),
                 sizeof(Handle),
                 MPI_BYTE,
                 communicator_.mpi());
    return together([&]() {
      for (std::size_t rank = 0; rank < n; ++rank)
        if (rank != own)
          peers_[rank].new_outbox(0, from_them[rank]);
    });
  }

  /// Wait until no other rank has this memory open, unless this rank ends alone.
  ~PeerTransport() override
  {
    cudaSetDevice(context_.device()); // No error leaves here, as in Context::release().
    const watchdog::Wait wait;
    cudaDeviceSynchronize();
    for (Peer &peer : peers_)
      peer.outboxes.clear();
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

  /// Store the messages. The kernel that sends them waits for the incoming ones, so finish()
  /// launches it.
  void begin(const std::vector<Message> &messages) override
  {
    messages_ = messages;
  }

  void finish() override
  {
    // Large messages are sent in pieces, so that boxes stay small.
    constexpr std::size_t most = std::size_t(1) << 22;
    const auto is_empty        = [](const Message &message) {
      return message.n_send == 0 && message.n_receive == 0;
    };
    while (!std::all_of(messages_.begin(), messages_.end(), is_empty))
      {
        std::vector<Message> piece = messages_;
        for (std::size_t k = 0; k < piece.size(); ++k)
          {
            piece[k].n_send    = std::min(piece[k].n_send, most);
            piece[k].n_receive = std::min(piece[k].n_receive, most);
            Message &rest      = messages_[k];
            rest.send          = static_cast<const char *>(rest.send) + piece[k].n_send;
            rest.receive       = static_cast<char *>(rest.receive) + piece[k].n_receive;
            rest.n_send -= piece[k].n_send;
            rest.n_receive -= piece[k].n_receive;
          }
        launch(piece, SharedNumbers<std::uint32_t>(), static_cast<std::uint32_t *>(nullptr));
      }
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
    const auto *const rows = reinterpret_cast<const std::uint32_t *>(places->data());

    std::vector<Message> messages;
    for (std::size_t rank = 0; rank < n_ranks; ++rank)
      if (rank != own)
        messages.push_back(
          {static_cast<int>(rank), nullptr, n * sizeof(double), nullptr, n * sizeof(double)});
    SharedNumbers<double> shared;
    shared.rows       = rows;
    shared.offsets    = rows + n;
    shared.places     = rows + 2 * n + 1;
    shared.n_rows     = n;
    shared.sends_rows = true;
    launch(messages, shared, values);
  }

private:
  /// Make rows, offsets and places of SharedNumbers for the sums of n numbers that all ranks have,
  /// with the ranks in their order.
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

  /// Do work on all ranks. Collective.
  /// @return the error, or that another rank has one
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
    std::vector<std::unique_ptr<Opened>> outboxes; ///< boxes at the peer; the last one is in use
    /// Boxes here for the peer; the last one is in use.
    std::vector<std::unique_ptr<Exported>> inboxes;
    std::size_t outbox_bytes = 0, inbox_bytes = 0; ///< size of one place

    /// Make a box for messages of n bytes.
    Handle new_inbox(const std::size_t n)
    {
      inbox_bytes = mailbox::place_for(n);
      inboxes.push_back(std::make_unique<Exported>(2 * inbox_bytes));
      return inboxes.back()->handle();
    }
    void new_outbox(const std::size_t n, const Handle &handle)
    {
      outboxes.push_back(std::make_unique<Opened>(handle));
      outbox_bytes = mailbox::place_for(n);
    }
  };

  /// Replace boxes that are too small. Both ends know this, since both know the sizes of their
  /// messages. The old boxes stay, since recorded kernels may use them; together they are not
  /// larger than the new one.
  void make_room(const std::vector<Message> &messages)
  {
    std::vector<const Message *> growing_out, growing_in;
    for (const Message &message : messages)
      {
        if (mailbox::place_for(message.n_send) > peers_[message.rank].outbox_bytes)
          growing_out.push_back(&message);
        if (mailbox::place_for(message.n_receive) > peers_[message.rank].inbox_bytes)
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
        const int rank = growing_in[k]->rank;
        handles[k]     = peers_[rank].new_inbox(growing_in[k]->n_receive);
        MPI_Isend(
          &handles[k], sizeof(Handle), MPI_BYTE, rank, tag, communicator_.mpi(), &requests[k]);
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
        peers_[message->rank].new_outbox(message->n_send, handle);
      }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

  /// Launch the kernel of an exchange.
  template <typename Number>
  void
  launch(const std::vector<Message> &messages, const SharedNumbers<Number> &shared, Number *const x)
  {
    make_room(messages);
    const cudaStream_t stream = context_.activate();
    auto *const counts        = reinterpret_cast<std::uint32_t *>(counts_->data());
    mailbox::Letters letters  = {{}, 0, counts, 0};
    std::size_t n_sent = 0, n_received = 0; // Bytes of all messages.
    for (const Message &message : messages)
      {
        if (message.n_send == 0 && message.n_receive == 0)
          continue;
        const Peer &peer        = peers_[message.rank];
        letters.of[letters.n++] = {static_cast<const char *>(message.send),
                                   static_cast<char *>(message.receive),
                                   message.n_send,
                                   message.n_receive,
                                   peer.outboxes.back()->data(),
                                   peer.inboxes.back()->data(),
                                   peer.outbox_bytes,
                                   peer.inbox_bytes,
                                   counts + 1 + message.rank};
        n_sent += message.n_send;
        n_received += message.n_receive;
      }
    if (letters.n == 0)
      return;
    letters.n_received = static_cast<std::uint32_t>(n_received / sizeof(Number));
    const std::size_t n =
      std::max(shared.sends_rows ? 0 : n_sent / sizeof(Number),
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
  std::vector<Peer> peers_; ///< `[n_ranks]`; the entry of this rank is empty
  /// Number of blocks that have read the counts, and `[n_ranks]` message counts.
  std::unique_ptr<Exported> counts_;
  /// Places for sums, by the count of numbers.
  std::map<std::size_t, std::unique_ptr<Exported>> places_of_sums_;
  std::vector<Message> messages_; ///< messages of the exchange in progress
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
