// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// The body of body.h with its state where strut computes. In a Newton step only a few sums are
// copied to the host.

#include <strut/stiffness_operator.h>

#include <memory>

#include "body.h"
#include "cell_kernels.h"

namespace Plasticity
{
using DeviceVector = strut::DeviceVector<double>;

class DeviceBody
{
public:
  DeviceBody(const Body &body, const strut::StiffnessOperator<double> &stiffness);

  // These members do the same as those of Body.
  void begin(double strain, DeviceVector &u) const;
  void stretch_to(double displacement, DeviceVector &u) const;
  double update(const DeviceVector &u, DeviceVector &residual);
  void accept_step();
  void forget_state();
  double plastic_part();
  double mean_stress = 0.;

  // [n_q][21][n_cells], tangents of the last update, as StiffnessOperator::set_device_tangents()
  // takes them.
  const double *tangents() const
  {
    return cells.tangents;
  }

private:
  // Allocates memory that lives as long as this object.
  template <typename T>
  T *make(const std::size_t n)
  {
    memory.emplace_back(allocate(n * sizeof(T), stream),
                        [s = stream](void *pointer) { deallocate(pointer, s); });
    return static_cast<T *>(memory.back().get());
  }
  template <typename T>
  const T *copy(const std::vector<T> &values)
  {
    T *const there = make<T>(values.size());
    copy_there(there, values.data(), values.size() * sizeof(T), stream);
    return there;
  }
  DeviceVector vector_of(const Vector<double> &values) const
  {
    DeviceVector result;
    stiffness.initialize_dof_vector(result);
    result.import_from(values);
    return result;
  }

  const Body &body;
  const strut::StiffnessOperator<double> &stiffness;
  void *stream = nullptr;
  std::vector<std::shared_ptr<void>> memory;
  CellArrays cells;
  Shares shares;
  // 1 on DoFs that are displaced; on those that are not; on those that no support holds; on all
  // DoFs.
  DeviceVector upper, not_upper, free, ones;
};

inline DeviceBody::DeviceBody(const Body &body, const strut::StiffnessOperator<double> &stiffness)
  : body(body), stiffness(stiffness)
{
  const std::size_t n_cells = body.cell_vertices.size(), n_dofs = body.dof_handler.n_dofs();
  Vector<double> values(n_dofs);
  values    = 1.;
  ones      = vector_of(values);
  stream    = ones.stream();
  not_upper = ones;
  body.constraints.set_zero(values);
  free   = vector_of(values);
  values = 0.;
  for (const types::global_dof_index dof : body.upper_dofs)
    values(dof) = 1.;
  upper = vector_of(values);
  not_upper -= upper;

  std::vector<unsigned int> dofs(24 * n_cells), begin(n_dofs + 1, 0), of_cells(24 * n_cells);
  std::vector<double> x(24 * n_cells);
  for (std::size_t c = 0; c < n_cells; ++c)
    for (unsigned int v = 0; v < n_vertices; ++v)
      for (unsigned int d = 0; d < 3; ++d)
        {
          const std::size_t place   = n_cells * (3 * v + d) + c;
          const unsigned int vertex = body.cell_vertices[c][v];
          dofs[place]               = static_cast<unsigned int>(body.vertex_dofs[vertex][d]);
          x[place]                  = body.triangulation.get_vertices()[vertex][d];
          ++begin[dofs[place] + 1];
        }
  for (std::size_t i = 0; i < n_dofs; ++i)
    begin[i + 1] += begin[i];
  std::vector<unsigned int> next(begin.begin(), begin.end() - 1);
  for (std::size_t c = 0; c < n_cells; ++c)
    for (unsigned int k = 0; k < 24; ++k)
      of_cells[next[dofs[n_cells * k + c]]++] = static_cast<unsigned int>(n_cells * k + c);

  shares               = {n_dofs, copy(begin), copy(of_cells)};
  cells.n_cells        = static_cast<unsigned int>(n_cells);
  cells.dofs           = copy(dofs);
  cells.x              = copy(x);
  cells.plastic_strain = make<double>(6 * n_q * n_cells);
  cells.equivalent     = make<double>(n_q * n_cells);
  cells.direction      = make<double>(6 * n_q * n_cells);
  cells.increment      = make<double>(n_q * n_cells);
  cells.tangents       = make<double>(21 * n_q * n_cells);
  cells.forces         = make<double>(24 * n_cells);
}

inline void DeviceBody::begin(const double strain, DeviceVector &u) const
{
  Vector<double> values(body.dof_handler.n_dofs());
  body.begin(strain, values);
  u.import_from(values);
}

inline void DeviceBody::stretch_to(const double displacement, DeviceVector &u) const
{
  u.scale(not_upper);
  u.add(displacement, upper);
}

inline double DeviceBody::update(const DeviceVector &u, DeviceVector &residual)
{
  update_cells(cells, u.data(), stream);
  collect_forces(cells, shares, residual.data(), stream);
  mean_stress      = -(residual * upper) / body.upper_area;
  const double all = residual.l2_norm();
  residual.scale(free);
  const double of_free = residual.l2_norm();
  return of_free / std::sqrt(all * all - of_free * of_free);
}

inline void DeviceBody::accept_step()
{
  Plasticity::accept_step(cells, stream);
}

inline void DeviceBody::forget_state()
{
  set_zero(cells.plastic_strain, 6 * n_q * sizeof(double) * cells.n_cells, stream);
  set_zero(cells.equivalent, n_q * sizeof(double) * cells.n_cells, stream);
}

inline double DeviceBody::plastic_part()
{
  DeviceVector yields;
  stiffness.initialize_dof_vector(yields); // has more entries than there are cells, and is zero
  count_points(cells, yields.data(), stream);
  return 100. * (yields * ones) / (double(n_q) * cells.n_cells);
}
} // namespace Plasticity
