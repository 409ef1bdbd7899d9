// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/transport.h"

namespace strut
{
/// Messages and sums by MPI, from and to host memory.
class MpiTransport : public Transport
{
public:
  explicit MpiTransport(const Communicator &communicator);

  std::string name() const override;
  void begin(const std::vector<Message> &messages) override;
  void finish() override;
  void sum(double *values, std::size_t n) override;

private:
  Communicator communicator_;
  std::vector<MPI_Request> requests_; ///< requests of the current exchange
};
} // namespace strut
