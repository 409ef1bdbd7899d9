// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda_backend.h"
#include "dense_inverse.h"
#include "neighbourhood_sum.h"

namespace strut
{
namespace cuda
{
CudaBackend::CudaBackend(const int device)
  : context_(device)
  , memory_(context_)
  , vectors_double_(context_)
  , vectors_float_(context_)
  , design_operations_(context_)
  , level_operations_(context_)
  , multigrid_double_(context_)
  , multigrid_float_(context_)
  , assembly_operations_(make_assembly_operations(*this, context_))
{}

std::unique_ptr<NeighbourhoodSum> CudaBackend::make_neighbourhood_sum(const CellGrid &grid,
                                                                      const std::size_t n_targets)
{
  return std::make_unique<CudaNeighbourhoodSum>(context_, memory_, grid, n_targets);
}

std::unique_ptr<DenseInverse<double>>
CudaBackend::get_dense_inverse(NumberTag<double>, const SymmetricPattern &pattern)
{
  return cuda::make_dense_inverse<double>(context_, memory_, pattern);
}

std::unique_ptr<DenseInverse<float>> CudaBackend::get_dense_inverse(NumberTag<float>,
                                                                    const SymmetricPattern &pattern)
{
  return cuda::make_dense_inverse<float>(context_, memory_, pattern);
}

const StrategyList<double> &CudaBackend::get_strategies(NumberTag<double>) const
{
  return cuda_strategies<double>();
}

const StrategyList<float> &CudaBackend::get_strategies(NumberTag<float>) const
{
  return cuda_strategies<float>();
}
} // namespace cuda

bool cuda_compiled()
{
  return true;
}

int n_cuda_devices(std::string *reason)
{
  return cuda::count_devices(reason);
}

std::unique_ptr<Backend> make_cuda_backend(const int device)
{
  return std::make_unique<cuda::CudaBackend>(device);
}
} // namespace strut
