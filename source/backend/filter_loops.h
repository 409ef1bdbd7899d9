// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/backend/filter_operations.h"

#include <strut/base/host_device.h>

namespace strut
{
/// Pointers of a FilterLattice for a thread.
struct FilterLatticeView
{
  /// Sizes of a tile of threads, a block on a GPU, and the number of nodes along z of each thread.
  static constexpr int tile_x = 32, tile_y = 8, column = 4;

  explicit FilterLatticeView(const FilterLattice &lattice)
    : n0(lattice.n[0])
    , n1(lattice.n[1])
    , n2(lattice.n[2])
    , stride_y(lattice.n[0])
    , stride_z(static_cast<std::ptrdiff_t>(lattice.n[0]) * lattice.n[1])
    , share(lattice.share)
    , elements(lattice.elements.data())
    , nodes(lattice.nodes.data())
    , boundary(lattice.boundary.empty() ? nullptr : lattice.boundary.data())
  {
    for (int s = 0; s < 8; ++s)
      stiffness[s] = lattice.stiffness[static_cast<std::size_t>(s)];
  }

  std::size_t n_threads() const
  {
    return static_cast<std::size_t>((n0 + tile_x - 1) / tile_x) *
           static_cast<std::size_t>((n1 + tile_y - 1) / tile_y) *
           static_cast<std::size_t>((n2 + column - 1) / column) * (tile_x * tile_y);
  }

  /// The offset of corner a of a cell from its lowest corner.
  STRUT_HOST_DEVICE std::ptrdiff_t offset(const int a) const
  {
    return (a & 1) + (a >> 1 & 1) * stride_y + (a >> 2) * stride_z;
  }

  /// (K x)_i at a place with missing elements, from the existing ones.
  STRUT_HOST_DEVICE double product_at_edge(const double *const x,
                                           const std::ptrdiff_t place,
                                           const unsigned int around) const
  {
    double sum = 0.;
#ifdef __CUDA_ARCH__
#  pragma unroll 1
#endif
    for (int a = 0; a < 8; ++a)
      if ((around >> a & 1u) != 0)
        {
          const std::ptrdiff_t cell = place - offset(a);
          STRUT_UNROLL
          for (int s = 0; s < 8; ++s)
            sum += stiffness[s] * x[cell + offset(a ^ s)];
        }
    return sum;
  }

  int n0, n1, n2;
  std::ptrdiff_t stride_y, stride_z;
  double stiffness[8], share;
  const std::uint32_t *elements;
  const std::uint16_t *nodes;
  const double *boundary;
};

/// FilterOperations for both backends.
///
/// multiply: a thread per row, coalesced except for x and y; 12 bytes and 2 flops for each entry,
/// 12 bytes for each row.
///
/// step: a thread walks 4 nodes along z, in tiles of 32 x 8 threads. Where all eight elements
/// exist, K x is a sum over 27 nodes with the weights of 8 classes of offsets. A thread reads 9
/// values of each plane and makes two sums of them, which serve three nodes. Bytes per node from
/// memory: 8 each for x, f, before, read and written, 2 for the node: 34; from L1 about 114. Flops:
/// some 40, and a division. Nodes at the boundary sum over their elements.
///
/// @tparam Loops  see VectorLoops
template <typename Loops>
class FilterLoops : public FilterOperations
{
public:
  explicit FilterLoops(const Loops &loops) : loops_(loops)
  {}

  void multiply(const SlicedRows &matrix, const Array<double> &x, Array<double> &y) const override
  {
    const std::uint32_t *const rows    = matrix.rows.data();
    const std::uint32_t *const begin   = matrix.begin.data();
    const std::uint32_t *const columns = matrix.columns.data();
    const double *const weights        = matrix.weights.data();
    const double *const xs             = x.data();
    double *const ys                   = y.data();
    loops_.for_each(matrix.rows.size(), [=] STRUT_BODY(const std::size_t number) {
      constexpr std::size_t slice = SlicedRows::slice;
      const std::size_t first     = slice * begin[number / slice] + number % slice,
                        end       = slice * begin[number / slice + 1];
      double sum                  = 0.;
      for (std::size_t k = first; k < end; k += slice)
        sum += weights[k] * xs[columns[k]];
      ys[rows[number]] = sum;
    });
  }

  void to_nodes(const FilterLattice &lattice,
                const Array<double> &elements,
                Array<double> &f) const override
  {
    const FilterLatticeView view(lattice);
    const double *const xs = elements.data();
    double *const fs       = f.data();
    loops_.for_each(lattice.nodes.size(), [=] STRUT_BODY(const std::size_t place) {
      const unsigned int around = view.nodes[place];
      double sum                = 0.;
      for (int a = 0; a < 8; ++a)
        if ((around >> a & 1u) != 0)
          sum += xs[view.elements[static_cast<std::ptrdiff_t>(place) - view.offset(a)]];
      fs[place] = view.share * sum;
    });
  }

  void to_elements(const FilterLattice &lattice,
                   const Array<double> &t,
                   Array<double> &elements) const override
  {
    const FilterLatticeView view(lattice);
    const double *const ts = t.data();
    double *const xs       = elements.data();
    loops_.for_each(lattice.elements.size(), [=] STRUT_BODY(const std::size_t place) {
      const std::uint32_t element = view.elements[place];
      if (element == 0xffffffffu)
        return;
      double sum = 0.;
      for (int a = 0; a < 8; ++a)
        sum += ts[static_cast<std::ptrdiff_t>(place) + view.offset(a)];
      xs[element] = view.share * sum;
    });
  }

  void step(const FilterLattice &lattice,
            const double a,
            const double b,
            const Array<double> &f,
            const Array<double> &x,
            Array<double> &before) const override
  {
    const FilterLatticeView view(lattice);
    const double *const fs = f.data();
    const double *const xs = x.data();
    double *const result   = before.data();
    loops_.for_each(view.n_threads(), [=] STRUT_BODY(const std::size_t thread) {
      constexpr int tile_x = FilterLatticeView::tile_x, tile_y = FilterLatticeView::tile_y,
                    column       = FilterLatticeView::column;
      const int in_tile          = static_cast<int>(thread % (tile_x * tile_y));
      const auto tile            = static_cast<unsigned int>(thread / (tile_x * tile_y));
      const unsigned int tiles_x = static_cast<unsigned int>((view.n0 + tile_x - 1) / tile_x),
                         tiles_y = static_cast<unsigned int>((view.n1 + tile_y - 1) / tile_y);
      const int i                = static_cast<int>(tile % tiles_x) * tile_x + in_tile % tile_x;
      const int j     = static_cast<int>(tile / tiles_x % tiles_y) * tile_y + in_tile / tile_x;
      const int first = static_cast<int>(tile / (tiles_x * tiles_y)) * column;
      if (i >= view.n0 || j >= view.n1)
        return;
      const std::ptrdiff_t foot = i + j * view.stride_y;

      // Load the data of all nodes of the column first: a store waits for these, and later loads
      // for the store.
      double of_f[column], of_before[column];
      unsigned int node[column];
      STRUT_UNROLL
      for (int s = 0; s < column; ++s)
        {
          const bool is_inside       = first + s < view.n2;
          const std::ptrdiff_t place = foot + (first + s) * view.stride_z;
          node[s]                    = is_inside ? view.nodes[place] : 0u;
          of_f[s]                    = is_inside ? fs[place] : 0.;
          of_before[s]               = is_inside ? result[place] : 0.;
        }

      // Neighbours beyond the lattice do not exist; any value will do.
      const std::ptrdiff_t left = i > 0 ? -1 : 0, right = i + 1 < view.n0 ? 1 : 0;
      const std::ptrdiff_t front = j > 0 ? -view.stride_y : 0,
                           back  = j + 1 < view.n1 ? view.stride_y : 0;
      const double *const k      = view.stiffness;
      double below = 0., beside = 0., within = 0., middle = 0.;
      STRUT_UNROLL
      for (int s = -1; s <= column; ++s)
        {
          const int height = first + s < 0 ? 0 : first + s < view.n2 ? first + s : view.n2 - 1;
          const double *const plane = xs + (foot + height * view.stride_z);
          const double centre       = plane[0];
          const double along_x = plane[left] + plane[right], along_y = plane[front] + plane[back];
          const double diagonal = (plane[front + left] + plane[front + right]) +
                                  (plane[back + left] + plane[back + right]);
          const double of_next = // contribution of the plane to the planes above and below it
            4. * k[4] * centre + 2. * k[5] * along_x + 2. * k[6] * along_y + k[7] * diagonal;
          if (s >= 1 && node[s - 1] != 0)
            {
              const unsigned int of_node = node[s - 1];
              const std::ptrdiff_t place = foot + (first + s - 1) * view.stride_z;
              const double product =
                FilterLattice::elements_around(of_node) == 0xffu
                  ? within + (below + of_next)
                  : view.product_at_edge(xs, place, FilterLattice::elements_around(of_node));
              double mass = view.share * static_cast<double>(FilterLattice::count(of_node));
              if (view.boundary != nullptr)
                mass += view.boundary[place];
              result[place] = FilterLattice::is_ghost(of_node)
                                ? -a * product / mass
                                : middle + b * (middle - of_before[s - 1]) +
                                    a * ((of_f[s - 1] - product) / mass - middle);
            }
          below  = beside;
          beside = of_next;
          within =
            8. * k[0] * centre + 4. * k[1] * along_x + 4. * k[2] * along_y + 2. * k[3] * diagonal;
          middle = centre;
        }
    });
  }

private:
  const Loops loops_;
};
} // namespace strut
