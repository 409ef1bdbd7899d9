// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <cstdint>
#include <vector>

#include "source/base/team.h"

namespace strut
{
/// `[n_elements]`: 1 for parallelepipeds, whose edges in one direction are the same to rounding; else 0.
std::vector<std::uint8_t> affine_elements(const ElementMesh &mesh,
                                          int n_threads = cpu::default_n_threads());
} // namespace strut
