// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/base/choose_backend.h"
#include "plugin/studies/report/format.h"
#include "source/backend/hardware_rates.h"

namespace strut
{
/// Fills in the available backends if none was chosen. Collective.
/// @throws Error if a GPU was chosen and there is none
void choose_backends(std::vector<std::string> &backends,
                     const Communicator &communicator,
                     std::ostream &log);

/// A backend that a study measures, and the rates of its hardware.
struct Place
{
  ChosenBackend chosen;
  HardwareRates rates;    ///< measured on all ranks at once; of the slowest rank
  unsigned int n_threads; ///< maximum over the ranks, as they must decide alike
  std::string key;        ///< "cuda", "cpu with 1 thread", "cpu with 8 threads"
  std::string text;       ///< key, device and rates

  Backend &backend() const
  {
    return *chosen.backend;
  }
};

/// Makes the backends one after the other, the CPU's with each number of threads. None is made
/// twice, although "all" may equal another number. Each adds a line to the label. Collective.
/// @param n_bytes_on_cpu  bytes of the copy that measures the bandwidth
void for_each_place(const std::vector<std::string> &backends,
                    const std::vector<std::string> &threads,
                    const Communicator &communicator,
                    Label &label,
                    const std::function<void(Place)> &work,
                    std::size_t n_bytes_on_cpu = std::size_t(1) << 30);

/// The date in UTC.
std::string today();
} // namespace strut
