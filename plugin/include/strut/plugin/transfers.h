// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace strut::plugin
{
/// The transfers between the application's vectors and the memory of the backend, on this rank: the
/// entries of vectors and the stiffness factors, not the mesh (once, at construction) and not the
/// exchanges between ranks. On the CPU backend these are copies within the host's memory.
struct Transfers
{
  /// One way.
  struct Direction
  {
    std::size_t count = 0; ///< copies, each of a whole vector
    std::size_t bytes = 0;
    double seconds    = 0.;
  };

  Direction uploads;
  Direction downloads;

  /// "2 uploads, 1.2 MB, 0.3 ms; 1 download, 0.6 MB, 0.2 ms"
  std::string describe() const;
};

std::ostream &operator<<(std::ostream &out, const Transfers &transfers);
} // namespace strut::plugin
