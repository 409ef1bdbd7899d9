// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "../base/host_memory.h"
#include "design_operations.h"
#include "multigrid_operations.h"
#include "vector_operations.h"

#include <strut/backend/backend.h>

namespace strut::cpu
{
/// Those of this backend, which is made first and outlives them. In assembly/, which knows the backend.
std::shared_ptr<const AssemblyOperations> make_assembly_operations(Backend &backend);

/// The CPU backend: threads over host memory, a team of strut's own (team.h); only matrices are assembled
/// with OpenMP.
class CpuBackend : public Backend
{
public:
  explicit CpuBackend(unsigned int n_threads);

  std::string name() const override
  {
    return "cpu";
  }
  std::string device() const override;
  unsigned int n_threads() const override
  {
    return static_cast<unsigned int>(n_threads_);
  }
  Memory &memory() override
  {
    return memory_;
  }
  void synchronize() const override
  {}
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

private:
  std::unique_ptr<DenseInverse<double>> get_dense_inverse(NumberTag<double>,
                                                          const SymmetricPattern &) override
  {
    return nullptr;
  }
  std::unique_ptr<DenseInverse<float>> get_dense_inverse(NumberTag<float>,
                                                         const SymmetricPattern &) override
  {
    return nullptr;
  }
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

  int n_threads_;
  HostMemory memory_;
  CpuVectorOperations<double> vectors_double_;
  CpuVectorOperations<float> vectors_float_;
  CpuDesignOperations design_operations_;
  CpuLevelOperations level_operations_;
  CpuMultigridOperations<double> multigrid_double_;
  CpuMultigridOperations<float> multigrid_float_;
  std::shared_ptr<const AssemblyOperations> assembly_operations_;
};
} // namespace strut::cpu
