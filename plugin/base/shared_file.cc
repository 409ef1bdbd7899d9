// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/base/shared_file.h"

#include "plugin/base/attempt.h"

namespace strut
{
SharedFile::SharedFile(const Communicator &communicator,
                       const std::string &file_name,
                       const Outlives outlives)
{
  std::uint64_t identity = 0;
  on_root(communicator, [&] {
    file_    = std::make_unique<AtomicFile>(file_name, outlives);
    identity = file_->identity();
  });
  if (communicator.size() > 1)
    MPI_Bcast(&identity, 1, MPI_UINT64_T, 0, communicator.mpi());
  attempt_together(communicator,
                   [&] { own_part_ = std::make_unique<FilePart>(file_name, identity, outlives); });
}
} // namespace strut
