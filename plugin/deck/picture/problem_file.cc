// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/picture/problem_file.h"

#include <strut/solvers/structure.h>

#include <vector>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/array_names.h"
#include "plugin/deck/output/mesh_in_vtu.h"
#include "plugin/deck/problem/problem.h"

namespace strut
{
void write_problem(const std::string &file_name,
                   const Problem &problem,
                   MPI_Comm communicator,
                   const int n_threads)
{
  const ElementMesh &mesh = problem.mesh();
  const MeshInVtu in_vtu(communicator, mesh);
  VtuContents contents = in_vtu.contents();
  contents.remarks     = {"A problem before it is solved.",
                          "design_flag: 0 design, 1 solid, 2 void",
                          "Lengths and forces are in the units of the deck."};
  contents.cell_data   = {
      make_vtu_array<std::int8_t>("design_flag",
                                1,
                                mesh.n_elements,
                                [&](const std::size_t e) {
                                  return static_cast<int>(mesh.flags[e]);
                                }),
      make_vtu_array<std::int32_t>("material_id", 1, mesh.n_elements, [&](const std::size_t e) {
      return problem.deck_mesh().material_id(e);
    })};

  if (problem.has_materials())
    {
      const MaterialRatios &ratios = problem.ratios();
      contents.cell_data.push_back(
        make_vtu_array<float>("stiffness_ratio", 1, mesh.n_elements, [&](const std::size_t e) {
          return ratios.stiffness_of(e);
        }));
      contents.cell_data.push_back(make_vtu_array<float>(
        "mass_ratio", 1, mesh.n_elements, [&](const std::size_t e) { return ratios.mass_of(e); }));
      // Anisotropic solids have several ratios; all ranks agree on this.
      if (ratios.anisotropic.matrices.empty())
        contents.cell_data.push_back(
          make_vtu_array<float>("poisson_ratio", 1, mesh.n_elements, [&](const std::size_t e) {
            return solid_of(e, problem.material(), ratios).poisson_ratio;
          }));
    }
  const std::vector<bool> held = in_vtu.supports();
  std::vector<double> displacements(mesh.n_owned_dofs(), 0.);
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    if (mesh.constrained_dofs[i] < displacements.size())
      displacements[mesh.constrained_dofs[i]] = mesh.constrained_values[i];
  contents.point_data = {
    make_vtu_array<std::int8_t>(
      "support", 3, mesh.n_owned_nodes, [&](const std::size_t i) { return held[i] ? 1 : 0; }),
    make_vtu_array<float>("prescribed_displacement",
                          3,
                          mesh.n_owned_nodes,
                          [&](const std::size_t i) { return displacements[i]; })};

  ArrayNames array_name;
  for (const Problem::Selection &selection : problem.selections())
    {
      const std::size_t n = selection.has_elements ? mesh.n_elements : mesh.n_owned_nodes;
      std::vector<std::uint8_t> is_in(n, 0);
      // No ghosts.
      for (const LocalIndex member : selection.members)
        if (member < n)
          is_in[member] = 1;
      (selection.has_elements ? contents.cell_data : contents.point_data)
        .push_back(make_vtu_array<std::int8_t>(
          array_name(selection.name), 1, n, [is_in](const std::size_t i) { return is_in[i]; }));
    }
  for (const LoadCase &load_case : problem.load_cases())
    if (load_case.weights.size() == 3 * mesh.n_elements && load_case.has_weight)
      contents.cell_data.push_back(make_vtu_array<float>(
        array_name("force_per_volume_" + load_case.name),
        3,
        mesh.n_elements,
        [&](const std::size_t i) { return load_case.weights[i % 3 * mesh.n_elements + i / 3]; }));
  for (const LoadCase &load_case : problem.load_cases())
    if (load_case.forces.size() >= mesh.n_owned_dofs())
      contents.point_data.push_back(
        make_vtu_array<float>(array_name("nodal_force_" + load_case.name),
                              3,
                              mesh.n_owned_nodes,
                              [&](const std::size_t i) { return load_case.forces[i]; }));

  const Communicator ranks(communicator);
  BackgroundSteps steps(ranks);
  steps.begin([&] { return vtu_steps(ranks, file_name, std::move(contents), n_threads, [] {}); });
  steps.wait();
}
} // namespace strut
