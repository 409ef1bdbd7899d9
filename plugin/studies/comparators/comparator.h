// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include "source/base/registry.h"

#include <strut/backend/backend.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace strut
{
/// An operator for comparison, on the CPU. The comparison measures its product. Diagonal and
/// energies come from strut's own `on_the_fly` in double.
template <typename Number>
class Comparator : public ElementOperator<Number>
{
public:
  Comparator(Backend &backend, const ElementMesh &mesh, const Material &material)
    : memory_(backend.memory()), own_(on_the_fly().make(backend, mesh, material))
  {}

  void set_stiffness(const Array<double> &factors) override
  {
    own_->set_stiffness(factors);
  }

  void diagonal(Array<Number> &d) const override
  {
    Array<double> sums(memory_, d.size());
    own_->diagonal(sums);
    std::transform(sums.data(), sums.data() + sums.size(), d.data(), [](const double sum) {
      return static_cast<Number>(sum);
    });
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    own_->energies(Array<double>(memory_, std::vector<double>(u.data(), u.data() + u.size())), c);
  }

protected:
  double own_bytes() const
  {
    return own_->cost().memory_bytes;
  }

  static double own_estimate(const OperatorSize &size)
  {
    return on_the_fly().memory_estimate(size);
  }

private:
  static const Strategy<double> &on_the_fly()
  {
    return find_named(cpu_strategies<double>(), "on_the_fly", "operator");
  }

  Memory &memory_;
  std::unique_ptr<ElementOperator<double>> own_;
};
} // namespace strut
