// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Measures PCG iterations and seconds for the kinds of coarse operators on lattices, solid bodies
// and designs with islands:
//
//   strut_lattice_benchmark [names of structures]
#include "../fixtures/cantilever_hierarchy.h"
#include "../fixtures/lattices.h"
#include "source/base/measure.h"
#include "source/solvers/krylov/conjugate_gradient.h"
#include "source/solvers/multigrid/multigrid.h"
#include "source/solvers/multigrid/rigid_pieces.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>
#include <strut/solvers/state/state_solver.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <string>

namespace strut::test
{
namespace
{
struct System
{
  BoxMesh box;
  MeshHierarchy coarser;
  std::vector<double> factors;
  bool is_refined = false;
};

System flat(const FlatStructure &s)
{
  return {s.box, s.coarser, std::vector<double>(s.box.mesh.n_elements, 1.), false};
}

System members(System system, const double solid)
{
  const ElementMesh &mesh = system.box.mesh;
  const double volume     = std::accumulate(mesh.volumes.begin(), mesh.volumes.end(), 0.);
  const double h          = std::cbrt(volume / static_cast<double>(mesh.n_elements));
  system.factors          = random_members(mesh, 2.5 * h, solid, 1e-9);
  return system;
}

System refined(const CellIndices &n, const unsigned int n_coarser)
{
  const CantileverHierarchy c(n, n_coarser);
  return {c.box, c.coarser, std::vector<double>(c.box.mesh.n_elements, 1.), true};
}

System refined_frame(const CellIndices &n, const unsigned int n_coarser)
{
  const CantileverHierarchy c(n, n_coarser);
  return {c.box, c.coarser, c.frame(1e-9), true};
}

/// Numbers of cells or nodes per direction.
CellIndices by(const std::size_t nx, const std::size_t ny, const std::size_t nz)
{
  return {{nx, ny, nz}};
}

System solid(const CellIndices &n_nodes)
{
  return flat(FlatStructure(n_nodes, 0.2));
}

using Systems = std::vector<std::pair<std::string, std::function<System()>>>;

const Systems systems = {
  {"comb-1", [] { return flat(comb(1, 41)); }},
  {"comb-2", [] { return flat(comb(2, 41)); }},
  {"comb-2-long", [] { return flat(comb(2, 81)); }},
  {"lattice-1", [] { return flat(lattice(by(5, 2, 2), 8, 1)); }},
  {"lattice-2", [] { return flat(lattice(by(6, 3, 3), 8, 2)); }},
  {"lattice-fine", [] { return flat(lattice(by(20, 8, 8), 4, 1)); }},
  {"box", [] { return solid(by(25, 13, 13)); }},
  {"box-large", [] { return solid(by(65, 33, 33)); }},
  {"refined", [] { return refined(by(64, 32, 32), 3); }},
  {"refined-frame", [] { return refined_frame(by(64, 32, 32), 3); }},
  {"members-50", [] { return members(solid(by(25, 13, 13)), 0.5); }},
  {"members-30", [] { return members(solid(by(25, 13, 13)), 0.3); }},
  {"refined-members-30", [] { return members(refined(by(32, 16, 16), 2), 0.3); }},
  {"large-members-30", [] { return members(refined(by(64, 32, 32), 3), 0.3); }}};

void measure_solve(Backend &backend,
                   const System &s,
                   const CoarseOperators kind,
                   const char *name,
                   const bool with_pieces = false)
{
  const ElementMesh &mesh = s.box.mesh;
  const Array<double> E(backend.memory(), s.factors);
  ElasticityOperator<double> K(backend, Communicator(), mesh, Material(), "on_the_fly");
  K.set(E);
  MultigridSettings settings;
  settings.coarse_operators = kind;
  const WallClock clock;
  const Structure structure{mesh, Material(), s.coarser};
  auto M =
    make_multigrid_preconditioner<double, double>(backend, Communicator(), structure, settings);
  if (with_pieces)
    M = with_piece_correction<double>(backend, structure, std::move(M));
  M->update(K, E);
  const double made = clock.seconds();
  M->update(K, E);
  const double renewed = clock.seconds();
  TimingTable timing;
  ConjugateGradient<double> solver(backend, Communicator(), timing);
  Array<double> b(backend.memory(), edge_load(s.box)), x(backend.memory(), mesh.n_dofs());
  SolverControl control;
  control.tolerance      = 1e-5;
  control.max_iterations = 1000;
  std::string result;
  try
    {
      const SolverReport report = solver.solve(control, K, *M, b, x);
      result = report.converged ? std::to_string(report.iterations) : "not converged";
    }
  catch (const SolverFailure &)
    {
      result = "> 1000";
    }
  std::printf("%-20s %8zu  %-14s %8s  %8.3f  %8.3f  %8.3f\n",
              "",
              mesh.n_elements,
              name,
              result.c_str(),
              made,
              renewed - made,
              clock.seconds() - renewed);
}
} // namespace
} // namespace strut::test

int main(const int argc, char **argv)
{
  using namespace strut;
  using namespace strut::test;
  const std::vector<std::string> wanted(argv + 1, argv + argc);
  const auto backend = make_cpu_backend();
  std::printf("%-20s %8s  %-14s %8s  %8s  %8s  %8s\n",
              "structure",
              "elements",
              "operators",
              "PCG",
              "first, s",
              "new, s",
              "solve, s");
  for (const auto &[name, make] : systems)
    {
      if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), name) == wanted.end())
        continue;
      std::printf("%s\n", name.c_str());
      const System system = make();
      measure_solve(*backend, system, CoarseOperators::rediscretised, "rediscretised");
      if (system.is_refined)
        measure_solve(*backend, system, CoarseOperators::galerkin, "galerkin");
      measure_solve(*backend, system, CoarseOperators::aggregation, "aggregation");
      if (*std::min_element(system.factors.begin(), system.factors.end()) < 1e-3)
        measure_solve(*backend, system, CoarseOperators::rediscretised, "with pieces", true);
    }
  return 0;
}
