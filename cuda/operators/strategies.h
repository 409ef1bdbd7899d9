// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

namespace strut::cuda
{
// The strategies of the GPU, one file each, in the order in which tables list them. A new one is a
// declaration here and a line in strategies.cu.

/// The strategy `ebe`: one thread per element.
template <typename Number>
Strategy<Number> ebe();

/// The strategy `ebe8`: 8 threads per element, 3 rows each.
template <typename Number>
Strategy<Number> ebe8();

/// The strategy `ebe24`: 24 threads per element, a row each.
template <typename Number>
Strategy<Number> ebe24();

/// The strategy `ebe64`: 64 threads per element, a block of 3 x 3 each.
template <typename Number>
Strategy<Number> ebe64();

/// The strategy `ebeSym`: 8 threads per element, the symmetric half of its matrix.
template <typename Number>
Strategy<Number> ebe_sym();

/// The strategy `nbn`: one thread per node.
template <typename Number>
Strategy<Number> nbn();

/// The strategy `dbd`: one thread per degree of freedom, one matrix for all elements.
template <typename Number>
Strategy<Number> dbd();

/// The strategy `on_the_fly`: from coordinates, patches of elements by warps.
template <typename Number>
Strategy<Number> on_the_fly();

/// The strategy `on_the_fly_ordered`: the same, and the sums of the patches added in a fixed order.
template <typename Number>
Strategy<Number> on_the_fly_ordered();

/// The strategy `assembled`: the matrix in compressed rows, made on the device in three stages
/// (Sanfui and Sharma 2020).
template <typename Number>
Strategy<Number> assembled();

/// The strategy `assembled_ell`: the same in ELL, column-major.
template <typename Number>
Strategy<Number> assembled_ell();
} // namespace strut::cuda
