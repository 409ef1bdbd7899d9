// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

// The elastoplastic body: material, mesh, state, internal forces. It does not depend on strut.

#include <deal.II/base/parallel.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/base/symmetric_tensor.h>
#include <deal.II/base/tensor.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_system.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "material.h"

namespace Plasticity
{
using namespace dealii;

// One quadrature point with radial return: J. C. Simo and T. J. R. Hughes, Computational
// Inelasticity (1998), box 3.2.
class MaterialPoint
{
public:
  // Computes the stress for a strain, from the state at the end of the last load step.
  SymmetricTensor<2, 3> update(const SymmetricTensor<2, 3> &strain)
  {
    const SymmetricTensor<2, 3> trial = 2. * mu * deviator(strain - plastic_strain);
    const double norm                 = trial.norm();
    const double excess = norm - std::sqrt(2. / 3.) * (yield_stress + hardening * equivalent);
    increment           = std::max(0., excess) / (2. * mu + 2. / 3. * hardening);
    if (increment > 0.)
      direction = trial / norm;
    theta     = increment > 0. ? 1. - 2. * mu * increment / norm : 1.;
    theta_bar = increment > 0. ? 1. / (1. + hardening / (3. * mu)) - (1. - theta) : 0.;
    return bulk_modulus * trace(strain) * unit_symmetric_tensor<3>() + trial -
           2. * mu * increment * direction;
  }

  // Tangent d stress / d strain of the last update.
  SymmetricTensor<4, 3> tangent() const
  {
    SymmetricTensor<4, 3> result = volumetric + theta * shear;
    if (increment > 0.)
      result -= 2. * mu * theta_bar * outer_product(direction, direction);
    return result;
  }

  // Ends a load step.
  void accept()
  {
    plastic_strain += increment * direction;
    equivalent += std::sqrt(2. / 3.) * increment;
    increment = 0.;
  }

  bool yields() const
  {
    return increment > 0.;
  }

private:
  inline static const SymmetricTensor<4, 3> volumetric =
    bulk_modulus * outer_product(unit_symmetric_tensor<3>(), unit_symmetric_tensor<3>());
  inline static const SymmetricTensor<4, 3> shear = 2. * mu * deviator_tensor<3>();

  SymmetricTensor<2, 3> plastic_strain; // at the end of the last step, as is `equivalent`
  double equivalent = 0.;
  // flow direction in this step; the next two members are of this step, too
  SymmetricTensor<2, 3> direction;
  double increment = 0., theta = 1., theta_bar = 0.;
};

// Gradients of the shape functions at one quadrature point, for the vertices of the cell. FEValues
// gives the same values, but more slowly.
class ShapeGradients
{
public:
  ShapeGradients()
  {
    const FE_Q<3> fe(1);
    const QGauss<3> quadrature(2);
    for (unsigned int q = 0; q < n_q; ++q)
      for (unsigned int v = 0; v < n_vertices; ++v)
        on_unit_cell[q][v] = fe.shape_grad(v, quadrature.point(q));
  }

  double reinit(const std::array<Point<3>, n_vertices> &x, const unsigned int q)
  {
    Tensor<2, 3> jacobian;
    for (unsigned int v = 0; v < n_vertices; ++v)
      jacobian += outer_product(x[v], on_unit_cell[q][v]);
    const Tensor<2, 3> inverse = transpose(invert(jacobian));
    for (unsigned int v = 0; v < n_vertices; ++v)
      gradients[v] = inverse * on_unit_cell[q][v];
    return determinant(jacobian) / n_q; // all weights are 1 / 8
  }

  const Tensor<1, 3> &operator[](const unsigned int v) const
  {
    return gradients[v];
  }

private:
  std::array<std::array<Tensor<1, 3>, n_vertices>, n_q> on_unit_cell;
  std::array<Tensor<1, 3>, n_vertices> gradients;
};

// The body: mesh, state, internal forces. It does not depend on the solver.
class Body
{
public:
  Body(const std::string &name, unsigned int refinements); // plate or bar

  // Sets u to the displacements of a homogeneous strain.
  void begin(double strain, Vector<double> &u) const;

  // Sets u on the supports to their displacements.
  void stretch_to(double displacement, Vector<double> &u) const;

  // Computes stresses and state for the displacements u, and sets `residual` to minus the internal
  // forces. Returns their norm on the free DoFs, relative to that at the supports.
  double update(const Vector<double> &u, Vector<double> &residual);

  void accept_step();
  void forget_state();

  // share of quadrature points that yielded in the last step, in per cent
  double plastic_part() const;

  // Mean stress on the upper end, after update(), and its exact value for a bar.
  double mean_stress = 0.;
  static double stress_of_bar(double strain);

  std::array<Point<3>, n_vertices> vertices_of(const unsigned int cell) const
  {
    std::array<Point<3>, n_vertices> x;
    for (unsigned int v = 0; v < n_vertices; ++v)
      x[v] = triangulation.get_vertices()[cell_vertices[cell][v]];
    return x;
  }

  Triangulation<3> triangulation;
  FESystem<3> fe;
  DoFHandler<3> dof_handler;
  // All values are zero, as Newton's method begins with the displacements of the supports.
  AffineConstraints<double> constraints;
  // Indexed by active_cell_index().
  std::vector<std::array<MaterialPoint, n_q>> points;
  std::vector<std::array<unsigned int, n_vertices>> cell_vertices;
  std::vector<std::array<types::global_dof_index, 3>> vertex_dofs;
  std::vector<types::global_dof_index> upper_dofs; // the DoFs that are displaced
  double upper_area = 0.;

private:
  void make_plate();
  void number_vertices();
  void support();

  std::vector<std::array<Tensor<1, 3>, n_vertices>> cell_forces;
  // For each vertex the places of its cells' forces on it, and cell and vertex of each place.
  std::vector<std::size_t> first_share;
  std::vector<std::pair<unsigned int, unsigned int>> shares;
};

inline Body::Body(const std::string &name, const unsigned int refinements)
  : fe(FE_Q<3>(1), 3), dof_handler(triangulation)
{
  const bool plate = name == "plate";
  GridGenerator::subdivided_hyper_rectangle(triangulation,
                                            plate ? std::vector<unsigned int>{5, 6, 1}
                                                  : std::vector<unsigned int>{2, 4, 2},
                                            Point<3>(0., 0., 0.),
                                            plate ? Point<3>(1., 1., 0.2) : Point<3>(0.5, 1., 0.5));
  // The mesh is refined globally from a coarse mesh, because strut's multigrid takes its levels
  // from the refinements.
  triangulation.refine_global(refinements);
  if (plate)
    make_plate();
  else
    GridTools::distort_random(0.2, triangulation); // distortion must not matter
  upper_area = plate ? 0.2 : 0.25;

  dof_handler.distribute_dofs(fe);
  number_vertices();
  support();
  points.resize(triangulation.n_active_cells());
  cell_forces.resize(triangulation.n_active_cells());
}

// A quarter of the plate: rays from the hole, of radius 0.3, to the edges x = 1 and y = 1.
inline void Body::make_plate()
{
  GridTools::transform(
    [](const Point<3> &p) {
      const double angle = p[1] * numbers::PI / 2., t = p[0];
      const Point<2> direction(std::cos(angle), std::sin(angle));
      const double longer = std::max(direction[0], direction[1]);
      const Point<2> x(direction * (0.3 * (1. - t) + t / longer));
      return Point<3>(x[0], x[1], p[2]);
    },
    triangulation);
}

inline void Body::number_vertices()
{
  cell_vertices.resize(triangulation.n_active_cells());
  vertex_dofs.resize(triangulation.n_vertices());
  first_share.assign(triangulation.n_vertices() + 1, 0);
  for (const auto &cell : dof_handler.active_cell_iterators())
    for (unsigned int v = 0; v < n_vertices; ++v)
      {
        const unsigned int vertex                   = cell->vertex_index(v);
        cell_vertices[cell->active_cell_index()][v] = vertex;
        ++first_share[vertex + 1];
        for (unsigned int d = 0; d < 3; ++d)
          vertex_dofs[vertex][d] = cell->vertex_dof_index(v, d);
      }
  for (std::size_t vertex = 0; vertex < triangulation.n_vertices(); ++vertex)
    first_share[vertex + 1] += first_share[vertex];
  shares.resize(first_share.back());
  std::vector<std::size_t> next = first_share;
  for (unsigned int cell = 0; cell < cell_vertices.size(); ++cell)
    for (unsigned int v = 0; v < n_vertices; ++v)
      shares[next[cell_vertices[cell][v]]++] = {cell, v};
}

// Planes of symmetry at x = 0, y = 0 and z = 0; the end y = 1 is displaced.
inline void Body::support()
{
  for (std::size_t vertex = 0; vertex < vertex_dofs.size(); ++vertex)
    for (unsigned int d = 0; d < 3; ++d)
      {
        const Point<3> &x = triangulation.get_vertices()[vertex];
        const bool upper  = d == 1 && std::abs(x[1] - 1.) < 1e-12;
        if (upper)
          upper_dofs.push_back(vertex_dofs[vertex][d]);
        if (upper || std::abs(x[d]) < 1e-12)
          constraints.add_line(vertex_dofs[vertex][d]);
      }
  constraints.close();
}

inline void Body::begin(const double strain, Vector<double> &u) const
{
  for (std::size_t vertex = 0; vertex < vertex_dofs.size(); ++vertex)
    u(vertex_dofs[vertex][1]) = strain * triangulation.get_vertices()[vertex][1];
}

inline void Body::stretch_to(const double displacement, Vector<double> &u) const
{
  for (const types::global_dof_index dof : upper_dofs)
    u(dof) = displacement;
}

inline double Body::update(const Vector<double> &u, Vector<double> &residual)
{
  static const ShapeGradients on_unit_cell;
  parallel::apply_to_subranges(
    0u,
    triangulation.n_active_cells(),
    [&](const unsigned int begin, const unsigned int end) {
      ShapeGradients gradients = on_unit_cell;
      std::array<Tensor<1, 3>, n_vertices> displacements;
      for (unsigned int cell = begin; cell < end; ++cell)
        {
          const std::array<Point<3>, n_vertices> x = vertices_of(cell);
          for (unsigned int v = 0; v < n_vertices; ++v)
            for (unsigned int d = 0; d < 3; ++d)
              displacements[v][d] = u(vertex_dofs[cell_vertices[cell][v]][d]);
          cell_forces[cell] = {};
          for (unsigned int q = 0; q < n_q; ++q)
            {
              const double JxW = gradients.reinit(x, q);
              Tensor<2, 3> gradient;
              for (unsigned int v = 0; v < n_vertices; ++v)
                gradient += outer_product(displacements[v], gradients[v]);
              const SymmetricTensor<2, 3> stress = points[cell][q].update(symmetrize(gradient));
              for (unsigned int v = 0; v < n_vertices; ++v)
                cell_forces[cell][v] += JxW * (stress * gradients[v]);
            }
        }
    },
    256);
  // Each vertex sums the forces of its cells, so no two threads write to one place. The sums do not
  // depend on the number of threads.
  parallel::apply_to_subranges(
    std::size_t(0),
    vertex_dofs.size(),
    [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t vertex = begin; vertex < end; ++vertex)
        {
          Tensor<1, 3> sum;
          for (std::size_t s = first_share[vertex]; s < first_share[vertex + 1]; ++s)
            sum += cell_forces[shares[s].first][shares[s].second];
          for (unsigned int d = 0; d < 3; ++d)
            residual(vertex_dofs[vertex][d]) = -sum[d];
        }
    },
    1024);

  mean_stress = 0.;
  for (const types::global_dof_index dof : upper_dofs)
    mean_stress -= residual(dof) / upper_area;
  const double all = residual.l2_norm();
  constraints.set_zero(residual);
  const double free = residual.l2_norm();
  return free / std::sqrt(all * all - free * free);
}

inline void Body::accept_step()
{
  parallel::apply_to_subranges(
    std::size_t(0),
    points.size(),
    [&](const std::size_t begin, const std::size_t end) {
      for (std::size_t cell = begin; cell < end; ++cell)
        for (MaterialPoint &point : points[cell])
          point.accept();
    },
    1024);
}

inline void Body::forget_state()
{
  std::fill(points.begin(), points.end(), std::array<MaterialPoint, n_q>());
}

inline double Body::plastic_part() const
{
  const double n = parallel::accumulate_from_subranges<double>(
    [&](const std::size_t begin, const std::size_t end) {
      double sum = 0.;
      for (std::size_t cell = begin; cell < end; ++cell)
        for (const MaterialPoint &point : points[cell])
          sum += point.yields() ? 1. : 0.;
      return sum;
    },
    std::size_t(0),
    points.size(),
    1024);
  return 100. * n / static_cast<double>(n_q * points.size());
}

// stress = yield stress + hardening * plastic strain = E (strain - plastic strain)
inline double Body::stress_of_bar(const double strain)
{
  const double plastic_strain = std::max(0., (E * strain - yield_stress) / (E + hardening));
  return E * (strain - plastic_strain);
}
} // namespace Plasticity
