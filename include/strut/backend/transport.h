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
/// Which numbers of a vector x go to other ranks, and what becomes of those that come: see VectorOperations, gather() and
/// sum_rows(). Pointers into the memory of the backend; null where the messages of the transport say it.
///
/// Numbers that come have places, from 0 on, message by message.
template <typename Number>
struct SharedNumbers
{
  const std::uint32_t *gathered = nullptr; ///< entries of x that are sent, message by message
  /// x_(rows_k) becomes the sum over the places `offsets[k] <= j < offsets[k + 1]`.
  const std::uint32_t *rows = nullptr, *offsets = nullptr, *places = nullptr;
  std::size_t n_rows = 0;
  /// What comes to a place of row k is of the same entry over there, so the old x_(rows_k) is sent to the same place, and `gathered`
  /// says the same.
  bool sends_rows  = false;
  const Number *in = nullptr; ///< what is at places behind those
};

/// Exchanges numbers in the memories of the ranks' backends.
///
/// Everything comes in the order of the backend's other work: after what was submitted before, and before what is submitted
/// later. All members but name() are collective, and every rank calls them in the same order.
class Transport
{
public:
  virtual ~Transport() = default;

  /// For the log: "MPI", "NCCL 2.27.3", "page-locked host memory and MPI".
  virtual std::string name() const = 0;

  /// Whether the members below only submit work, so that a Recording can have it.
  virtual bool only_submits() const
  {
    return false;
  }

  /// The bytes for another rank, and those from it. Both ends know the sizes.
  struct Message
  {
    int rank              = 0;
    const void *send      = nullptr; ///< in the memory of the backend
    std::size_t n_send    = 0;       ///< bytes
    void *receive         = nullptr; ///< in the memory of the backend
    std::size_t n_receive = 0;       ///< bytes
  };

  /// Begin to exchange messages, one per rank at most. Until finish() nobody changes what is sent, nor looks at what is
  /// received. One exchange at a time.
  virtual void begin(const std::vector<Message> &messages) = 0;
  virtual void finish()                                    = 0;

  /// Gather, begin, finish and sum in one, where the transport can. @return false: nothing is done.
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

  /// Each of n numbers in the memory of the backend becomes its sum over all ranks: the same bits on all of them, and in every
  /// run with as many.
  virtual void sum(double *values, std::size_t n) = 0;
};

/// The transports of a backend, one for each communicator, made when they are first asked for.
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
