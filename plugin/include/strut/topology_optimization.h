// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/lac/vector.h>

#include <strut/base/exceptions.h>
#include <strut/dealii_classes.h>
#include <strut/design/interpolation.h>
#include <strut/design/optimality_criteria.h>
#include <strut/mesh/element_mesh.h>

#include <functional>
#include <memory>
#include <string>

namespace strut
{
/// The entries of a deck's subsection Optimization, with the same defaults.
struct TopologyOptions
{
  double volume_fraction      = 0.3;           ///< share of the volume of the mesh
  std::string filter          = "sensitivity"; ///< sensitivity, density or none
  double filter_radius        = 0.;            ///< length units of the mesh; 0 only without filter
  std::string filter_weights  = "volumes";     ///< volumes or count
  Interpolation interpolation = {};            ///< makes densities factors of stiffness
  OptimalityCriteria criteria = {};            ///< how a design leads to the next
  double stopping_tolerance   = 1e-2;          ///< a smaller largest change of a density ends it
  unsigned int max_iterations = 50;
  std::string backend         = "auto"; ///< place of filter and update: auto, cuda or cpu
};

/// One line of the history, as in history.csv of a deck.
struct TopologyRecord
{
  unsigned int iteration = 0; ///< number of the design, from 1
  double objective       = 0; ///< compliance
  double volume_fraction = 0; ///< material in the volume of the mesh
  double density_change  = 0; ///< largest change of a density to the next design
};

/// Topology optimization in a deal.II application: the least compliance for a volume, by SIMP and
/// optimality criteria. Filter and design update are those of decks, by the same code. Mesh,
/// forces, constraints and solves are the application's:
/// ```
/// const auto analysis = [&](const auto &factors, auto &energies) {
///   K.set_factors(factors);      // a StiffnessOperator
///   K.solve(u, forces);
///   ...                          // energies by FEValues
///   return u * forces;
/// };
/// TopologyOptimization optimization(dof_handler, options, analysis);
/// while (!optimization.finished())
///   optimization.iterate();
/// ```
/// Cellwise vectors are by `cell->active_cell_index()`, `[triangulation.n_active_cells()]`, as
/// StiffnessOperator::set_factors() takes them. Entries of cells of other ranks count for nothing.
///
/// One load case with zero prescribed displacements. Members are collective, but for constant ones.
class TopologyOptimization
{
public:
  using Cell = dealii::TriaActiveIterator<dealii::CellAccessor<3, 3>>;

  /// The analysis of a design by the application. Called once by iterate(), which passes on errors.
  /// @param factors  E_e of each cell: `K = sum_e E_e K0_e`
  /// @param energies  zeros, to be filled with `u_e . K0_e u_e`: twice the strain energy of a cell
  /// that has the factor 1
  /// @return f . u, over all ranks
  using Analysis =
    std::function<double(const dealii::Vector<double> &factors, dealii::Vector<double> &energies)>;

  /// @param dof_handler  DoFs of a finite element that a StiffnessOperator takes; with its mesh it
  /// must stay as it is. Volumes are those of cells with straight edges.
  /// @param flag  whether a cell is solid or empty, asked once for each owned one; without it all
  /// cells are designed
  /// @throws Error for another finite element, for options that are not allowed, and if solid cells
  /// alone have more than the volume
  TopologyOptimization(const dealii::DoFHandler<3, 3> &dof_handler,
                       const TopologyOptions &options,
                       const Analysis &analysis,
                       const std::function<DesignFlag(const Cell &)> &flag = {});
  ~TopologyOptimization();
  TopologyOptimization(const TopologyOptimization &)            = delete;
  TopologyOptimization &operator=(const TopologyOptimization &) = delete;

  /// Analyse the design, and find the next one.
  /// @throws SolverFailure where the compliance is no number
  TopologyRecord iterate();

  /// Whether the tolerance or the limit of iterations is reached.
  bool finished() const;

  /// The densities that the last iterate() analysed.
  dealii::Vector<double> densities() const;

  /// Warnings since the last call, as on designs that alternate; empty if there are none. Clears
  /// them.
  std::string take_warnings();

private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};
} // namespace strut
