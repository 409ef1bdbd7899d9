// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/operators/strategy.h>

namespace strut::plugin
{
/// The strategy `trilinos_csr` of the CPU: an assembled sparse matrix of Trilinos (Epetra). Epetra
/// knows double only.
Strategy<double> trilinos_csr();

/// Throws Error if a matrix has more non-zero entries than Epetra can number.
void require_epetra_size(std::size_t n_nonzeros);
} // namespace strut::plugin
