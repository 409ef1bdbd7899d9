// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/rank_table.h"

#include <algorithm>
#include <array>

namespace strut
{
namespace
{
using Cell = std::array<char, 128>;

/// Texts of all ranks, each cut off after a fixed length. Collective.
std::vector<std::string> gather(const Communicator &communicator, const std::string &text)
{
  if (communicator.size() == 1)
    return {text};
  Cell own{};
  std::copy_n(text.begin(), std::min(text.size(), own.size() - 1), own.begin());
  std::vector<Cell> all(communicator.size());
  MPI_Allgather(
    own.data(), sizeof(Cell), MPI_CHAR, all.data(), sizeof(Cell), MPI_CHAR, communicator.mpi());
  std::vector<std::string> texts;
  for (const Cell &cell : all)
    texts.emplace_back(cell.data());
  return texts;
}

/// Name that only the ranks of one machine have in common.
std::string name_of_machine(const Communicator &communicator)
{
  if (communicator.size() == 1)
    return "";
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  MPI_Get_processor_name(name.data(), &length);
  return name.data();
}
} // namespace

RankTable::RankTable(const Communicator &communicator, const std::string &gpu)
  : rank_(communicator.rank())
  , machines_(gather(communicator, name_of_machine(communicator)))
  , gpus_(gather(communicator, gpu))
{}

int RankTable::n_sharing() const
{
  return static_cast<int>(std::count(gpus_.begin(), gpus_.end(), gpus_[rank_]));
}

std::vector<std::string> RankTable::sharing() const
{
  for (const std::string &gpu : gpus_)
    if (!gpu.empty() && std::count(gpus_.begin(), gpus_.end(), gpu) > 1)
      {
        std::vector<std::string> ranks;
        for (std::size_t rank = 0; rank < gpus_.size(); ++rank)
          if (gpus_[rank] == gpu)
            ranks.push_back(std::to_string(rank));
        return ranks;
      }
  return {};
}

std::vector<std::string> RankTable::lines() const
{
  std::vector<std::string> lines;
  for (std::size_t rank = 0; rank < gpus_.size(); ++rank)
    lines.push_back(std::to_string(rank) + ": " + machines_[rank] +
                    (gpus_[rank].empty() ? "" : ", " + gpus_[rank]));
  return lines;
}
} // namespace strut
