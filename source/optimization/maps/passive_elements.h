// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// The solid and void elements of a rank, which no map changes.
class PassiveElements
{
public:
  PassiveElements(Backend &backend, const ElementMesh &mesh)
    : backend_(backend)
    , indices_(backend.memory(), indices_in(mesh))
    , values_(backend.memory(), indices_.size())
  {}

  /// Set to_e = from_e in these elements.
  void copy(const Array<double> &from, Array<double> &to)
  {
    const auto &vectors = backend_.vector_operations<double>();
    vectors.gather(indices_, from, values_);
    vectors.scatter(indices_, values_, to);
  }

  /// Set values_e = 0 in these elements.
  void set_zero(Array<double> &values) const
  {
    backend_.vector_operations<double>().set(indices_, 0., values);
  }

private:
  static std::vector<std::uint32_t> indices_in(const ElementMesh &mesh)
  {
    std::vector<std::uint32_t> indices;
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::design)
        indices.push_back(static_cast<std::uint32_t>(e));
    return indices;
  }

  Backend &backend_;
  Array<std::uint32_t> indices_;
  Array<double> values_;
};
} // namespace strut
