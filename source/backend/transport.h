// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// The numbers of a vector x that are sent to other ranks, and the use of those that are received:
/// see VectorOperations, gather() and sum_rows(). Pointers are into the memory of the backend; null
/// where the messages of the transport hold the data.
///
/// Received numbers have places, from 0 on, message by message.
template <typename Number>
struct SharedNumbers
{
  const std::uint32_t *gathered = nullptr; ///< entries of x that are sent, message by message
  /// x_(rows_k) becomes the sum over the places `offsets[k] <= j < offsets[k + 1]`.
  const std::uint32_t *rows = nullptr, *offsets = nullptr, *places = nullptr;
  std::size_t n_rows = 0;
  /// The number received at a place of row k is of the same entry on the other rank. So the old
  /// x_(rows_k) is sent to that place, and `gathered` agrees.
  bool sends_rows  = false;
  const Number *in = nullptr; ///< numbers for places behind the received ones
};

/// Exchanges numbers between the memories of the ranks' backends.
///
/// An exchange runs in the order of the backend's other work: after all work submitted before, and
/// before all work submitted later. All members but name() are collective, and every rank calls
/// them in the same order.
class Transport
{
public:
  virtual ~Transport() = default;

  /// Name for the log: "MPI", "NCCL 2.27.3", "page-locked host memory and MPI".
  virtual std::string name() const = 0;

  /// Whether the members below only submit work, so that a Recording can contain it.
  virtual bool only_submits() const
  {
    return false;
  }

  /// The bytes for another rank, and those from it. Both ranks know the sizes.
  struct Message
  {
    int rank              = 0;
    const void *send      = nullptr; ///< sent data, in the memory of the backend
    std::size_t n_send    = 0;       ///< bytes
    void *receive         = nullptr; ///< received data, in the memory of the backend
    std::size_t n_receive = 0;       ///< bytes
  };

  /// Begins to exchange messages, at most one per rank. Until finish() the sent data must not
  /// change, and the received data must not be read. Only one exchange may be under way.
  virtual void begin(const std::vector<Message> &messages) = 0;
  virtual void finish()                                    = 0;

  /// Does gather, begin, finish and sum in one, where the transport can.
  ///
  /// @return false if nothing was done
  virtual bool exchange(const std::vector<Message> & /*messages*/,
                        const SharedNumbers<double> & /*shared*/,
                        double * /*x*/)
  {
    return false;
  }
  virtual bool exchange(const std::vector<Message> & /*messages*/,
                        const SharedNumbers<float> & /*shared*/,
                        float * /*x*/)
  {
    return false;
  }

  /// Replaces each of n numbers in the memory of the backend by its sum over all ranks. The result
  /// has the same bits on all ranks, and in every run with as many ranks.
  virtual void sum(double *values, std::size_t n) = 0;
};

/// The transports of a backend, one for each communicator, made at the first request.
class Transports
{
public:
  using Make = std::function<std::unique_ptr<Transport>(const Communicator &)>;

  explicit Transports(Make make) : make_(std::move(make))
  {}

  Transport &of(const Communicator &communicator)
  {
    for (const auto &[known, transport] : transports_)
      if (known.mpi() == communicator.mpi() && known.size() == communicator.size())
        return *transport;
    transports_.emplace_back(communicator, make_(communicator));
    return *transports_.back().second;
  }

private:
  Make make_;
  std::vector<std::pair<Communicator, std::unique_ptr<Transport>>> transports_;
};
} // namespace strut
