// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/state/modes_of_all_supports.h"

#include "source/base/team.h"
#include "source/mesh/transfer_arrays.h"
#include "source/parallel/coarse_constraints.h"

#include <algorithm>
#include <tuple>

namespace strut
{
namespace
{
/// The number of vectors that a restart can tell apart for each set of supports.
constexpr std::size_t n_numbers = std::size_t(1) << 16;

/// A mesh and its coarser meshes with other constrained DoFs, all with the value 0.
struct OtherMeshes
{
  ElementMesh mesh;
  MeshHierarchy coarser;

  OtherMeshes(const Communicator &communicator,
              const Structure &structure,
              const std::vector<LocalIndex> &dofs)
    : mesh(structure.mesh), coarser(structure.coarser)
  {
    mesh.constrained_dofs = dofs;
    mesh.constrained_values.assign(dofs.size(), 0.);
    const ElementMesh *finer = &mesh;
    for (CoarseLevel &level : coarser)
      {
        if (level.transfer.is_background())
          break; // Cells of the background are never constrained.
        const TransferArrays transfer(level, cpu::default_n_threads());
        constrain_coarse_dofs(communicator, *finer, *transfer, level.mesh);
        finer = &level.mesh;
      }
  }
};
} // namespace

struct ModesOfAllSupports::WithSupports
{
  /// Meshes, operator and solver; null with the supports of the mesh.
  std::unique_ptr<OtherMeshes> meshes;
  std::unique_ptr<ElasticityOperator<double>> own_matrix;
  std::unique_ptr<StiffnessSolver<double>> own_solver;

  const ElementMesh &mesh;
  ElasticityOperator<double> &matrix;
  StiffnessSolver<double> &solver;
  std::unique_ptr<VibrationModes> modes; ///< null until modes are computed
};

ModesOfAllSupports::ModesOfAllSupports(const Execution &execution,
                                       const Structure &structure,
                                       const StateSettings &settings,
                                       const Law &first,
                                       ElasticityOperator<double> &matrix,
                                       StiffnessSolver<double> &solver)
  : execution_(execution)
  , masses_(structure.masses)
  , keeps_modes_(!settings.preconditioner.deterministic)
{
  supports_.push_back(std::unique_ptr<WithSupports>(
    new WithSupports{nullptr, nullptr, nullptr, structure.mesh, matrix, solver, nullptr}));
  for (const std::vector<LocalIndex> &dofs : structure.supports_of_modes)
    {
      auto meshes     = std::make_unique<OtherMeshes>(execution.communicator, structure, dofs);
      auto own_matrix = std::make_unique<ElasticityOperator<double>>(execution.backend,
                                                                     execution.communicator,
                                                                     meshes->mesh,
                                                                     structure.material,
                                                                     settings.strategy,
                                                                     first);
      const Structure of_supports{meshes->mesh,
                                  structure.material,
                                  meshes->coarser,
                                  structure.solids};
      auto own_solver =
        std::make_unique<StiffnessSolver<double>>(execution, *own_matrix, of_supports, settings);
      set_springs(execution.communicator, meshes->mesh, *own_matrix);
      const ElementMesh &mesh                = meshes->mesh;
      ElasticityOperator<double> &its_matrix = *own_matrix;
      StiffnessSolver<double> &its_solver    = *own_solver;
      supports_.push_back(std::unique_ptr<WithSupports>(new WithSupports{std::move(meshes),
                                                                         std::move(own_matrix),
                                                                         std::move(own_solver),
                                                                         mesh,
                                                                         its_matrix,
                                                                         its_solver,
                                                                         nullptr}));
    }
}

ModesOfAllSupports::~ModesOfAllSupports() = default;

VibrationModes &ModesOfAllSupports::modes(const std::size_t s)
{
  WithSupports &of = *supports_[s];
  if (of.modes == nullptr)
    of.modes = std::make_unique<VibrationModes>(execution_.backend,
                                                execution_.communicator,
                                                of.mesh,
                                                of.matrix,
                                                of.solver,
                                                masses_,
                                                keeps_modes_);
  return *of.modes;
}

void ModesOfAllSupports::set_stiffness(const Stiffness &stiffness, const Array<double> &factors)
{
  for (std::size_t s = 1; s < supports_.size(); ++s)
    {
      supports_[s]->matrix.set(stiffness);
      supports_[s]->solver.update(factors);
    }
}

VibrationReport ModesOfAllSupports::solve(const MassMatrix &mass,
                                          const Array<double> &factors,
                                          const VibrationControl &control)
{
  VibrationReport all;
  std::vector<std::tuple<double, std::size_t, std::size_t>> found;
  for (std::size_t s = 0; s < (control.with_other_supports ? supports_.size() : 1); ++s)
    {
      const VibrationReport report = modes(s).solve(mass, factors, control);
      for (std::size_t i = 0; i < report.eigenvalues.size(); ++i)
        found.emplace_back(report.eigenvalues[i], s, i);
      all.iterations += report.iterations;
      all.residual = std::max(all.residual, report.residual);
    }
  std::sort(found.begin(), found.end());
  found_.clear();
  for (std::size_t k = 0; k < control.n_modes; ++k)
    {
      const auto &[value, s, i] = found[k];
      all.eigenvalues.push_back(value);
      found_.emplace_back(s, i);
    }
  return all;
}

const Array<double> &ModesOfAllSupports::mode(const std::size_t i)
{
  return modes(found_[i].first).mode(found_[i].second);
}

void ModesOfAllSupports::energies(const std::size_t i, Array<double> &energies)
{
  const auto [s, number] = found_[i];
  supports_[s]->matrix.energies(modes(s).mode(number), energies);
}

std::vector<std::size_t> ModesOfAllSupports::vectors() const
{
  std::vector<std::size_t> numbers;
  if (keeps_modes_)
    for (std::size_t s = 0; s < supports_.size(); ++s)
      for (std::size_t i = 0; supports_[s]->modes && i < supports_[s]->modes->n_vectors(); ++i)
        numbers.push_back(s * n_numbers + i);
  return numbers;
}

const Array<double> &ModesOfAllSupports::vector(const std::size_t number) const
{
  return supports_[number / n_numbers]->modes->mode(number % n_numbers);
}

void ModesOfAllSupports::set_vector(const std::size_t number, const std::vector<double> &values)
{
  if (keeps_modes_ && number / n_numbers < supports_.size())
    modes(number / n_numbers).set_vector(number % n_numbers, values);
}

void ModesOfAllSupports::begin_again()
{
  for (std::size_t s = 1; s < supports_.size(); ++s)
    supports_[s]->solver.begin_again();
}

std::string ModesOfAllSupports::take_warnings()
{
  std::string warnings;
  for (std::size_t s = 1; s < supports_.size(); ++s)
    warnings += supports_[s]->solver.take_warnings();
  return warnings;
}
} // namespace strut
