// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>
#include <strut/backend/mma_operations.h>
#include <strut/backend/multigrid_operations.h>
#include <strut/backend/neighbourhood.h>
#include <strut/backend/recording.h>
#include <strut/backend/stopwatch.h>
#include <strut/backend/strategy.h>
#include <strut/backend/stress_operations.h>
#include <strut/backend/transport.h>
#include <strut/backend/vector_operations.h>
#include <strut/base/memory.h>
#include <strut/base/precision.h>

#include <memory>
#include <string>
#include <tuple>

namespace strut
{
class AssemblyOperations;
class ElementStress;
class FilterOperations;
class MassMatrix;
class NodalFields;
enum class MassKind;

/// The operations of a backend on vectors and matrices of one number type.
template <typename Number>
struct NumberOperations
{
  std::unique_ptr<const VectorOperations<Number>> vector;
  std::unique_ptr<const MultigridOperations<Number>> multigrid;
  const StrategyList<Number> &strategies;
};

/// Where the arithmetic happens. The algorithms (solvers, optimization, halo) are written once over
/// this interface; a backend knows none of them.
class Backend
{
public:
  virtual ~Backend() = default;

  /// "cpu" or "cuda".
  virtual std::string name() const = 0;

  /// The hardware, for the log: threads and SIMD lanes, or GPU, driver and CUDA version.
  virtual std::string device() const = 0;

  /// The same for backends, of any processes, that share a device: "GPU-" and its UUID. Empty where the host computes.
  virtual std::string hardware_id() const
  {
    return "";
  }

  /// Threads of this process that compute: 1 if the work is done elsewhere.
  virtual unsigned int n_threads() const = 0;

  /// The stream of the CUDA backend's work, a cudaStream_t, after its device was made current; null
  /// elsewhere. For operators from outside of strut.
  virtual void *stream() const
  {
    return nullptr;
  }

  virtual Memory &memory() = 0;

  /// Wait until all work submitted so far is done.
  virtual void synchronize() const = 0;

  virtual std::unique_ptr<Stopwatch> make_stopwatch() const = 0;

  /// Null where nothing is gained by one.
  virtual std::unique_ptr<Recording> make_recording()
  {
    return nullptr;
  }

  /// Between the ranks of a communicator, whose MPI_Comm outlives the backend. Made at the first call. Collective.
  virtual Transport &transport(const Communicator &communicator) = 0;

  /// Multiplications and additions per second, each counted, that the hardware really does: measured
  /// with registers only, some 50 ms of work.
  virtual double measure_flops(Precision precision) const = 0;

  /// @param grid  the points; copied @param n_targets  how many of them get a sum
  virtual std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const CellGrid &grid,
                                                                   std::size_t n_targets) = 0;

  /// The same for the points of a lattice, much faster.
  virtual std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const PointLattice &lattice,
                                                             std::size_t n_targets) = 0;

  /// Stresses at the nodes of a mesh, and parts of its elements: source/backend/nodal_fields.h.
  virtual std::unique_ptr<NodalFields> make_nodal_fields(const ElementMesh &mesh) = 0;

  /// Stresses at the centres of the elements of a mesh: source/backend/element_stress.h.
  virtual std::unique_ptr<ElementStress> make_element_stress(const ElementMesh &mesh) = 0;

  /// Of a mesh: source/backend/mass_matrix.h.
  virtual std::unique_ptr<MassMatrix> make_mass_matrix(const ElementMesh &mesh, MassKind kind) = 0;

  const DesignOperations &design_operations() const
  {
    return *operations().design;
  }

  /// The method of moving asymptotes.
  const MmaOperations &mma_operations() const
  {
    return *operations().mma;
  }

  const StressOperations &stress_operations() const
  {
    return *operations().stress;
  }

  /// The PDE filter: source/backend/filter_operations.h.
  const FilterOperations &filter_operations() const
  {
    return *operations().filter;
  }

  const LevelOperations &level_operations() const
  {
    return *operations().level;
  }

  /// The generation of assembled matrices: source/assembly/assembly_operations.h.
  const AssemblyOperations &assembly_operations() const
  {
    return *operations().assembly;
  }

  /// Null where the host computes: there a sparse factor is better.
  template <typename Number>
  std::unique_ptr<DenseInverse<Number>> make_dense_inverse(const SymmetricSums &sums)
  {
    return of<Number>().multigrid->make_dense_inverse(memory(), sums);
  }

  template <typename Number>
  const VectorOperations<Number> &vector_operations() const
  {
    return *of<Number>().vector;
  }

  template <typename Number>
  const MultigridOperations<Number> &multigrid_operations() const
  {
    return *of<Number>().multigrid;
  }

  template <typename Number>
  const StrategyList<Number> &strategies() const
  {
    return of<Number>().strategies;
  }

protected:
  /// All that a backend keeps for the functions above.
  struct Operations
  {
    std::unique_ptr<const DesignOperations> design;
    std::unique_ptr<const MmaOperations> mma;
    std::unique_ptr<const StressOperations> stress;
    std::shared_ptr<const FilterOperations> filter;
    std::unique_ptr<const LevelOperations> level;
    std::shared_ptr<const AssemblyOperations> assembly;
    std::tuple<NumberOperations<double>, NumberOperations<float>> by_number;
  };

private:
  virtual const Operations &operations() const = 0;

  template <typename Number>
  const NumberOperations<Number> &of() const
  {
    return std::get<NumberOperations<Number>>(operations().by_number);
  }
};

/// The strategies of each backend without making one: for parameter files, tables and memory
/// estimates. Those of CUDA are listed wherever the backend is compiled, device or not.
template <typename Number>
const StrategyList<Number> &cpu_strategies();
template <typename Number>
const StrategyList<Number> &cuda_strategies();

/// Give a backend one more strategy, from outside of the core: after the others, for the life of the
/// program, before a parameter file is read. Throws Error if the name is taken, and
/// add_cuda_strategy() if there is no CUDA backend in this build.
template <typename Number>
void add_cpu_strategy(const Strategy<Number> &strategy);
template <typename Number>
void add_cuda_strategy(const Strategy<Number> &strategy);

/// The CPU backend. @param n_threads  0: OMP_NUM_THREADS if that is set, else all cores
/// that this process may use.
std::unique_ptr<Backend> make_cpu_backend(unsigned int n_threads = 0);

/// Whether this build holds the CUDA backend.
bool cuda_compiled();

/// Number of CUDA devices that can be used now; 0 if this build has no CUDA backend. If 0 and
/// `reason` is given, it receives why.
int n_cuda_devices(std::string *reason = nullptr);

/// How GPUs of several ranks exchange what they have.
enum class Communication
{
  automatic, ///< peer where that can be, else nccl, else staged
  nccl,      ///< from GPU to GPU by NCCL; refused where that cannot be
  peer,      ///< from GPU to GPU through each other's memory, on one machine; refused elsewhere
  staged     ///< by way of host memory and MPI
};

/// The CUDA backend on one device. Throws Error if this build has none, or if there is no such device.
std::unique_ptr<Backend> make_cuda_backend(int device                  = 0,
                                           Communication communication = Communication::automatic);
} // namespace strut
