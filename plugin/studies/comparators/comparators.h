// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>
#include <strut/base/precision.h>

namespace strut
{
/// `dealii_matrix_free`: the operator by deal.II's own MatrixFree and FEEvaluation.
template <typename Number>
Strategy<Number> dealii_matrix_free();

/// Numbers that one SIMD instruction of deal.II processes; 1 with Debian's deal.II on any machine.
unsigned int lanes_of_dealii(Precision precision = Precision::fp64);

/// `trilinos_csr`: an assembled sparse matrix of Trilinos (Epetra), which supports double only.
Strategy<double> trilinos_csr();

/// Adds operators that deal.II users know to the CPU backend, for comparison: `dealii_matrix_free`
/// (double and float) and `trilinos_csr` (double). Call it before a parameter file is read; a
/// second call does nothing.
void register_comparators();
} // namespace strut
