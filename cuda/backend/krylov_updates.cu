// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/krylov_operations.cuh"
#include "cuda/base/parallel_loop.cuh"
#include "source/base/watchdog.h"

namespace strut::cuda
{
namespace
{
constexpr int walk_block_size    = 512;
constexpr int walk_blocks_per_sm = 2;
constexpr int walk_bytes         = 16; ///< bytes moved by one instruction of a thread
constexpr int walk_unroll        = 2;  ///< packs that a thread has in flight

/// The scratch buffers that the kernels share.
struct Scratch
{
  KrylovSums *sums;       ///< device memory
  KrylovSums *on_host;    ///< page-locked copy that the device writes
  double *partial;        ///< `[2][blocks]`: sums of the blocks
  unsigned int *finished; ///< number of finished blocks; 0 between kernels
};

/// Formula:   operation on all entries i < n, and its sums. Number is the widest of its types.
/// Threads:   as many as fill the device once; thread t takes the packs t, t + n_threads, ... of
///            neighbouring entries, walk_unroll at a time; sums as in reduction_kernel().
/// Bytes:     those of the operation; 8 n_sums for each block.
/// Cache:     vectors of the next kernel stay in L2, since the others leave it first (load_once);
///            15% faster. All walk in one direction, as alternating directions were no faster.
/// Determinism: the order of summation depends on n and the number of blocks only.
template <typename Number, typename Operation>
__global__ void __launch_bounds__(walk_block_size, walk_blocks_per_sm)
  walk_kernel(const std::size_t n, Operation operation, const Scratch scratch)
{
  constexpr int W = walk_bytes / sizeof(Number);
  operation.begin(*scratch.sums);

  const std::size_t n_packs   = n / W;
  const std::size_t n_threads = std::size_t(gridDim.x) * blockDim.x;
  double a = 0., b = 0.;
  std::size_t pack = thread_number();
  for (; pack + (walk_unroll - 1) * n_threads < n_packs; pack += walk_unroll * n_threads)
    {
      typename Operation::template Entries<W> entries[walk_unroll];
#pragma unroll
      for (int u = 0; u < walk_unroll; ++u)
        entries[u] = operation.template load_entries<W>(W * (pack + u * n_threads));
#pragma unroll
      for (int u = 0; u < walk_unroll; ++u)
        operation.template apply<W>(W * (pack + u * n_threads), entries[u], a, b);
    }
  for (; pack < n_packs; pack += n_threads)
    {
      auto entries = operation.template load_entries<W>(W * pack);
      operation.template apply<W>(W * pack, entries, a, b);
    }
  const std::size_t rest = W * n_packs + thread_number();
  if (rest < n)
    {
      auto entries = operation.template load_entries<1>(rest);
      operation.template apply<1>(rest, entries, a, b);
    }

  if constexpr (Operation::n_sums > 0)
    {
      a = reduce_block<walk_block_size>(a, Sum());
      if constexpr (Operation::n_sums > 1)
        b = reduce_block<walk_block_size>(b, Sum());
      __shared__ bool is_last;
      if (threadIdx.x == 0)
        {
          scratch.partial[blockIdx.x]             = a;
          scratch.partial[gridDim.x + blockIdx.x] = b;
          __threadfence(); // The partial sums must be visible before the count.
          is_last = atomicAdd(scratch.finished, 1u) == gridDim.x - 1;
        }
      __syncthreads();
      if (!is_last)
        return;

      __threadfence(); // The count must be read before the partial sums of the others.
      a = b = 0.;
      for (unsigned int block = threadIdx.x; block < gridDim.x; block += blockDim.x)
        {
          a += __ldcg(scratch.partial + block);
          b += __ldcg(scratch.partial + gridDim.x + block);
        }
      a = reduce_block<walk_block_size>(a, Sum());
      if constexpr (Operation::n_sums > 1)
        b = reduce_block<walk_block_size>(b, Sum());
      if (threadIdx.x == 0)
        {
          KrylovSums sums = *scratch.sums;
          Operation::finish(sums, a, b);
          *scratch.sums     = sums;
          *scratch.on_host  = sums;
          *scratch.finished = 0;
        }
    }
}

__global__ void set_sums_kernel(const KrylovSums sums, const Scratch scratch)
{
  *scratch.sums    = sums;
  *scratch.on_host = sums;
}

/// Copies the sums to the host.
__global__ void publish_kernel(const Scratch scratch)
{
  *scratch.on_host = *scratch.sums;
}

/// KrylovUpdates on one device. Everything is submitted, only sums() waits.
template <typename Number, typename Low>
class CudaKrylovUpdates : public KrylovUpdates<Number, Low>
{
public:
  explicit CudaKrylovUpdates(const Context &context) : context_(context)
  {
    const cudaStream_t stream = context_.activate();
    int n_multiprocessors     = 0;
    STRUT_CUDA_CHECK(cudaDeviceGetAttribute(&n_multiprocessors,
                                            cudaDevAttrMultiProcessorCount,
                                            context_.device()));
    max_blocks_ = static_cast<unsigned int>(walk_blocks_per_sm * n_multiprocessors);
    try
      {
        STRUT_CUDA_CHECK(cudaMalloc(&scratch_.sums, sizeof(KrylovSums)));
        STRUT_CUDA_CHECK(cudaMalloc(&scratch_.partial, 2 * max_blocks_ * sizeof(double)));
        STRUT_CUDA_CHECK(cudaMalloc(&scratch_.finished, sizeof(unsigned int)));
        STRUT_CUDA_CHECK(cudaMemsetAsync(scratch_.finished, 0, sizeof(unsigned int), stream));
        STRUT_CUDA_CHECK(cudaHostAlloc(&scratch_.on_host, sizeof(KrylovSums), cudaHostAllocMapped));
        STRUT_CUDA_CHECK(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
        set_sums(KrylovSums());
      }
    catch (...)
      {
        release();
        throw;
      }
  }

  ~CudaKrylovUpdates() override
  {
    release();
  }

  CudaKrylovUpdates(const CudaKrylovUpdates &)            = delete;
  CudaKrylovUpdates &operator=(const CudaKrylovUpdates &) = delete;

  KrylovSums sums() override
  {
    context_.activate();
    const watchdog::Wait wait; // The wait includes earlier messages of other ranks.
    STRUT_CUDA_CHECK(cudaEventSynchronize(ready_));
    return *scratch_.on_host;
  }

  void share(Transport &transport, double KrylovSums::*const first, const std::size_t n) override
  {
    transport.sum(&(scratch_.sums->*first), n);
    const cudaStream_t stream = context_.activate();
    publish_kernel<<<1, 1, 0, stream>>>(scratch_);
    STRUT_CUDA_CHECK_LAUNCH("publish_kernel");
    STRUT_CUDA_CHECK(cudaEventRecord(ready_, stream));
  }

  void set_sums(const KrylovSums &sums) override
  {
    const cudaStream_t stream = context_.activate();
    set_sums_kernel<<<1, 1, 0, stream>>>(sums, scratch_);
    STRUT_CUDA_CHECK_LAUNCH("set_sums_kernel");
    STRUT_CUDA_CHECK(cudaEventRecord(ready_, stream));
  }

  void
  scale(const std::size_t n, const Array<float> &d, const Array<Number> &x, Array<Low> &y) override
  {
    walk<Number>(n, Scale<Number, Low>{{}, d.data(), x.data(), y.data()});
  }

  void norms(const std::size_t n, const Array<float> &d, const Array<Number> &r) override
  {
    walk<Number>(n, Norms<Number, true>{{}, d.data(), r.data()});
  }

  void norm(const std::size_t n, const Array<Number> &r) override
  {
    walk<Number>(n, Norms<Number, false>{{}, nullptr, r.data()});
  }

  void curvature(const std::size_t n, const Array<Low> &p, const Array<Number> &q) override
  {
    walk<Number>(n, Curvature<Number, Low>{{}, p.data(), q.data()});
  }

  void reduce_residual(const std::size_t n,
                       const Array<Number> &q,
                       const Array<float> &d,
                       Array<Number> &r) override
  {
    walk<Number>(n, ReduceResidual<Number>{q.data(), d.data(), r.data(), Number(0)});
  }

  void advance(const std::size_t n,
               const Array<float> &d,
               const Array<Number> &r,
               Array<Low> &p,
               Array<Number> &x) override
  {
    walk<Number>(
      n, Advance<Number, Low>{d.data(), r.data(), p.data(), x.data(), Number(0), Number(0)});
  }

  void step(const std::size_t n,
            const Array<Low> &p,
            const Array<Number> &q,
            Array<Number> &x,
            Array<Number> &r) override
  {
    walk<Number>(n, Step<Number, Low>{p.data(), q.data(), x.data(), r.data(), Number(0)});
  }

  void scalar_product(const std::size_t n, const Array<Number> &r, const Array<Low> &z) override
  {
    walk<Number>(n, ScalarProduct<Number, Low>{{}, r.data(), z.data()});
  }

  void next_direction(const std::size_t n, const Array<Low> &z, Array<Low> &p) override
  {
    walk<Low>(n, NextDirection<Number, Low>{z.data(), p.data(), Number(0)});
  }

private:
  template <typename Longest, typename Operation>
  void walk(const std::size_t n, const Operation &operation)
  {
    const cudaStream_t stream   = context_.activate();
    constexpr std::size_t width = walk_bytes / sizeof(Longest);
    const unsigned int blocks =
      std::max(1u, std::min(max_blocks_, n_blocks((n + width - 1) / width, walk_block_size)));
    walk_kernel<Longest><<<blocks, walk_block_size, 0, stream>>>(n, operation, scratch_);
    STRUT_CUDA_CHECK_LAUNCH("walk_kernel");
    if (Operation::n_sums > 0)
      STRUT_CUDA_CHECK(cudaEventRecord(ready_, stream));
  }

  void release() noexcept
  {
    // No error leaves here, as in Context::release().
    cudaSetDevice(context_.device());
    cudaFree(scratch_.finished);
    cudaFree(scratch_.partial);
    cudaFree(scratch_.sums);
    cudaFreeHost(scratch_.on_host);
    if (ready_ != nullptr)
      cudaEventDestroy(ready_);
    cudaGetLastError();
  }

  const Context &context_;
  unsigned int max_blocks_;
  Scratch scratch_   = {nullptr, nullptr, nullptr, nullptr};
  cudaEvent_t ready_ = nullptr; ///< recorded when the sums are on the host
};
} // namespace

template <typename Number, typename Low>
std::unique_ptr<KrylovUpdates<Number, Low>> make_krylov_updates(const Context &context)
{
  return std::make_unique<CudaKrylovUpdates<Number, Low>>(context);
}

template std::unique_ptr<KrylovUpdates<double>>
make_krylov_updates<double, double>(const Context &);
template std::unique_ptr<KrylovUpdates<float>> make_krylov_updates<float, float>(const Context &);
template std::unique_ptr<KrylovUpdates<double, float>>
make_krylov_updates<double, float>(const Context &);
} // namespace strut::cuda
