// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"

#include <strut/backend/dense_inverse.h>

#include <memory>

namespace strut::cuda
{
/// On the device of the context.
template <typename Number>
std::unique_ptr<DenseInverse<Number>>
make_dense_inverse(const Context &context, Memory &memory, const SymmetricPattern &pattern);
} // namespace strut::cuda
