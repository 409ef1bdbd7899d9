// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `assembled`: the matrix in compressed rows, made on the device in three stages
/// (Sanfui and Sharma 2020).
template <typename Number>
Strategy<Number> assembled();

/// The strategy `assembled_ell`: the same in ELL, column-major.
template <typename Number>
Strategy<Number> assembled_ell();
} // namespace strut::cuda
