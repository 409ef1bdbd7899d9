// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/host_stiffness.h"
#include "source/element/element_stiffness.h"
#include "source/element/reference_hexahedra.h"
#include "source/element/tangent_product.h"
#include "source/mesh/identical_elements.h"

#include <algorithm>

namespace strut
{
HostStiffness
host_stiffness(Memory &memory, const std::size_t n_elements, const Stiffness &stiffness)
{
  HostStiffness result{stiffness.law(), {}};
  Array<double> work(memory, stiffness.is_stored() ? 0 : n_elements);
  for (unsigned int k = 0; k < stiffness.layout().n_components(); ++k)
    result.components.push_back(stiffness.component(0, k, work).to_host());
  return result;
}

ElasticityMatrix tangent_of(const HostStiffness &tangents, const std::size_t element)
{
  ElasticityMatrix solid;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      solid.C[i][j] =
        tangents.components[static_cast<std::size_t>(hexahedron::tangent_component(i, j))][element];
  return solid;
}

template <typename Number>
std::vector<Number>
packed_matrices(const ElementMesh &mesh, const Material &material, const HostStiffness &stiffness)
{
  const bool is_lame  = stiffness.law == Law::lame;
  const bool has_mean = material.has_mean_dilatation();
  std::vector<Number> packed;
  packed.reserve(300 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], K[24 * 24];
      shape_of(mesh, e, X);
      if (is_lame)
        {
          const double lambda = stiffness.components[0][e], mu = stiffness.components[1][e];
          element_stiffness::matrix<Hex8>(X, has_mean ? 0. : lambda, mu, K);
          if (has_mean)
            hexahedron::add_mean_dilatation(lambda, X, K);
        }
      else
        for (int v = 0; v < 8; ++v)
          {
            double rows[3][24];
            hexahedron::stiffness_rows(X, tangent_of(stiffness, e), v, rows);
            std::copy(&rows[0][0], &rows[0][0] + 3 * 24, K + 3 * 24 * v);
          }
      for (int column = 0; column < 24; ++column)
        for (int row = 0; row <= column; ++row)
          packed.push_back(static_cast<Number>(K[24 * row + column]));
    }
  return packed;
}

template decltype(packed_matrices<double>) packed_matrices<double>;
template decltype(packed_matrices<float>) packed_matrices<float>;
} // namespace strut
