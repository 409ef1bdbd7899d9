// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

#include <memory>

namespace strut::cpu
{
/// The strategy `on_the_fly` for elements of any type.
template <typename Number>
std::unique_ptr<ElementOperator<Number>>
make_on_the_fly_of_type(Backend &backend, const ElementMesh &mesh, const Material &material);

/// Strategy::memory_estimate of this.
template <typename Number>
double memory_of_on_the_fly_of_type(const OperatorSize &size);
} // namespace strut::cpu
