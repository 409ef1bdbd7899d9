// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/quadrature.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/lac/dynamic_sparsity_pattern.h>

#include <deal.II/meshworker/copy_data.h>
#include <deal.II/meshworker/scratch_data.h>

#include <strut/element/material.h>

#include <functional>
#include <memory>
#include <vector>

#include "plugin/studies/assembly/assembly_mesh.h"

namespace strut
{
/// Finite element, mapping and quadrature of deal.II for an element type: hex8 and hex27 as FE_Q,
/// tetrahedra as FE_SimplexP, of degree 1 and 2. For tet10-curved it has the points of tet10, so
/// that matrices differ where lines are curved.
struct LibraryElement
{
  explicit LibraryElement(const ElementType &type);

  /// Whether deal.II has the element type; it has no serendipity elements.
  static bool exists(const ElementType &type);

  std::unique_ptr<dealii::FESystem<3>> fe;
  std::unique_ptr<dealii::Mapping<3>> mapping;
  dealii::Quadrature<3> quadrature;
  dealii::Quadrature<2> face_quadrature;
};

/// The matrix of linear elasticity as an application of deal.II assembles it, in a loop over the
/// cells with FEValues, with products of gradients as in step-8.
class LibraryMatrix
{
public:
  /// @param factors  stiffness factors, `[n_elements]`
  /// @param n_threads  with several, WorkStream is used by colours of cells
  LibraryMatrix(const dealii::Triangulation<3> &triangulation,
                const TriangulationMesh &mesh,
                const Material &material,
                const std::vector<double> &factors,
                unsigned int n_threads);

  void make_pattern(dealii::DynamicSparsityPattern &pattern) const;

  /// Colours the cells so that those of a colour share no node. Each cell gets the first colour
  /// that is free at all of its nodes. (deal.II's GraphColoring takes minutes for a million
  /// tetrahedra.)
  void find_colours();

  /// Calls `add(indices, matrix)` for each cell, one call at a time, or on several threads by
  /// colours.
  using Add = std::function<void(const std::vector<dealii::types::global_dof_index> &,
                                 const dealii::FullMatrix<double> &)>;
  void assemble(const Add &add) const;

  /// The numbers in deal.II of the mesh's DoFs, `[3 * n_nodes]`.
  std::vector<dealii::types::global_dof_index> dofs_of_nodes() const;

  const LibraryElement element;
  dealii::DoFHandler<3> dof_handler;

private:
  using Cell       = dealii::DoFHandler<3>::active_cell_iterator;
  using Scratch    = dealii::MeshWorker::ScratchData<3>;
  using CellMatrix = dealii::MeshWorker::CopyData<1, 0, 1>;

  void integrate(const Cell &cell, Scratch &scratch, CellMatrix &result) const;

  const TriangulationMesh &mesh_;
  const double lambda_, mu_;
  const unsigned int n_threads_;
  std::vector<double> factor_of_cell_;
  std::vector<unsigned int> component_;
  std::vector<std::vector<Cell>> colours_;
};
} // namespace strut
