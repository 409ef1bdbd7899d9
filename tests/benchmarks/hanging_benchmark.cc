// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Measures a product with hanging nodes, including constraints. The mesh is a box of cubes, of
// which those in some balls are cut into eight. It is compared with a product on uniform cubes with
// about as many degrees of freedom.
//
//   strut_hanging_benchmark [--backend=cuda|cpu] [--n=80] [--balls=3] [--strategy=NAME,NAME]
//                           [--precision=double|float] [--recorded]
//
// n: cubes per direction before the cuts. balls: per direction. recorded: ten products in one
// recording, as in a multigrid cycle. Prints Markdown.
#include "measure.h"
#include "source/backend/recording.h"

#include "../fixtures/adapted_box.h"

#include <strut/base/communicator.h>
#include <strut/solvers/elasticity_operator.h>

#include <cmath>
#include <stdexcept>

namespace strut::test
{
namespace
{
struct Options
{
  std::string backend = "cuda";
  std::size_t n = 80, n_balls = 3;
  std::vector<std::string> strategies = {"on_the_fly", "ebeSym"};
  std::string precision               = "";
  bool recorded                       = false;
};

/// Seconds of one `product`, alone or among ten of a recording.
Spread measure_product(Backend &backend, const bool recorded, const std::function<void()> &product)
{
  if (!recorded)
    return measure(backend, product);
  constexpr int n      = 10;
  const auto recording = backend.make_recording();
  product(); // makes the initial allocations before the recording
  if (recording == nullptr || !recording->record([&]() {
        for (int i = 0; i < n; ++i)
          product();
      }))
    throw std::runtime_error("The backend '" + backend.name() + "' records no products here.");
  Spread time = measure(backend, [&]() { recording->run(); });
  for (double *value : {&time.median, &time.smallest, &time.largest})
    *value /= n;
  return time;
}

/// Measures seconds per degree of freedom. @param name  name of the mesh, for the table
template <typename Number>
double run(Backend &backend,
           const std::string &strategy,
           const char *precision,
           const char *name,
           const ElementMesh &mesh,
           const double bandwidth,
           const bool recorded)
{
  ElasticityOperator<Number> K(backend, Communicator(MPI_COMM_SELF), mesh, Material(), strategy);
  K.set(Array<double>(backend.memory(), random_vector(mesh.n_elements, 3, 0.01, 1.)));
  Array<Number> x(backend.memory(), random_vector<Number>(mesh.n_dofs(), 2)),
    y(backend.memory(), mesh.n_dofs());
  K.zero_constrained(x);
  const Spread time    = measure_product(backend, recorded, [&]() { K.apply(x, y); });
  const double per_dof = time.median / double(mesh.n_dofs());
  const double bytes   = K.element_operator().cost().bytes_per_apply;
  std::printf("| %s | %s | %s | %zu | %zu | %.4f | %.4f to %.4f | %.2f | %.0f |",
              strategy.c_str(),
              precision,
              name,
              mesh.n_elements,
              mesh.n_dofs(),
              1e3 * time.median,
              1e3 * time.smallest,
              1e3 * time.largest,
              1e-9 / per_dof,
              1e2 * bytes / time.median / bandwidth);
  return per_dof;
}

template <typename Number>
void compare(Backend &backend,
             const Options &options,
             const char *precision,
             const ElementMesh &uniform,
             const ElementMesh &adapted,
             const double bandwidth)
{
  if (!options.precision.empty() && options.precision != precision)
    return;
  for (const std::string &strategy : options.strategies)
    {
      const double before =
        run<Number>(backend, strategy, precision, "uniform", uniform, bandwidth, options.recorded);
      std::printf(" |\n");
      const double now =
        run<Number>(backend, strategy, precision, "adapted", adapted, bandwidth, options.recorded);
      std::printf(" %.1f |\n", 1e2 * before / now);
      std::fflush(stdout);
    }
}

Options parse(const int argc, char **argv)
{
  Options options;
  CLI::App parser("times of a product with hanging nodes");
  parser.add_option("--backend", options.backend)->check(CLI::IsMember({"cuda", "cpu"}));
  parser.add_option("--n", options.n)->check(CLI::PositiveNumber);
  parser.add_option("--balls", options.n_balls)->check(CLI::PositiveNumber);
  parser.add_option("--strategy", options.strategies)->delimiter(',');
  parser.add_option("--precision", options.precision)->check(CLI::IsMember({"double", "float"}));
  parser.add_flag("--recorded", options.recorded);
  take_options(parser, argc, argv);
  return options;
}

int main_of(const int argc, char **argv)
{
  const Options options = parse(argc, argv);
  const auto backend    = options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend();
  const double period   = double(options.n) / double(options.n_balls);
  const AdaptedBox adapted(options.n, [&](const double x, const double y, const double z) {
    double square = 0.;
    for (const double c : {x, y, z})
      square += std::pow(std::fmod(c, period) - 0.5 * period, 2);
    return square < std::pow(0.3 * period, 2);
  });
  const auto n_uniform = static_cast<std::size_t>(std::cbrt(double(adapted.mesh.n_nodes)) - 0.5);
  const AdaptedBox uniform(n_uniform, [](double, double, double) { return false; });
  const double bandwidth = copy_bandwidth(*backend);
  std::printf(
    "%s\ncopy %.0f GB/s, read and written; median of %d batches; %.1f %% of the adapted elements have "
    "hanging nodes, %.1f %% of the degrees of freedom hang\n\n",
    backend->device().c_str(),
    1e-9 * bandwidth,
    n_batches,
    1e2 * double(adapted.n_hanging_elements) / double(adapted.mesh.n_elements),
    1e2 * double(adapted.mesh.dependent.dofs.size()) / double(adapted.mesh.n_dofs()));
  std::printf(
    "| strategy | precision | mesh | elements | DoFs | ms | smallest to largest | GDoF/s | %% of copy, "
    "compulsory bytes | rate, %% of uniform |\n|---|---|---|---|---|---|---|---|---|---|\n");
  compare<double>(*backend, options, "double", uniform.mesh, adapted.mesh, bandwidth);
  compare<float>(*backend, options, "float", uniform.mesh, adapted.mesh, bandwidth);
  return 0;
}
} // namespace
} // namespace strut::test

int main(int argc, char **argv)
{
  return strut::test::run_main([&]() { return strut::test::main_of(argc, argv); });
}
