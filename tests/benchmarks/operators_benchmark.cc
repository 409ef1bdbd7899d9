// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Measures one product of every strategy on a box, with elements along a space-filling curve,
// relative to the copy bandwidth of the same run. Elements are distorted, or equal if a strategy
// needs that. Strategies that take tangents are also measured with one for each element and for
// each Gauss point. The CPU backend has deal.II's MatrixFree too, where strut has deal.II.
//
//   strut_operators_benchmark [--backend=cuda|cpu] [--threads=N] [--n=100 | --n=128,128,64]
//                             [--type=hex8|hex20|hex27|tet4|tet10]
//                             [--strategy=NAME,NAME] [--precision=double|float]
//                             [--mesh=distorted|equal]
//                             [--element="trilinear"|"incompatible modes"]
//                             [--numbers=sorted|random|renumbered]
//
// n: elements per direction, or hexahedra that are cut into six tetrahedra each. numbers: order of
// elements and nodes; "renumbered" means random and then sorted. Prints Markdown. "difference" is
// that of a product from the first operator's in double, norm over norm.
#include "../fixtures/typed_box.h"
#include "measure.h"

#include <strut/backend/stiffness.h>
#include <strut/base/exceptions.h>

#ifdef STRUT_WITH_COMPARATORS
#  include "cuda/comparison/comparators/comparators.h"
#endif

#include <cmath>

namespace strut::test
{
namespace
{
struct Options
{
  std::string backend    = "cuda";
  unsigned int n_threads = 0; ///< number of CPU threads; 0: all cores
  std::array<std::size_t, 3> n{{100, 100, 100}};
  std::string type = ElementType().name;
  std::vector<std::string> strategies; ///< all if empty
  std::string precision = "";
  std::string mesh      = "distorted";
  std::string element   = "trilinear";
  std::string numbers   = "sorted";
};

bool is_selected(const Options &options, const std::string &strategy)
{
  const std::string first_word = strategy.substr(0, strategy.find(' '));
  const auto &wanted           = options.strategies;
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), first_word) != wanted.end();
}

/// Strategies of the backend, and those that they are compared with.
template <typename Number>
StrategyList<Number> strategies_of(const Backend &backend)
{
  StrategyList<Number> list = backend.strategies<Number>();
#ifdef STRUT_WITH_COMPARATORS
  if (backend.name() == "cuda")
    for (const Strategy<Number> &strategy : cuda::comparators<Number>())
      list.push_back(strategy);
#endif
  return list;
}

ElementMesh make_mesh(const Options &options, const double distortion)
{
  if (options.type != ElementType().name)
    return sorted(TypedBox(options.type, options.n).box.mesh);
  BoxOptions box       = BoxOptions::unit_cubes(options.n, distortion);
  box.shuffle_elements = box.shuffle_nodes = options.numbers != "sorted";
  ElementMesh mesh                         = make_box(box).mesh;
  return options.numbers == "random" ? mesh : sorted(mesh);
}

/// The norm of the difference over that of the first vector, which is the reference.
template <typename Number>
std::string difference(std::vector<double> &reference, const std::vector<Number> &y)
{
  if (reference.empty())
    reference.assign(y.begin(), y.end());
  double sum = 0., all = 0.;
  for (std::size_t i = 0; i < y.size(); ++i)
    {
      sum += std::pow(static_cast<double>(y[i]) - reference[i], 2);
      all += reference[i] * reference[i];
    }
  char text[32];
  std::snprintf(text, sizeof(text), "%.1e", std::sqrt(sum / all));
  return text;
}

template <typename Number>
void run(Backend &backend,
         const Options &options,
         const char *precision,
         const ElementMesh &distorted,
         const ElementMesh &box,
         const double bandwidth,
         std::vector<double> &reference)
{
  if (!options.precision.empty() && options.precision != precision)
    return;
  const auto on_host = random_vector<Number>(distorted.n_dofs(), 2);
  const Array<Number> x(backend.memory(), on_host);
  Array<Number> y(backend.memory(), on_host.size());
  const Array<double> factors(backend.memory(), random_vector(distorted.n_elements, 3, 0.01, 1.));
  for (const Strategy<Number> &strategy : strategies_of<Number>(backend))
    {
      if (!is_selected(options, strategy.name))
        continue;
      const ElementMesh &mesh = strategy.identical_elements_only ? box : distorted;
      if (distorted.type != ElementType() && !strategy.takes_types)
        continue;
      const WallClock clock;
      Material material;
      if (options.element != "trilinear")
        material.formulation = Formulation::incompatible_modes;
      std::unique_ptr<ElementOperator<Number>> K;
      try
        {
          K = strategy.make(backend, mesh, material);
        }
      catch (const Error &) // it supports trilinear elements only
        {
          continue;
        }
      backend.synchronize();
      const double set_up = clock.seconds();
      K->set_stiffness(factors);
      const bool is_same    = !strategy.identical_elements_only || options.mesh == "equal";
      const auto time_apply = [&](const char *const work) {
        const Spread time       = measure(backend, [&]() { K->apply(x, y); });
        const OperatorCost cost = K->cost();
        const double per_second = cost.bytes_per_apply / time.median;
        std::printf(
          "| %s | %s | %s | %.4f | %.4f to %.4f | %.4g | %.4g | %.1f | %.4g | %.0f | %.2f | %s |\n",
          strategy.name.c_str(),
          precision,
          work,
          1e3 * time.median,
          1e3 * time.smallest,
          1e3 * time.largest,
          1e-9 * static_cast<double>(distorted.n_dofs()) / time.median,
          1e-9 * per_second,
          1e2 * per_second / bandwidth,
          1e-9 * cost.flops_per_apply / time.median,
          1e-6 * cost.memory_bytes,
          set_up,
          is_same && work == std::string("apply") ? difference(reference, y.to_host()).c_str()
                                                  : "");
      };
      time_apply("apply");

      Array<Number> blocks(backend.memory(), 2 * on_host.size());
      try
        {
          const Spread of_blocks = measure(backend, [&]() { K->diagonal_blocks(blocks); });
          std::printf("| %s | %s | diagonal_blocks | %.4f | %.4f to %.4f | | | | | | | |\n",
                      strategy.name.c_str(),
                      precision,
                      1e3 * of_blocks.median,
                      1e3 * of_blocks.smallest,
                      1e3 * of_blocks.largest);
        }
      catch (const Error &) // it does not support tangents
        {}
      if (strategy.takes(Law::tangents, mesh.type) && options.element == "trilinear")
        for (const unsigned int n_points : {1u, 8u}) // random numbers take as long as any others
          {
            K->set(mesh,
                   Stiffness::of_fields({Law::tangents, n_points},
                                        [&](unsigned int, unsigned int, Array<double> &values) {
                                          values.copy_from(factors);
                                        }));
            time_apply(n_points == 1 ? "apply, tangents of elements" : "apply, tangents of points");
          }
      std::fflush(stdout);
    }
}

Options parse(const int argc, char **argv)
{
  Options options;
  CLI::App parser("times of one application of each operator");
  parser.add_option("--backend", options.backend)->check(CLI::IsMember({"cuda", "cpu"}));
  parser.add_option("--threads", options.n_threads, "of the CPU backend; 0: all cores");
  add_size(parser, options.n);
  parser.add_option("--type", options.type)
    ->check(CLI::IsMember({"hex8", "hex20", "hex27", "tet4", "tet10"}));
  parser.add_option("--strategy", options.strategies, "names; all without")->delimiter(',');
  parser.add_option("--precision", options.precision)->check(CLI::IsMember({"double", "float"}));
  parser.add_option("--mesh", options.mesh)->check(CLI::IsMember({"distorted", "equal"}));
  parser.add_option("--element", options.element)
    ->check(CLI::IsMember({"trilinear", "incompatible modes"}));
  parser.add_option("--numbers", options.numbers)
    ->check(CLI::IsMember({"sorted", "random", "renumbered"}));
  take_options(parser, argc, argv);
  return options;
}

int main_of(const int argc, char **argv)
{
  const Options options = parse(argc, argv);
  const auto backend =
    options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend(options.n_threads);
  bool needs_equal = options.mesh == "equal";
  for (const Strategy<double> &strategy : backend->strategies<double>())
    needs_equal |= options.type == ElementType().name && strategy.identical_elements_only &&
                   is_selected(options, strategy.name);
  const ElementMesh box  = needs_equal ? make_mesh(options, 0.) : ElementMesh();
  const ElementMesh mesh = options.mesh == "equal" ? box : make_mesh(options, 0.2);
  const double bandwidth = copy_bandwidth(*backend);
  std::printf(
    "%s\n%zu elements (%s, %s, %s), %zu nodes; copy %.0f GB/s, read and written; median of %d "
    "batches of %d or as many as %.1f s hold\n\n",
    backend->device().c_str(),
    mesh.n_elements,
    mesh.type.name,
    options.mesh.c_str(),
    options.numbers.c_str(),
    mesh.n_nodes,
    1e-9 * bandwidth,
    n_batches,
    n_in_batch,
    batch_time);
  std::printf(
    "| strategy | precision | work | ms | smallest to largest | GDoF/s | GB/s, compulsory bytes | "
    "%% of copy | GFLOP/s | MB | set-up, s | difference |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  std::vector<double> reference;
  run<double>(*backend, options, "double", mesh, box, bandwidth, reference);
  run<float>(*backend, options, "float", mesh, box, bandwidth, reference);
  return 0;
}
} // namespace
} // namespace strut::test

int main(int argc, char **argv)
{
  return strut::test::run_main([&]() { return strut::test::main_of(argc, argv); });
}
