// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

#include "source/base/team.h"

namespace strut
{
/// Marks parallelepipeds, `[n_elements]`: 1 where the edges in each direction are equal up to
/// rounding, else 0.
std::vector<std::uint8_t> affine_elements(const ElementMesh &mesh,
                                          int n_threads = cpu::default_n_threads());
} // namespace strut
