// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Times the three stages of the matrix generation on a box of distorted elements, sorted along a
// space-filling curve, against the copy bandwidth of the same run.
//
//   strut_assembly_benchmark [--backend=cuda|cpu] [--element=hex8|hex20|hex20-14|tet4|tet10]
//                            [--n=100 | --n=128,128,64] [--precision=double|float]
//
// n: hexahedra per direction; tetrahedra are six times as many. The fastest of several runs of each
// step. Bytes are compulsory ones: of a stage its input and its output, not what passes between its steps.
// Prints Markdown.
#include "../fixtures/assembly_meshes.h"
#include "measure.h"

#include <strut/assembly/assembly_operations.h>
#include <strut/base/exceptions.h>

#include <limits>

namespace strut::testing
{
namespace
{
constexpr int n_runs = 5;

struct Options
{
  std::string backend = "cuda";
  ElementType element = ElementType::hex8;
  std::array<std::size_t, 3> n{{100, 100, 100}};
  std::string precision = "";
};

/// Elements along the curve, nodes in the order in which they first come up.
AssemblyMesh sorted(const AssemblyMesh &mesh)
{
  constexpr LocalIndex not_seen    = ~LocalIndex(0);
  const Connectivity &connectivity = mesh.connectivity;
  const std::size_t n = connectivity.n_nodes, n_elements = connectivity.n_elements;
  std::vector<double> centres(3 * n_elements, 0.);
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t e = 0; e < n_elements; ++e)
      for (int a = 0; a < connectivity.nodes_per_element; ++a)
        centres[d * n_elements + e] +=
          mesh.coordinates[d * n + connectivity.node(e, a)] / connectivity.nodes_per_element;
  const auto order = hilbert_order(centres, n_elements);

  std::vector<LocalIndex> new_number(n, not_seen);
  LocalIndex next     = 0;
  AssemblyMesh result = mesh;
  for (std::size_t e = 0; e < n_elements; ++e)
    for (int a = 0; a < connectivity.nodes_per_element; ++a)
      {
        LocalIndex &node = new_number[connectivity.node(order[e], a)];
        if (node == not_seen)
          node = next++;
        result.connectivity.nodes[static_cast<std::size_t>(a) * n_elements + e] = node;
      }
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t node = 0; node < n; ++node)
      result.coordinates[d * n + new_number[node]] = mesh.coordinates[d * n + node];
  return result;
}

/// The fastest of the runs, step by step.
class Fastest
{
public:
  void add(const StageReport &report)
  {
    if (best_.steps.empty())
      best_ = report;
    for (std::size_t k = 0; k < report.steps.size(); ++k)
      best_.steps[k].seconds = std::min(best_.steps[k].seconds, report.steps[k].seconds);
  }

  /// A line for each step if there are several, and one for the whole.
  void print(const std::string &stage, const double bandwidth) const
  {
    const auto line = [&](const std::string &step, const double seconds, const double bytes) {
      std::printf("| %s | %s | %.3f | %.1f | %.0f | %.1f |\n",
                  stage.c_str(),
                  step.c_str(),
                  1e3 * seconds,
                  1e-6 * bytes,
                  1e-9 * bytes / seconds,
                  1e2 * bytes / seconds / bandwidth);
    };
    if (best_.steps.size() > 1)
      for (const StageReport::Step &step : best_.steps)
        line(step.name, step.seconds, step.bytes);
    line("**all**", best_.seconds(), best_.bytes);
    std::fflush(stdout);
  }

private:
  StageReport best_;
};

NeighbourMatrix run_stage_1(Backend &backend, const MeshArrays &mesh, const double bandwidth)
{
  NeighbourMatrix neighbours;
  const std::pair<NeighbourSort, const char *> sorts[] = {{NeighbourSort::sequential, "sequential"},
                                                          {NeighbourSort::segmented, "segmented"},
                                                          {NeighbourSort::warp, "warp"}};
  for (const auto &[sort, name_of_sort] : sorts)
    {
      Fastest fastest;
      for (int run = 0; run < n_runs; ++run)
        {
          StageReport report;
          neighbours = NeighbourMatrix(); // its memory first
          neighbours =
            backend.assembly_operations().find_neighbours(mesh.connectivity, sort, &report);
          fastest.add(report);
        }
      fastest.print(std::string("1 neighbours, ") + name_of_sort + " sort", bandwidth);
    }
  return neighbours;
}

void run_stage_2(Backend &backend, const NeighbourMatrix &neighbours, const double bandwidth)
{
  for (const MatrixFormat format : {MatrixFormat::coo, MatrixFormat::csr, MatrixFormat::ell})
    {
      Fastest fastest;
      for (int run = 0; run < n_runs; ++run)
        {
          StageReport report;
          backend.assembly_operations().make_pattern(neighbours, format, 3, &report);
          fastest.add(report);
        }
      fastest.print("2 indices, " + to_string(format), bandwidth);
    }
}

template <typename Number>
void run_stage_3(Backend &backend,
                 const MeshArrays &mesh,
                 const NeighbourMatrix &neighbours,
                 const char *precision,
                 const double bandwidth)
{
  const Material material;
  const Array<double> factors(backend.memory(),
                              random_vector(mesh.connectivity.n_elements, 3, 0.01, 1.));
  for (const MatrixFormat format : {MatrixFormat::csr, MatrixFormat::ell})
    {
      const SparsePattern pattern =
        backend.assembly_operations().make_pattern(neighbours, format, 3);
      Array<Number> values(backend.memory(), pattern.n_stored);
      for (const ValueMethod method : {ValueMethod::same_kernel,
                                       ValueMethod::separate_kernels,
                                       ValueMethod::gather,
                                       ValueMethod::shared_nz})
        for (const bool one_thread : {true, false})
          {
            if (one_thread && (method == ValueMethod::shared_nz || backend.name() == "cpu"))
              continue;
            const std::string stage = std::string("3 ") + precision + ", " + to_string(format) +
                                      ", " + to_string(method) +
                                      (one_thread ? ", 1 thread an element" : "");
            try
              {
                const ValueOptions options = {method, ConstrainedDiagonal::kept, one_thread};
                Fastest preparation, fastest;
                for (int run = 0; run < 2; ++run)
                  {
                    const auto made = backend.assembly_operations().make_value_stage<Number>(
                      {mesh, material, neighbours, pattern, options});
                    preparation.add(made->preparation());
                    for (int renewal = 0; renewal < n_runs; ++renewal)
                      {
                        StageReport report;
                        made->assemble(factors, values, &report);
                        fastest.add(report);
                      }
                  }
                if (method == ValueMethod::separate_kernels || method == ValueMethod::gather)
                  preparation.print(stage + ": preparation", bandwidth);
                if (!(one_thread &&
                      method == ValueMethod::gather)) // differs in its preparation only
                  fastest.print(stage, bandwidth);
              }
            catch (const Error &error)
              {
                const std::string text = error.what();
                std::printf("| %s | %s | | | | |\n",
                            stage.c_str(),
                            text.substr(0, text.find('\n')).c_str());
              }
          }
    }
}

Options parse(const int argc, char **argv)
{
  Options options;
  for (int i = 1; i < argc; ++i)
    {
      const std::string argument = argv[i];
      const std::size_t equals   = argument.find('=');
      const std::string option   = argument.substr(0, equals);
      const std::string value    = equals == std::string::npos ? "" : argument.substr(equals + 1);
      bool known                 = false;
      if (option == "--backend" && (value == "cuda" || value == "cpu"))
        {
          options.backend = value;
          known           = true;
        }
      else if (option == "--n" &&
               numbers_of(value)[0] * numbers_of(value)[1] * numbers_of(value)[2] > 0)
        {
          options.n = numbers_of(value);
          known     = true;
        }
      else if (option == "--precision" && (value == "double" || value == "float"))
        {
          options.precision = value;
          known             = true;
        }
      else if (option == "--element")
        for (const ElementType type : all_element_types())
          if (value == name(type))
            {
              options.element = type;
              known           = true;
            }
      if (!known)
        throw Error("Unknown option '" + argument +
                    "'.\n  There are --backend=cuda|cpu, "
                    "--element=hex8|hex20|hex20-14|tet4|tet10, --n=ELEMENTS PER DIRECTION or "
                    "--n=X,Y,Z, --precision=double|float.");
    }
  return options;
}

int main_of(const int argc, char **argv)
{
  const Options options  = parse(argc, argv);
  const auto backend     = options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend();
  const double bandwidth = copy_bandwidth(*backend);
  const MeshArrays mesh(backend->memory(),
                        sorted(make_assembly_mesh(options.element, options.n, 1)));
  std::printf(
    "%s\n%s, %zu elements, %zu nodes; copy %.0f GB/s, read and written; fastest of %d\n\n",
    backend->device().c_str(),
    name(options.element),
    mesh.connectivity.n_elements,
    mesh.connectivity.n_nodes,
    1e-9 * bandwidth,
    n_runs);
  std::printf(
    "| stage | step | ms | MB, compulsory | GB/s | %% of copy |\n|---|---|---|---|---|---|\n");
  const NeighbourMatrix neighbours = run_stage_1(*backend, mesh, bandwidth);
  std::printf("| | %zu pairs, longest row %zu | | | | |\n",
              neighbours.n_pairs,
              neighbours.longest_row);
  run_stage_2(*backend, neighbours, bandwidth);
  if (options.precision != "float")
    run_stage_3<double>(*backend, mesh, neighbours, "double", bandwidth);
  if (options.precision != "double")
    run_stage_3<float>(*backend, mesh, neighbours, "float", bandwidth);
  return 0;
}
} // namespace
} // namespace strut::testing

int main(int argc, char **argv)
{
  return strut::testing::run_main([&]() { return strut::testing::main_of(argc, argv); });
}
