// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/base/parallel_loop.h"
#include "source/comparison/assembly/assembly_parts.h"
#include "source/comparison/assembly/constraint_view.h"
#include "source/element/element_stiffness.h"

#include <strut/base/exceptions.h>

#include <vector>

namespace strut::cpu
{
namespace
{
/// Computes K0_e in double, row by row.
template <typename Element>
void element_matrix(const MeshArrays &mesh,
                    const Material &material,
                    const std::size_t e,
                    double *const K)
{
  const std::size_t n_nodes     = mesh.connectivity.n_nodes;
  const LocalIndex *const nodes = mesh.connectivity.nodes.data();
  double X[3][Element::n_nodes];
  for (std::size_t a = 0; a < Element::n_nodes; ++a)
    for (std::size_t d = 0; d < 3; ++d)
      X[d][a] = mesh.coordinates.data()[d * n_nodes + nodes[a * mesh.connectivity.n_elements + e]];
  element_stiffness::matrix<Element>(X, material.lambda(), material.mu(), K);
}

/// Adds a value to a number atomically.
template <typename Number>
void add_atomically(Number &number, const Number value)
{
  Number now = Number(), next = Number();
  __atomic_load(&number, &now, __ATOMIC_RELAXED);
  do
    next = now + value;
  while (
    !__atomic_compare_exchange(&number, &now, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

template <typename Number>
class CpuValueStage : public ValueStage<Number>
{
public:
  CpuValueStage(Backend &backend, const ValueProblem &problem)
    : backend_(backend)
    , n_threads_(static_cast<int>(backend.n_threads()))
    , problem_(problem)
    , n_local_(static_cast<std::size_t>(problem.mesh.connectivity.nodes_per_element))
    , constraints_(problem.mesh, problem.options.diagonal)
  {
    if (problem_.options.method == ValueMethod::shared_nz)
      throw Error("Matrix generation: the CPU has no shared memory for 'SharedNZ'.",
                  Remedy::use_other_method);
    if (problem_.options.method != ValueMethod::same_kernel)
      store_matrices();
  }

  void assemble(const Array<double> &factors, Array<Number> &values, StageReport *report) override
  {
    const double out = sizeof(Number) * static_cast<double>(values.size());
    const double in =
      static_cast<double>(matrices_.size()) * sizeof(Number) +
      sizeof(LocalIndex) * static_cast<double>(problem_.mesh.connectivity.n_incidences()) +
      sizeof(double) * static_cast<double>(factors.size());
    timed_step(backend_, report, "values", in + out, [&]() {
      values.set_zero();
      if (problem_.options.method == ValueMethod::gather)
        gather(factors.data(), values.data());
      else
        scatter(factors.data(), values.data());
      if (problem_.options.diagonal == ConstrainedDiagonal::one)
        set_diagonal(values.data());
    });
    if (report != nullptr)
      report->bytes = in + out;
  }

private:
  void store_matrices()
  {
    const std::size_t size = 9 * n_local_ * n_local_;
    const double bytes     = static_cast<double>(sizeof(Number)) *
                         static_cast<double>(size * problem_.mesh.connectivity.n_elements);
    require_memory(backend_.memory(), bytes, "the element matrices");
    matrices_ = Array<Number>(backend_.memory(), size * problem_.mesh.connectivity.n_elements);
    timed_step(backend_, &this->preparation_, "element matrices", bytes, [&]() {
      parallel_elements([&](const std::size_t e, const double *const K) {
        for (std::size_t k = 0; k < size; ++k)
          matrices_.data()[size * e + k] = static_cast<Number>(K[k]);
      });
    });
    this->preparation_.bytes        = bytes;
    this->preparation_.memory_bytes = bytes;
    this->memory_bytes_             = bytes;
  }

  /// Calls body(e, K0_e) for all elements.
  template <typename Body>
  void parallel_elements(const Body &body)
  {
    with_element(problem_.mesh.type, [&](const auto element) {
      using Element = decltype(element);
      parallel_ranges(n_threads_,
                      problem_.mesh.connectivity.n_elements,
                      [&](const std::size_t begin, const std::size_t end) {
                        std::vector<double> K(9 * n_local_ * n_local_);
                        for (std::size_t e = begin; e < end; ++e)
                          {
                            element_matrix<Element>(problem_.mesh, problem_.material, e, K.data());
                            body(e, K.data());
                          }
                      });
    });
  }

  LocalIndex node(const std::size_t e, const std::size_t a) const
  {
    return problem_.mesh.connectivity.nodes.data()[a * problem_.mesh.connectivity.n_elements + e];
  }

  /// Adds element by element, with atomics.
  void scatter(const double *const factors, Number *const values)
  {
    if (problem_.options.method == ValueMethod::same_kernel)
      {
        parallel_elements([&](const std::size_t e, const double *const K) {
          add_element(e, K, factors[e], values);
        });
        return;
      }
    parallel_for(n_threads_, problem_.mesh.connectivity.n_elements, [&](const std::size_t e) {
      add_element(e, matrices_.data() + 9 * n_local_ * n_local_ * e, factors[e], values);
    });
  }

  template <typename Entry>
  void add_element(const std::size_t e,
                   const Entry *const K,
                   const double factor,
                   Number *const values) const
  {
    for (std::size_t a = 0; a < n_local_; ++a)
      add_block_row(e, a, K, [&](const std::size_t place, const Entry entry) {
        add_atomically(values[place], static_cast<Number>(factor * static_cast<double>(entry)));
      });
  }

  /// Calls add(position, entry) for the three rows of the a-th node of an element.
  template <typename Entry, typename Add>
  void add_block_row(const std::size_t e,
                     const std::size_t a,
                     const Entry *const K,
                     const Add &add) const
  {
    const NeighbourView view     = problem_.neighbours.view();
    const EntryPlaces places     = problem_.pattern.places(problem_.neighbours);
    const LocalIndex row         = node(e, a);
    const unsigned int row_bits  = constraints_.of_node(row);
    const std::size_t row_stride = places.row_stride(row);
    for (std::size_t b = 0; b < n_local_; ++b)
      {
        const LocalIndex column        = node(e, b);
        const unsigned int column_bits = constraints_.of_node(column);
        const std::size_t place        = places.block(row, view.slot(row, column));
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            if (constraints_.takes(row_bits, i, column_bits, j, a == b))
              add(place + static_cast<std::size_t>(i) * row_stride +
                    static_cast<std::size_t>(j) * places.column_stride(),
                  K[3 * n_local_ * (3 * a + static_cast<std::size_t>(i)) + 3 * b +
                    static_cast<std::size_t>(j)]);
      }
  }

  /// Collects node by node, so that no two threads write to one entry.
  void gather(const double *const factors, Number *const values) const
  {
    const std::size_t size = 9 * n_local_ * n_local_;
    parallel_for(n_threads_, problem_.neighbours.n_nodes, [&](const std::size_t node) {
      for (LocalIndex k = problem_.neighbours.incidence_begin.data()[node];
           k < problem_.neighbours.incidence_begin.data()[node + 1];
           ++k)
        {
          const std::size_t e = problem_.neighbours.incidences.data()[k] / n_local_;
          const std::size_t a = problem_.neighbours.incidences.data()[k] % n_local_;
          add_block_row(
            e, a, matrices_.data() + size * e, [&](const std::size_t place, const Number entry) {
              values[place] += static_cast<Number>(factors[e] * static_cast<double>(entry));
            });
        }
    });
  }

  void set_diagonal(Number *const values) const
  {
    const NeighbourView view = problem_.neighbours.view();
    const EntryPlaces places = problem_.pattern.places(problem_.neighbours);
    for (std::size_t k = 0; k < problem_.mesh.constrained_dofs.size(); ++k)
      {
        const LocalIndex node = problem_.mesh.constrained_dofs.data()[k] / 3;
        const std::size_t i   = problem_.mesh.constrained_dofs.data()[k] % 3;
        if (view.length(node) > 0)
          values[places.block(node, view.slot(node, node)) +
                 i * (places.row_stride(node) + places.column_stride())] = Number(1);
      }
  }

  Backend &backend_;
  const int n_threads_;
  const ValueProblem problem_;
  const std::size_t n_local_;
  const ConstraintView constraints_;
  Array<Number> matrices_; ///< `[n_elements][3 npe][3 npe]`
};

template <typename Number>
std::unique_ptr<ValueStage<Number>> make_value_stage(Backend &backend, const ValueProblem &problem)
{
  return std::make_unique<CpuValueStage<Number>>(backend, problem);
}
} // namespace

/// The matrix generation on threads of the CPU, which is the reference of the other backends.
AssemblyOperations::Functions assembly_functions()
{
  return {&find_neighbours,
          &fill_pattern,
          {&make_value_stage<double>, &make_value_stage<float>},
          {&make_product<double>, &make_product<float>}};
}
} // namespace strut::cpu
