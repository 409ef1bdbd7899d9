// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/comparators/comparators.h"

#include <strut/backend/backend.h>

namespace strut
{
void register_comparators()
{
  static const bool registered = []() {
    add_cpu_strategy(dealii_matrix_free<double>());
    add_cpu_strategy(dealii_matrix_free<float>());
    add_cpu_strategy(trilinos_csr());
    return true;
  }();
  static_cast<void>(registered);
}
} // namespace strut
