// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/backend.h>

namespace strut::cuda
{
/// The strategies of the CUDA backend, in the order in which tables list them; for add_cuda_strategy().
template <typename Number>
StrategyList<Number> &strategies();
} // namespace strut::cuda
