// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/solvers/coarse/coarsest_factor.h"
#include "source/solvers/multigrid/solid_pieces.h"

#include <strut/element/material.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace strut
{
/// The coarse space of the rigid motions Z of the solid pieces of a design, on the host:
/// `Q = Z (Z^T K Z)^-1 Z^T`. A piece that floats in void moves almost without energy, and so do
/// parts that hang together by an edge or a thin neck. Coarser meshes cannot move them when other
/// solid is nearer than a coarse element.
///
/// At nodes of several pieces each has an equal part of the node, so that all of them together move
/// as one body. Of a piece on a support there are those motions that the support leaves free.
class RigidPieces
{
public:
  /// @param mesh  must outlive this; on one rank, without dependent DoFs
  RigidPieces(const ElementMesh &mesh, const Material &material, int n_threads);

  /// Follow a design. Throws SolverFailure. @param factors  `[n_elements]`
  void set_stiffness(const std::vector<double> &factors);

  /// Of the pieces.
  std::size_t size() const
  {
    return pieces_.n;
  }

  /// x = Q r
  /// @param r  zero on constrained DoFs
  void correct(const std::vector<double> &r, std::vector<double> &x) const;

private:
  struct Frame
  {
    std::array<double, 3> centre{};
    double size = 1.;
    /// Motions that supports leave free, of six; identity without supports.
    std::array<double, 36> free{};
  };
  using Motions = std::array<double, 18>; ///< of a node, 3 x 6

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
  CoarsestFactor factor_; ///< of Z^T K Z
};
} // namespace strut
