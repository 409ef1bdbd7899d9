// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
//
// Counts the iterations of conjugate gradients with multigrid on elements of each type, for bodies
// of solid and void.
//
//   strut_types_benchmark [--steps=N] [--without-designs] BODY...
//
// BODY is TYPE:SIZE, such as tet10:2, with SIZE 1, 2, 3, ... or TYPE:SIZE:bodies, all bodies of
// tests/fixtures/typed_bodies.h, whose column "frame" is for their solid and void cells, or
// TYPE=FILE, a mesh of tetrahedra.
// The file has the numbers of nodes and of elements, three coordinates of each node, and the nodes
// of each element from 0.
// Prints Markdown.
#include "../fixtures/solve.h"
#include "../fixtures/typed_bodies.h"
#include "source/optimization/maps/sensitivity_filter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>

namespace strut::test
{
namespace
{
constexpr double contrast = 1e-9;

unsigned int steps = 0; ///< smoothing steps; 0: as many as the elements require
bool has_designs   = true;

/// A structure with its levels, and a load.
struct Body
{
  const ElementMesh &mesh;
  const MeshHierarchy &coarser;
  std::vector<double> load;

  /// The solution from zero, and the energies of the elements at stiffness 1.
  unsigned int solve(const std::vector<double> &factors, std::vector<double> *energies) const
  {
    const std::unique_ptr<Backend> backend = make_cpu_backend(2);
    ElasticityOperator<double> K(*backend, Communicator(), mesh, Material(), "ebe");
    MultigridSettings settings;
    settings.smoothing_steps = steps;
    const auto M = make_multigrid<double, double>(*backend, {mesh, Material(), coarser}, settings);
    const Solution solution =
      solve_from_zero(*backend, K, *M, factors, load, to_tolerance(1e-5, 500));
    if (energies != nullptr)
      {
        Array<double> u(backend->memory(), solution.u), c(backend->memory(), mesh.n_elements);
        K.energies(u, c);
        *energies = c.to_host();
      }
    return solution.report.converged ? solution.report.iterations : 999;
  }

  unsigned int count(const std::vector<double> &factors) const
  {
    return solve(factors, nullptr);
  }

  /// The iterations for the design after 20 steps of optimality criteria, volume fraction 0.3.
  unsigned int count_of_design() const
  {
    const double volume = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
    const bool is_tet   = mesh.type.n_vertices == 4;
    const double cell =
      std::cbrt(volume / static_cast<double>(mesh.n_elements) * (is_tet ? 6. : 1.));
    const std::unique_ptr<Backend> backend = make_cpu_backend(2);
    SensitivityFilter filter(*backend, Communicator(), mesh, 1.5 * cell, FilterWeights::count);
    std::vector<double> x(mesh.n_elements, 0.3), energies;
    const auto factors = [&]() {
      std::vector<double> E;
      for (const double density : x)
        E.push_back(contrast + std::pow(density, 3));
      return E;
    };
    for (int design = 0; design < 20; ++design)
      {
        solve(factors(), &energies);
        std::vector<double> gradient;
        for (std::size_t e = 0; e < x.size(); ++e)
          gradient.push_back(-3. * x[e] * x[e] * energies[e]);
        Array<double> filtered(backend->memory(), gradient);
        filter.apply(Array<double>(backend->memory(), x), filtered);
        const std::vector<double> dC = filtered.to_host();
        const auto next              = [&](const double multiplier) {
          std::vector<double> y;
          for (std::size_t e = 0; e < x.size(); ++e)
            y.push_back(
              std::clamp(x[e] * std::sqrt(std::max(0., -dC[e]) / mesh.volumes[e] / multiplier),
                         std::max(1e-3, x[e] - 0.2),
                         std::min(1., x[e] + 0.2)));
          return y;
        };
        double low = 1e-12, high = 1e12;
        for (int halving = 0; halving < 100; ++halving)
          {
            const double middle         = std::sqrt(low * high);
            const std::vector<double> y = next(middle);
            (std::inner_product(y.begin(), y.end(), mesh.volumes.begin(), 0.) > 0.3 * volume
               ? low
               : high)                  = middle;
          }
        x = next(high);
      }
    return count(factors());
  }
};

void print(const std::string &name, const Body &body, const std::vector<unsigned int> &counts)
{
  std::printf("| %s | %zu |", name.c_str(), body.mesh.n_dofs());
  for (const unsigned int n : counts)
    std::printf(n == 0 ? " |" : " %u |", n);
  std::printf("\n");
  std::fflush(stdout);
}

void count_box(const std::string &name, const std::string &type, const std::size_t size)
{
  const std::size_t n = 3 * size * (type_called(type).n_nodes > 8 ? 1 : 2);
  const TypedBox c(type, {{2 * n, n, n}}), flat(type, {{2 * n, n, n}}, 1. / 6.);
  const Body body{c.box.mesh, c.coarser, c.load()},
    of_flat{flat.box.mesh, flat.coarser, flat.load()};
  const std::vector<double> uniform(c.box.mesh.n_elements, 1.);
  print(name,
        body,
        {body.count(uniform),
         body.count(c.frame(contrast)),
         size == 1 ? 0 : body.count(c.frame(contrast, true)),
         size == 1 || !has_designs ? 0 : body.count_of_design(),
         of_flat.count(uniform)});
}

void count_bodies(const std::string &name, const std::string &type, const std::size_t size)
{
  for (const TypedBody &form : typed_bodies())
    {
      const TypedBox c = form.mesh(type, size);
      const Body body{c.box.mesh, c.coarser, c.load()};
      print(name.substr(0, name.rfind(':') + 1) + form.name,
            body,
            {body.count(std::vector<double>(c.box.mesh.n_elements, 1.)),
             body.count(form.factors(c, size, contrast)),
             0,
             size == 1 || !has_designs ? 0 : body.count_of_design(),
             0});
    }
}

void count_file(const std::string &type, const std::string &path)
{
  std::ifstream in(path);
  ElementMesh mesh;
  mesh.type = type_called(type);
  in >> mesh.n_nodes >> mesh.n_elements;
  mesh.n_owned_nodes = mesh.n_nodes;
  mesh.coordinates.resize(3 * mesh.n_nodes);
  for (std::size_t node = 0; node < mesh.n_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      in >> mesh.coordinates[d * mesh.n_nodes + node];
  mesh.connectivity.resize(mesh.type.n_nodes * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    for (std::size_t a = 0; a < mesh.type.n_nodes; ++a)
      in >> mesh.connectivity[a * mesh.n_elements + e];
  if (!in)
    throw Error("no mesh in " + path);
  compute_volumes(mesh, 1);
  std::vector<double> load(mesh.n_dofs(), 0.);
  for (LocalIndex node = 0; node < mesh.n_nodes; ++node)
    {
      for (LocalIndex d = 0; d < 3 && mesh.coordinates[node] < 1e-9; ++d)
        mesh.constrained_dofs.push_back(3 * node + d);
      if (mesh.coordinates[node] > 2. - 1e-9 && mesh.coordinates[2 * mesh.n_nodes + node] < 1e-9)
        load[3 * node + 2] = -1.;
    }
  mesh.constrained_values.assign(mesh.constrained_dofs.size(), 0.);
  MeshHierarchy coarser;
  add_background(Communicator(), mesh, coarser, 1);
  const Body body{mesh, coarser, load};
  print(type + " " + path,
        body,
        {body.count(std::vector<double>(mesh.n_elements, 1.)),
         0,
         0,
         has_designs ? body.count_of_design() : 0,
         0});
}
} // namespace
} // namespace strut::test

int main(int argc, char *argv[])
{
  using namespace strut::test;
  std::printf("| body | DoFs | solid | frame | fat frame | 20 designs | cells 6:6:1 |\n"
              "|---|---:|---:|---:|---:|---:|---:|\n");
  for (int k = 1; k < argc; ++k)
    {
      const std::string body = argv[k];
      const std::size_t end  = body.find_first_of(":=");
      const std::string type = body.substr(0, end);
      if (body.rfind("--steps=", 0) == 0)
        steps = static_cast<unsigned int>(std::strtoul(body.c_str() + 8, nullptr, 10));
      else if (body == "--without-designs")
        has_designs = false;
      else if (end == std::string::npos)
        std::fprintf(stderr, "%s is neither TYPE:SIZE nor TYPE=FILE\n", argv[k]);
      else if (body[end] == '=')
        count_file(type, body.substr(end + 1));
      else
        (body.find(':', end + 1) == std::string::npos
           ? count_box
           : count_bodies)(body, type, std::strtoul(body.c_str() + end + 1, nullptr, 10));
    }
}
