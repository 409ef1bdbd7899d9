// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "plugin/deck/output/checkpoint.h"

#include <cmath>
#include <string>
#include <vector>

#include "distributed_problem.h"

namespace strut
{
/// Writes a state to a file, and waits for the end.
inline void write_checkpoint(const std::string &file_name,
                             const MeshOnRanks &problem,
                             const CheckpointState &state)
{
  Checkpoint checkpoint(file_name, problem.communicator, problem.mesh, problem.keys, 2);
  checkpoint.write(state);
  checkpoint.wait();
}

inline CheckpointState read_checkpoint(const std::string &file_name, const MeshOnRanks &problem)
{
  return Checkpoint(file_name, problem.communicator, problem.mesh, problem.keys, 2).read(file_name);
}

inline double density_at(const double x, const double y, const double z)
{
  return 0.5 + 0.1 * std::sin(3 * x + 1) + 0.2 * std::sin(5 * y + 2) + 0.15 * std::sin(7 * z + 3);
}
inline double displacement_at(const double x, const double y, const double z, const int component)
{
  return std::sin(2 * x + component) - std::sin(3 * y - 2 * component) + std::sin(4 * z + 1);
}

/// Values whose number differs between ranks, as does the unit.
inline std::vector<double> before_on(const MeshOfDeck &problem, const int l)
{
  return problem.nodal_field([l](const double x, const double y, const double z, const int c) {
    return displacement_at(z + l, x, y, c) * std::exp(-5. * (x + y));
  });
}

inline CheckpointState state_on(const MeshOfDeck &problem)
{
  CheckpointState state;
  state.parameters = {{"Mesh/Type", "box"}, {"Output/Note", ""}, {"A/B", "x = \"1\"\n# 2"}};
  state.history    = {{1, 0.1, 1. / 3., 4000000000u, 5e-324, 1.5, {0.2, 1e-300}, {0.1, -0., 1e300}},
                      {2, -0., std::nan(""), 0, 1e-5, 2.5, {0.1 + 0.2, 7}}};
  state.history[1].adjoint_residual = 3e-5;
  state.written_results             = {0, 10, 4000000000u};
  state.design                      = {{problem.element_field(density_at)}, {0.125, -1e-300}};
  state.displacements               = {problem.nodal_field(displacement_at),
                                       problem.nodal_field([](double x, double y, double z, int c) {
                           return displacement_at(y, z, x, 2 - c) * 1e-17;
                         })};
  for (const int l : {0, 1})
    state.displacements_before.push_back(
      to_packed(before_on(problem, l), problem.mesh.n_owned_dofs()));
  std::vector<double> at_nodes;
  for (std::size_t i = 0; i < state.displacements[0]->size(); i += 3)
    at_nodes.push_back((*state.displacements[0])[i]);
  state.design.node_fields = {at_nodes};
  state.design.vectors     = {before_on(problem, 3)};
  state.design.packed      = {to_packed(before_on(problem, 2), problem.mesh.n_owned_dofs())};
  return state;
}
} // namespace strut
