// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/base/thrust_policy.cuh"
#include "cuda/comparison/operators/shared_matrix.cuh"
#include "source/mesh/structured_box.h"
#include "source/operators/strategy_pair.h"

#include <thrust/gather.h>

namespace strut::cuda
{
namespace
{
constexpr char name[]   = "slices";
constexpr int patch_x   = 32; ///< nodes of a patch along x, a warp
constexpr int patch_y   = 4;  ///< nodes of a patch along y
constexpr int n_threads = patch_x * patch_y;
constexpr int march     = 32; ///< planes of nodes that a block computes
constexpr int plane_x   = patch_x + 2;
/// Nodes of a plane with those around the patch.
constexpr int plane_nodes  = plane_x * (patch_y + 2);
constexpr int layer_x      = patch_x + 1;
constexpr int layer_size   = layer_x * (patch_y + 1); ///< elements around the patch
constexpr int energy_block = 128;

/// The box as a kernel sees it, passed by value.
template <typename Number>
struct BoxView
{
  int n[3];                                ///< elements along x, y, z
  const LocalIndex *__restrict__ nodes;    ///< `[n[2] + 1][n[1] + 1][n[0] + 1]`
  const LocalIndex *__restrict__ elements; ///< `[n[2]][n[1]][n[0]]`
  const Number *__restrict__ stiffness;    ///< E_e, `[n[2]][n[1]][n[0]]`

  __device__ std::size_t node_place(const int x, const int y, const int z) const
  {
    return (std::size_t(z) * (n[1] + 1) + y) * (n[0] + 1) + x;
  }

  /// Stiffness factor of an element; 0 outside of the box.
  __device__ Number factor(const int x, const int y, const int z) const
  {
    const bool is_inside = x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
    return is_inside ? stiffness[(std::size_t(z) * n[1] + y) * n[0] + x] : Number(0);
  }
};

/// Shared memory of a block: three planes of x, and the factors of two layers of elements.
template <typename Number>
struct Slices
{
  Number x[3][3][plane_nodes]; ///< plane modulo 3, component, place
  Number factors[2][layer_size];

  /// Load the plane z of nodes; zeros outside of the box.
  __device__ void load_plane(const BoxView<Number> &box,
                             const Number *__restrict__ values,
                             const int x0,
                             const int y0,
                             const int z)
  {
    for (int t = threadIdx.y * patch_x + threadIdx.x; t < plane_nodes; t += n_threads)
      {
        const int px = x0 - 1 + t % plane_x, py = y0 - 1 + t / plane_x;
        const bool is_inside =
          px >= 0 && px <= box.n[0] && py >= 0 && py <= box.n[1] && z >= 0 && z <= box.n[2];
        const Number *const at =
          is_inside ? values + 3 * std::size_t(box.nodes[box.node_place(px, py, z)]) : nullptr;
#pragma unroll
        for (int c = 0; c < 3; ++c)
          x[(z + 3) % 3][c][t] = is_inside ? at[c] : Number(0);
      }
  }

  /// Load the layer of elements between the planes z and z + 1.
  __device__ void load_layer(const BoxView<Number> &box, const int x0, const int y0, const int z)
  {
    for (int t = threadIdx.y * patch_x + threadIdx.x; t < layer_size; t += n_threads)
      factors[(z + 2) % 2][t] = box.factor(x0 - 1 + t % layer_x, y0 - 1 + t / layer_x, z);
  }

  /// Compute the product at the node of this thread in plane z.
  __device__ void product(const SharedMatrix<Number> &K, const int z, Number (&y)[3]) const
  {
    y[0] = y[1] = y[2] = Number(0);
#pragma unroll
    for (int e = 0; e < 8;
         ++e) // Element (e & 1, e >> 1 & 1, e >> 2) of the 2 x 2 x 2 around the node.
      {
        // The node is vertex v of the element.
        const int ex = e & 1, ey = e >> 1 & 1, ez = e >> 2, v = 7 - e;
        Number sum[3] = {};
#pragma unroll
        for (int w = 0; w < 8; ++w)
          {
            const int place =
              (threadIdx.y + ey + (w >> 1 & 1)) * plane_x + threadIdx.x + ex + (w & 1);
            const auto &plane = x[(z - 1 + ez + (w >> 2) + 3) % 3];
#pragma unroll
            for (int j = 0; j < 3; ++j)
              {
                const Number value = plane[j][place];
#pragma unroll
                for (int i = 0; i < 3; ++i)
                  sum[i] += K.upper[SharedMatrix<Number>::index(3 * v + i, 3 * w + j)] * value;
              }
          }
        const Number factor =
          factors[(z - 1 + ez + 2) % 2][(threadIdx.y + ey) * layer_x + threadIdx.x + ex];
#pragma unroll
        for (int i = 0; i < 3; ++i)
          y[i] += factor * sum[i];
      }
  }
};

/// Formula:   y_n = sum over the 8 elements e around node n of E_e (rows of K0 for n) P_e x
///            (Schmidt and Schulz 2011).
/// Layout:    one K0 in constant memory; the box by places in x, y, z, x fastest; x and y by node
///            numbers.
/// Threads:   a block per patch of 32 x 4 nodes of the x-y plane; it marches through 32 planes,
///            with three planes of x and two layers of factors in shared memory. A thread computes
///            one node per plane.
/// Bytes:     per element (and node) 4 of the node's number, read again for the store, the factor,
///            3 numbers of x and 3 of y; 1.6 times those of x and of the numbers for the frame of a
///            patch.
/// Flops:     per element, 1200.
/// Determinism: every entry of y has one writer, elements in their order.
template <typename Number>
__global__ void __launch_bounds__(n_threads)
  slices_kernel(const __grid_constant__ SharedMatrix<Number> K,
                const BoxView<Number> box,
                const Number *__restrict__ x,
                Number *__restrict__ y)
{
  __shared__ Slices<Number> slices;
  const int x0 = blockIdx.x * patch_x, y0 = blockIdx.y * patch_y, first = blockIdx.z * march;
  const int end    = min(first + march, box.n[2] + 1);
  const int node_x = x0 + threadIdx.x, node_y = y0 + threadIdx.y;
  slices.load_plane(box, x, x0, y0, first - 1);
  slices.load_plane(box, x, x0, y0, first);
  slices.load_layer(box, x0, y0, first - 1);
  for (int z = first; z < end; ++z)
    {
      slices.load_plane(box, x, x0, y0, z + 1);
      slices.load_layer(box, x0, y0, z);
      __syncthreads();
      if (node_x <= box.n[0] && node_y <= box.n[1])
        {
          Number sums[3];
          slices.product(K, z, sums);
          Number *const out = y + 3 * std::size_t(box.nodes[box.node_place(node_x, node_y, z)]);
#pragma unroll
          for (int i = 0; i < 3; ++i)
            out[i] = sums[i];
        }
      __syncthreads(); // The next plane replaces the last one.
    }
}

/// Formula:   c_e = u_e^T K0_e u_e.
/// Threads:   one per element.
/// Bytes:     per element, 8 node numbers, 24 of u, mostly from the caches, 8 bytes written.
/// Flops:     per element, 1200 in double, for any Number.
/// Determinism: one thread sums row by row.
template <typename Number>
__global__ void __launch_bounds__(energy_block)
  slices_energy_kernel(const __grid_constant__ SharedMatrix<double> K,
                       const BoxView<Number> box,
                       const std::size_t n_elements,
                       const Number *__restrict__ u,
                       double *__restrict__ c)
{
  const std::size_t place = thread_number();
  if (place >= n_elements)
    return;
  const int x = static_cast<int>(place % box.n[0]),
            y = static_cast<int>(place / box.n[0] % box.n[1]),
            z = static_cast<int>(place / box.n[0] / box.n[1]);
  double local[24];
#pragma unroll
  for (int v = 0; v < 8; ++v)
    {
      const std::size_t node =
        box.nodes[box.node_place(x + (v & 1), y + (v >> 1 & 1), z + (v >> 2))];
#pragma unroll
      for (int i = 0; i < 3; ++i)
        local[3 * v + i] = u[3 * node + i];
    }
  c[box.elements[place]] = K.energy(local);
}

/// Operator by slices of a box of identical elements.
template <typename Number>
class SlicesOperator : public ElementOperator<Number>
{
public:
  SlicesOperator(Backend &backend, const ElementMesh &mesh, const Material &material)
    : context_(context_of(backend)), n_elements_(mesh.n_elements), n_nodes_(mesh.n_nodes)
  {
    require_identical_elements(backend, mesh, name);
    const StructuredBox box = StructuredBox::find(mesh);
    if (!box.obstacle.empty())
      refuse_mesh(backend, name, "Besides, it needs a full box of them. " + box.obstacle);
    for (int d = 0; d < 3; ++d)
      n_[d] = static_cast<int>(box.n[d]);
    nodes_        = Array<LocalIndex>(backend.memory(), box.nodes);
    elements_     = Array<LocalIndex>(backend.memory(), box.elements);
    stiffness_    = Array<Number>(backend.memory(), std::vector<Number>(n_elements_, Number(1)));
    exact_matrix_ = shared_matrix<Number>(mesh, material);
    matrix_       = rounded<Number>(exact_matrix_);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    with_thrust(context_, [&](const auto &policy) {
      thrust::gather(policy,
                     elements_.data(),
                     elements_.data() + n_elements_,
                     factors.data(),
                     stiffness_.data());
    });
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_elements_ == 0)
      return;
    const dim3 grid(n_blocks(n_[0] + 1, patch_x),
                    n_blocks(n_[1] + 1, patch_y),
                    n_blocks(n_[2] + 1, march));
    slices_kernel<<<grid, dim3(patch_x, patch_y), 0, context_.activate()>>>(matrix_,
                                                                            view(),
                                                                            x.data(),
                                                                            y.data());
    STRUT_CUDA_CHECK_LAUNCH("slices_kernel");
  }

  /// Compute the diagonal with a thread per node, the elements around it in their order. 48 flops
  /// per element.
  void diagonal(Array<Number> &d) const override
  {
    const BoxView<Number> box    = view();
    const SharedMatrix<Number> K = matrix_;
    Number *const out            = d.data();
    parallel_for(context_, n_nodes_, [=] __device__(const std::size_t place) {
      const int x   = static_cast<int>(place % (box.n[0] + 1)),
                y   = static_cast<int>(place / (box.n[0] + 1) % (box.n[1] + 1)),
                z   = static_cast<int>(place / (box.n[0] + 1) / (box.n[1] + 1));
      Number sum[3] = {};
      for (int e = 0; e < 8; ++e)
        {
          const int v         = 7 - e;
          const Number factor = box.factor(x - 1 + (e & 1), y - 1 + (e >> 1 & 1), z - 1 + (e >> 2));
          for (int i = 0; i < 3; ++i)
            sum[i] += factor * K.upper[SharedMatrix<Number>::index(3 * v + i, 3 * v + i)];
        }
      for (int i = 0; i < 3; ++i)
        out[3 * std::size_t(box.nodes[place]) + i] = sum[i];
    });
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (n_elements_ == 0)
      return;
    slices_energy_kernel<<<n_blocks(n_elements_, energy_block),
                           energy_block,
                           0,
                           context_.activate()>>>(
      exact_matrix_, view(), n_elements_, u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("slices_energy_kernel");
  }

  OperatorCost cost() const override
  {
    const double n_elements = static_cast<double>(n_elements_);
    const double n_nodes    = static_cast<double>(n_nodes_);
    OperatorCost cost;
    cost.memory_bytes = memory_estimate(n_elements_, n_nodes_);
    cost.bytes_per_apply =
      n_elements * sizeof(Number) + n_nodes * (sizeof(LocalIndex) + 6. * sizeof(Number));
    cost.flops_per_apply = n_elements * (2. * 576 + 48);
    return cost;
  }

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return static_cast<double>(n_elements) * (sizeof(LocalIndex) + sizeof(Number)) +
           static_cast<double>(n_nodes) * sizeof(LocalIndex);
  }

private:
  BoxView<Number> view() const
  {
    return {{n_[0], n_[1], n_[2]}, nodes_.data(), elements_.data(), stiffness_.data()};
  }

  const Context &context_;
  const std::size_t n_elements_, n_nodes_;
  int n_[3] = {};
  Array<LocalIndex> nodes_, elements_; ///< in the order of places, see BoxView
  Array<Number> stiffness_;            ///< E_e, by place
  SharedMatrix<double> exact_matrix_;
  SharedMatrix<Number> matrix_;
};
} // namespace

/// The strategy `slices`: patches of the x-y plane that march through z, for boxes.
StrategyPair slices()
{
  return strategy_pair<SlicesOperator>(
    name,
    "1 thread per node, patches of the x-y plane march through z, one matrix for all elements (boxes of "
    "identical ones only)",
    true,
    true);
}
} // namespace strut::cuda
