// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/backend/backend.h>
#include <strut/operators/element_matrices.h>

#include "dam.h"

namespace dam
{
namespace
{
/// Element-by-element product as in a textbook: `y = sum_e P_e^T E_e K0_e P_e x`, row by row. The
/// base class has element matrices, connectivity, factors, diagonal and energies. The loop
/// distributes the elements over the threads. Runs with the same number of threads give the same
/// bits.
template <typename Number>
class Plain : public strut::StoredMatricesOperator<Number>
{
public:
  Plain(strut::Backend &backend, const strut::ElementMesh &mesh, const strut::Material &material)
    : strut::StoredMatricesOperator<Number>(backend.memory(), mesh, material, backend.n_threads())
    , loop_(mesh, backend.n_threads())
  {}

  void apply(const strut::Array<Number> &x, strut::Array<Number> &y) const override
  {
    y.set_zero();
    loop_.run([&](const strut::LocalIndex *const elements, const std::size_t n) {
      for (std::size_t k = 0; k < n; ++k)
        {
          const std::size_t e        = elements[k];
          const Number *const matrix = this->matrices_.matrix(e);
          Number local[24], result[24];
          this->gather(e, x.data(), local);
          for (int i = 0; i < 24; ++i)
            {
              Number row = 0;
              for (int j = 0; j < 24; ++j)
                row += matrix[24 * i + j] * local[j];
              result[i] = this->stiffness_.data()[e] * row;
            }
          this->add(e, result, y.data());
        }
    });
  }

private:
  strut::ElementLoop loop_;
};
} // namespace

template <typename Number>
strut::Strategy<Number> plain()
{
  strut::Strategy<Number> strategy;
  strategy.name            = "plain";
  strategy.summary         = "element by element, row by row of the full element matrix";
  strategy.deterministic   = true;
  strategy.memory_estimate = &strut::memory_of<Plain<Number>>;
  strategy.make            = &strut::make_operator<Plain, Number>;
  strategy.laws            = Plain<Number>::laws();
  return strategy;
}

template strut::Strategy<double> plain();
template strut::Strategy<float> plain();
} // namespace dam
