// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "plugin/deck/run/deck_parameters.h"

namespace strut
{
/// Throws Error unless the name is that of a design; see make_design().
void require_design(const std::string &name);

/// Stiffness factors of the uniform design that meets the deck's volume fraction, with which the
/// optimization starts, `[n_elements]`. Collective.
std::vector<double> uniform_design(const DeckParameters &parameters,
                                   const Communicator &communicator);

/// Stiffness factors of a design to solve for, `[n_elements]`. Collective.
///
/// - "uniform": uniform_design();
/// - "frame": plates and bars of solid, a few elements apart, in nearly void material, about as
///   difficult as optimized designs; elements at loads are solid;
/// - a number n: the design that the deck's optimization analyses in its iteration n.
///
/// @param contrast  stiffness of the frame's void @param backend  cuda or cpu, to optimize on
std::vector<double> make_design(const std::string &name,
                                double contrast,
                                const std::string &backend,
                                DeckParameters &parameters,
                                const Communicator &communicator,
                                std::ostream &log);
} // namespace strut
