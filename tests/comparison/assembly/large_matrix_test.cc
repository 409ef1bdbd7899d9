// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "generated_matrix.h"

#include "../../fixtures/box_mesh.h"

#include <atomic>
#include <cmath>

#include "source/base/parallel_loop.h"

namespace strut::test
{
namespace
{
/// Nodes of a regular box along each direction, so that the matrix has more than 2^32 entries:
/// 9 (3 (n - 1) + 1)^3.
constexpr std::size_t n           = 262;
constexpr std::size_t n_entries   = std::size_t(9) * 784 * 784 * 784;
constexpr double memory_of_device = 95e9, memory_of_host = 60e9;

/// Unit cubes, nodes along x, then y, then z.
ElementMesh regular_box(const std::size_t nodes)
{
  BoxOptions options = BoxOptions::regular({{nodes - 1, nodes - 1, nodes - 1}});
  options.size.fill(static_cast<double>(nodes - 1));
  return make_box(options).mesh;
}

/// The three rows of an inner node: 27 neighbours in ascending order, `[3][81]`.
std::vector<double> stencil(const Material &material)
{
  const ElementMesh mesh = regular_box(3);
  const Rows rows        = reference_rows(mesh, material, std::vector<double>(8, 1.));
  std::vector<double> result;
  for (std::size_t i = 0; i < 3; ++i)
    for (const auto &entry : rows[3 * 13 + i])
      result.push_back(entry.second);
  return result;
}

// Every row of an inner node is the same, wherever the node is.
TEST(LargeMatrix, HasItsEntriesBeyond32Bits)
{
  const std::string reason = why_not(Place::cuda);
  if (!reason.empty())
    GTEST_SKIP() << reason;
  const auto backend = make_backend(Place::cuda);
  Memory &memory     = backend->memory();
  if (static_cast<double>(memory.available()) < memory_of_device ||
      static_cast<double>(make_cpu_backend(1)->memory().available()) < memory_of_host)
    GTEST_SKIP() << "needs " << 1e-9 * memory_of_device << " GB free on the GPU and "
                 << 1e-9 * memory_of_host << " GB on the host";

  const Material material{2.5, 0.2};
  const std::vector<double> expected = stencil(material);
  ASSERT_EQ(expected.size(), 3u * 81u);
  const ElementMesh box = regular_box(n);
  const MeshArrays mesh(memory, box);
  const AssemblyOperations operations = assembly_operations(*backend);
  const NeighbourMatrix neighbours    = operations.find_neighbours(mesh.connectivity);
  const SparsePattern pattern         = operations.make_pattern(neighbours, MatrixFormat::csr, 3);
  ASSERT_EQ(pattern.n_entries, n_entries);
  ASSERT_GT(pattern.n_entries, std::size_t(1) << 32);
  const auto begin = pattern.row_begin.to_host();
  ASSERT_EQ(begin.back(), n_entries);

  // Counts the inner nodes for which is_right(node, row of the node, entry of the row, place) is
  // false.
  const auto count = [&](const auto &is_right) {
    std::atomic<std::size_t> n_wrong{0};
    cpu::parallel_for_long(cpu::default_n_threads(), n - 2, [&](const std::size_t plane) {
      const std::size_t z    = plane + 1;
      std::size_t wrong_here = 0;
      for (std::size_t y = 1; y < n - 1; ++y)
        for (std::size_t x = 1; x < n - 1; ++x)
          for (std::size_t i = 0; i < 3; ++i)
            {
              const std::size_t node = x + n * (y + n * z), row = 3 * node + i;
              wrong_here += begin[row + 1] - begin[row] == 81 ? 0 : 1;
              for (std::size_t c = 0; c < 81; ++c)
                wrong_here += is_right(node, i, c, begin[row] + c) ? 0 : 1;
            }
      n_wrong += wrong_here;
    });
    return n_wrong.load();
  };
  {
    const auto columns = pattern.columns.to_host();
    EXPECT_EQ(count([&](const std::size_t node,
                        const std::size_t,
                        const std::size_t c,
                        const std::size_t place) {
                const std::size_t k = c / 3;
                const std::size_t neighbour =
                  node + k % 3 + n * (k / 3 % 3 + n * (k / 9)) - (1 + n + n * n);
                return columns[place] == 3 * neighbour + c % 3;
              }),
              0u)
      << "columns";
  }
  const double tolerance = 1e-5 * max_norm(expected);
  const Array<double> factors(memory, std::vector<double>(box.n_elements, 1.));
  for (const ValueMethod method : {ValueMethod::same_kernel, ValueMethod::gather})
    {
      Array<float> values(memory, pattern.n_stored);
      operations.make_value_stage<float>({mesh, material, neighbours, pattern, {method}})
        ->assemble(factors, values);
      const auto entries = values.to_host();
      EXPECT_EQ(count([&](const std::size_t,
                          const std::size_t i,
                          const std::size_t c,
                          const std::size_t place) {
                  return std::abs(static_cast<double>(entries[place]) - expected[81 * i + c]) <=
                         tolerance;
                }),
                0u)
        << to_string(method);
    }
}
} // namespace
} // namespace strut::test
