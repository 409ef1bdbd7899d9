// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/operators/element_matrices.cuh"
#include "source/element/elements.h"
#include "source/element/nodal_block.h"
#include "source/element/stored_stiffness.h"

namespace strut::cuda
{
namespace
{
constexpr int stiffness_block_size = 128;
constexpr int diagonal_block_size  = 256;

struct OneSolid
{
  Material material;
  __device__ const Material &operator()(std::size_t) const
  {
    return material;
  }
};

struct SolidOfElement
{
  const ElasticityMatrix *solids;
  const std::uint32_t *of_element;
  __device__ const ElasticityMatrix &operator()(const std::size_t e) const
  {
    return solids[of_element[e]];
  }
};

/// Formula:   rows of K0_e at stiffness factor 1 (hexahedron::stored_stiffness_rows): of
///            int B_a^T D B for three components, of int grad N_a . grad N_b for one.
/// Layout:    matrices by MatrixLayout; coordinates[3][n_nodes].
/// Threads:   one per element (x) and node a (y), which has the rows of its components.
/// Bytes:     per hexahedron, 576 numbers written, 64 for one component; connectivity and
///            coordinates read eight times, mostly from the caches.
/// Flops:     per hexahedron, about 70,000 in double, for any Number: once per mesh.
/// Determinism: every entry has one writer.
template <typename Element, int n_components, typename Number, typename SolidOf>
__global__ void __launch_bounds__(stiffness_block_size)
  stiffness_kernel(const std::size_t n_elements,
                   const std::size_t n_nodes,
                   const double *__restrict__ coordinates,
                   const LocalIndex *__restrict__ connectivity,
                   const SolidOf solid_of,
                   const MatrixLayout layout,
                   Number *__restrict__ matrices)
{
  const std::size_t e = thread_number();
  const int a         = static_cast<int>(blockIdx.y);
  if (e >= n_elements)
    return;

  double X[3][Element::n_nodes];
  for (int v = 0; v < Element::n_nodes; ++v)
    for (int d = 0; d < 3; ++d)
      X[d][v] = coordinates[d * n_nodes + connectivity[v * n_elements + e]];

  double rows[n_components][Element::n_nodes * n_components];
  hexahedron::stored_stiffness_rows<Number, Element>(X, solid_of(e), a, rows);
  Number *const of_node = matrices + (layout.row_node * a + layout.element * e);
  for (int i = 0; i < n_components; ++i)
    for (int b = 0; b < Element::n_nodes; ++b)
      for (int j = 0; j < n_components; ++j)
        of_node[layout.row_component * i + layout.column_node * b + layout.column_component * j] =
          static_cast<Number>(rows[i][n_components * b + j]);
}

/// Formula:   d_i = sum_e E_e (K0_e)_ii.
/// Layout:    matrices by MatrixLayout.
/// Threads:   one per element (x) and node (y).
/// Bytes:     per hexahedron, 24 numbers of the matrix, 8 node numbers, the factor; 24 atomic
///            additions.
/// Flops:     per hexahedron, 48.
/// Determinism: none, the order of the additions is that of the hardware.
template <typename Number, int n_components>
__global__ void __launch_bounds__(diagonal_block_size)
  diagonal_kernel(const std::size_t n_elements,
                  const LocalIndex *__restrict__ connectivity,
                  const Number *__restrict__ stiffness,
                  const Number *__restrict__ matrices,
                  const MatrixLayout layout,
                  Number *__restrict__ d)
{
  const std::size_t e = thread_number();
  const int v         = static_cast<int>(blockIdx.y);
  if (e >= n_elements)
    return;
  const std::size_t dof = n_components * std::size_t(connectivity[v * n_elements + e]);
  const Number *const block =
    matrices + (layout.row_node + layout.column_node) * v + layout.element * e;
  for (int c = 0; c < n_components; ++c)
    atomicAdd(d + dof + c,
              stiffness[e] * block[(layout.row_component + layout.column_component) * c]);
}

/// Formula:   sum_e E_e (K0_e)_nn, the blocks of the nodes.
/// Layout:    matrices by MatrixLayout; blocks by NodalBlock.
/// Threads:   one per element (x) and node (y).
/// Bytes:     per hexahedron, 48 numbers of the matrix, 8 node numbers, the factor; 48 atomic
///            additions.
/// Flops:     per hexahedron, 96.
/// Determinism: none, the order of the additions is that of the hardware.
template <typename Number, int n_components>
__global__ void __launch_bounds__(diagonal_block_size)
  block_kernel(const std::size_t n_elements,
               const LocalIndex *__restrict__ connectivity,
               const Number *__restrict__ stiffness,
               const Number *__restrict__ matrices,
               const MatrixLayout layout,
               Number *__restrict__ blocks)
{
  using Block         = NodalBlock<Number, n_components>;
  const std::size_t e = thread_number();
  const int v         = static_cast<int>(blockIdx.y);
  if (e >= n_elements)
    return;
  const std::size_t node = connectivity[v * n_elements + e];
  const Number *const of_node =
    matrices + (layout.row_node + layout.column_node) * v + layout.element * e;
  for (int i = 0; i < n_components; ++i)
    for (int j = i; j < n_components; ++j)
      atomicAdd(blocks + Block::size * node + Block::index(i, j),
                stiffness[e] * of_node[layout.row_component * i + layout.column_component * j]);
}
} // namespace

template <typename Number, int n_components>
void compute_element_matrices(const Context &context,
                              Memory &memory,
                              const ElementMesh &mesh,
                              const Material &material,
                              const AnisotropicSolids *const solids,
                              const Array<LocalIndex> &connectivity,
                              const MatrixLayout &layout,
                              Array<Number> &matrices)
{
  if (mesh.n_elements == 0)
    return;
  const Array<double> coordinates(memory, mesh.coordinates);
  const auto compute = [&](const auto &solid_of) {
    with_element(mesh.type, [&](const auto element) {
      using Element = std::decay_t<decltype(element)>;
      const dim3 grid(n_blocks(mesh.n_elements, stiffness_block_size), Element::n_nodes);
      stiffness_kernel<Element, n_components>
        <<<grid, stiffness_block_size, 0, context.activate()>>>(mesh.n_elements,
                                                                mesh.n_nodes,
                                                                coordinates.data(),
                                                                connectivity.data(),
                                                                solid_of,
                                                                layout,
                                                                matrices.data());
    });
    STRUT_CUDA_CHECK_LAUNCH("stiffness_kernel");
    context.synchronize(); // Coordinates and solids must stay until the work is done.
  };
  if (solids == nullptr)
    return compute(OneSolid{material});
  const Array<ElasticityMatrix> of_solids(memory, solids->matrices);
  const Array<std::uint32_t> of_element(memory, solids->of_element);
  compute(SolidOfElement{of_solids.data(), of_element.data()});
}

template <typename Number, int n_components>
void add_element_diagonals(const Context &context,
                           const std::size_t n_elements,
                           const Array<LocalIndex> &connectivity,
                           const Array<Number> &stiffness,
                           const Array<Number> &matrices,
                           const MatrixLayout &layout,
                           Array<Number> &d)
{
  if (n_elements == 0)
    return;
  const dim3 grid(n_blocks(n_elements, diagonal_block_size),
                  static_cast<unsigned int>(connectivity.size() / n_elements));
  diagonal_kernel<Number, n_components><<<grid, diagonal_block_size, 0, context.activate()>>>(
    n_elements, connectivity.data(), stiffness.data(), matrices.data(), layout, d.data());
  STRUT_CUDA_CHECK_LAUNCH("diagonal_kernel");
}

template <typename Number, int n_components>
void add_element_blocks(const Context &context,
                        const std::size_t n_elements,
                        const Array<LocalIndex> &connectivity,
                        const Array<Number> &stiffness,
                        const Array<Number> &matrices,
                        const MatrixLayout &layout,
                        Array<Number> &blocks)
{
  if (n_elements == 0)
    return;
  const dim3 grid(n_blocks(n_elements, diagonal_block_size),
                  static_cast<unsigned int>(connectivity.size() / n_elements));
  block_kernel<Number, n_components><<<grid, diagonal_block_size, 0, context.activate()>>>(
    n_elements, connectivity.data(), stiffness.data(), matrices.data(), layout, blocks.data());
  STRUT_CUDA_CHECK_LAUNCH("block_kernel");
}

#define STRUT_INSTANTIATE(Number, n)                                                          \
  template decltype(compute_element_matrices<Number, n>) compute_element_matrices<Number, n>; \
  template decltype(add_element_diagonals<Number, n>) add_element_diagonals<Number, n>;       \
  template decltype(add_element_blocks<Number, n>) add_element_blocks<Number, n>;
STRUT_INSTANTIATE(double, 3)
STRUT_INSTANTIATE(float, 3)
STRUT_INSTANTIATE(double, 1)
STRUT_INSTANTIATE(float, 1)
} // namespace strut::cuda
