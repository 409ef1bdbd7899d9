// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/state/vibration_modes.h"

#include <strut/solvers/structure.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strut
{
/// Adds the springs of a mesh to its operator. Collective.
template <typename Number>
void set_springs(const Communicator &communicator,
                 const ElementMesh &mesh,
                 ElasticityOperator<Number> &matrix)
{
  if (!communicator.any(!mesh.spring_dofs.empty()))
    return;
  std::vector<double> springs(mesh.n_owned_dofs(), 0.);
  for (std::size_t k = 0; k < mesh.spring_dofs.size(); ++k)
    springs[mesh.spring_dofs[k]] = mesh.spring_stiffness[k];
  matrix.set_shift(springs);
}

/// The lowest modes of vibration of a structure with the supports of its mesh, and with each of
/// Structure::supports_of_modes. Each of these has an operator and a preconditioner of its own.
class ModesOfAllSupports
{
public:
  /// Make the operators.
  /// @param first  law of the first stiffness
  /// @param matrix, solver  with the supports of the mesh; must outlive this
  ModesOfAllSupports(const Execution &execution,
                     const Structure &structure,
                     const StateSettings &settings,
                     const Law &first,
                     ElasticityOperator<double> &matrix,
                     StiffnessSolver<double> &solver);
  ~ModesOfAllSupports();

  /// Sets the stiffness of the other supports; matrix and solver of the mesh's have it. Collective.
  /// @param factors  for the preconditioner, `[n_elements]`
  void set_stiffness(const Stiffness &stiffness, const Array<double> &factors);

  /// See VibrationModes::solve(). Without other supports only the mesh's modes count.
  VibrationReport
  solve(const MassMatrix &mass, const Array<double> &factors, const VibrationControl &control);

  /// Mode i of the last solve, `[3 * n_nodes]`, ghosts and dependent DoFs included.
  const Array<double> &mode(std::size_t i);

  /// Computes `phi_e^T K0_e phi_e` of mode i, `[n_elements]`. Collective.
  void energies(std::size_t i, Array<double> &energies);

  /// Numbers of the vectors from which the next solve begins, for a restart.
  std::vector<std::size_t> vectors() const;
  /// Returns a vector, `[3 * n_nodes]`.
  const Array<double> &vector(std::size_t number) const;
  /// Sets a vector in a restart. Collective.
  void set_vector(std::size_t number, const std::vector<double> &values);

  /// PreconditionerSequence::begin_again() of the other supports. Collective.
  void begin_again();
  /// Returns the warnings of the other supports since the last call, and clears them.
  std::string take_warnings();

private:
  /// Operator, preconditioner and modes with one set of supports.
  struct WithSupports;

  VibrationModes &modes(std::size_t s);

  Execution execution_;
  const std::vector<double> masses_; ///< Structure::masses
  const bool keeps_modes_;
  /// All supports; those of the mesh are the first.
  std::vector<std::unique_ptr<WithSupports>> supports_;
  /// Supports of each mode of the last solve, and its number among theirs, ascending by eigenvalue.
  std::vector<std::pair<std::size_t, std::size_t>> found_;
};
} // namespace strut
