// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/array.h>
#include <strut/element/material.h>
#include <strut/mesh/element_mesh.h>

#include <cstddef>
#include <cstdint>

namespace strut
{
/// Nodal stresses, level sets and connected parts of a mesh, on one rank of one backend. It
/// computes the stresses at the nodes, the shares of elements where a nodal field is at least a
/// level, and the connected elements. Results are the same bits in every run.
class NodalFields
{
public:
  virtual ~NodalFields() = default;

  /// Numbers per node of a sum of stresses: xx, yy, zz, xy, yz, zx, and the number of elements.
  static constexpr unsigned int n_sums = 7;

  /// Computes `sums_n = sum_e (f_e sigma_e, 1)` over the elements of this rank around node n.
  /// sigma_e is the stress of the solid at the node and f_e the factor of the element.
  ///
  /// @param factors  `[n_elements]`
  /// @param u  displacements, `[3 * n_nodes]`, ghosts up to date
  /// @param sums  `[n_nodes][n_sums]`; overwritten
  virtual void sum_stresses(const Material &material,
                            const Array<double> &factors,
                            const Array<double> &u,
                            Array<double> &sums) const = 0;
  virtual void sum_stresses(const Material &material,
                            const Array<double> &factors,
                            const Array<float> &u,
                            Array<double> &sums) const = 0;

  /// Raises `stress` to the von Mises stress of the mean stress at each node, times `weight`.
  ///
  /// @param sums  sums over all ranks
  /// @param mirrors  `[n_nodes]`: bit d is set if a plane of symmetry with that normal passes
  ///   through the node. The mirror image cancels shear stresses in the plane
  /// @param stress  `[n_nodes]`; keeps larger values, so that it is the maximum of several fields
  virtual void raise_to_von_mises(const Array<double> &sums,
                                  const Array<std::uint8_t> &mirrors,
                                  double weight,
                                  Array<double> &stress) const = 0;

  /// Volume of the parts of design elements in which the field is at least the level.
  ///
  /// @param field  `[n_nodes]`, ghosts up to date
  /// @param flags  `[n_elements]`
  virtual double
  volume_above(const Array<double> &field, double level, const Array<DesignFlag> &flags) const = 0;

  /// Share of each element in which the field is at least the level; 1 for solid elements, 0 for
  /// empty ones.
  ///
  /// @param fractions  `[n_elements]`; overwritten
  /// @return volume_above()
  virtual double fractions_above(const Array<double> &field,
                                 double level,
                                 const Array<DesignFlag> &flags,
                                 Array<double> &fractions) const = 0;

  /// The largest of the first n values of a nonnegative field; 0 if there are none.
  virtual double largest(std::size_t n, const Array<double> &field) const = 0;

  /// Labels the parts of a body: elements of positive density that share a node belong to one part.
  ///
  /// @param labels  `[n_nodes]`, overwritten: the lowest number of a node of the same part; n_nodes
  ///   if none of the elements around the node has material
  virtual void label_parts(const Array<double> &densities, Array<LocalIndex> &labels) const = 0;

  /// Removes the parts that are not to be kept, except for solid elements.
  ///
  /// @param keeps  `[n_nodes]`, by the labels of the parts: 1 to keep
  /// @param densities  set to 0 in removed elements
  /// @return the removed volume
  virtual double drop_parts(const Array<LocalIndex> &labels,
                            const Array<std::uint8_t> &keeps,
                            const Array<DesignFlag> &flags,
                            Array<double> &densities) const = 0;
};
} // namespace strut
