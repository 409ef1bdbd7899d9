// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_operations.h"
#include "source/backend/backend_parts.h"
#include "source/backend/design_loops.h"
#include "source/backend/element_stress_loops.h"
#include "source/backend/filter_loops.h"
#include "source/backend/hardware_rates.h"
#include "source/backend/mass_loops.h"
#include "source/backend/mma_loops.h"
#include "source/backend/mpi_transport.h"
#include "source/backend/multigrid_loops.h"
#include "source/backend/nodal_field_loops.h"
#include "source/backend/stress_loops.h"
#include "source/base/parallel_loop.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>
#include <utility>

namespace strut
{
namespace cpu
{
namespace
{
std::string describe_device(const int n_threads)
{
  std::string model = "unknown CPU", line;
  std::ifstream file("/proc/cpuinfo");
  while (std::getline(file, line))
    if (line.rfind("model name", 0) == 0)
      {
        model = line.substr(line.find(':') + 2);
        break;
      }
  std::ostringstream text;
  text << model << ", " << n_threads << (n_threads == 1 ? " thread" : " threads") << ", "
       << simd_lanes(Precision::fp64) << " SIMD lanes (double)";
  return text.str();
}

template <typename Number>
NumberOperations<Number> make_number_operations(const int n_threads)
{
  return {make_vector_operations<Number>(n_threads),
          make_multigrid_operations<Number, 3>(n_threads),
          make_multigrid_operations<Number, 1>(n_threads),
          cpu_strategies<Number>()};
}

class ClockStopwatch : public Stopwatch
{
public:
  void start() override
  {
    start_ = Clock::now();
  }
  double stop() override
  {
    return std::chrono::duration<double>(Clock::now() - start_).count();
  }
  void pause() override
  {
    sum_ += stop();
  }
  double take_sum() override
  {
    return std::exchange(sum_, 0.);
  }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_;
  double sum_ = 0;
};

/// LevelOperations including those that are no loops over entries.
class CpuLevelOperations : public LevelLoops<Loops>
{
public:
  using LevelLoops<Loops>::LevelLoops;

  std::unique_ptr<KrylovUpdates<double, float>> make_mixed_krylov_updates() const override
  {
    return cpu::make_mixed_krylov_updates(this->loops_.n_threads);
  }
};

/// The CPU backend: threads over host memory, a team of strut's own (team.h).
class CpuBackend : public Backend
{
public:
  explicit CpuBackend(const unsigned int n_threads)
    : n_threads_(n_threads > 0 ? static_cast<int>(n_threads) : cpu::default_n_threads())
    , memory_(make_memory())
    , operations_{std::make_unique<DesignLoops<Loops>>(Loops{n_threads_}),
                  std::make_unique<MmaLoops<Loops>>(Loops{n_threads_}),
                  std::make_unique<StressLoops<Loops>>(Loops{n_threads_}),
                  std::make_shared<FilterLoops<Loops>>(Loops{n_threads_}),
                  std::make_unique<CpuLevelOperations>(Loops{n_threads_}),
                  {make_number_operations<double>(n_threads_),
                   make_number_operations<float>(n_threads_)}}
  {}

  std::string name() const override
  {
    return "cpu";
  }
  std::string device() const override
  {
    return describe_device(n_threads_);
  }
  unsigned int n_threads() const override
  {
    return static_cast<unsigned int>(n_threads_);
  }
  Memory &memory() override
  {
    return *memory_;
  }
  void synchronize() const override
  {}
  std::unique_ptr<Stopwatch> make_stopwatch() const override
  {
    return std::make_unique<ClockStopwatch>();
  }
  Transport &transport(const Communicator &communicator) override
  {
    return transports_.of(communicator);
  }
  double measure_flops(const Precision precision) const override
  {
    return cpu::measure_flops(precision, n_threads_);
  }
  std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const CellGrid &grid,
                                                           const std::size_t n_targets) override
  {
    return cpu::make_neighbourhood_sum(grid, n_targets, n_threads_);
  }
  std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const PointLattice &lattice,
                                                     const std::size_t n_targets) override
  {
    return cpu::make_lattice_sum(lattice, n_targets, n_threads_);
  }
  std::unique_ptr<NodalFields> make_nodal_fields(const ElementMesh &mesh) override
  {
    return make_nodal_field_loops(Loops{n_threads_}, *memory_, mesh);
  }
  std::unique_ptr<ElementStress> make_element_stress(const ElementMesh &mesh) override
  {
    return make_element_stress_loops(Loops{n_threads_}, *memory_, mesh);
  }
  std::unique_ptr<MassMatrix> make_mass_matrix(const ElementMesh &mesh,
                                               const MassKind kind) override
  {
    return make_mass_loops(Loops{n_threads_}, *memory_, mesh, kind);
  }

private:
  const Operations &operations() const override
  {
    return operations_;
  }

  const int n_threads_;
  const std::unique_ptr<Memory> memory_;
  const Operations operations_;
  Transports transports_{
    [](const Communicator &communicator) { return std::make_unique<MpiTransport>(communicator); }};
};
} // namespace
} // namespace cpu

std::unique_ptr<Backend> make_cpu_backend(const unsigned int n_threads)
{
  return std::make_unique<cpu::CpuBackend>(n_threads);
}
} // namespace strut
