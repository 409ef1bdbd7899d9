// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>
#include <strut/base/precision.h>

namespace strut::plugin
{
/// `dealii_matrix_free`: the operator as deal.II's own MatrixFree and FEEvaluation do it.
template <typename Number>
Strategy<Number> dealii_matrix_free();

/// Numbers that its SIMD instructions take at once: 1 with Debian's deal.II, whatever the machine.
unsigned int lanes_of_dealii(Precision precision = Precision::fp64);

/// `trilinos_csr`: an assembled sparse matrix of Trilinos (Epetra), which knows double only.
Strategy<double> trilinos_csr();

/// Give the CPU backend the operators that deal.II users know, to compare with: `dealii_matrix_free`
/// (double and float) and `trilinos_csr` (double). Before a parameter file is read; a second call
/// does nothing.
void register_comparators();
} // namespace strut::plugin
