// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <vector>

namespace strut
{
/// Forces of the weight of the elements, which depend on their densities:
///
///     f_nc = sum_e rho_e g_ce s_ve,   s_ve = int_e N_v dx,   where node v of e is n
///
/// and their derivative. They are computed on the host, element after element, with the same bits
/// in every run. This happens once for a design and a load case, compared with hundreds of products
/// of a solve. The fields are copied to the host for it.
class SelfWeight
{
public:
  explicit SelfWeight(const ElementMesh &mesh);

  /// Returns f of the elements of this rank, `[3 * n_nodes]`; the sums of ghosts must be added to
  /// their owners.
  /// @param weights  g, force per volume of solid material, `[3][n_elements]`
  std::vector<double> forces(const std::vector<double> &weights,
                             const std::vector<double> &densities) const;

  /// Returns `df/drho_e . u = sum_vc s_ve g_ce u_nc`, `[n_elements]`.
  /// @param u  `[3 * n_nodes]`, ghosts included
  std::vector<double> work(const std::vector<double> &weights, const std::vector<double> &u) const;

  /// Adds forces on the nodes of each element times a factor of the element, or adds to a work of
  /// each element that of such forces on displacements.
  /// @param forces  `[3 * n_nodes of an element][n_elements]`, in the row 3 v + c; or empty
  void add_forces(const std::vector<double> &forces,
                  const std::vector<double> &factors,
                  std::vector<double> &result) const;
  void add_work(const std::vector<double> &forces,
                const std::vector<double> &u,
                std::vector<double> &work) const;

  /// The shares s_ve, `[n_nodes of an element][n_elements]`.
  const std::vector<double> &shares() const
  {
    return shares_;
  }

private:
  std::size_t n_elements_;
  std::size_t n_nodes_;
  std::size_t n_element_nodes_;
  std::vector<LocalIndex> connectivity_;
  std::vector<double> shares_;
};
} // namespace strut
