// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/galerkin_matrices.h>

#include <memory>

namespace strut::cpu
{
/// GalerkinMatrices on threads of the host.
template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(Memory &memory, const GalerkinElements &elements, int n_threads);
} // namespace strut::cpu
