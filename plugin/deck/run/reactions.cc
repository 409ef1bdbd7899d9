// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/run/reactions.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>
#include <vector>

#include "source/base/parallel_loop.h"

namespace strut
{
namespace
{
using Vector = std::array<double, 3>;

/// Adds the force on a DoF at a place to a force and a moment about the origin.
void add(const std::size_t component,
         const double value,
         const Vector &place,
         Vector &force,
         Vector &moment)
{
  force[component] += value;
  const std::size_t next = (component + 1) % 3, last = (component + 2) % 3;
  moment[next] += place[last] * value; // (x times f)_next = x_last f_component - ...
  moment[last] -= place[next] * value;
}

double largest_of(const Vector &vector)
{
  return std::max({std::abs(vector[0]), std::abs(vector[1]), std::abs(vector[2])});
}

/// Returns the size of the forces, of which a moment is a pair, and that of the moments.
std::pair<double, double> sizes_of(const std::vector<RunSummary::Reaction> &reactions)
{
  double force = 0., moment = 0., arm = 0.;
  for (const RunSummary::Reaction &reaction : reactions)
    {
      force  = std::max(force, largest_of(reaction.force));
      moment = std::max(moment, largest_of(reaction.moment));
      for (std::size_t d = 0; d < 3; ++d)
        arm = std::max(arm, std::abs(reaction.point[d] - reactions[0].point[d]));
    }
  return {arm > 0. ? std::max(force, moment / arm) : force, moment};
}

/// Returns "(1, 0, 2)" with 0 for what is below `rounding`.
std::string text_of(const Vector &vector, const double rounding)
{
  std::ostringstream text;
  for (std::size_t d = 0; d < 3; ++d)
    text << (d == 0 ? "(" : ", ") << (std::abs(vector[d]) < rounding ? 0. : vector[d]);
  text << ')';
  return text.str();
}
} // namespace

std::optional<RunSummary::Reactions> reactions_of(const Communicator &communicator,
                                                  const Problem &problem,
                                                  StateSolver &state,
                                                  const std::size_t l)
{
  const std::vector<double> forces = state.reactions(l);
  const ElementMesh &mesh          = problem.mesh();
  if (communicator.any(forces.size() != mesh.n_owned_dofs()))
    return {};
  const auto place = [&](const LocalIndex dof) -> Vector {
    const std::size_t n = mesh.n_nodes, node = dof / 3;
    return {{mesh.coordinates[node], mesh.coordinates[n + node], mesh.coordinates[2 * n + node]}};
  };
  RunSummary::Reactions result;
  // the residual is left, once the holders are added
  Vector balance = cpu::parallel_sums<3>(cpu::default_n_threads(),
                                         mesh.n_owned_nodes,
                                         [&](const std::size_t node, double(&sums)[3]) {
                                           for (std::size_t d = 0; d < 3; ++d)
                                             sums[d] -= forces[3 * node + d];
                                         });
  // `visit(add)` calls add(dof, force) for all forces of a holder.
  const auto add_holder = [&](const std::string &name, const auto &visit) {
    std::array<double, 10> sums{}; // force, moment about the origin, places, DoFs
    Vector force{}, moment{}, places{};
    visit([&](const LocalIndex dof, const double value) {
      const Vector x = place(dof);
      add(dof % 3, value, x, force, moment);
      for (std::size_t d = 0; d < 3; ++d)
        places[d] += x[d];
      sums[9] += 1.;
    });
    std::copy(force.begin(), force.end(), sums.begin());
    std::copy(moment.begin(), moment.end(), sums.begin() + 3);
    std::copy(places.begin(), places.end(), sums.begin() + 6);
    communicator.sum(sums.data(), sums.size());
    if (sums[9] == 0.)
      return;
    RunSummary::Reaction reaction{name, {}, {}, {}};
    for (std::size_t d = 0; d < 3; ++d)
      {
        reaction.force[d] = sums[d];
        reaction.point[d] = sums[6 + d] / sums[9];
      }
    for (std::size_t d = 0; d < 3; ++d)
      {
        const std::size_t e = (d + 1) % 3, f = (d + 2) % 3;
        reaction.moment[d] = sums[3 + d] - reaction.point[e] * reaction.force[f] +
                             reaction.point[f] * reaction.force[e];
      }
    result.all.push_back(reaction);
  };
  for (const Problem::Holder &holder : problem.holders())
    add_holder(holder.name, [&](const auto &add_force) {
      const auto add_here = [&](const LocalIndex dof, const double value) {
        add_force(dof, value);
        balance[dof % 3] += value;
      };
      for (const LocalIndex dof : holder.dofs)
        add_here(dof, forces[dof]);
      for (const auto &[node, matrix] : holder.shares)
        for (LocalIndex c = 0; c < 3; ++c)
          {
            double value = 0.;
            for (std::size_t d = 0; d < 3; ++d)
              value += matrix[c][d] * forces[3 * node + d];
            add_here(3 * node + c, value);
          }
    });
  if (communicator.any(!mesh.spring_dofs.empty()))
    {
      const std::vector<double> u = state.displacement(l);
      add_holder("springs", [&](const auto &add_force) {
        for (std::size_t k = 0; k < mesh.spring_dofs.size(); ++k)
          add_force(mesh.spring_dofs[k], -mesh.spring_stiffness[k] * u[mesh.spring_dofs[k]]);
      });
    }
  communicator.sum(balance.data(), balance.size());
  const double largest = sizes_of(result.all).first;
  result.imbalance     = largest > 0. ? largest_of(balance) / largest : 0.;
  return result;
}

std::string describe(const RunSummary::Reactions &reactions, const std::string &of_case)
{
  const auto [force, moment] = sizes_of(reactions.all);
  std::ostringstream text;
  for (const RunSummary::Reaction &reaction : reactions.all)
    text << "Force of " << reaction.name
         << " on the body: " << text_of(reaction.force, 1e-6 * force) << ", moment "
         << text_of(reaction.moment, 1e-6 * moment) << " about "
         << text_of(reaction.point, 1e-12 * largest_of(reaction.point)) << of_case << '\n';
  if (!reactions.all.empty())
    text << "Loads and these forces are in balance within " << reactions.imbalance
         << " of the largest" << of_case << '\n';
  return text.str();
}
} // namespace strut
