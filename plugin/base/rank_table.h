// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <string>
#include <vector>

namespace strut
{
/// The machine and the GPU of each rank.
class RankTable
{
public:
  /// @param gpu  Backend::hardware_id() of this rank. Collective.
  RankTable(const Communicator &communicator, const std::string &gpu);

  /// Number of ranks that use this rank's GPU, itself included.
  int n_sharing() const;

  /// The ranks of the first GPU that several ranks use, the same on each rank. Empty if there is
  /// none.
  std::vector<std::string> sharing() const;

  /// A line for each rank, for the log, such as "0: node1, GPU-5f0c...".
  std::vector<std::string> lines() const;

private:
  int rank_;
  std::vector<std::string> machines_, gpus_;
};
} // namespace strut
