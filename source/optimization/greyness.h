// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Distance of a design from solid and void, the measure of non-discreteness of Sigmund (2007):
///
///     sum_e v_e 4 rho_e (1 - rho_e) / sum_e v_e   over the design elements
///
/// It is 0 for solid and void, 1 if all elements have the density 0.5, and 0 without design
/// elements. Collective.
/// @param densities  `[n_elements]`, of this rank
double greyness(const Communicator &communicator,
                const ElementMesh &mesh,
                const std::vector<double> &densities);
} // namespace strut
