// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Forces of the weight of the elements, which follow their densities:
///
///     f_nc = sum_e rho_e g_ce s_ve,   s_ve = int_e N_v dx,   with the node n at the vertex v of e
///
/// and their derivative. On the host, element after element: the same bits in every run. Once for a
/// design and a load case, beside the hundreds of products of a solve; the fields cross to the host
/// for it.
class SelfWeight
{
public:
  explicit SelfWeight(const ElementMesh &mesh);

  /// f of the elements of this rank, `[3 * n_nodes]`: the sums of ghosts go to their owners.
  /// @param weights  g, force per volume of solid material, `[3][n_elements]`
  std::vector<double> forces(const std::vector<double> &weights,
                             const std::vector<double> &densities) const;

  /// `df/drho_e . u = sum_vc s_ve g_ce u_nc`, `[n_elements]`
  /// @param u  `[3 * n_nodes]`, ghosts included
  std::vector<double> work(const std::vector<double> &weights, const std::vector<double> &u) const;

  /// s_ve, `[8][n_elements]`
  const std::vector<double> &shares() const
  {
    return shares_;
  }

private:
  std::size_t n_elements_;
  std::size_t n_nodes_;
  std::vector<LocalIndex> connectivity_; ///< `[8][n_elements]`
  std::vector<double> shares_;
};
} // namespace strut
