// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "tests/plugin/distributed_problem.h"
#include "tests/plugin/mesh_measures.h"
#include <strut/parallel/halo_exchange.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "plugin/element_mesh/mesh_hierarchy_builder.h"

namespace strut::test
{
/// A mesh of a source, or the ball.
struct MeshCase
{
  std::string name;
  std::string source;
  test::Entries entries;
  unsigned int refinements; ///< in addition to those of the source
  bool straight;

  friend void PrintTo(const MeshCase &c, std::ostream *out)
  {
    *out << c.name;
  }
};

/// A place and a component, rounded, so that they are equal on all ranks.
using Key  = std::array<std::int64_t, 4>;
using Keys = std::set<Key>;

inline Key key(const dealii::Point<3> &x, const unsigned int component)
{
  return {
    {std::llround(1e6 * x[0]), std::llround(1e6 * x[1]), std::llround(1e6 * x[2]), component}};
}

inline Keys keys(const std::vector<dealii::Point<3>> &places, const unsigned int component)
{
  Keys result;
  for (const dealii::Point<3> &place : places)
    result.insert(key(place, component));
  return result;
}

/// Whether a component is held at a place.
using Supports = std::function<bool(const dealii::Point<3> &, unsigned int)>;

/// A mesh and those it was refined from.
struct Levels
{
  Levels(const MeshCase &mesh_case,
         std::unique_ptr<dealii::Triangulation<3>> mesh,
         MPI_Comm communicator,
         const Supports &supports,
         const std::size_t n_levels_at_most = 99)
    : communicator(communicator)
    , triangulation(std::move(mesh))
    , fe(dealii::FE_Q<3>(1), 3)
    , dof_handler(*triangulation)
  {
    unsigned int refinements = mesh_case.refinements;
    if (mesh_case.source == "ball")
      dealii::GridGenerator::hyper_ball(*triangulation);
    else
      refinements += create_mesh(mesh_case.source, mesh_case.entries, *triangulation);
    if (mesh_case.source == "ball") // straight cells in any orientation
      triangulation->reset_all_manifolds();
    triangulation->refine_global(refinements);
    dof_handler.distribute_dofs(fe);
    fine = build_element_mesh(dof_handler, communicator);
    PrescribedDofs prescribed;
    for (std::size_t i = 0; i < fine.n_owned_dofs(); ++i)
      if (supports(place_of(fine, i / 3), i % 3))
        prescribed[fine.dof_indices[i]] = 7.;
    set_constraints(prescribed, communicator, fine);
    hierarchy = build_mesh_hierarchy(dof_handler, fine, communicator, n_levels_at_most);
  }

  static dealii::Point<3> place_of(const ElementMesh &mesh, const std::size_t node)
  {
    return {mesh.coordinates[node],
            mesh.coordinates[mesh.n_nodes + node],
            mesh.coordinates[2 * mesh.n_nodes + node]};
  }

  const ElementMesh &finer_than(const std::size_t level) const
  {
    return level == 0 ? fine : hierarchy[level - 1].mesh;
  }

  /// Appends the values of the ghosts, as their owners send them, to those of owned entities.
  std::vector<double> with_ghosts(std::vector<double> values,
                                  const HaloPattern &pattern,
                                  const std::size_t n,
                                  const unsigned int n_components) const
  {
    const auto backend = make_cpu_backend(1);
    values.resize(n * n_components, -1e9);
    Array<double> array(backend->memory(), values);
    HaloExchange<double>(*backend, Communicator(communicator), pattern, n_components)
      .update_ghosts(array);
    return array.to_host();
  }

  /// Places of the owned nodes, and of the ghosts of a layout, as their owners send them, `[n][3]`.
  std::vector<double>
  places(const ElementMesh &mesh, const HaloPattern &pattern, const std::size_t n) const
  {
    std::vector<double> values(3 * mesh.n_owned_nodes);
    for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
      for (unsigned int d = 0; d < 3; ++d)
        values[3 * node + d] = mesh.coordinates[d * mesh.n_nodes + node];
    return with_ghosts(values, pattern, n, 3);
  }

  /// The constrained DoFs of all ranks, by place and component.
  Keys constrained(const ElementMesh &mesh) const
  {
    std::vector<Key> mine;
    for (const LocalIndex dof : mesh.constrained_dofs)
      mine.push_back(key(place_of(mesh, dof / 3), dof % 3)); // ghosts too: nobody may differ
    Keys all;
    for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator, mine))
      all.insert(of_rank.begin(), of_rank.end());
    return all;
  }

  /// Places of the owned nodes of all ranks, each of which must occur once.
  Keys nodes(const ElementMesh &mesh) const
  {
    std::vector<Key> mine;
    for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
      mine.push_back(key(place_of(mesh, node), 0));
    Keys all;
    for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator, mine))
      for (const auto &node : of_rank)
        EXPECT_TRUE(all.insert(node).second) << "two nodes at one place";
    return all;
  }

  /// Centres of the elements of all ranks, each of which must occur once.
  Keys elements(const ElementMesh &mesh) const
  {
    const std::size_t n = mesh.n_elements;
    std::vector<Key> mine;
    for (std::size_t e = 0; e < n; ++e)
      mine.push_back(key({mesh.centre(e)[0], mesh.centre(e)[1], mesh.centre(e)[2]}, 0));
    Keys all;
    for (const auto &of_rank : dealii::Utilities::MPI::all_gather(communicator, mine))
      for (const auto &element : of_rank)
        EXPECT_TRUE(all.insert(element).second) << "two elements at one place";
    return all;
  }

  MPI_Comm communicator;
  std::unique_ptr<dealii::Triangulation<3>> triangulation;
  dealii::FESystem<3> fe;
  dealii::DoFHandler<3> dof_handler;
  ElementMesh fine;
  MeshHierarchy hierarchy;
};

inline std::unique_ptr<dealii::Triangulation<3>> distributed(MPI_Comm communicator)
{
  using Distributed = dealii::parallel::distributed::Triangulation<3>;
  return std::make_unique<Distributed>(communicator,
                                       dealii::Triangulation<3>::none,
                                       Distributed::construct_multigrid_hierarchy);
}

inline std::unique_ptr<dealii::Triangulation<3>> serial()
{
  return std::make_unique<dealii::Triangulation<3>>();
}
} // namespace strut::test
