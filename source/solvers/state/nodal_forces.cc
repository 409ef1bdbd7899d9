// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/solvers/state/nodal_forces.h>

#include "source/base/parallel_loop.h"

namespace strut
{
NodalForces::NodalForces(const std::vector<double> &values) : n_dofs_(values.size())
{
  const auto loaded_of_blocks =
    cpu::values_of_blocks(cpu::default_n_threads(),
                          values.size(),
                          [&](const std::size_t begin, const std::size_t end) {
                            std::vector<LocalIndex> loaded;
                            for (std::size_t dof = begin; dof < end; ++dof)
                              if (values[dof] != 0.)
                                loaded.push_back(static_cast<LocalIndex>(dof));
                            return loaded;
                          });
  std::size_t n_loaded = 0;
  for (const std::vector<LocalIndex> &loaded : loaded_of_blocks)
    n_loaded += loaded.size();
  if (2 * n_loaded > values.size())
    {
      values_ = values;
      return;
    }
  is_loaded_.assign((values.size() >> block_bits) + 1, false);
  dofs_.reserve(n_loaded);
  values_.reserve(n_loaded);
  for (const std::vector<LocalIndex> &loaded : loaded_of_blocks)
    for (const LocalIndex dof : loaded)
      {
        is_loaded_[dof >> block_bits] = true;
        dofs_.push_back(dof);
        values_.push_back(values[dof]);
      }
}
} // namespace strut
