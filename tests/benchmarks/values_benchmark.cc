// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Runs the kernels of stage 3 of the matrix generation a few times each, for a profiler. The matrix
// is CSR on a box of distorted elements, sorted along a space-filling curve, on the GPU, without
// deal.II. strut-assemble measures whole decks.
//
//   strut_values_benchmark [--element=hex8] [--n=64]
//                          [--precision=double|float] [--group=ELEMENTS]
//
// element: a type of source/element/elements.h. n: hexahedra per direction; there are six times as
// many tetrahedra. group: computes, without running kernels, how SharedNZ would group the nodes if
// so many elements fit in a block's shared memory. It prints the number of groups, one per block,
// and how often each element is integrated.
#include "../fixtures/assembly_meshes.h"
#include "cuda/comparison/assembly/shared_nz_lists.h"
#include "measure.h"
#include "source/comparison/assembly/assembly_operations.h"

#include <algorithm>

namespace strut::test
{
namespace
{
constexpr int n_calls = 5;

struct Options
{
  std::string element = "hex8";
  std::array<std::size_t, 3> n{{64, 64, 64}};
  std::string precision = "double";
  std::size_t group     = 0;
};

template <typename Number>
void run(Backend &backend, const MeshArrays &mesh)
{
  const AssemblyOperations operations = assembly_operations(backend);
  const NeighbourMatrix neighbours    = operations.find_neighbours(mesh.connectivity);
  const SparsePattern pattern         = operations.make_pattern(neighbours, MatrixFormat::csr, 3);
  const Material material;
  const Array<double> factors(backend.memory(),
                              random_vector(mesh.connectivity.n_elements, 3, 0.01, 1.));
  Array<Number> values(backend.memory(), pattern.n_stored);
  std::printf("| method | ms, median of %d | GB/s, compulsory |\n|---|---|---|\n", n_calls);
  for (const ValueMethod method : {ValueMethod::same_kernel,
                                   ValueMethod::separate_kernels,
                                   ValueMethod::gather,
                                   ValueMethod::shared_nz})
    for (const bool one_thread : {true, false})
      {
        if (one_thread && method == ValueMethod::shared_nz)
          continue;
        const auto stage = operations.make_value_stage<Number>(
          {mesh, material, neighbours, pattern, {method, ConstrainedDiagonal::kept, one_thread}});
        std::vector<double> seconds;
        double bytes = 0;
        for (int call = 0; call < n_calls; ++call)
          {
            StageReport report;
            stage->assemble(factors, values, &report);
            seconds.push_back(report.seconds());
            bytes = report.bytes;
          }
        const double median = spread_of(seconds).median;
        std::printf("| %s%s | %.3f | %.0f |\n",
                    to_string(method).c_str(),
                    one_thread ? ", one thread per element" : "",
                    1e3 * median,
                    1e-9 * bytes / median);
      }
}

void print_integrations(const ElementMesh &mesh, const std::size_t group)
{
  const auto backend = make_cpu_backend();
  const MeshArrays arrays(backend->memory(), mesh);
  const NeighbourMatrix neighbours =
    assembly_operations(*backend).find_neighbours(arrays.connectivity);
  const cuda::SharedNzLists lists({mesh.type,
                                   mesh.n_nodes,
                                   mesh.n_elements,
                                   mesh.connectivity,
                                   neighbours.begin.to_host(),
                                   neighbours.nodes.to_host(),
                                   neighbours.incidence_begin.to_host(),
                                   neighbours.incidences.to_host()},
                                  group);
  std::printf("%s in groups of %zu: %zu groups, %.2f integrations an element\n",
              mesh.type.name,
              group,
              lists.first_node.size() - 1,
              static_cast<double>(lists.elements.size()) / static_cast<double>(mesh.n_elements));
}

Options parse(const int argc, char **argv)
{
  Options options;
  CLI::App parser("the kernels of stage 3 for a profiler");
  std::vector<std::string> names;
  for (const ElementType &type : element_types())
    names.push_back(type.name);
  parser.add_option("--element", options.element)->check(CLI::IsMember(names));
  add_size(parser, options.n);
  parser.add_option("--precision", options.precision)->check(CLI::IsMember({"double", "float"}));
  parser.add_option("--group", options.group, "elements: only count SharedNZ's integrations");
  take_options(parser, argc, argv);
  return options;
}

ElementType type_named(const std::string &name)
{
  const std::vector<ElementType> types = element_types();
  return *std::find_if(types.begin(), types.end(), [&](const ElementType &type) {
    return type.name == name;
  });
}

int main_of(const int argc, char **argv)
{
  const Options options  = parse(argc, argv);
  const ElementMesh mesh = sorted(make_assembly_mesh(type_named(options.element), options.n, 3));
  if (options.group > 0)
    {
      print_integrations(mesh, options.group);
      return 0;
    }
  const auto backend = make_cuda_backend();
  std::printf("%s\n%s, %zu elements, %zu nodes, %s; copy %.0f GB/s, read and written\n\n",
              backend->device().c_str(),
              options.element.c_str(),
              mesh.n_elements,
              mesh.n_nodes,
              options.precision.c_str(),
              1e-9 * copy_bandwidth(*backend));
  const MeshArrays arrays(backend->memory(), mesh);
  if (options.precision == "double")
    run<double>(*backend, arrays);
  else
    run<float>(*backend, arrays);
  return 0;
}
} // namespace
} // namespace strut::test

int main(int argc, char **argv)
{
  return strut::test::run_main([&]() { return strut::test::main_of(argc, argv); });
}
