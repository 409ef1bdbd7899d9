// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/side_streams.h"
#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/operators/coloured_storage.h"
#include "cuda/element/symmetric_matrices.cuh"
#include "source/element/stored_stiffness.h"
#include "source/operators/strategy_pair.h"

#include <thrust/gather.h>

#include <algorithm>

namespace strut::cuda
{
namespace
{
/// Size of x and y in the sections that are processed together. Larger sections leave the 50 MB
/// cache of an H200 between two colours. With smaller ones the ends of more launches show.
constexpr std::size_t section_bytes = std::size_t(6) << 20;
constexpr std::size_t n_parts       = 2; ///< parts at the same time, one stream each

constexpr int threads_per_element = 8;
constexpr int ebe_sym_block_size  = 64;
/// Elements of a block.
constexpr int ebe_sym_elements     = ebe_sym_block_size / threads_per_element;
constexpr int stiffness_block_size = 128;

/// Blocks of a multiprocessor. In double 128 registers hold all loads of a thread; in float the
/// compiler needs no more than it takes.
template <typename Number>
constexpr int ebe_sym_min_blocks = sizeof(Number) == sizeof(double) ? 8 : 1;


/// The elements as a kernel sees them, in the order of storage: by colour, along the curve within
/// each.
template <typename Number>
struct ColouredView
{
  SymmetricMatricesView<Number> matrices;
  const LocalIndex *__restrict__ connectivity; ///< `[n_elements][8]`, as in ColouredStorage
  const Number *__restrict__ stiffness;        ///< E_e, `[n_elements]`
  const LocalIndex *__restrict__ element; ///< `[n_elements]`, number of the element in the mesh
};

/// Returns the first element of the blocks, which begin where lines of memory do.
std::size_t first_of_blocks(const ColourRange &range)
{
  return range.begin / ebe_sym_elements * ebe_sym_elements;
}

/// Returns the node without the marks of ColouredStorage.
__device__ std::size_t node_of(const LocalIndex entry)
{
  return entry & ~ColouredStorage::first_at_node;
}

/// The work of a thread of a colour: vertex v of the element s. Threads before and behind the range
/// repeat an element inside, since a warp shuffles as a whole, and write nothing.
struct ColourThread
{
  std::size_t s;
  int v;
  bool active;

  __device__ ColourThread(const std::size_t first, const ColourRange &range)
    : s(first + thread_number() / threads_per_element)
    , v(static_cast<int>(threadIdx.x % threads_per_element))
    , active(s >= range.begin && s < range.end)
  {
    s = s < range.begin ? range.begin : s < range.end ? s : range.end - 1;
  }
};

/// Formula:   the symmetric half of K0_e = int B_a^T D B (hexahedron::stored_stiffness_rows).
/// Layout:    as SymmetricMatricesView; coordinates[3][n_nodes].
/// Threads:   one per element (x) and vertex a (y), which has its diagonal block and the blocks to
///            larger vertices.
/// Bytes:     per element, 300 numbers written; connectivity and coordinates read eight times,
///            mostly from the caches.
/// Flops:     per element, about 70,000 in double, for any Number: once per mesh.
/// Determinism: every entry has one writer.
template <typename Number>
__global__ void __launch_bounds__(stiffness_block_size)
  symmetric_stiffness_kernel(const std::size_t n_elements,
                             const std::size_t n_nodes,
                             const double *__restrict__ coordinates,
                             const LocalIndex *__restrict__ connectivity,
                             const Material material,
                             Number *__restrict__ diagonal,
                             Number *__restrict__ off_diagonal)
{
  namespace sm        = symmetric_matrices;
  const std::size_t s = thread_number();
  const int a         = static_cast<int>(blockIdx.y);
  if (s >= n_elements)
    return;

  double X[3][8];
  for (int v = 0; v < 8; ++v)
    for (int d = 0; d < 3; ++d)
      X[d][v] = coordinates[d * n_nodes + node_of(connectivity[8 * s + v])];
  double rows[3][24];
  hexahedron::stored_stiffness_rows<Number, Hex8>(X, material, a, rows);

#pragma unroll
  for (int b = 0; b < 8; ++b)
    {
      const double K[3][3] = {{rows[0][3 * b], rows[0][3 * b + 1], rows[0][3 * b + 2]},
                              {rows[1][3 * b], rows[1][3 * b + 1], rows[1][3 * b + 2]},
                              {rows[2][3 * b], rows[2][3 * b + 1], rows[2][3 * b + 2]}};
      if (b == a)
        {
          const double entries[6] = {K[0][0], K[1][1], K[2][2], K[0][1], K[0][2], K[1][2]};
          for (int k = 0; k < 6; ++k)
            diagonal[8 * (k * n_elements + s) + a] = static_cast<Number>(entries[k]);
        }
      else if (b > a)
        {
          const int group         = a ^ b;
          Number *const begin     = off_diagonal + sm::n_group * n_elements * (group - 1);
          Number *const pairs     = begin + sm::first_of_pairs * n_elements;
          const int block         = sm::block_of(a, group);
          const double pair[3][2] = {{K[0][1], K[1][0]}, {K[0][2], K[2][0]}, {K[1][2], K[2][1]}};
          for (int k = 0; k < 3; ++k)
            {
              begin[4 * (k * n_elements + s) + block] = static_cast<Number>(K[k][k]);
              for (int i = 0; i < 2; ++i)
                pairs[2 * (4 * (k * n_elements + s) + block) + i] = static_cast<Number>(pair[k][i]);
            }
        }
    }
}

/// Formula:   y += sum_e P_e^T E_e K0_e P_e x over elements of one colour (Ratnakar 2022, chapter
///            5).
/// Layout:    as SymmetricMatricesView, elements in ColouredStorage: coalesced,
///            connectivity[element][8] as well.
/// Threads:   8 per element, each the three rows of one vertex; it reads each block off the
///            diagonal together with the thread of the other vertex (one transaction), and gets x
///            of that vertex by a shuffle.
/// Bytes:     per element, 300 numbers of the matrix, 8 node numbers, the factor; x once and y
///            twice, 24 numbers each, again for every colour, but from the L2 cache
///            (ColouredStorage).
/// Flops:     per element, 1176.
/// Determinism: a node has at most one element of a colour, and the colours come in their order.
template <typename Number>
__global__ void __launch_bounds__(ebe_sym_block_size, ebe_sym_min_blocks<Number>)
  ebe_sym_kernel(const ColouredView<Number> elements,
                 const ColourRange range,
                 const std::size_t first,
                 const Number *__restrict__ x,
                 Number *__restrict__ y)
{
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion(); // The next colour may start while this one runs out.
#endif
  const ColourThread at(first, range);
  const LocalIndex node = __ldcs(elements.connectivity + (8 * at.s + at.v)); // Each is read once.
  // These loads precede those that wait for the node.
  const auto rows       = elements.matrices.load(at.s, at.v);
  const std::size_t dof = 3 * node_of(node);
  const Number local[3] = {x[dof], x[dof + 1], x[dof + 2]};
  const Number factor   = elements.stiffness[at.s];
  Number sum[3];
  elements.matrices.times(rows, at.v, local, sum);
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize(); // From here on y includes the colours before.
#endif
  if (at.active)
    {
      // All loads precede the first store, since the compiler does not know that they are
      // independent.
      Number before[3] = {};
      if ((node & ColouredStorage::first_at_node) == 0)
#pragma unroll
        for (int i = 0; i < 3; ++i)
          before[i] = __ldcg(y + dof + i);
#pragma unroll
      for (int i = 0; i < 3; ++i)
        y[dof + i] = before[i] + factor * sum[i];
    }
}

/// Formula:   d_i += sum_e E_e (K0_e)_ii over the elements of one colour.
/// Layout:    as ebe_sym_kernel.
/// Threads:   8 per element.
/// Bytes:     per element, 24 numbers of the matrix, 8 node numbers, the factor; d twice.
/// Flops:     per element, 48.
/// Determinism: as ebe_sym_kernel.
template <typename Number>
__global__ void __launch_bounds__(ebe_sym_block_size)
  ebe_sym_diagonal_kernel(const ColouredView<Number> elements,
                          const ColourRange range,
                          const std::size_t first,
                          Number *__restrict__ d)
{
  const ColourThread at(first, range);
  if (!at.active)
    return;
  const std::size_t dof = 3 * node_of(elements.connectivity[8 * at.s + at.v]);
  const std::size_t n   = elements.matrices.n_elements;
  for (int i = 0; i < 3; ++i)
    d[dof + i] += elements.stiffness[at.s] * elements.matrices.diagonal[8 * (i * n + at.s) + at.v];
}

/// Formula:   c_e = u_e^T K0_e u_e.
/// Layout:    as ebe_sym_kernel.
/// Threads:   8 per element.
/// Bytes:     per element, 300 numbers of the matrix, 8 node numbers, the element's, 24 of u, 8
///            bytes written.
/// Flops:     per element, 1200 in double, for any Number.
/// Determinism: shuffles in a fixed order.
template <typename Number>
__global__ void __launch_bounds__(ebe_sym_block_size)
  ebe_sym_energy_kernel(const ColouredView<Number> elements,
                        const ColourRange range,
                        const Number *__restrict__ u,
                        double *__restrict__ c)
{
  const ColourThread at(0, range);
  const std::size_t dof = 3 * node_of(elements.connectivity[8 * at.s + at.v]);
  const double local[3] = {u[dof], u[dof + 1], u[dof + 2]};
  double f[3];
  elements.matrices.times(elements.matrices.load(at.s, at.v), at.v, local, f);
  double energy = f[0] * local[0] + f[1] * local[1] + f[2] * local[2];
#pragma unroll
  for (int distance = threads_per_element / 2; distance > 0; distance /= 2)
    energy += __shfl_xor_sync(0xffffffffu, energy, distance);
  if (at.active && at.v == 0)
    c[elements.element[at.s]] = energy;
}

/// Operator element by element with eight threads each, with the symmetric half of the element
/// matrix, by colours.
template <typename Number>
class EbeSym : public ElementOperator<Number>
{
public:
  EbeSym(Backend &backend, const ElementMesh &mesh, const Material &material)
    : EbeSym(backend,
             mesh,
             material,
             ColouredStorage(mesh, n_parts, section_bytes, 6 * sizeof(Number)))
  {}

  void set_stiffness(const Array<double> &factors) override
  {
    with_thrust(context_, [&](const auto &policy) {
      thrust::gather(
        policy, element_.data(), element_.data() + n_elements_, factors.data(), stiffness_.data());
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_elements_ == 0)
      return;
    const cudaStream_t main = context_.activate();
    side_streams_.fork(main);
    // Launches alternate between parts, so that no part has to wait for the host.
    std::size_t n_ranges = 0;
    for (const std::vector<ColourRange> &part : parts_)
      n_ranges = std::max(n_ranges, part.size());
    for (std::size_t k = 0; k < n_ranges; ++k)
      for (std::size_t p = 0; p < parts_.size(); ++p)
        if (k < parts_[p].size())
          launch(parts_[p][k], k == 0, p == 0 ? main : side_streams_.stream(p - 1), x, y);
    side_streams_.join(main);
    for (std::size_t k = 0; k < cut_.size(); ++k)
      launch(cut_[k], k == 0, main, x, y);
  }

  void diagonal(Array<Number> &d) const override
  {
    d.set_zero();
    const auto add = [&](const std::vector<ColourRange> &colours) {
      for (const ColourRange &colour : colours)
        {
          ebe_sym_diagonal_kernel<<<n_colour_blocks(colour),
                                    ebe_sym_block_size,
                                    0,
                                    context_.activate()>>>(elements(),
                                                           colour,
                                                           first_of_blocks(colour),
                                                           d.data());
          STRUT_CUDA_CHECK_LAUNCH("ebe_sym_diagonal_kernel");
        }
    };
    for (const std::vector<ColourRange> &part : parts_)
      add(part);
    add(cut_);
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (n_elements_ == 0)
      return;
    const ColourRange all = {0, n_elements_};
    ebe_sym_energy_kernel<<<n_colour_blocks(all), ebe_sym_block_size, 0, context_.activate()>>>(
      elements(), all, u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("ebe_sym_energy_kernel");
  }

  /// Cost with each vector once, as for all strategies: repeated transfers by other colours are not
  /// compulsory.
  OperatorCost cost() const override
  {
    const double n = static_cast<double>(n_elements_);
    OperatorCost cost;
    cost.bytes_per_apply = n * (bytes_per_element - sizeof(LocalIndex)) +
                           6. * static_cast<double>(n_nodes_) * sizeof(Number);
    cost.flops_per_apply = n * (2. * 576 + 24);
    cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_);
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, std::size_t)
  {
    return static_cast<double>(n_elements) * bytes_per_element;
  }

private:
  /// Matrix and factor, node numbers, the element's number.
  static constexpr double bytes_per_element =
    (symmetric_matrices::n_numbers + 1) * sizeof(Number) + (8 + 1) * sizeof(LocalIndex);

  EbeSym(Backend &backend,
         const ElementMesh &mesh,
         const Material &material,
         const ColouredStorage &storage)
    : context_(context_of(backend))
    , n_elements_(mesh.n_elements)
    , n_nodes_(mesh.n_nodes)
    , parts_(storage.parts)
    , cut_(storage.cut)
    , side_streams_(context_, storage.parts.size() - 1)
    , element_(backend.memory(), storage.elements)
    , connectivity_(backend.memory(), storage.connectivity(mesh))
    , stiffness_(backend.memory(), std::vector<Number>(n_elements_, Number(1)))
    , diagonal_(backend.memory(), symmetric_matrices::n_diagonal * n_elements_)
    , off_diagonal_(backend.memory(),
                    symmetric_matrices::n_group * symmetric_matrices::n_groups * n_elements_)
  {
    if (n_elements_ == 0)
      return;
    colours_overlap_ = waits_by_itself();
    const Array<double> coordinates(backend.memory(), mesh.coordinates);
    const dim3 grid(n_blocks(n_elements_, stiffness_block_size), 8);
    symmetric_stiffness_kernel<<<grid, stiffness_block_size, 0, context_.activate()>>>(
      n_elements_,
      n_nodes_,
      coordinates.data(),
      connectivity_.data(),
      material,
      diagonal_.data(),
      off_diagonal_.data());
    STRUT_CUDA_CHECK_LAUNCH("symmetric_stiffness_kernel");
    context_.synchronize(); // The coordinates must stay until the work is done.
  }

  /// Add the products of the elements of one colour to y.
  ///
  /// @param first  whether this is the first launch of a part, which waits for the work before it.
  ///   The others may start while the colour before runs out, as their matrices do not depend on
  ///   it.
  void launch(const ColourRange &colour,
              const bool first,
              const cudaStream_t stream,
              const Array<Number> &x,
              Array<Number> &y) const
  {
    cudaLaunchAttribute overlap;
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t launch                          = {};
    launch.gridDim                                     = n_colour_blocks(colour);
    launch.blockDim                                    = ebe_sym_block_size;
    launch.stream                                      = stream;
    launch.attrs                                       = &overlap;
    launch.numAttrs                                    = first || !colours_overlap_ ? 0 : 1;
    STRUT_CUDA_CHECK(cudaLaunchKernelEx(&launch,
                                        ebe_sym_kernel<Number>,
                                        elements(),
                                        colour,
                                        first_of_blocks(colour),
                                        x.data(),
                                        y.data()));
  }

  /// Whether the kernel was compiled for this device such that it waits for the colour before where
  /// it must. Then the launches need no other order.
  static bool waits_by_itself()
  {
    cudaFuncAttributes attributes;
    STRUT_CUDA_CHECK(cudaFuncGetAttributes(&attributes, ebe_sym_kernel<Number>));
    return attributes.ptxVersion >= 90;
  }

  ColouredView<Number> elements() const
  {
    return {{diagonal_.data(), off_diagonal_.data(), n_elements_},
            connectivity_.data(),
            stiffness_.data(),
            element_.data()};
  }

  static unsigned int n_colour_blocks(const ColourRange &colour)
  {
    return n_blocks(colour.end - first_of_blocks(colour), ebe_sym_elements);
  }

  const Context &context_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  std::vector<std::vector<ColourRange>> parts_;
  std::vector<ColourRange> cut_;
  SideStreams side_streams_;
  bool colours_overlap_ = false;   ///< a launch may begin before the one before ends
  Array<LocalIndex> element_;      ///< number in the mesh, `[n_elements]`
  Array<LocalIndex> connectivity_; ///< `[n_elements][8]`
  Array<Number> stiffness_;        ///< E_e, `[n_elements]`
  Array<Number> diagonal_;         ///< diagonal blocks
  Array<Number> off_diagonal_;     ///< the seven groups
};
} // namespace

/// The strategy `ebeSym`: 8 threads per element, the symmetric half of its matrix.
StrategyPair ebe_sym()
{
  return strategy_pair<EbeSym>(
    "ebeSym",
    "8 threads per element, reads the symmetric half of its matrix, writes by colours",
    true);
}
} // namespace strut::cuda
