// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/generated_system.h"

namespace strut
{
template <typename Number>
class GeneratedSystem<Number>::Product : public LinearOperator<Number>
{
public:
  Product(Backend &backend, const GeneratedMatrix<Number> &matrix)
    : n_rows_(matrix.pattern.n_rows)
    , product_(backend.assembly_operations().make_product<Number>(matrix))
  {}

  void apply(Array<Number> &x, Array<Number> &y) override
  {
    product_->apply(x, y);
  }
  void diagonal(Array<Number> &d) const
  {
    product_->diagonal(d);
  }
  std::size_t n_local() const override
  {
    return n_rows_;
  }
  std::size_t n_owned() const override
  {
    return n_rows_;
  }

private:
  std::size_t n_rows_;
  std::unique_ptr<MatrixProduct<Number>> product_;
};

/// The inverse of the diagonal, in float: enough for a preconditioner.
template <typename Number>
class GeneratedSystem<Number>::Diagonal : public Preconditioner<Number>
{
public:
  Diagonal(Backend &backend, const Product &product)
    : updates_(backend.vector_operations<Number>().make_krylov_updates())
    , inverse_(backend.memory(), product.n_local())
  {
    Array<Number> diagonal(backend.memory(), product.n_local());
    product.diagonal(diagonal);
    backend.vector_operations<Number>().reciprocal(product.n_local(), diagonal, inverse_);
    backend.synchronize(); // before the diagonal goes
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    updates_->scale(inverse_.size(), inverse_, r, z);
  }
  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_;
  }

private:
  std::unique_ptr<KrylovUpdates<Number>> updates_;
  Array<float> inverse_;
};

template <typename Number>
GeneratedSystem<Number>::GeneratedSystem(Backend &backend, const GeneratedMatrix<Number> &matrix)
  : product_(std::make_shared<Product>(backend, matrix))
  , diagonal_(std::make_shared<Diagonal>(backend, *product_))
  , solver_(backend, Communicator(), timing_)
{}

template <typename Number>
SolverReport GeneratedSystem<Number>::solve(const SolverControl &control,
                                            const Array<Number> &f,
                                            Array<Number> &u)
{
  return solver_.solve(control, *product_, *diagonal_, f, u);
}

template class GeneratedSystem<double>;
template class GeneratedSystem<float>;
} // namespace strut
