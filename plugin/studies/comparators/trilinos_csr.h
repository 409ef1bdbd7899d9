// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/strategy.h>

namespace strut::plugin
{
/// The strategy `trilinos_csr` of the CPU: an assembled sparse matrix of Trilinos (Epetra). Epetra
/// knows double only.
Strategy<double> trilinos_csr();
} // namespace strut::plugin
