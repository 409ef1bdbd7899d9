// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/backend/transports.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/backend_operations.h"
#include "source/backend/cuda_stream.h"
#include "source/backend/design_loops.h"
#include "source/backend/element_stress_loops.h"
#include "source/backend/filter_loops.h"
#include "source/backend/mass_loops.h"
#include "source/backend/mma_loops.h"
#include "source/backend/multigrid_loops.h"
#include "source/backend/nodal_field_loops.h"
#include "source/backend/stress_loops.h"

namespace strut
{
namespace cuda
{
namespace
{
template <typename Number>
NumberOperations<Number> make_number_operations(const Context &context)
{
  return {make_vector_operations<Number>(context),
          make_multigrid_operations<Number, 3>(context),
          make_multigrid_operations<Number, 1>(context),
          cuda_strategies<Number>()};
}

/// LevelOperations with the operations that need kernels of their own.
class CudaLevelOperations : public LevelLoops<Loops>
{
public:
  explicit CudaLevelOperations(const Loops &loops)
    : LevelLoops<Loops>(loops), context_(loops.context)
  {}

  std::unique_ptr<KrylovUpdates<double, float>> make_mixed_krylov_updates() const override
  {
    return make_krylov_updates<double, float>(context_);
  }

  std::optional<double> largest_element_eigenvalue(Memory &memory,
                                                   const ElementMesh &mesh,
                                                   const Material &material) const override
  {
    return cuda::largest_element_eigenvalue(context_, memory, mesh, material);
  }

private:
  const Context &context_;
};

/// The CUDA backend: one device, one stream.
class CudaBackend : public Backend
{
public:
  CudaBackend(const int device, const Communication communication, void *const stream)
    : context_(device, static_cast<cudaStream_t>(stream))
    , memory_(make_memory(context_))
    , operations_{std::make_unique<DesignLoops<Loops>>(Loops{context_}),
                  std::make_unique<MmaLoops<Loops>>(Loops{context_}),
                  std::make_unique<StressLoops<Loops>>(Loops{context_}),
                  std::make_shared<FilterLoops<Loops>>(Loops{context_}),
                  std::make_unique<CudaLevelOperations>(Loops{context_}),
                  {make_number_operations<double>(context_),
                   make_number_operations<float>(context_)}}
    , transports_([this, communication](const Communicator &communicator) {
      return make_transport(context_, communicator, communication);
    })
  {}

  const Context &context() const
  {
    return context_;
  }

  std::string name() const override
  {
    return "cuda";
  }
  std::string device() const override
  {
    return context_.description();
  }
  std::string hardware_id() const override
  {
    return context_.uuid();
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
    return *memory_;
  }
  void synchronize() const override
  {
    context_.synchronize();
  }
  std::unique_ptr<Stopwatch> make_stopwatch() const override
  {
    return cuda::make_stopwatch(context_);
  }
  std::unique_ptr<Recording> make_recording() override
  {
    return context_.can_capture() ? cuda::make_recording(context_) : nullptr;
  }
  Transport &transport(const Communicator &communicator) override
  {
    return transports_.of(communicator);
  }
  double measure_flops(const Precision precision) const override
  {
    return cuda::measure_flops(precision, context_);
  }
  std::unique_ptr<NeighbourhoodSum> make_neighbourhood_sum(const CellGrid &grid,
                                                           const std::size_t n_targets) override
  {
    return cuda::make_neighbourhood_sum(context_, *memory_, grid, n_targets);
  }
  std::unique_ptr<NeighbourhoodSum> make_lattice_sum(const PointLattice &lattice,
                                                     const std::size_t n_targets) override
  {
    return cuda::make_lattice_sum(context_, *memory_, lattice, n_targets);
  }
  std::unique_ptr<NodalFields> make_nodal_fields(const ElementMesh &mesh) override
  {
    return make_nodal_field_loops(Loops{context_}, *memory_, mesh);
  }
  std::unique_ptr<ElementStress> make_element_stress(const ElementMesh &mesh) override
  {
    return make_element_stress_loops(Loops{context_}, *memory_, mesh);
  }
  std::unique_ptr<MassMatrix> make_mass_matrix(const ElementMesh &mesh,
                                               const MassKind kind) override
  {
    return make_mass_loops(Loops{context_}, *memory_, mesh, kind);
  }

private:
  const Operations &operations() const override
  {
    return operations_;
  }

  const Context context_;
  const std::unique_ptr<Memory> memory_;
  const Operations operations_;
  Transports transports_; // NCCL's communicators must be destroyed before the device.
};
} // namespace

const Context &context_of(const Backend &backend)
{
  return static_cast<const CudaBackend &>(backend).context();
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

std::unique_ptr<Backend> make_cuda_backend(const int device, const Communication communication)
{
  return make_cuda_backend(device, communication, nullptr);
}

std::unique_ptr<Backend>
make_cuda_backend(const int device, const Communication communication, void *const stream)
{
  return std::make_unique<cuda::CudaBackend>(device, communication, stream);
}
} // namespace strut
