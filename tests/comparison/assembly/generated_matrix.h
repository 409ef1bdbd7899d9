// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../../fixtures/assembly_meshes.h"
#include "../../fixtures/backends.h"
#include "source/comparison/assembly/assembly_operations.h"
#include "source/comparison/assembly/matrix_product.h"
#include "source/element/element_stiffness.h"

#include <gtest/gtest.h>

#include <map>

namespace strut::test
{
/// A sparse matrix on the host, row by row.
using Rows = std::vector<std::map<LocalIndex, double>>;

/// The matrix entry by entry in double, from whole element matrices, without constraints.
inline Rows reference_rows(const ElementMesh &mesh,
                           const Material &material,
                           const std::vector<double> &factors)
{
  Rows rows(3 * mesh.n_nodes);
  const auto node = [&](const std::size_t e, const int a) {
    return mesh.node(e, static_cast<std::size_t>(a));
  };
  with_element(mesh.type, [&](const auto element) {
    using Element = decltype(element);
    std::vector<double> K(9 * Element::n_nodes * Element::n_nodes);
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        double X[3][Element::n_nodes];
        nodes_of<Element>(mesh, e, X);
        element_stiffness::matrix<Element>(X, material.lambda(), material.mu(), K.data());
        for (int i = 0; i < 3 * Element::n_nodes; ++i)
          for (int j = 0; j < 3 * Element::n_nodes; ++j)
            rows[3 * node(e, i / 3) + static_cast<LocalIndex>(i % 3)]
                [3 * node(e, j / 3) + static_cast<LocalIndex>(j % 3)] +=
              factors[e] * K[static_cast<std::size_t>(3 * Element::n_nodes * i + j)];
      }
  });
  return rows;
}

/// Sets rows and columns of constrained DoFs to zero, except for the diagonal.
inline Rows with_constraints(Rows rows,
                             const std::vector<LocalIndex> &constrained_dofs,
                             const ConstrainedDiagonal diagonal)
{
  std::vector<char> constrained(rows.size(), 0);
  for (const LocalIndex dof : constrained_dofs)
    constrained[dof] = 1;
  for (LocalIndex i = 0; i < rows.size(); ++i)
    for (auto &entry : rows[i])
      if (constrained[i] || constrained[entry.first])
        {
          if (entry.first != i)
            entry.second = 0.;
          else if (diagonal == ConstrainedDiagonal::one)
            entry.second = 1.;
        }
  return rows;
}

/// All three stages on a backend, and the matrix on the host.
template <typename Number>
class Generated
{
public:
  Generated(Backend &backend,
            const ElementMesh &mesh,
            const Material &material,
            const MatrixFormat format,
            const ValueOptions &options)
    : memory_(backend.memory())
    , mesh_(memory_, mesh)
    , neighbours_(assembly_operations(backend).find_neighbours(mesh_.connectivity))
    , pattern_(assembly_operations(backend).make_pattern(neighbours_, format, 3))
    , stage_(assembly_operations(backend).make_value_stage<Number>(
        {mesh_, material, neighbours_, pattern_, options}))
    , values_(memory_, poison<Number>(pattern_.n_stored))
  {}

  std::vector<Number> assemble(const std::vector<double> &factors, StageReport *report = nullptr)
  {
    values_.copy_from_host(poison<Number>(pattern_.n_stored)); // the old values must not matter
    stage_->assemble(Array<double>(memory_, factors), values_, report);
    return values_.to_host();
  }

  /// The values in the order of the reference: row by row, columns ascending. Padding must be zero.
  std::vector<Number> in_order(const std::vector<Number> &values, const Rows &rows) const
  {
    if (pattern_.format != MatrixFormat::ell)
      return values;
    std::vector<Number> result;
    for (std::size_t row = 0; row < rows.size(); ++row)
      for (std::size_t k = 0; k < pattern_.width; ++k)
        {
          if (k < rows[row].size())
            result.push_back(values[k * rows.size() + row]);
          else
            EXPECT_EQ(values[k * rows.size() + row], Number(0)) << "padding";
        }
    return result;
  }

  const ValueStage<Number> &stage() const
  {
    return *stage_;
  }
  const SparsePattern &pattern() const
  {
    return pattern_;
  }
  GeneratedMatrix<Number> matrix() const
  {
    return {neighbours_, pattern_, values_};
  }

private:
  Memory &memory_;
  MeshArrays mesh_;
  NeighbourMatrix neighbours_;
  SparsePattern pattern_;
  std::unique_ptr<ValueStage<Number>> stage_;
  Array<Number> values_;
};

inline std::vector<double> in_order(const Rows &rows)
{
  std::vector<double> values;
  for (const auto &row : rows)
    for (const auto &entry : row)
      values.push_back(entry.second);
  return values;
}
} // namespace strut::test
