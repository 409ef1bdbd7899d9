// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/parallel_loop.h"
#include "source/mesh/colouring.h"
#include "source/operators/element_matrices.h"
#include "source/operators/strategy_pair.h"

#include <strut/backend/backend.h>

namespace strut::cpu
{
namespace
{
/// Element by element on the CPU (ebeCPU of Ratnakar 2022):
///
///   y = sum_e P_e^T E_e K0_e P_e x
///
/// One thread walks the elements in their order; several threads share the elements of one colour
/// at a time, which need no atomics since no two of them have a node in common. Reads 576 numbers
/// per element, in one piece. Deterministic for a given number of threads.
template <typename Number>
class Ebe : public StoredMatricesOperator<Number>
{
public:
  Ebe(Backend &backend, const ElementMesh &mesh, const Material &material)
    : StoredMatricesOperator<Number>(backend.memory(), mesh, material, backend.n_threads())
  {
    if (this->n_threads_ > 1)
      colouring_ = Colouring::greedy(mesh);
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    y.set_zero();
    if (this->n_threads_ == 1)
      {
        for (std::size_t e = 0; e < this->n_elements_; ++e)
          add_element(e, x.data(), y.data());
        return;
      }
    for (std::size_t colour = 0; colour < colouring_.n_colours(); ++colour)
      {
        const LocalIndex *const elements = colouring_.elements.data() + colouring_.begin[colour];
        const std::size_t n              = colouring_.begin[colour + 1] - colouring_.begin[colour];
        const int n_parts = parts_of_elements(this->n_threads_, this->n_elements_, n);
        parallel_for_long(n_parts, n, [&](const std::size_t k) {
          add_element(elements[k], x.data(), y.data());
        });
      }
  }

private:
  void add_element(const std::size_t e, const Number *x, Number *y) const
  {
    Number local[24];
    this->gather(e, x, local);

    // K0_e is symmetric: combine its rows, which vectorises without a reduction.
    Number result[24]          = {};
    const Number *const matrix = this->matrices_.matrix(e);
    for (int j = 0; j < 24; ++j)
      for (int i = 0; i < 24; ++i)
        result[i] += matrix[24 * j + i] * local[j];

    const Number factor           = this->stiffness_.data()[e];
    const LocalIndex *const nodes = this->connectivity_.data() + 8 * e;
    for (int v = 0; v < 8; ++v)
      for (int c = 0; c < 3; ++c)
        y[3 * std::size_t(nodes[v]) + c] += factor * result[3 * v + c];
  }

  Colouring colouring_{{0}, {}};
};
} // namespace

/// The strategy `ebe`: one loop over the elements.
StrategyPair ebe()
{
  return strategy_pair<Ebe>(
    "ebe",
    "element by element, full element matrix, by colours where there are several threads",
    true);
}
} // namespace strut::cpu
