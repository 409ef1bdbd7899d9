// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/make_backend.h"

#include <strut/base/exceptions.h>

#include <omp.h>

namespace strut::plugin
{
ChosenBackend make_backend(const std::string &name,
                           const unsigned int n_threads,
                           const Communicator &communicator)
{
  ChosenBackend chosen = choose_backend(name, n_threads, communicator);
  if (chosen.backend == nullptr)
    throw EntryError({},
                     "Backend",
                     "The deck asks for a GPU, but there is none to use: " + chosen.reason +
                       ".\n  Either 'set Backend = cpu' (or auto), or run where a GPU and, in the "
                       "build, the CUDA toolkit are.");
  // What the host does besides, for a GPU and for files, asks OpenMP, which would give all cores to
  // each rank of a machine.
  omp_set_num_threads(static_cast<int>(chosen.n_threads));
  if (chosen.reason.empty())
    chosen.reason = "as the deck asks";
  return chosen;
}
} // namespace strut::plugin
