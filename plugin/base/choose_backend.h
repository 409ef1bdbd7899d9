// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>

#include <memory>
#include <string>
#include <vector>

namespace strut::plugin
{
/// The backend that somebody asks for, never silently another one.
struct ChosenBackend
{
  std::shared_ptr<Backend> backend; ///< null if a GPU is asked for and there is none
  std::string reason;               ///< why this one, why none; empty for one that was asked for
  int n_sharing                    = 1;  ///< ranks that share its memory, this one included
  unsigned int n_threads           = 1;  ///< of the CPU backend, or of the host's work for a GPU
  std::string communication        = {}; ///< between ranks; empty for one
  std::vector<std::string> sharing = {}; ///< the ranks of the first GPU that several have
  std::vector<std::string> ranks   = {}; ///< of several with GPUs: RankTable::lines()
};

/// @param name  auto, cuda or cpu @param n_threads  of the CPU backend; 0: this rank's share of the
/// cores @param device  of the CUDA backend; -1: the ranks of a machine take its GPUs in turn
/// @param stream  for the work of the CUDA backend, see strut/backend/cuda_stream.h; null: its own
/// @throws Error, on all ranks, if the backend of one cannot be made. Collective.
ChosenBackend choose_backend(const std::string &name,
                             unsigned int n_threads,
                             const Communicator &communicator,
                             int device                  = -1,
                             Communication communication = Communication::automatic,
                             void *stream                = nullptr);

/// The backend that the deck asks for, see choose_backend(). Collective.
/// @throws EntryError if the deck asks for a GPU and there is none
ChosenBackend make_backend(const std::string &name,
                           unsigned int n_threads,
                           const Communicator &communicator,
                           Communication communication = Communication::automatic);
} // namespace strut::plugin
