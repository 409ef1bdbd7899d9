// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/coarsest_factor.h"
#include "source/solvers/multigrid/solid_pieces.h"

#include <strut/element/material.h>
#include <strut/solvers/krylov/preconditioner.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace strut
{
/// The coarse space of the rigid motions Z of the solid pieces of a design, on the host:
/// `Q = Z (Z^T K Z)^-1 Z^T`. A piece that floats in void moves almost without energy, and so do
/// parts connected by an edge or a thin neck. Coarser meshes cannot move them when other solid is
/// nearer than a coarse element.
///
/// Pieces that share a node have equal parts of it, so that all of them together move as one body.
/// A piece on a support has the motions that the support leaves free.
class RigidPieces
{
public:
  /// Make the coarse space.
  /// @param mesh  must outlive this; on one rank, without dependent DoFs
  RigidPieces(const ElementMesh &mesh, const Material &material, int n_threads);

  /// Update for a design. Throws SolverFailure.
  /// @param factors  `[n_elements]`
  void set_stiffness(const std::vector<double> &factors);

  /// Number of pieces.
  std::size_t size() const
  {
    return pieces_.n;
  }

  /// Compute x = Q r.
  /// @param r  zero on constrained DoFs
  void correct(const std::vector<double> &r, std::vector<double> &x) const;

private:
  struct Frame
  {
    std::array<double, 3> centre{};
    double size = 1.;
    /// Motions of the six that supports leave free; identity without supports.
    std::array<double, 36> free{};
  };
  using Motions = std::array<double, 18>; ///< motions of a node, 3 x 6

  Motions motions(std::uint32_t piece, std::uint32_t node) const;
  void find_frames();
  void add_element(std::size_t e,
                   double factor,
                   std::vector<std::uint32_t> &pieces,
                   std::vector<double> &blocks) const;

  const ElementMesh &mesh_;
  const Material material_;
  const int n_threads_;
  SolidPiecesFinder finder_;
  std::vector<std::uint8_t> constrained_; ///< `[3 n_nodes]`
  SolidPieces pieces_;
  std::vector<Frame> frames_;
  CoarsestFactor factor_; ///< factor of Z^T K Z
};

/// Puts a preconditioner M between two corrections Q by the rigid motions of solid pieces
/// (RigidPieces). Its error is `(I - Q K) (I - M K) (I - Q K)`, so it is symmetric and positive
/// definite if M is. Each application takes two more products.
///
/// The result is M alone for a design without void. Lame's parameters and a shift are refused. The
/// corrections are made on the host, and all copies are here. There must be one rank and no hanging
/// nodes: the conflicts of multigrid say so.
template <typename Number>
std::unique_ptr<StiffnessPreconditioner<Number>> with_piece_correction(
  Backend &backend, const Structure &structure, std::unique_ptr<StiffnessPreconditioner<Number>> M);
} // namespace strut
