// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>

namespace strut
{
/// Transfers between the application's vectors and the memory of the backend, on this rank. Vectors
/// and stiffness factors count. The mesh (once, at construction) and the exchanges between ranks do
/// not. With the CPU backend these are copies within the host's memory.
struct Transfers
{
  /// Transfers in one direction.
  struct Direction
  {
    std::size_t count = 0; ///< number of copies, each of a whole vector
    std::size_t bytes = 0;
    double seconds    = 0.;
  };

  Direction uploads;
  Direction downloads;

  /// Text such as "2 uploads, 1.2 MB, 0.3 ms; 1 download, 0.6 MB, 0.2 ms".
  std::string describe() const;
};

std::ostream &operator<<(std::ostream &out, const Transfers &transfers);
} // namespace strut
