// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Measures the sensitivity filter, the PDE filter, steps of MMA, and the transfer to the next
// coarser level. Boxes have distorted or equal elements along a space-filling curve. It counts the
// bytes that each keeps, and compares with the copy bandwidth of the same run.
//
//   strut_design_benchmark [--backend=cuda|cpu] [--n=100 | --n=160,80,80] [--radius=5]
//                          [--only-pde]
//
// n: elements per direction, even for the transfer. radius: of the filters, in elements. only-pde:
// only the PDE filter of equal elements. Prints Markdown.
#include "../fixtures/box_hierarchy.h"
#include "measure.h"
#include "source/optimization/maps/sensitivity_filter.h"
#include "source/optimization/updates/moving_asymptotes.h"
#include "source/solvers/multigrid/grid_transfer.h"

#include <strut/optimization/maps/design_map.h>

namespace strut::test
{
namespace
{
struct Options
{
  std::string backend = "cuda";
  std::array<std::size_t, 3> n{{100, 100, 100}};
  double radius = 5.;
  bool only_pde = false;
};

void print(const char *label, const Spread &time, const double bytes_per_element)
{
  std::printf("| %s | %.4f | %.4f to %.4f | %.1f |\n",
              label,
              1e3 * time.median,
              1e3 * time.smallest,
              1e3 * time.largest,
              bytes_per_element);
  std::fflush(stdout);
}

/// Adds the volumes, which sorted() leaves out.
ElementMesh measured(ElementMesh mesh)
{
  measure(mesh);
  return mesh;
}

void time_filter(Backend &backend, const char *label, const ElementMesh &mesh, const double radius)
{
  auto &memory        = backend.memory();
  const std::size_t n = mesh.n_elements;
  const double held   = static_cast<double>(memory.in_use());
  SensitivityFilter filter(backend, Communicator(), mesh, radius);
  const double kept = static_cast<double>(memory.in_use()) - held;
  const Array<double> design(memory, random_vector(n, 1, 0.01, 1.));
  Array<double> sensitivities(memory, random_vector(n, 2, -1., -0.5));
  print(label,
        measure(backend, [&]() { filter.apply(design, sensitivities); }),
        kept / static_cast<double>(n));
}

/// Measures one application, from variables to densities.
void time_pde_filter(Backend &backend,
                     const char *label,
                     const ElementMesh &mesh,
                     const double radius)
{
  Memory &memory      = backend.memory();
  const std::size_t n = mesh.n_elements;
  const double held   = static_cast<double>(memory.in_use());
  MapSettings settings;
  settings.radius   = radius;
  const auto map    = find_design_map("helmholtz").make(backend, Communicator(), mesh, settings);
  const double kept = static_cast<double>(memory.in_use()) - held;
  const Array<double> design(memory, random_vector(n, 1, 0.01, 1.));
  Array<double> densities(memory, n);
  print(label,
        measure(backend, [&]() { map->forward(design, densities, {}); }),
        kept / static_cast<double>(n));
}

/// Measures steps of the moving asymptotes from design to design, with derivatives of a compliance
/// and of budgets.
void time_asymptotes(Backend &backend, const std::size_t n, const std::size_t n_constraints)
{
  Memory &memory    = backend.memory();
  const double held = static_cast<double>(memory.in_use());
  const Array<DesignFlag> flags(memory, std::vector<DesignFlag>(n, DesignFlag::design));
  MovingAsymptotes update(backend, Communicator(), flags, {});
  const double kept = static_cast<double>(memory.in_use()) - held;
  const double by_n = 1. / static_cast<double>(n);
  Array<double> x(memory, random_vector(n, 1, 0.2, 0.8)), next(memory, n);
  const Array<double> objective(memory, random_vector(n, 2, -3. * by_n, -0.1 * by_n));
  std::vector<Array<double>> budgets;
  for (std::size_t i = 0; i < n_constraints; ++i)
    budgets.emplace_back(memory,
                         random_vector(n, 3 + static_cast<unsigned int>(i), 0.1 * by_n, 2. * by_n));
  unsigned int n_steps = 0, n_passes = 0;
  const auto time         = measure(backend, [&]() {
    DesignPoint point{x, x, {1., 1., &objective}};
    for (std::size_t i = 0; i < n_constraints; ++i)
      point.constraints.push_back({0.01 * static_cast<double>(i + 1), 1., &budgets[i]});
    n_passes += update.step(point, next).passes;
    ++n_steps;
    x.swap(next);
  });
  const std::string label = "MMA, m = " + std::to_string(n_constraints) + ", " +
                            std::to_string(double(n_passes) / n_steps).substr(0, 4) + " passes";
  print(label.c_str(), time, kept / static_cast<double>(n));
}

template <typename Number>
void time_transfer(Backend &backend,
                   const char *precision,
                   const ElementMesh &fine,
                   const CoarseLevel &coarse)
{
  auto &memory        = backend.memory();
  const double held   = static_cast<double>(memory.in_use());
  const auto transfer = make_grid_transfer<Number>(backend, Communicator(), fine, coarse);
  const double kept   = (static_cast<double>(memory.in_use()) - held) / double(fine.n_elements);
  Array<Number> on_fine(memory, random_vector<Number>(fine.n_dofs(), 1)),
    on_coarse(memory, random_vector<Number>(coarse.mesh.n_dofs(), 2));
  const std::string suffix = std::string(", ") + precision;
  print(("prolongation" + suffix).c_str(),
        measure(backend, [&]() { transfer->prolongate(on_coarse, on_fine); }),
        kept);
  print(("restriction" + suffix).c_str(),
        measure(backend, [&]() { transfer->restrict_to_parents(on_fine, on_coarse); }),
        kept);
}

Options parse(const int argc, char **argv)
{
  Options options;
  CLI::App parser("times of filters, MMA, restriction and prolongation");
  parser.add_option("--backend", options.backend)->check(CLI::IsMember({"cuda", "cpu"}));
  add_size(parser, options.n);
  parser.add_option("--radius", options.radius, "of the filters, elements")
    ->check(CLI::Range(0.001, 1000.));
  parser.add_flag("--only-pde", options.only_pde, "the PDE filter of equal elements alone");
  take_options(parser, argc, argv);
  return options;
}

int main_of(const int argc, char **argv)
{
  const Options options  = parse(argc, argv);
  const auto backend     = options.backend == "cuda" ? make_cuda_backend() : make_cpu_backend();
  const double bandwidth = copy_bandwidth(*backend);
  std::printf("%s\n%zu elements, radius %g of them; copy %.0f GB/s, read and written\n\n",
              backend->device().c_str(),
              options.n[0] * options.n[1] * options.n[2],
              options.radius,
              1e-9 * bandwidth);
  std::printf("| work | ms | smallest to largest | bytes kept, an element |\n|---|---|---|---|\n");
  {
    const ElementMesh equal =
      measured(sorted(make_box(BoxOptions::unit_cubes(options.n, 0.)).mesh));
    time_pde_filter(*backend, "PDE filter, equal elements", equal, options.radius);
    if (options.only_pde)
      return 0;
    time_filter(*backend, "sensitivity filter, equal elements", equal, options.radius);
  }
  const BoxMesh box = make_box(BoxOptions::unit_cubes(options.n, 0.2));
  {
    const ElementMesh mesh = measured(sorted(box.mesh));
    time_pde_filter(*backend, "PDE filter", mesh, options.radius);
    time_filter(*backend, "sensitivity filter", mesh, options.radius);
  }
  for (const std::size_t n_constraints : {1, 8})
    time_asymptotes(*backend, box.mesh.n_elements, n_constraints);
  if (options.n[0] % 2 + options.n[1] % 2 + options.n[2] % 2 == 0)
    {
      const MeshHierarchy coarser = coarsen(box, 1);
      time_transfer<double>(*backend, "double", box.mesh, coarser[0]);
      time_transfer<float>(*backend, "float", box.mesh, coarser[0]);
    }
  return 0;
}
} // namespace
} // namespace strut::test

int main(int argc, char **argv)
{
  return strut::test::run_main([&]() { return strut::test::main_of(argc, argv); });
}
