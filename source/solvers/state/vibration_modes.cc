// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/vibration_modes.h"
#include "source/backend/mass_matrix.h"
#include "source/base/filled_vector.h"
#include "source/element/lanczos.h"
#include "source/mesh/bounding_box.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strut
{
VibrationModes::VibrationModes(Backend &backend,
                               const Communicator &communicator,
                               const ElementMesh &mesh,
                               ElasticityOperator<double> &matrix,
                               StiffnessSolver<double> &solver,
                               const std::vector<double> &masses,
                               const bool keeps_modes)
  : backend_(backend)
  , communicator_(communicator)
  , mesh_(mesh)
  , matrix_(matrix)
  , solver_(solver)
  , keeps_modes_(keeps_modes)
  , halo_(backend, communicator, mesh.node_halo, 3)
  , lobpcg_(backend, communicator, matrix.n_local(), matrix.n_owned())
{
  if (masses.empty())
    return;
  std::vector<double> of_dofs(matrix.n_owned());
  for (std::size_t dof = 0; dof < of_dofs.size(); ++dof)
    of_dofs[dof] = masses[dof / 3];
  masses_ = Array<double>(backend.memory(), of_dofs);
  forces_ = Array<double>(backend.memory(), of_dofs.size());
}

void VibrationModes::begin(const std::size_t n)
{
  if (!keeps_modes_)
    modes_.clear();
  const std::size_t n_before = modes_.size();
  modes_.resize(n);
  for (std::size_t j = n_before == 0 ? 0 : std::min(n_before, n - 1); j < n; ++j)
    {
      const bool is_last = j + 1 == n;
      if (is_last && number_of_wave_ != j)
        {
          wave_           = wave(j);
          number_of_wave_ = j;
        }
      if (!is_last)
        modes_[j] = wave(j);
      else
        {
          if (modes_[j].size() != matrix_.n_local())
            modes_[j] = Array<double>(backend_.memory(), matrix_.n_local());
          modes_[j].copy_from(wave_);
        }
    }
}

void VibrationModes::set_vector(const std::size_t i, const std::vector<double> &values)
{
  if (i >= modes_.size())
    modes_.resize(i + 1);
  modes_[i] = Array<double>(backend_.memory(), values);
  halo_.update_ghosts(modes_[i]);
}

/// Returns a sum of waves in all directions. It is near to low modes, and has a share of each, for
/// any symmetry of the structure. It is the same on any number of ranks.
///
/// A slender body has its waves along one direction. With three components and at most k
/// wavelengths there are about 6 k independent ones, so k grows with the number.
/// @param number  number of the wave; each number gives another one
Array<double> VibrationModes::wave(const std::size_t number) const
{
  const Box box        = bounding_box(communicator_, mesh_.coordinates, mesh_.n_nodes);
  const double largest = longest_edge(box);
  auto next            = static_cast<int>(12 * number); // Phase and direction for each component.
  // Largest number of wavelengths over the largest side.
  const double most          = 1. + static_cast<double>(number) / 3.;
  const int n_threads        = cpu::default_n_threads();
  std::vector<double> values = cpu::filled_vector(n_threads, matrix_.n_local(), 0.);
  for (std::size_t c = 0; c < 3; ++c)
    {
      const double phase = M_PI * lanczos::begin(next++);
      double direction[3];
      for (double &component : direction)
        component = 2. * M_PI * most * lanczos::begin(next++) / largest;
      cpu::parallel_for(n_threads, mesh_.n_nodes, [&](const std::size_t node) {
        double angle = phase;
        for (std::size_t d = 0; d < 3; ++d)
          angle += direction[d] * (mesh_.coordinates[d * mesh_.n_nodes + node] - box[d]);
        values[3 * node + c] = std::sin(angle);
      });
    }
  Array<double> result(backend_.memory(), values);
  matrix_.zero_constrained(result);
  return result;
}

/// Computes y = P C^T (M + D) C x, with the masses D of nodes.
void VibrationModes::apply_mass(const MassMatrix &mass,
                                const Array<double> &factors,
                                const double factor_of_masses,
                                Array<double> &x,
                                Array<double> &y)
{
  halo_.update_ghosts(x);
  matrix_.distribute(x);
  mass.apply(factors, x, y);
  halo_.add_to_owners(y);
  if (!masses_.empty())
    {
      const auto &vectors = backend_.vector_operations<double>();
      vectors.multiply(masses_.size(), masses_, x, forces_);
      vectors.axpy(masses_.size(), factor_of_masses, forces_, y);
    }
  matrix_.condense(y);
  matrix_.zero_constrained(y);
}

VibrationReport VibrationModes::solve(const MassMatrix &mass,
                                      const Array<double> &factors,
                                      const VibrationControl &control)
{
  const std::size_t n = n_of_block(control.n_modes);
  begin(n);
  const Lobpcg::Operators operators = {
    [&](Array<double> &x, Array<double> &y) { matrix_.apply(x, y); },
    [&](Array<double> &x, Array<double> &y) {
      apply_mass(mass, factors, control.factor_of_masses, x, y);
    },
    [&](const Array<double> &r, Array<double> &z) { solver_.precondition(r, z); }};
  const Lobpcg::Control of_solver = {control.n_modes, n, control.tolerance, control.max_iterations};
  Lobpcg::Report report           = lobpcg_.solve(operators, of_solver, modes_);
  // Linearly dependent vectors are supplemented by others. The lowest combinations of all begin.
  constexpr std::size_t n_trials = 2;
  for (std::size_t trial = 1; trial <= n_trials && !report.found && report.is_finite; ++trial)
    {
      modes_.resize(n);
      for (std::size_t j = 0; j < n; ++j)
        modes_.push_back(wave(trial * n + j));
      report = lobpcg_.solve(operators, of_solver, modes_);
    }
  if (!report.is_finite)
    {
      modes_.clear();
      throw SolverFailure(
        "The modes of vibration cannot be computed: stiffness or mass of the structure, or the preconditioner, gives values "
        "that are no numbers. Stiffness, density and loads shall be of sizes that double precision takes.");
    }
  if (!report.found)
    {
      modes_.clear();
      throw SolverFailure("The structure has fewer modes of vibration than " + std::to_string(n) +
                          ", which takes to find " + std::to_string(control.n_modes) + ".");
    }
  if (!report.converged)
    {
      modes_.clear();
      std::ostringstream text;
      text << "The modes of vibration have not converged after " << report.iterations
           << " iterations (residual " << report.residual << ", tolerance " << control.tolerance
           << ").";
      throw SolverFailure(text.str());
    }
  for (Array<double> &mode : modes_)
    {
      matrix_.zero_constrained(mode);
      halo_.update_ghosts(mode);
      matrix_.distribute(mode);
    }
  return {{report.values.begin(),
           report.values.begin() + static_cast<std::ptrdiff_t>(control.n_modes)},
          report.iterations,
          report.residual};
}
} // namespace strut
