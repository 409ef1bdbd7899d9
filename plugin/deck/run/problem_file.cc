// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/problem_file.h"

#include <strut/solvers/structure.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "plugin/base/background_steps.h"
#include "plugin/deck/output/array_names.h"
#include "plugin/deck/output/mesh_in_vtu.h"
#include "plugin/deck/problem/problem.h"
#include "source/mesh/faces.h"
#include "source/surface/weld.h"

namespace strut
{
namespace
{
/// The members of a selection of nodes without ghosts.
std::vector<std::size_t> owned(const ElementMesh &mesh, const std::vector<LocalIndex> &nodes)
{
  std::vector<std::size_t> own;
  for (const LocalIndex node : nodes)
    if (node < mesh.n_owned_nodes)
      own.push_back(node);
  return own;
}

/// The faces at the boundary of a mesh, one surface for each part of its elements. It is the same
/// on every rank. Collective.
std::vector<TriangleMesh>
boundary_of_parts(const Communicator &communicator,
                  const DeckMesh &mesh,
                  const std::size_t n_parts,
                  const std::function<std::size_t(std::size_t element)> &part_of)
{
  constexpr std::size_t n_numbers = 13; // the part, and the corners
  std::vector<double> numbers;
  for (const DeckMesh::Face &face : mesh.named_faces())
    if (mesh.at_boundary(face.element, face.number))
      {
        numbers.push_back(static_cast<double>(part_of(face.element)));
        for (std::size_t k = 0; k < 4; ++k)
          {
            const dealii::Point<3> x =
              mesh.vertex(face.element,
                          mesh.elements.type.n_vertices == 4
                            ? around_triangle[face.number][std::min<std::size_t>(k, 2)]
                            : FaultyElements::around_faces[face.number][k]);
            numbers.insert(numbers.end(), {x[0], x[1], x[2]});
          }
      }
  numbers = communicator.gather(numbers);
  std::vector<TriangleMesh> parts(n_parts);
  for (std::size_t i = 0; i < numbers.size(); i += n_numbers)
    {
      FaceCorners corners;
      for (std::size_t k = 0; k < 12; ++k)
        corners[k / 3][k % 3] = numbers[i + 1 + k];
      add_face(parts[static_cast<std::size_t>(numbers[i])], corners);
    }
  for (TriangleMesh &part : parts)
    part = welded(part);
  return parts;
}
} // namespace

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
      const Solids &solids = problem.solids();
      contents.cell_data.push_back(
        make_vtu_array<float>("stiffness_ratio", 1, mesh.n_elements, [&](const std::size_t e) {
          return solids.numbers.empty() ? 1. : solids.numbers[0][e];
        }));
      contents.cell_data.push_back(make_vtu_array<float>(
        "mass_ratio", 1, mesh.n_elements, [&](const std::size_t e) { return solids.mass_of(e); }));
      // Anisotropic solids have several ratios; all ranks agree on this.
      if (solids.law.known().isotropic_solid != nullptr)
        contents.cell_data.push_back(
          make_vtu_array<float>("poisson_ratio", 1, mesh.n_elements, [&](const std::size_t e) {
            return solids.isotropic_solid(problem.material(), e).poisson_ratio;
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

StructurePage
problem_page(const std::string &deck, const Problem &problem, const Communicator &communicator)
{
  const ElementMesh &mesh = problem.mesh();
  std::vector<const LoadCase *> load_cases;
  for (const LoadCase &load_case : problem.load_cases())
    load_cases.push_back(&load_case);
  StructurePage page;
  page.name     = deck + ": the problem";
  page.marks    = marks_on_part(communicator, mesh, load_cases);
  page.n_nodes  = problem.summary().n_nodes;
  page.surfaces = {{"to design", "design", {}}, {"solid", "solid", {}}, {"void", "void", {}}};
  // The last region of an element gives its surface the name.
  std::vector<std::size_t> region_of(mesh.n_elements, 0);
  const std::string of_region = "region ";
  for (const Problem::Selection &selection : problem.selections())
    if (!selection.has_elements)
      page.names.push_back(
        some_places(communicator, mesh, selection.name, owned(mesh, selection.members)));
    else if (selection.name.rfind(of_region, 0) == 0)
      {
        for (const LocalIndex e : selection.members)
          if (e < mesh.n_elements)
            region_of[e] = page.surfaces.size() / 2;
        const std::string name = selection.name.substr(of_region.size());
        page.surfaces.push_back({"solid: " + name, "solid", {}});
        page.surfaces.push_back({"void: " + name, "void", {}});
      }
  std::vector<TriangleMesh> surfaces = boundary_of_parts(
    communicator, problem.deck_mesh(), page.surfaces.size(), [&](const std::size_t e) {
      return mesh.flags[e] == DesignFlag::design
               ? 0
               : 2 * region_of[e] + (mesh.flags[e] == DesignFlag::solid ? 1 : 2);
    });
  for (std::size_t i = 0; i < surfaces.size(); ++i)
    page.surfaces[i].mesh = std::move(surfaces[i]);
  return page;
}
} // namespace strut
