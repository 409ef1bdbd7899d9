// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/assembly/assembly_parts.h"
#include "cuda/assembly/element_kernels.h"
#include "cuda/assembly/gather.h"
#include "cuda/assembly/matrix_target.cuh"
#include "cuda/assembly/shared_nz.h"

#include "cuda/base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
/// The diagonal of the constrained DoFs becomes 1.
template <typename Number>
void set_diagonal(const Context &context,
                  const MeshArrays &mesh,
                  const MatrixTarget<Number> &target)
{
  const LocalIndex *const dofs = mesh.constrained_dofs.data();
  parallel_for(context, mesh.constrained_dofs.size(), [=] __device__(const std::size_t k) {
    const LocalIndex node     = dofs[k] / 3;
    const EntryPlaces &places = target.places;
    if (target.neighbours.length(node) > 0)
      target.values[places.block(node, target.neighbours.slot(node, node)) +
                    dofs[k] % 3 * (places.row_stride(node) + places.column_stride())] = Number(1);
  });
}

template <typename Number>
class CudaValueStage : public ValueStage<Number>
{
public:
  CudaValueStage(Backend &backend, const ValueProblem &problem)
    : backend_(backend)
    , context_(context_of(backend))
    , mesh_(problem.mesh)
    , material_(problem.material)
    , neighbours_(problem.neighbours)
    , pattern_(problem.pattern)
    , options_(problem.options)
  {
    require_memory(backend.memory(),
                   value_stage_memory_estimate(mesh_.connectivity.n_elements,
                                               mesh_.connectivity.nodes_per_element,
                                               sizeof(Number),
                                               options_.method),
                   "stage 3 of the matrix generation (values, " + to_string(options_.method) + ")");
    if (is_stored())
      store_matrices();
    if (options_.method == ValueMethod::gather)
      make_gather();
    if (options_.method == ValueMethod::shared_nz)
      {
        shared_nz_ = std::make_unique<SharedNz<Number>>(
          context_, backend_.memory(), mesh_, material_, neighbours_, pattern_, options_.diagonal);
        this->memory_bytes_ += shared_nz_->memory_bytes();
      }
    this->preparation_.memory_bytes = this->memory_bytes_;
  }

  void assemble(const Array<double> &factors, Array<Number> &values, StageReport *report) override
  {
    const ConnectivityArrays &connectivity = mesh_.connectivity;
    const double out = sizeof(Number) * static_cast<double>(pattern_.n_stored);
    const double in  = sizeof(Number) * static_cast<double>(matrices_.size()) +
                      sizeof(LocalIndex) * static_cast<double>(connectivity.n_incidences()) +
                      sizeof(double) * static_cast<double>(connectivity.n_elements) +
                      (is_stored() ? 0. : 3. * sizeof(double) * connectivity.n_nodes);
    if (is_atomic())
      timed_step(backend_, report, "zero", out, [&]() { values.set_zero(); });
    timed_step(backend_, report, "values", in + out, [&]() { run(factors.data(), values.data()); });
    if (is_atomic() && options_.diagonal == ConstrainedDiagonal::one)
      timed_step(backend_,
                 report,
                 "constrained diagonal",
                 static_cast<double>(mesh_.constrained_dofs.size()) *
                   (sizeof(Number) + sizeof(LocalIndex)),
                 [&]() { set_diagonal(context_, mesh_, target(values.data())); });
    if (report != nullptr)
      report->bytes = in + out;
  }

private:
  bool is_atomic() const
  {
    return options_.method == ValueMethod::same_kernel ||
           options_.method == ValueMethod::separate_kernels;
  }
  bool is_stored() const
  {
    return options_.method == ValueMethod::separate_kernels ||
           options_.method == ValueMethod::gather;
  }

  MatrixTarget<Number> target(Number *const values) const
  {
    return {neighbours_.view(),
            pattern_.places(neighbours_),
            ConstraintView(mesh_, options_.diagonal),
            values};
  }

  void store_matrices()
  {
    const std::size_t n_elements = mesh_.connectivity.n_elements;
    const int npe                = mesh_.connectivity.nodes_per_element;
    matrices_ =
      Array<Number>(backend_.memory(), 9 * std::size_t(npe) * mesh_.connectivity.n_incidences());
    const double bytes = sizeof(Number) * static_cast<double>(matrices_.size());
    timed_step(backend_, &this->preparation_, "element matrices", bytes, [&]() {
      store_element_matrices(context_,
                             mesh_,
                             material_,
                             options_.one_thread_per_element,
                             options_.method == ValueMethod::gather
                               ? MatrixStrides::element_major(npe)
                               : MatrixStrides::entry_major(n_elements),
                             matrices_.data());
    });
    this->preparation_.bytes += bytes;
    this->memory_bytes_ += bytes;
  }

  void make_gather()
  {
    const double bytes = 2. * mesh_.connectivity.nodes_per_element *
                         static_cast<double>(mesh_.connectivity.n_incidences());
    gather_ = std::make_unique<Gather<Number>>(
      context_, backend_.memory(), mesh_, neighbours_, pattern_, options_.diagonal);
    timed_step(backend_, &this->preparation_, "places in the rows", bytes, [&]() {
      gather_->find_places();
    });
    this->preparation_.bytes += bytes;
    this->memory_bytes_ += bytes;
  }

  void run(const double *const factors, Number *const values) const
  {
    switch (options_.method)
      {
        case ValueMethod::same_kernel:
          integrate_and_add(
            context_, mesh_, material_, options_.one_thread_per_element, factors, target(values));
          break;
        case ValueMethod::separate_kernels:
          add_stored(context_, mesh_, matrices_.data(), factors, target(values));
          break;
        case ValueMethod::gather:
          gather_->assemble(matrices_.data(), factors, values);
          break;
        case ValueMethod::shared_nz:
          shared_nz_->assemble(factors, values);
          break;
      }
  }

  Backend &backend_;
  const Context &context_;
  const MeshArrays &mesh_;
  const Material material_;
  const NeighbourMatrix &neighbours_;
  const SparsePattern &pattern_;
  const ValueOptions options_;
  Array<Number> matrices_; ///< as MatrixStrides says
  std::unique_ptr<Gather<Number>> gather_;
  std::unique_ptr<SharedNz<Number>> shared_nz_;
};

template <typename Number>
std::unique_ptr<ValueStage<Number>> make_value_stage(Backend &backend, const ValueProblem &problem)
{
  return std::make_unique<CudaValueStage<Number>>(backend, problem);
}
} // namespace

std::shared_ptr<const AssemblyOperations> make_assembly_operations(Backend &backend)
{
  return std::make_shared<AssemblyOperations>(
    backend,
    AssemblyOperations::Functions{&find_neighbours,
                                  &fill_pattern,
                                  {&make_value_stage<double>, &make_value_stage<float>}});
}
} // namespace strut::cuda
