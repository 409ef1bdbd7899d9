// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/design_operations.h>
#include <strut/backend/strategy.h>
#include <strut/backend/vector_operations.h>
#include <strut/base/memory.h>
#include <strut/base/precision.h>

#include <memory>
#include <string>

namespace strut
{
class Communicator;
class ElementStress;
class FilterOperations;
class LevelOperations;
class MassMatrix;
class MmaOperations;
class NeighbourhoodSum;
class NodalFields;
class Recording;
class Stopwatch;
class StressOperations;
class Transport;
enum class MassKind;
struct CellGrid;
struct PointLattice;
template <typename Number>
class MultigridOperations;

/// The place where the arithmetic happens, a CPU or a GPU. The algorithms (solvers, optimization,
/// halo) are written once over this interface. A backend knows none of them.
class Backend
{
public:
  virtual ~Backend() = default;

  /// "cpu" or "cuda".
  virtual std::string name() const = 0;

  /// The hardware, for the log: threads and SIMD lanes, or GPU, driver and CUDA version.
  virtual std::string device() const = 0;

  /// An identifier that backends of any processes share if they use the same device: "GPU-" and its
  /// UUID. Empty where the host computes.
  virtual std::string hardware_id() const
  {
    return "";
  }

  /// The number of threads of this process that compute. 1 if the work is done elsewhere.
  virtual unsigned int n_threads() const = 0;

  /// The stream of the CUDA backend's work, a cudaStream_t, after its device was made current. Null
  /// for other backends. Operators from outside of strut submit their work to it.
  virtual void *stream() const
  {
    return nullptr;
  }

  virtual Memory &memory() = 0;

  /// Waits until all work submitted so far is done.
  virtual void synchronize() const = 0;

  virtual std::unique_ptr<Stopwatch> make_stopwatch() const = 0;

  /// Makes a recording of submitted work. Returns null where a recording saves nothing.
  virtual std::unique_ptr<Recording> make_recording();

  /// The transport between the ranks of a communicator, made at the first call. The communicator's
  /// MPI_Comm must outlive the backend. Collective.
  virtual Transport &transport(const Communicator &communicator) = 0;

  /// Multiplications and additions per second, each counted, that the hardware reaches. They are
  /// measured with registers only, by some 50 ms of work.
  virtual double measure_flops(Precision precision) const = 0;

  /// Makes a sum over the points of a grid near each of its first points.
  ///
  /// @param grid  the points; they are copied
  /// @param n_targets  the number of points that get a sum
  virtual std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const CellGrid &grid,
                                                                   std::size_t n_targets) = 0;

  /// Makes a sum over the points of a lattice, which is much faster than one on a grid.
  virtual std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const PointLattice &lattice,
                                                             std::size_t n_targets) = 0;

  /// Stresses at the nodes of a mesh, and parts of its elements: source/backend/nodal_fields.h.
  virtual std::unique_ptr<NodalFields> make_nodal_fields(const ElementMesh &mesh) = 0;

  /// Stresses at the centres of the elements of a mesh: source/backend/element_stress.h.
  virtual std::unique_ptr<ElementStress> make_element_stress(const ElementMesh &mesh) = 0;

  /// The mass matrix of a mesh: source/backend/mass_matrix.h.
  virtual std::unique_ptr<MassMatrix> make_mass_matrix(const ElementMesh &mesh, MassKind kind) = 0;

  const DesignOperations &design_operations() const;

  /// The method of moving asymptotes: source/backend/mma_operations.h.
  const MmaOperations &mma_operations() const;

  /// Functions of stresses: source/backend/stress_operations.h.
  const StressOperations &stress_operations() const;

  /// The PDE filter: source/backend/filter_operations.h.
  const FilterOperations &filter_operations() const;

  /// Work between precisions and levels: source/backend/multigrid_operations.h.
  const LevelOperations &level_operations() const;

  // The members below exist for double and for float.

  template <typename Number>
  const VectorOperations<Number> &vector_operations() const;

  /// The work of multigrid: source/backend/multigrid_operations.h. For a number of components per
  /// node, 3 or 1; throws Error for others.
  template <typename Number>
  const MultigridOperations<Number> &multigrid_operations(unsigned int n_components = 3) const;

  template <typename Number>
  const StrategyList<Number> &strategies() const;

protected:
  /// The operations that the functions above return: source/backend/backend_operations.h.
  struct Operations;

private:
  virtual const Operations &operations() const = 0;
};

/// The strategies of each backend, available without making one: for parameter files, tables and
/// memory estimates. Those of CUDA are listed wherever the backend is compiled, even without a
/// device.
template <typename Number>
const StrategyList<Number> &cpu_strategies();
template <typename Number>
const StrategyList<Number> &cuda_strategies();

/// Adds a strategy from outside of the core to a backend, behind the others and for the life of the
/// program. It must be called before a parameter file is read. Throws Error if the name is taken.
/// add_cuda_strategy() also throws Error if this build has no CUDA backend.
template <typename Number>
void add_cpu_strategy(const Strategy<Number> &strategy);
template <typename Number>
void add_cuda_strategy(const Strategy<Number> &strategy);

/// Makes the CPU backend.
///
/// @param n_threads  0: OMP_NUM_THREADS if that is set, else all cores that this process may use
std::unique_ptr<Backend> make_cpu_backend(unsigned int n_threads = 0);

/// Whether this build holds the CUDA backend.
bool cuda_compiled();

/// The number of CUDA devices that can be used now; 0 if this build has no CUDA backend. If the
/// result is 0 and `reason` is given, it receives the reason.
int n_cuda_devices(std::string *reason = nullptr);

/// How the GPUs of several ranks exchange data.
enum class Communication
{
  automatic, ///< peer where possible, else nccl, else staged
  nccl,      ///< NCCL sends from GPU to GPU; refused where that is not possible
  peer,      ///< GPUs access each other's memory, on one machine; refused elsewhere
  staged     ///< through host memory and MPI
};

/// Makes the CUDA backend on one device. Throws Error if this build has none, or if the device does
/// not exist.
std::unique_ptr<Backend> make_cuda_backend(int device                  = 0,
                                           Communication communication = Communication::automatic);
} // namespace strut
