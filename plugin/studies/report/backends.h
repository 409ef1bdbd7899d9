// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/hardware_rates.h>

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/base/make_backend.h"

namespace strut::plugin
{
/// Fill in the backends that there are if none was chosen. Collective.
/// @throws Error if a GPU was chosen and there is none
void choose_backends(std::vector<std::string> &backends,
                     const Communicator &communicator,
                     std::ostream &log);

/// What the hardware can do when all ranks are at it; of the slowest rank. Collective.
HardwareRates measure_rates(const ChosenBackend &chosen, const Communicator &communicator);

/// "cuda", "cpu with 1 thread", "cpu with 8 threads".
std::string backend_key(const std::string &name, unsigned int n_threads);

/// Device and rates.
std::string
backend_label(const Backend &backend, const HardwareRates &rates, const Communicator &communicator);

/// The date, UTC.
std::string today();
} // namespace strut::plugin
