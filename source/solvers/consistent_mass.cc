// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/consistent_mass.h"
#include "source/backend/multigrid_operations.h"
#include "source/element/components.h"
#include "source/element/hexahedron_geometry.h"
#include "source/element/shape_tables.h"
#include "source/element/types/hex8.h"
#include "source/mesh/identical_elements.h"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace strut
{
namespace
{
template <typename Number>
std::vector<Number> diagonal_of_mass(const ElementMesh &mesh, const std::vector<double> &densities)
{
  require_displacements(mesh, "The consistent mass matrix");
  std::vector<double> sums(mesh.n_nodes, 0.);
  const std::size_t n_local = mesh.type.n_nodes;
  if (mesh.type == ElementType())
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      {
        double X[3][8], M[8][8];
        shape_of(mesh, e, X);
        consistent_mass_matrix(X, M);
        for (std::size_t v = 0; v < 8; ++v)
          sums[mesh.connectivity[v * mesh.n_elements + e]] += densities[e] * M[v][v];
      }
  else
    {
      const std::vector<double> shapes  = shapes_at_mass_points(mesh.type),
                                volumes = volumes_of_mass_points(mesh);
      for (std::size_t e = 0; e < mesh.n_elements; ++e)
        for (std::size_t k = 0; k < shapes.size(); ++k)
          sums[mesh.node(e, k % n_local)] +=
            densities[e] * volumes[k / n_local * mesh.n_elements + e] * shapes[k] * shapes[k];
    }
  std::vector<Number> diagonal;
  for (const double sum : sums)
    diagonal.insert(diagonal.end(), 3, static_cast<Number>(sum));
  return diagonal;
}
} // namespace

void consistent_mass_matrix(const double (&X)[3][8], double (&M)[8][8])
{
  for (auto &row : M)
    std::fill(std::begin(row), std::end(row), 0.);
  for (int q = 0; q < 8; ++q)
    {
      double G[3][8], N[8], x[3];
      const double volume = hexahedron::gradients(X, q, G);
      Hex8::quadrature_point(q, x);
      for (int v = 0; v < 8; ++v)
        N[v] = Hex8::shape_value(v, x);
      for (int a = 0; a < 8; ++a)
        for (int b = 0; b < 8; ++b)
          M[a][b] += volume * (N[a] * N[b]);
    }
}

template <typename Number>
ConsistentMass<Number>::ConsistentMass(Backend &backend,
                                       const ElementMesh &mesh,
                                       const std::vector<double> &densities)
  : backend_(backend)
  , n_dofs_(mesh.n_dofs())
  , mass_(backend.make_mass_matrix(mesh, MassKind::consistent))
  , densities_(backend.memory(), densities)
  , diagonal_(backend.memory(), diagonal_of_mass<Number>(mesh, densities))
  , Mx_(backend.memory(), mesh.n_dofs())
{
  if (std::is_same<Number, double>::value)
    return;
  x_         = Array<double>(backend.memory(), n_dofs_);
  converted_ = Array<Number>(backend.memory(), n_dofs_);
}

template <typename Number>
void ConsistentMass<Number>::add(const Number factor,
                                 const Array<Number> &x,
                                 Array<Number> &y) const
{
  const auto &vectors = backend_.vector_operations<Number>();
  if constexpr (std::is_same<Number, double>::value)
    {
      mass_->apply(densities_, x, Mx_);
      vectors.axpy(n_dofs_, factor, Mx_, y);
    }
  else
    {
      backend_.level_operations().convert(n_dofs_, x, x_);
      mass_->apply(densities_, x_, Mx_);
      backend_.level_operations().convert(n_dofs_, Mx_, converted_);
      vectors.axpy(n_dofs_, factor, converted_, y);
    }
}

template class ConsistentMass<double>;
template class ConsistentMass<float>;
} // namespace strut
