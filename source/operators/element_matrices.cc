// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/operators/element_matrices.h"
#include "source/mesh/colouring.h"

#include <numeric>
#include <utility>

namespace strut
{
ElementLoop::ElementLoop(const ElementMesh &mesh, const int n_threads) : n_threads_(n_threads)
{
  if (n_threads > 1)
    {
      Colouring colouring = Colouring::greedy(mesh);
      begin_              = std::move(colouring.begin);
      elements_           = std::move(colouring.elements);
      return;
    }
  begin_ = {0, static_cast<LocalIndex>(mesh.n_elements)};
  elements_.resize(mesh.n_elements);
  std::iota(elements_.begin(), elements_.end(), LocalIndex(0));
}

void ElementLoop::run(
  const std::function<void(const LocalIndex *elements, std::size_t n)> &body) const
{
  for (std::size_t colour = 0; colour + 1 < begin_.size(); ++colour)
    {
      const LocalIndex *const elements = elements_.data() + begin_[colour];
      const std::size_t n              = begin_[colour + 1] - begin_[colour];
      const int n_parts                = cpu::parts_of_elements(n_threads_, elements_.size(), n);
      cpu::parallel_ranges(n_parts, n, [&](const std::size_t begin, const std::size_t end) {
        body(elements + begin, end - begin);
      });
    }
}

template class ElementMatrices<double, 3>;
template class ElementMatrices<float, 3>;
template class ElementMatrices<double, 1>;
template class ElementMatrices<float, 1>;
template class StoredMatricesOperator<double, 3>;
template class StoredMatricesOperator<float, 3>;
template class StoredMatricesOperator<double, 1>;
template class StoredMatricesOperator<float, 1>;
} // namespace strut
