// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/mesh/element_mesh.h>

#include <memory>

namespace strut
{
template <typename Number>
class HaloExchange;

/// The weight of an element in the means of filters, besides the cone.
enum class FilterWeights
{
  volume, ///< the weight is the volume
  count   ///< the weight is 1 for elements of all sizes
};

/// The mean of element values within a radius of each element's centre, over all ranks, and its
/// transpose:
///
///     (M x)_e = sum_i w_ei v_i x_i / W_e,   (M^T y)_i = v_i sum_e w_ei y_e / W_e,
///     w_ei = max(0, R - |c_e - c_i|),       W_e = sum_i w_ei v_i
///
/// with the volumes v. FilterWeights::count has 1 in their place, as have volumes that are equal up
/// to rounding: on a box the weights make no difference to a bit.
///
/// Since w_ei = w_ie, the transpose is a sum over the same neighbours, of y_e / W_e. Values of
/// elements of other ranks are fetched from their owners, so both are the same bits in every run.
///
/// Behind the mesh's symmetry_planes the sums include the mirror images of elements, which have the
/// values of their elements. M is then that of the whole body on symmetric fields, and M^T its
/// transpose.
class NeighbourhoodMean
{
public:
  /// Collective.
  NeighbourhoodMean(Backend &backend,
                    const Communicator &communicator,
                    const ElementMesh &mesh,
                    double radius,
                    FilterWeights weights = FilterWeights::volume);
  ~NeighbourhoodMean();

  /// Estimated bytes that an object without volumes keeps on the backend: values in the order of
  /// its grid, points (3), their order and the grid's cells.
  static double memory_estimate(const std::size_t n_elements)
  {
    return (4. * sizeof(double) + 8.) * static_cast<double>(n_elements);
  }

  /// Estimated bytes for a mesh. Equal boxes need at most half as much, since their centres form a
  /// lattice. Collective.
  ///
  /// @param on_device  the backend computes on a device
  /// @param is_lent_work  apply() gets a work array, and apply_transposed() is not called
  static double memory_estimate(const Communicator &communicator,
                                const ElementMesh &mesh,
                                FilterWeights weights,
                                bool on_device,
                                bool is_lent_work = false);

  /// Bytes of volumes and of sums of weights for apply(); 0 where elements count alike. Collective.
  static double memory_of_volumes(const Communicator &communicator,
                                  const ElementMesh &mesh,
                                  FilterWeights weights);

  /// Sets out = M in; `out` may be `in`. Collective.
  ///
  /// @param work  `[n_elements]`, scratch, neither `in` nor `out`; null: none. If it is large
  ///   enough, no memory is kept for the work
  void apply(const Array<double> &in, Array<double> &out, Array<double> *work = nullptr);

  /// Sets `out_e = v_e (M y)_e` with `y_e = in_e / v_e`, for values that are integrals over the
  /// elements, such as derivatives by densities; the parameters are those of apply(). Collective.
  void
  apply_to_integrals(const Array<double> &in, Array<double> &out, Array<double> *work = nullptr);

  /// Sets out = M^T in; `out` may be `in`. Collective.
  void apply_transposed(const Array<double> &in, Array<double> &out);

private:
  /// The array for halo and sums, which includes ghosts if there are any.
  Array<double> &working(Array<double> &without_ghosts);

  /// Computes W. With volumes it is collective.
  void compute_weights();

  /// Sets out_e = sum_i w_ei x_i / W_e. The values x are those of working(out), which get lost.
  void divide_sums(Array<double> &out);

  Backend &backend_;
  std::size_t n_elements_;
  bool has_ghosts_; ///< some rank has ghosts
  std::unique_ptr<HaloExchange<double>> halo_;
  std::unique_ptr<NeighbourhoodSum> sum_;
  Array<double> with_ghosts_; ///< only if there are ghosts
  Array<double> volumes_;     ///< v; empty where elements count alike
  Array<double> weights_;     ///< W; without volumes allocated when the transpose is first needed
};
} // namespace strut
