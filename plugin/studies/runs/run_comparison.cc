// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/runs/run_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/field_on_mesh.h"
#include "plugin/deck/output/single_precision.h"
#include "plugin/deck/output/vtu_file.h"

namespace strut
{
namespace
{
double
coordinate(const ElementMesh &mesh, const std::size_t d, const std::size_t v, const std::size_t e)
{
  return mesh.coordinates[d * mesh.n_nodes + mesh.connectivity[v * mesh.n_elements + e]];
}

double volume_of(const ElementMesh &mesh)
{
  return std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
}

/// Whether the elements are the same, one by one. Node numbers may differ, as on several ranks.
bool are_same(const ElementMesh &a, const ElementMesh &b)
{
  if (a.n_elements != b.n_elements || a.type != b.type)
    return false;
  // relative to an edge: coordinates in files may have single precision
  constexpr double rounding = 1e-5, most = 1e-2;
  const double size =
    std::cbrt(volume_of(a) / static_cast<double>(std::max<std::size_t>(a.n_elements, 1)));
  double reach = 0.;
  for (const double x : a.coordinates)
    reach = std::max(reach, std::abs(x));
  const double near =
    std::clamp(4. * std::numeric_limits<float>::epsilon() * reach, rounding * size, most * size);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t v = 0; v < a.type.n_nodes; ++v)
      for (std::size_t e = 0; e < a.n_elements; ++e)
        if (std::abs(coordinate(a, d, v, e) - coordinate(b, d, v, e)) > near)
          return false;
  return true;
}
} // namespace

DesignComparison DesignComparison::of(const ResultFile &a, const ResultFile &b, const int n_threads)
{
  const ElementMesh &mesh = a.mesh;
  DesignComparison result;
  result.volume_a  = volume_of(mesh);
  result.volume_b  = volume_of(b.mesh);
  result.same_mesh = are_same(mesh, b.mesh);
  result.a         = a.densities;
  if (result.same_mesh)
    result.b = b.densities;
  else
    {
      result.b = field_on_mesh(b.mesh, b.densities, mesh, n_threads);
      const std::vector<double> covered =
        field_on_mesh(b.mesh, std::vector<double>(b.mesh.n_elements, 1.), mesh, n_threads);
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        result.outside += (1. - covered[e]) * mesh.volumes[e] / result.volume_a;
    }
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const double share = mesh.volumes[e] / result.volume_a;
      const double miss  = std::abs(result.a[e] - result.b[e]);
      result.mean += share * miss;
      if (miss > result.largest)
        {
          result.largest = miss;
          result.place   = mesh.centre(e);
        }
      const bool in_a = result.a[e] >= solid, in_b = result.b[e] >= solid;
      result.solid_in_a += in_a && !in_b ? share : 0.;
      result.solid_in_b += in_b && !in_a ? share : 0.;
    }
  return result;
}

void write_difference(const std::string &file_name,
                      const ResultFile &result,
                      const DesignComparison &comparison,
                      const std::vector<std::string> &remarks,
                      const int n_threads)
{
  const ElementMesh &mesh = result.mesh;
  const std::size_t n     = mesh.n_elements;
  const auto &a = comparison.a, &b = comparison.b;
  VtuContents contents;
  contents.remarks     = remarks;
  contents.n_points    = mesh.n_nodes;
  contents.n_cells     = n;
  contents.n_own_cells = n;
  const Communicator communicator(MPI_COMM_SELF);
  contents.points       = make_vtu_points(SinglePrecision::of(communicator, mesh),
                                    mesh.n_nodes,
                                    [&](const std::size_t i) {
                                      return mesh.coordinates[i % 3 * mesh.n_nodes + i / 3];
                                    });
  contents.connectivity = make_vtu_array<std::int32_t>(
    "connectivity", 1, 8 * n, [&, nodes = vtu::cell_of(mesh.type).nodes](const std::size_t i) {
      return mesh.node(i / 8, nodes[i % 8]);
    });
  contents.cell_data = {
    make_vtu_array<float>("difference", 1, n, [&](const std::size_t e) { return b[e] - a[e]; }),
    make_vtu_array<float>("density_a", 1, n, [&](const std::size_t e) { return a[e]; }),
    make_vtu_array<float>("density_b", 1, n, [&](const std::size_t e) { return b[e]; }),
    make_vtu_array<std::int8_t>("design_flag", 1, n, [&](const std::size_t e) {
      return static_cast<int>(mesh.flags[e]);
    })};
  BackgroundSteps steps(communicator);
  steps.begin(
    [&] { return vtu_steps(communicator, file_name, std::move(contents), n_threads, [] {}); });
  steps.wait();
}

RunComparison
RunComparison::of(const std::string &folder_a, const std::string &folder_b, const int n_threads)
{
  RunComparison result;
  result.run_a          = RunFolder::read(folder_a);
  result.run_b          = RunFolder::read(folder_b);
  result.facts          = compare_facts(result.run_a, result.run_b);
  result.entries        = compare_decks(result.run_a, result.run_b);
  result.curves         = CurveComparison::of(result.run_a.history, result.run_b.history);
  result.result_a       = read_result(result.run_a.result, n_threads);
  const ResultFile of_b = read_result(result.run_b.result, n_threads);
  result.rounding       = result.result_a.rounding + of_b.rounding;
  result.designs        = DesignComparison::of(result.result_a, of_b, n_threads);
  return result;
}
} // namespace strut
