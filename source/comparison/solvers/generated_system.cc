// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/comparison/solvers/generated_system.h"
#include "source/solvers/krylov/jacobi.h"

namespace strut
{
template <typename Number>
class GeneratedSystem<Number>::Product : public LinearOperator<Number>
{
public:
  Product(Backend &backend, const GeneratedMatrix<Number> &matrix)
    : n_rows_(matrix.pattern.n_rows)
    , product_(assembly_operations(backend).make_product<Number>(matrix))
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

template <typename Number>
class GeneratedSystem<Number>::Diagonal : public Preconditioner<Number>
{
public:
  Diagonal(Backend &backend, const Product &product) : inverse_(backend)
  {
    inverse_.update(product);
  }

  void apply(const Array<Number> &r, Array<Number> &z) override
  {
    inverse_.apply(r, z);
  }
  const Array<float> *inverse_diagonal() const override
  {
    return &inverse_.values();
  }

private:
  InverseDiagonal<Number> inverse_;
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
