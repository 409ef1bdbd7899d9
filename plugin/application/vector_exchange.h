// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/index_set.h>

#include <strut/backend/backend.h>
#include <strut/mesh/element_mesh.h>
#include <strut/plugin/device_vector.h>
#include <strut/plugin/transfers.h>

#include <cstdint>
#include <vector>

namespace strut::plugin
{
/// Moves the owned entries of vectors between an application and a backend. The application has them
/// one after another, ascending by global index, on the host or in a DeviceVector; the backend as `3 * node + component`.
/// The host's memory is read and written in one piece; the backend permutes.
template <typename Number>
class VectorExchange
{
public:
  /// @param owned  DoFs of this rank; those of the owned nodes of the mesh
  /// @param constrained  which of the application's owned entries are constrained, prescribed or dependent
  VectorExchange(Backend &backend,
                 const dealii::IndexSet &owned,
                 const ElementMesh &mesh,
                 std::vector<std::uint32_t> constrained);

  /// x_i = values, on owned DoFs. @param values  `[n_owned]`
  void upload(const Number *values, Array<Number> &x);

  /// values = x_i, on owned DoFs. @param values  `[n_owned]`
  void download(const Array<Number> &x, Number *values);

  /// The same of any vector of the application.
  void upload(const OwnedEntries<Number> &values, Array<Number> &x);
  void download(const Array<Number> &x, const OwnedEntries<Number> &values);

  /// values += factor x_i
  void add(Number factor, const Array<Number> &x, const OwnedEntries<Number> &values);

  /// to = from, or to += from, on constrained entries
  void copy_constrained(const OwnedEntries<Number> &from, const OwnedEntries<Number> &to);
  void add_constrained(const OwnedEntries<Number> &from, const OwnedEntries<Number> &to);

  /// 0 on constrained entries
  void zero_constrained(const OwnedEntries<Number> &values);

  std::size_t host_memory() const; ///< bytes

  /// Where the application has the owned DoFs of the backend, `[n_owned]`.
  const std::vector<std::uint32_t> &positions() const
  {
    return positions_;
  }

  Transfers transfers; ///< so far

private:
  Backend &backend_;
  std::vector<std::uint32_t> positions_;
  Array<std::uint32_t> positions_there_; ///< on the backend
  Array<Number> values_;                 ///< in the order of the application
  std::vector<std::uint32_t> constrained_;
  Array<std::uint32_t> constrained_there_; ///< on the backend
  Array<Number> constrained_values_;       ///< likewise
  std::vector<Number> host_;
};

/// Copies values into the memory of the backend and counts that.
/// @param values  `[n]` @param array  `[n or more]`
template <typename T>
void upload(
  Backend &backend, const T *values, std::size_t n, Array<T> &array, Transfers::Direction &count);
} // namespace strut::plugin
