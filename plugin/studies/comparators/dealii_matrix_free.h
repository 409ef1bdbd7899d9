// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

namespace strut::plugin
{
/// The strategy `dealii_matrix_free` of the CPU: the operator as deal.II's own MatrixFree and
/// FEEvaluation do it, the comparator that deal.II users know.
template <typename Number>
Strategy<Number> dealii_matrix_free();
} // namespace strut::plugin
