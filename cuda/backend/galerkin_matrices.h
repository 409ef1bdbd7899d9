// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/galerkin_matrices.h>

#include <memory>

namespace strut::cuda
{
class Context;

/// GalerkinMatrices in device memory.
template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(const Context &context, Memory &memory, const GalerkinElements &elements);
} // namespace strut::cuda
