// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/backend.h>
#include <strut/parallel/communicator.h>

#include <memory>
#include <string>

namespace strut::plugin
{
/// The backend that the deck asks for, never silently another one.
struct ChosenBackend
{
  std::unique_ptr<Backend> backend;
  std::string reason; ///< why this one, for the log
  int n_sharing = 1;  ///< ranks that share its memory, this one included
};

/// @param name  auto, cuda or cpu @param n_threads  of the CPU backend; 0: this rank's share of the
/// cores. Ranks of one machine take its GPUs in turn. Collective.
/// @throws EntryError if the deck asks for a GPU and there is none
ChosenBackend
make_backend(const std::string &name, unsigned int n_threads, const Communicator &communicator);
} // namespace strut::plugin
