// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cpu_backend.h"

#include "neighbourhood_sum.h"


#include <omp.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace strut
{
namespace cpu
{
CpuBackend::CpuBackend(const unsigned int n_threads)
  : n_threads_(n_threads > 0 ? static_cast<int>(n_threads) : std::max(1, omp_get_max_threads()))
  , vectors_double_(n_threads_)
  , vectors_float_(n_threads_)
  , design_operations_(n_threads_)
  , level_operations_(n_threads_)
  , multigrid_double_(n_threads_)
  , multigrid_float_(n_threads_)
  , assembly_operations_(make_assembly_operations(*this))
{}

std::string CpuBackend::device() const
{
  std::string model = "unknown CPU", line;
  std::ifstream file("/proc/cpuinfo");
  while (std::getline(file, line))
    if (line.rfind("model name", 0) == 0)
      {
        model = line.substr(line.find(':') + 2);
        break;
      }
#if defined(__AVX512F__)
  constexpr int lanes = 8;
#elif defined(__AVX__)
  constexpr int lanes = 4;
#else
  constexpr int lanes = 2;
#endif
  std::ostringstream text;
  text << model << ", " << n_threads_ << (n_threads_ == 1 ? " thread" : " threads") << ", " << lanes
       << " SIMD lanes (double)";
  return text.str();
}

std::unique_ptr<NeighbourhoodSum> CpuBackend::make_neighbourhood_sum(const CellGrid &grid,
                                                                     const std::size_t n_targets)
{
  return std::make_unique<CpuNeighbourhoodSum>(grid, n_targets, n_threads_);
}

const StrategyList<double> &CpuBackend::get_strategies(NumberTag<double>) const
{
  return cpu_strategies<double>();
}

const StrategyList<float> &CpuBackend::get_strategies(NumberTag<float>) const
{
  return cpu_strategies<float>();
}
} // namespace cpu

std::unique_ptr<Backend> make_cpu_backend(const unsigned int n_threads)
{
  return std::make_unique<cpu::CpuBackend>(n_threads);
}
} // namespace strut
