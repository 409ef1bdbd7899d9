// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

namespace strut::plugin
{
/// Give the CPU backend the operators that deal.II users know, to compare with: `dealii_matrix_free`
/// (double and float) and `trilinos_csr` (double). Before a parameter file is read; a second call
/// does nothing.
void register_comparators();
} // namespace strut::plugin
