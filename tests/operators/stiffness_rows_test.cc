// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "../fixtures/assembly_meshes.h"
#include "../fixtures/backends.h"
#include "../fixtures/box_mesh.h"
#include "../fixtures/errors.h"
#include "source/operators/stiffness_rows.h"

#include <gtest/gtest.h>

namespace strut::test
{
namespace
{
// The assembled matrix times a vector equals the operator's product, on any number of threads, with
// any factors, for elements of any type.
void expect_operator(const ElementMesh &mesh, const double tolerance_of_estimate)
{
  const Material material = {2.5, 0.2};
  const auto factors      = random_vector(mesh.n_elements, 1, 0.01, 1.);
  const auto x            = random_vector(mesh.n_dofs(), 2);
  for (const int n_threads : {1, 3})
    {
      const StiffnessRows rows(mesh, material, n_threads);
      const std::vector<int> begin = rows.row_begin("test");
      ASSERT_EQ(begin.size(), mesh.n_dofs() + 1);
      const auto n_entries = static_cast<std::size_t>(begin.back());
      std::vector<int> columns(n_entries);
      rows.fill_columns(begin.data(), columns.data());
      std::vector<double> values(n_entries, 1e300), y(mesh.n_dofs(), 0.);
      rows.sum_values(factors.data(), begin.data(), columns.data(), values.data());
      for (std::size_t row = 0; row < y.size(); ++row)
        for (int k = begin[row]; k < begin[row + 1]; ++k)
          {
            y[row] += values[k] * x[columns[k]];
            if (k > begin[row])
              {
                EXPECT_LT(columns[k - 1], columns[k]);
              }
          }

      const auto backend = make_cpu_backend(1);
      const auto ebe     = cpu_strategies<double>().front().make(*backend, mesh, material);
      ebe->set_stiffness(Array<double>(backend->memory(), factors));
      Array<double> expected(backend->memory(), mesh.n_dofs());
      ebe->apply(Array<double>(backend->memory(), x), expected);
      EXPECT_LT(relative_difference(y, expected.to_host()), 1e-13);

      OperatorSize size;
      size.n_elements       = mesh.n_elements;
      size.n_nodes          = mesh.n_nodes;
      size.type             = mesh.type;
      const double estimate = StiffnessRows::n_entries_estimate(size);
      if (mesh.n_elements > 1)
        {
          EXPECT_NEAR(estimate,
                      static_cast<double>(n_entries),
                      tolerance_of_estimate * static_cast<double>(n_entries));
        }
    }
}

TEST(StiffnessRowsTest, IsTheOperator)
{
  for (const BoxOptions &options : {BoxOptions::regular({{1, 1, 1}}),
                                    BoxOptions::regular({{4, 3, 5}}),
                                    BoxOptions::wild({{7, 6, 5}}, 3)})
    expect_operator(make_box(options).mesh, 0.1);
}

TEST(StiffnessRowsTest, IsTheOperatorForElementsOfAnyType)
{
  for (const ElementType &type : element_types())
    {
      SCOPED_TRACE(type.name);
      expect_operator(make_assembly_mesh(type, {{5, 4, 6}}, 3), 0.2);
    }
}

TEST(StiffnessRowsTest, MatricesBeyondTheIndicesAreRefused)
{
  EXPECT_NO_THROW(require_int_size("csr", 2147483647));
  expect_error([]() { require_int_size("csr", 2147483648); }, {"2147483648"});
}
} // namespace
} // namespace strut::test
