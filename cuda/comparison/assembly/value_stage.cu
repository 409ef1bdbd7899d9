// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/assembly/assembly_parts.h"
#include "cuda/comparison/assembly/matrix_target.cuh"
#include "cuda/comparison/assembly/value_methods.h"

#include "cuda/base/parallel_loop.cuh"

namespace strut::cuda
{
namespace
{
/// Sets the diagonal of the constrained DoFs to 1.
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
    : backend_(backend), context_(context_of(backend)), problem_(problem)
  {
    require_memory(backend.memory(),
                   value_stage_memory_estimate(problem_.mesh.connectivity.n_elements,
                                               problem_.mesh.connectivity.nodes_per_element,
                                               sizeof(Number),
                                               problem_.options.method),
                   "stage 3 of the matrix generation (values, " +
                     to_string(problem_.options.method) + ")");
    if (is_stored())
      store_matrices();
    if (problem_.options.method == ValueMethod::gather)
      make_gather();
    if (problem_.options.method == ValueMethod::shared_nz)
      {
        shared_nz_ = std::make_unique<SharedNz<Number>>(context_, backend_.memory(), problem_);
        this->memory_bytes_ += shared_nz_->memory_bytes();
      }
    this->preparation_.memory_bytes = this->memory_bytes_;
  }

  void assemble(const Array<double> &factors, Array<Number> &values, StageReport *report) override
  {
    const ConnectivityArrays &connectivity = problem_.mesh.connectivity;
    const double out = sizeof(Number) * static_cast<double>(problem_.pattern.n_stored);
    const double in  = sizeof(Number) * static_cast<double>(matrices_.size()) +
                      sizeof(LocalIndex) * static_cast<double>(connectivity.n_incidences()) +
                      sizeof(double) * static_cast<double>(connectivity.n_elements) +
                      (is_stored() ? 0. : 3. * sizeof(double) * connectivity.n_nodes);
    if (is_atomic())
      timed_step(backend_, report, "zero", out, [&]() { values.set_zero(); });
    timed_step(backend_, report, "values", in + out, [&]() { run(factors.data(), values.data()); });
    if (is_atomic() && problem_.options.diagonal == ConstrainedDiagonal::one)
      timed_step(backend_,
                 report,
                 "constrained diagonal",
                 static_cast<double>(problem_.mesh.constrained_dofs.size()) *
                   (sizeof(Number) + sizeof(LocalIndex)),
                 [&]() { set_diagonal(context_, problem_.mesh, target(values.data())); });
    if (report != nullptr)
      report->bytes = in + out;
  }

private:
  bool is_atomic() const
  {
    return problem_.options.method == ValueMethod::same_kernel ||
           problem_.options.method == ValueMethod::separate_kernels;
  }
  bool is_stored() const
  {
    return problem_.options.method == ValueMethod::separate_kernels ||
           problem_.options.method == ValueMethod::gather;
  }

  MatrixTarget<Number> target(Number *const values) const
  {
    return {problem_.neighbours.view(),
            problem_.pattern.places(problem_.neighbours),
            ConstraintView(problem_.mesh, problem_.options.diagonal),
            values};
  }

  void store_matrices()
  {
    const std::size_t n_elements = problem_.mesh.connectivity.n_elements;
    const int npe                = problem_.mesh.connectivity.nodes_per_element;
    matrices_                    = Array<Number>(backend_.memory(),
                              9 * std::size_t(npe) * problem_.mesh.connectivity.n_incidences());
    const double bytes           = sizeof(Number) * static_cast<double>(matrices_.size());
    timed_step(backend_, &this->preparation_, "element matrices", bytes, [&]() {
      store_element_matrices(context_,
                             problem_.mesh,
                             problem_.material,
                             problem_.options.one_thread_per_element,
                             problem_.options.method == ValueMethod::gather
                               ? MatrixStrides::element_major(npe)
                               : MatrixStrides::entry_major(n_elements),
                             matrices_.data());
    });
    this->preparation_.bytes += bytes;
    this->memory_bytes_ += bytes;
  }

  void make_gather()
  {
    gather_            = std::make_unique<Gather<Number>>(context_, backend_.memory(), problem_);
    const double bytes = sizeof(std::uint16_t) * static_cast<double>(gather_->slots().size());
    timed_step(backend_, &this->preparation_, "places in the rows", bytes, [&]() {
      gather_->find_places();
    });
    this->preparation_.bytes += bytes;
    this->memory_bytes_ += bytes;
  }

  void run(const double *const factors, Number *const values) const
  {
    switch (problem_.options.method)
      {
        case ValueMethod::same_kernel:
          integrate_and_add(context_,
                            problem_.mesh,
                            problem_.material,
                            problem_.options.one_thread_per_element,
                            factors,
                            target(values));
          break;
        case ValueMethod::separate_kernels:
          add_stored(context_, problem_.mesh, matrices_.data(), factors, target(values));
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
  const ValueProblem problem_;
  Array<Number> matrices_; ///< layout by MatrixStrides
  std::unique_ptr<Gather<Number>> gather_;
  std::unique_ptr<SharedNz<Number>> shared_nz_;
};

template <typename Number>
std::unique_ptr<ValueStage<Number>> make_value_stage(Backend &backend, const ValueProblem &problem)
{
  return std::make_unique<CudaValueStage<Number>>(backend, problem);
}
} // namespace

AssemblyOperations::Functions assembly_functions()
{
  return {&find_neighbours,
          &fill_pattern,
          {&make_value_stage<double>, &make_value_stage<float>},
          {&make_product<double>, &make_product<float>}};
}
} // namespace strut::cuda
