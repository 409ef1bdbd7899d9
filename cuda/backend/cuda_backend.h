// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/context.h"
#include "../base/memory.h"
#include "design_operations.h"
#include "multigrid_operations.h"
#include "vector_operations.h"

#include <strut/backend/backend.h>

namespace strut::cuda
{
/// Those of this backend, which is made first and outlives them. In assembly/, which knows the backend.
std::shared_ptr<const AssemblyOperations> make_assembly_operations(Backend &backend,
                                                                   const Context &context);

/// The CUDA backend: one device, one stream.
class CudaBackend : public Backend
{
public:
  explicit CudaBackend(int device);

  std::string name() const override
  {
    return "cuda";
  }
  std::string device() const override
  {
    return context_.description();
  }
  unsigned int n_threads() const override
  {
    return 1;
  }
  void *stream() const override
  {
    return context_.activate();
  }
  Memory &memory() override
  {
    return memory_;
  }
  void synchronize() const override
  {
    context_.synchronize();
  }
  std::unique_ptr<Stopwatch> make_stopwatch() const override;
  double measure_flops(Precision precision) const override;
  const DesignOperations &design_operations() const override
  {
    return design_operations_;
  }
  const LevelOperations &level_operations() const override
  {
    return level_operations_;
  }
  const AssemblyOperations &assembly_operations() const override
  {
    return *assembly_operations_;
  }
  std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const CellGrid &grid,
                                                           std::size_t n_targets) override;

  const Context &context() const
  {
    return context_;
  }

private:
  std::unique_ptr<DenseInverse<double>> get_dense_inverse(NumberTag<double>,
                                                          const SymmetricPattern &pattern) override;
  std::unique_ptr<DenseInverse<float>> get_dense_inverse(NumberTag<float>,
                                                         const SymmetricPattern &pattern) override;
  const VectorOperations<double> &get_vector_operations(NumberTag<double>) const override
  {
    return vectors_double_;
  }
  const VectorOperations<float> &get_vector_operations(NumberTag<float>) const override
  {
    return vectors_float_;
  }
  const MultigridOperations<double> &get_multigrid_operations(NumberTag<double>) const override
  {
    return multigrid_double_;
  }
  const MultigridOperations<float> &get_multigrid_operations(NumberTag<float>) const override
  {
    return multigrid_float_;
  }
  const StrategyList<double> &get_strategies(NumberTag<double>) const override;
  const StrategyList<float> &get_strategies(NumberTag<float>) const override;

  Context context_;
  DeviceMemory memory_;
  CudaVectorOperations<double> vectors_double_;
  CudaVectorOperations<float> vectors_float_;
  CudaDesignOperations design_operations_;
  CudaLevelOperations level_operations_;
  CudaMultigridOperations<double> multigrid_double_;
  CudaMultigridOperations<float> multigrid_float_;
  std::shared_ptr<const AssemblyOperations> assembly_operations_;
};
} // namespace strut::cuda
