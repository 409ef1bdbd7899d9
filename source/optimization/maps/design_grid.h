// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>
#include <strut/optimization/maps/design_map.h>

#include <array>
#include <functional>
#include <vector>

namespace strut
{
using Point3 = std::array<double, 3>;

/// A regular grid with a trilinear function N_g at each node, which carries densities from the
/// elements of any mesh to the grid and back:
///
///     z_g = sum_e N_g(p_e) v_e x_e / D_g,   D_g = sum_e N_g(p_e) v_e,   y_e = sum_g N_g(p_e) z_g
///
/// Here v_e are the volumes of the elements, and p_e the places of their centres. If the centres
/// are nodes of the grid (boxes of cubes), nothing is smoothed on the way.
///
/// The grid continues behind planes of symmetry, over mirror images that have the values of their
/// elements. So it is the grid of the whole body.
///
/// Node (i, j, k) has the number `i + n[0] (j + n[1] k)`. Each rank has the whole grid, with the
/// same values.
class DesignGrid
{
public:
  struct Settings
  {
    double cell_size = 0.; ///< cell size; 0 for the mean edge of the elements

    void declare(ParameterList &list);
  };

  /// Contribution of solid and void elements to z.
  enum class Passive
  {
    nothing,
    their_densities
  };

  /// Collective.
  /// @param place  place of a point of the body, in the coordinates of the grid
  /// @param planes  planes behind which the grid continues, at most one for each direction
  /// @param is_centred  whether the grid is centred over the places along their first two
  ///   coordinates, so that it is symmetric where they are
  DesignGrid(Backend &backend,
             const Communicator &communicator,
             const ElementMesh &mesh,
             const Settings &settings,
             Passive passive,
             const std::function<Point3(const Point3 &)> &place,
             const std::vector<SymmetryPlane> &planes = {},
             bool is_centred                          = false);

  const std::array<std::size_t, 3> &n() const
  {
    return n_;
  }
  std::size_t n_nodes() const
  {
    return n_[0] * n_[1] * n_[2];
  }

  /// The part of D_g that comes from solid and void elements, on the host; 0 where there are no
  /// elements. Empty for Passive::nothing.
  const std::vector<double> &passive_share() const
  {
    return passive_share_;
  }

  /// Whether no element contributes to some layer (i, j, .), because the cells are too small for
  /// the mesh.
  bool has_empty_layer() const
  {
    return has_empty_layer_;
  }

  /// Number of elements to design, over all ranks, at the place of a solid or void element. It is
  /// known for Passive::nothing alone.
  std::size_t n_one_sided() const
  {
    return n_one_sided_;
  }

  /// Compute z from x. Collective.
  void restrict(const Array<double> &x, Array<double> &z);

  /// Compute y from z.
  void interpolate(const Array<double> &z, Array<double> &y);

  /// Compute `t = N^T s`, which transforms a derivative by y into one by z. Collective.
  void interpolate_transposed(const Array<double> &s, Array<double> &t);

  /// Compute `s = V N D^-1 t`, which transforms a derivative by z into one by x. Overwrites t.
  void restrict_transposed(Array<double> &t, Array<double> &s);

  /// Bytes of two matrices with at most eight entries for each element, and of some vectors.
  static constexpr double bytes_per_element =
    2. * 8. * (sizeof(double) + sizeof(std::uint32_t)) + 4. * sizeof(double);

private:
  void sum_on_grid(Array<double> &z);
  struct Grid;
  void
  count_one_sided(const ElementMesh &mesh, const Grid &grid, const std::vector<double> &places);

  Backend &backend_;
  const Communicator communicator_;
  const std::size_t n_elements_;
  std::array<std::size_t, 3> n_{{0, 0, 0}};
  std::vector<double> passive_share_;
  bool has_empty_layer_    = false;
  std::size_t n_one_sided_ = 0;
  Array<double> volumes_;  ///< v_e, or 0 for elements that contribute nothing
  Array<double> of_nodes_; ///< D_g, or 1 where it is 0
  Array<double> all_;      ///< values of the elements, followed by those of the grid
  SparseRows<double> to_grid_, to_elements_;
};
} // namespace strut
