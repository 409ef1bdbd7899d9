// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/faulty_place.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <system_error>

#include "plugin/base/atomic_file.h"
#include "plugin/base/background_steps.h"
#include "plugin/base/host_halo.h"
#include "plugin/deck/output/vtu_file.h"
#include "plugin/deck/page/structure_page.h"
#include "plugin/deck/problem/element_places.h"
#include "source/base/team.h"
#include "source/element/anisotropic_stiffness.h"
#include "source/element/element_product.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
namespace
{
/// Elements around nodes with at least this fraction of the largest residual are drawn.
constexpr double share_of_largest = 0.1;

void write_places(const std::string &file_name, const FaultyElements &place)
{
  const std::size_t n_faulty = place.faulty.size(), n = n_faulty + place.others.size();
  const auto vertices = [&](const std::size_t e) -> const FaultyElements::Vertices & {
    return e < n_faulty ? place.faulty[e] : place.others[e - n_faulty];
  };
  VtuContents contents; // elements share no points: the file is only for viewing
  contents.remarks      = {"faulty: 1 for the elements that the message is about"};
  contents.n_points     = 8 * n;
  contents.n_cells      = n;
  contents.n_own_cells  = n;
  contents.points       = make_vtu_array<double>("Points", 3, 8 * n, [&](const std::size_t i) {
    return vertices(i / 24)[i / 3 % 8][i % 3];
  });
  contents.connectivity = make_vtu_array<std::int32_t>(
    "connectivity", 1, 8 * n, [nodes = vtu::cell_of(contents.type).nodes](const std::size_t i) {
      return i / 8 * 8 + nodes[i % 8];
    });
  contents.cell_data = {make_vtu_array<std::int8_t>("faulty", 1, n, [&](const std::size_t e) {
    return e < n_faulty ? 1 : 0;
  })};
  const Communicator self(MPI_COMM_SELF);
  BackgroundSteps steps(self);
  steps.begin([&] {
    return vtu_steps(self, file_name, std::move(contents), cpu::default_n_threads(), [] {});
  });
  steps.wait();
}

/// Writes a page.
/// @param faulty,  others  words of the legend
void write_page(const std::string &file_name,
                const std::string &heading,
                const FaultyElements &place,
                const std::string &faulty,
                const std::string &others)
{
  StructurePage page;
  page.name      = heading;
  page.surfaces  = {{faulty, "faulty", skin_of(place.faulty)},
                    {others, "others", skin_of(place.others)}};
  page.marks.box = AxisBox();
  for (const StructurePage::Surface &surface : page.surfaces)
    for (const Point &x : surface.mesh.vertices)
      page.marks.box.add(x);
  write_file_atomically(file_name, to_html(page));
}

/// The residual of a load case at the free degrees of freedom of the owned nodes,
/// `[3 * n_owned_nodes]`. Collective.
std::vector<double> residual_of(const RunContext &run,
                                StateSolver &state,
                                const std::vector<double> &stiffness,
                                const std::size_t l)
{
  using namespace hexahedron::on_the_fly;
  const ElementMesh &mesh     = run.parameters.problem.mesh();
  const Problem &problem      = run.parameters.problem;
  const std::vector<double> u = state.displacement(l);
  std::vector<double> residual(mesh.n_dofs(), 0.);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      const Material material = problem.solids().isotropic_solid(problem.material(), e);
      double X[3][8], ue[3][8], fe[3][8];
      for (std::size_t v = 0; v < 8; ++v)
        {
          const std::size_t node = mesh.connectivity[v * mesh.n_elements + e];
          for (std::size_t d = 0; d < 3; ++d)
            {
              X[d][v]  = mesh.coordinates[d * mesh.n_nodes + node];
              ue[d][v] = u[3 * node + d];
            }
        }
      if (const AnisotropicSolids &solids = problem.solids().table; !solids.empty())
        for (int a = 0; a < 8; ++a)
          {
            double K[3][24];
            hexahedron::stiffness_rows(X, solids.of(e), a, K);
            for (int i = 0; i < 3; ++i)
              {
                fe[i][a] = 0.;
                for (int v = 0; v < 8; ++v)
                  for (int d = 0; d < 3; ++d)
                    fe[i][a] += stiffness[e] * K[i][3 * v + d] * ue[d][v];
              }
          }
      else
        with_formulation(material.formulation, [&](const auto formulation) {
          element_product<formulation.value>(
            WeightedMaterial<double>(material), stiffness[e], X, ue, fe);
        });
      for (std::size_t v = 0; v < 8; ++v)
        for (std::size_t d = 0; d < 3; ++d)
          residual[3 * mesh.connectivity[v * mesh.n_elements + e] + d] -= fe[d][v];
    }
  add_to_owners(run.communicator.mpi(), mesh, residual);
  residual.resize(mesh.n_owned_dofs());
  state.load_case(l).forces.for_each(
    [&](const std::size_t dof, const double force) { residual[dof] += force; });
  for (std::size_t i = 0; i < mesh.spring_dofs.size(); ++i)
    residual[mesh.spring_dofs[i]] -= mesh.spring_stiffness[i] * u[mesh.spring_dofs[i]];
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof < residual.size())
      residual[dof] = 0.;
  return residual;
}
} // namespace

void remove_places_of_faults(const RunContext &run)
{
  std::error_code ignored; // for files that are missing or belong to others
  if (run.communicator.rank() == 0)
    for (const char *const ending : {"-where.html", "-where.vtu"})
      std::filesystem::remove(run.file(run.parameters.base_name + ending), ignored);
}

std::string draw_place(RunContext &run, const FaultyElements &place)
{
  if (run.communicator.rank() != 0 || place.faulty.empty())
    return "";
  const std::string name = run.file(run.parameters.base_name + "-where");
  try
    {
      create_folder(run.folder);
      write_places(name + ".vtu", place);
      write_page(name + ".html",
                 run.parameters.base_name + ": the place of the fault",
                 place,
                 "the place",
                 "the other elements");
    }
  catch (const std::exception &)
    {
      return "";
    }
  run.pictures = {name + ".html", name + ".vtu"};
  return "  where it is: " + name + ".html (red, in a browser), " + name + ".vtu (ParaView)\n";
}

std::string draw_smaller_pieces(RunContext &run, const std::vector<double> &densities)
{
  const auto solid =
    element_places(run.communicator, run.parameters.problem.mesh(), [&](const std::size_t e) {
      return densities[e] >= DesignPiece::least_density;
    });
  if (solid == nullptr || run.communicator.rank() != 0)
    return "";
  const std::string file = run.file(run.parameters.base_name + "-where.html");
  try
    {
      write_page(file,
                 run.parameters.base_name + ": the pieces of the design",
                 *without_largest_piece(*solid),
                 "the smaller pieces",
                 "the largest piece");
    }
  catch (const Error &)
    {
      return "";
    }
  run.pictures = {file};
  return "  where the smaller ones are: " + file + " (red, in a browser)\n";
}

std::shared_ptr<const FaultyElements> largest_residuals(const RunContext &run,
                                                        const Optimizer &optimizer)
{
  const ElementMesh &mesh = run.parameters.problem.mesh();
  StateSolver &state      = *optimizer.state;
  // Rows of dependent nodes may be on other ranks.
  if (run.parameters.problem.summary().n_cells > FaultyElements::most_elements ||
      mesh.type != ElementType() || run.communicator.any(!mesh.dependent.empty()))
    return nullptr;
  const std::vector<double> stiffness = optimizer.method->analysed_stiffness();
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    if (state.load_case(l).follows_design())
      return nullptr;
  // the field whose solve failed
  state.select_displacements(optimizer.method->displacements_of_stiffness());
  // Largest over the load cases, relative to their forces.
  std::vector<double> worst(mesh.n_nodes, 0.);
  for (std::size_t l = 0; l < state.n_load_cases(); ++l)
    {
      const std::vector<double> residual = residual_of(run, state, stiffness, l);
      double forces                      = 0.;
      state.load_case(l).forces.for_each(
        [&](const std::size_t, const double force) { forces += force * force; });
      forces = std::sqrt(run.communicator.sum(forces));
      for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
        {
          const double size =
            std::hypot(residual[3 * node], residual[3 * node + 1], residual[3 * node + 2]);
          worst[node] = std::max(worst[node],
                                 std::isfinite(size) ? size / std::max(forces, 1e-300)
                                                     : std::numeric_limits<double>::max());
        }
    }
  state.select_displacements(0); // displacements of the results
  update_ghosts(run.communicator.mpi(), mesh, worst);
  const double largest =
    run.communicator.max(worst.empty() ? 0. : *std::max_element(worst.begin(), worst.end()));
  if (largest == 0.)
    return nullptr;
  return element_places(run.communicator, mesh, [&](const std::size_t e) {
    for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
      if (worst[mesh.node(e, v)] >= share_of_largest * largest)
        return true;
    return false;
  });
}
} // namespace strut
