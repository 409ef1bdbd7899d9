// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::cuda
{
/// The strategy `nbn` of the GPU: one thread per node.
template <typename Number>
Strategy<Number> nbn();
} // namespace strut::cuda
