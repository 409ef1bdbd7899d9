// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/device_vector.h>

#include <memory>

namespace strut
{
/// The entries of a DeviceVector, and the objects that they need. The shared backend lives as long
/// as the entries.
template <typename Number>
struct DeviceVector<Number>::Contents
{
  Contents empty() const
  {
    return {backend, communicator, n, Array<Number>(backend->memory(), values.size()), owned};
  }

  /// Whether another vector is on the same backend and has as many entries.
  bool is_like(const Contents &other) const
  {
    return backend == other.backend && n == other.n && values.size() == other.values.size();
  }

  const VectorOperations<Number> &operations() const
  {
    return backend->vector_operations<Number>();
  }

  std::shared_ptr<Backend> backend; ///< shares the contents of the operator
  Communicator communicator;
  size_type n; ///< entries of all ranks
  Array<Number> values;
  std::shared_ptr<const dealii::IndexSet> owned; ///< DoFs of this rank
};
} // namespace strut
