// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>

#include <strut/backend/backend.h>
#include <strut/device_vector.h>
#include <strut/mesh/element_mesh.h>
#include <strut/transfers.h>

#include <cstdint>
#include <vector>

namespace strut
{
/// Moves the owned entries of vectors between an application and a backend. The application's are
/// ascending by global index, on the host or in a DeviceVector; the backend's are at `3 * node +
/// component`. Memory of the host is read and written in one piece, and the backend permutes.
template <typename Number>
class VectorExchange
{
public:
  /// @param owned  DoFs of this rank, which are those of the owned nodes of the mesh
  /// @param constrained  indices of the constrained (prescribed or dependent) DoFs among the
  /// application's owned entries
  VectorExchange(Backend &backend,
                 const dealii::IndexSet &owned,
                 const ElementMesh &mesh,
                 std::vector<std::uint32_t> constrained);

  /// Sets x_i = values on owned DoFs. @param values  `[n_owned]`
  void upload(const Number *values, Array<Number> &x);

  /// Sets values = x_i on owned DoFs. @param values  `[n_owned]`
  void download(const Array<Number> &x, Number *values);

  /// Overloads for vectors of the application on the host or on the backend.
  void upload(const OwnedEntries<Number> &values, Array<Number> &x);
  void download(const Array<Number> &x, const OwnedEntries<Number> &values);

  /// Adds factor x_i to values.
  void add(Number factor, const Array<Number> &x, const OwnedEntries<Number> &values);

  /// Sets to = from, or to += from, on constrained entries.
  void copy_constrained(const OwnedEntries<Number> &from, const OwnedEntries<Number> &to, bool add);

  /// Sets constrained entries to 0.
  void zero_constrained(const OwnedEntries<Number> &values);

  std::size_t host_memory() const; ///< bytes

  /// Positions of the backend's owned DoFs among the application's entries, `[n_owned]`.
  const std::vector<std::uint32_t> &positions() const
  {
    return positions_;
  }

  Transfers transfers; ///< totals since the last reset

private:
  Backend &backend_;
  std::vector<std::uint32_t> positions_;
  Array<std::uint32_t> positions_there_; ///< positions() on the backend
  Array<Number> values_;                 ///< in the order of the application
  std::vector<std::uint32_t> constrained_;
  Array<std::uint32_t> constrained_there_; ///< positions of constrained entries, on the backend
  Array<Number> constrained_values_;       ///< values of the constrained entries, on the backend
  std::vector<Number> host_;
};

/// Copies values into the memory of the backend, and counts the copy.
/// @param values  `[n]` @param array  `[n or more]`
template <typename T>
void upload(
  Backend &backend, const T *values, std::size_t n, Array<T> &array, Transfers::Direction &count);
} // namespace strut
