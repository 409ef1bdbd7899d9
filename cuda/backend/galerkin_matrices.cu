// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/galerkin_kernels.cuh"
#include "source/mesh/node_to_element.h"

namespace strut::cuda
{
namespace
{
template <typename Number>
class CudaGalerkinMatrices : public GalerkinMatrices<Number>
{
public:
  using GalerkinMatrices<Number>::n_packed;

  CudaGalerkinMatrices(const Context &context, Memory &memory, const GalerkinElements &elements)
    : context_(context)
    , n_elements_(elements.n_elements)
    , n_stored_(elements.n_stored)
    , n_nodes_(elements.n_nodes)
    , connectivity_(memory, elements.connectivity)
    , constrained_(memory, elements.constrained)
    , matrices_(memory, n_packed * n_stored_)
    , forces_(memory, 24 * n_elements_)
    , eigenvalues_(memory, n_elements_)
  {
    const auto around = NodeToElement::build(n_nodes_, elements.connectivity);
    around_begin_     = Array<LocalIndex>(memory, around.begin);
    around_           = Array<LocalIndex>(memory, around.entries);
  }

  void set_from_geometry(const SubdividedElements &elements,
                         const Material &material,
                         const Array<double> &factors) override
  {
    set(ChildrenByGeometry{n_elements_,
                           elements.lattice.data(),
                           elements.children.data(),
                           elements.coordinates.data(),
                           elements.constrained.data(),
                           factors.data(),
                           material.lambda(),
                           material.mu()});
  }

  void set_from_children(const Array<LocalIndex> &children,
                         const GalerkinMatrices<Number> &finer) override
  {
    set(ChildrenByMatrices<Number>{n_elements_,
                                   children.data(),
                                   static_cast<const CudaGalerkinMatrices &>(finer).view()});
  }

  /// Compute the products by elements, then their sums by nodes. Threads of the second kernel: one
  /// per node. Bytes: 4 for each element around a node, f, 3 numbers written.
  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    if (n_elements_ == 0)
      return;
    galerkin_product_kernel<<<n_teams(product_block_size), product_block_size, 0, stream()>>>(
      level(), view(), x.data(), forces_.data());
    STRUT_CUDA_CHECK_LAUNCH("galerkin_product_kernel");
    const LocalIndex *const begin = around_begin_.data(), *const around = around_.data();
    const Number *const f = forces_.data();
    Number *const ys      = y.data();
    parallel_for(context_, n_nodes_, [=] __device__(const std::size_t node) {
      const LocalIndex end = begin[node + 1];
      Number sum[3]        = {};
      for (LocalIndex k = begin[node]; k < end; ++k)
        {
          const std::size_t from = 3 * std::size_t(around[k]);
          for (std::size_t c = 0; c < 3; ++c)
            sum[c] += f[from + c];
        }
      for (std::size_t c = 0; c < 3; ++c)
        ys[3 * node + c] = sum[c];
    });
  }

  /// Compute the diagonal blocks. Threads: one per node.
  void diagonal_blocks(Array<Number> &blocks) const override
  {
    const LocalIndex *const begin = around_begin_.data(), *const around = around_.data();
    const Number *const matrices = matrices_.data();
    const std::size_t n_stored   = n_stored_;
    Number *const all            = blocks.data();
    parallel_for(context_, n_nodes_, [=] __device__(const std::size_t node) {
      Number sum[6] = {};
      for (LocalIndex k = begin[node]; k < begin[node + 1]; ++k)
        {
          const std::size_t e = around[k] / 8;
          const int first     = 3 * static_cast<int>(around[k] % 8);
#pragma unroll
          for (int i = 0, n = 0; i < 3; ++i)
#pragma unroll
            for (int j = i; j < 3; ++j, ++n)
              sum[n] += matrices[TeamMatrix::place(n_stored, e, first + i, first + j)];
        }
      for (int n = 0; n < 6; ++n)
        all[6 * node + n] = sum[n];
    });
  }

  double smoother_bound() const override
  {
    if (n_elements_ == 0)
      return 0.;
    galerkin_bound_kernel<<<n_teams(product_block_size), product_block_size, 0, stream()>>>(
      level(), view(), eigenvalues_.data());
    STRUT_CUDA_CHECK_LAUNCH("galerkin_bound_kernel");
    const double *const eigenvalues = eigenvalues_.data();
    return lanczos::margin *
           parallel_reduce(context_, n_elements_, Maximum(), [=] __device__(const std::size_t e) {
             return eigenvalues[e];
           });
  }

  void pack(Array<Number> &packed) const override
  {
    const Number *const from   = matrices_.data();
    Number *const to           = packed.data();
    const std::size_t n_stored = n_stored_;
    parallel_for(context_, 24 * n_elements_, [=] __device__(const std::size_t column) {
      const std::size_t e = column / 24;
      const int j         = static_cast<int>(column % 24);
      for (int i = 0; i <= j; ++i)
        to[n_packed * e + j * (j + 1) / 2 + i] = from[TeamMatrix::place(n_stored, e, i, j)];
    });
  }

  void unpack_others(const Array<Number> &packed) override
  {
    const Number *const from     = packed.data();
    Number *const to             = matrices_.data();
    const std::size_t n_stored   = n_stored_;
    const std::size_t n_elements = n_elements_;
    parallel_for(context_,
                 24 * (n_stored_ - n_elements_),
                 [=] __device__(const std::size_t column) {
                   const std::size_t e = n_elements + column / 24;
                   const int j         = static_cast<int>(column % 24);
                   for (int i = 0; i <= j; ++i)
                     to[TeamMatrix::place(n_stored, e, i, j)] =
                       from[n_packed * e + j * (j + 1) / 2 + i];
                 });
  }

  LevelView level() const
  {
    return {n_elements_, n_stored_, connectivity_.data(), constrained_.data()};
  }

  SymmetricMatricesView<Number> view() const
  {
    return {matrices_.data(),
            matrices_.data() + symmetric_matrices::n_diagonal * n_stored_,
            n_stored_};
  }

private:
  template <typename Children>
  void set(const Children &children)
  {
    if (n_elements_ == 0)
      return;
    galerkin_kernel<<<n_teams(galerkin_block_size), galerkin_block_size, 0, stream()>>>(
      level(), children, matrices_.data());
    STRUT_CUDA_CHECK_LAUNCH("galerkin_kernel");
  }

  cudaStream_t stream() const
  {
    return context_.activate();
  }

  unsigned int n_teams(const int block_size) const
  {
    return n_blocks(TeamMatrix::n_threads * n_elements_, block_size);
  }

  const Context &context_;
  const std::size_t n_elements_;
  const std::size_t n_stored_;
  const std::size_t n_nodes_;
  Array<LocalIndex> connectivity_;  ///< `[n_elements][8]`
  Array<std::uint8_t> constrained_; ///< `[n_nodes]`
  Array<LocalIndex> around_begin_;  ///< `[n_nodes + 1]`
  Array<LocalIndex> around_;        ///< `8 * element + vertex`, `[8 n_elements]`
  Array<Number> matrices_;          ///< diagonal blocks, then the groups
  mutable Array<Number> forces_;    ///< f, forces of the elements, `[n_elements][8][3]`
  mutable Array<double> eigenvalues_;
};
} // namespace

template <typename Number>
std::unique_ptr<GalerkinMatrices<Number>>
make_galerkin_matrices(const Context &context, Memory &memory, const GalerkinElements &elements)
{
  return std::make_unique<CudaGalerkinMatrices<Number>>(context, memory, elements);
}

template std::unique_ptr<GalerkinMatrices<double>>
make_galerkin_matrices(const Context &, Memory &, const GalerkinElements &);
template std::unique_ptr<GalerkinMatrices<float>>
make_galerkin_matrices(const Context &, Memory &, const GalerkinElements &);
} // namespace strut::cuda
