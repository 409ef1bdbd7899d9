// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// The column "norm" of strut-assemble: it belongs to the right matrix, and the files say to which.
#include "plugin/base/named_file.h"
#include "plugin/studies/assembly/assembly_report.h"
#include "plugin/studies/assembly/measure_generation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>
#include <utility>
#include <vector>

#include "tests/fixtures/backends.h"
#include "tests/fixtures/box_mesh.h"
#include "tests/fixtures/dense_reference.h"
#include "tests/plugin/in_empty_directory.h"

namespace strut::test
{
namespace
{
/// Frobenius norm of the assembled matrix with these factors, from the element matrices of a
/// textbook.
double reference_norm(const ElementMesh &mesh,
                      const Material &material,
                      const std::vector<double> &factors)
{
  std::map<std::pair<std::size_t, std::size_t>, double> matrix;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8];
      vertices(mesh, e, X);
      const ElementMatrix K = reference_element_matrix(X, material);
      const auto dof        = [&](const std::size_t i) {
        return 3 * mesh.connectivity[i / 3 * mesh.n_elements + e] + i % 3;
      };
      for (std::size_t i = 0; i < 24; ++i)
        for (std::size_t j = 0; j < 24; ++j)
          matrix[{dof(i), dof(j)}] += factors[e] * K[i][j];
    }
  double sum = 0.;
  for (const auto &entry : matrix)
    sum += entry.second * entry.second;
  return std::sqrt(sum);
}

using GenerationNorm = InEmptyDirectory;

// Every format, method and precision has the norm with generation_factors(), not that without
// factors.
TEST_F(GenerationNorm, IsThatOfTheMatrixWithRandomFactorsAndTheFilesSaySo)
{
  const ElementMesh mesh = make_box(BoxOptions::wild({{3, 4, 2}}, 5)).mesh;
  const Material material{2.5, 0.3};
  GenerationChoices choices;
  choices.sorts   = {NeighbourSort::warp};
  choices.formats = {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell};
  choices.methods = {ValueMethod::same_kernel, ValueMethod::separate_kernels, ValueMethod::gather};
  choices.precisions             = {Precision::fp64, Precision::fp32};
  choices.one_thread_per_element = {false};
  choices.n_runs                 = 1;

  std::ostringstream log;
  AssemblyResults results(log);
  results.deck = "deck";
  results.meshes.push_back({"hex8", mesh.n_elements, mesh.n_nodes});
  strut::Place place{{make_cpu_backend(1), "", 1, 1}, {}, 1, "cpu with 1 thread", ""};
  measure_generation(place, mesh, material, choices, results);

  const std::vector<double> factors = generation_factors(mesh.n_elements);
  for (const double factor : factors)
    {
      EXPECT_GT(factor, 0.01);
      EXPECT_LT(factor, 1.);
    }
  EXPECT_EQ(generation_factors(mesh.n_elements), factors); // the same in every run
  const double expected = reference_norm(mesh, material, factors);
  const double plain    = reference_norm(mesh, material, std::vector<double>(mesh.n_elements, 1.));
  EXPECT_GT(plain, 1.5 * expected);
  unsigned int n_norms = 0;
  for (const StageResult &result : results.stages)
    if (result.stage == stage_names::values && result.status == "ok")
      {
        const double tolerance = result.precision == "float" ? 1e-6 : 1e-13;
        EXPECT_NEAR(result.norm, expected, tolerance * expected)
          << result.format << ", " << result.method << ", " << result.precision;
        ++n_norms;
      }
  EXPECT_EQ(n_norms, 18u);

  write_reports("tables", results);
  const std::string meaning = "of the matrix with random stiffness factors from 0.01 to 1";
  EXPECT_CONTAINS(file_contents("tables/deck.assembly.md"), "Norm (CSV): " + meaning);
  EXPECT_CONTAINS(file_contents("tables/deck.assembly.csv"), "# norm: " + meaning);
}
} // namespace
} // namespace strut::test
