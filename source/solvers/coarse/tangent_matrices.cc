// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/tangent_matrices.h"
#include "source/element/tangent_product.h"
#include "source/mesh/identical_elements.h"

namespace strut
{
HostTangents
host_tangents(Memory &memory, const std::size_t n_elements, const TangentFields &fields)
{
  HostTangents result;
  Array<double> values(memory, n_elements);
  for (unsigned int k = 0; k < n_tangent_components; ++k)
    {
      fields(0, k, values);
      result[k] = values.to_host();
    }
  return result;
}

ElasticityMatrix tangent_of(const HostTangents &tangents, const std::size_t element)
{
  ElasticityMatrix solid;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j)
      solid.C[i][j] =
        tangents[static_cast<std::size_t>(hexahedron::tangent_component(i, j))][element];
  return solid;
}

template <typename Number>
std::vector<Number> packed_tangent_matrices(const ElementMesh &mesh, const HostTangents &tangents)
{
  std::vector<Number> packed;
  packed.reserve(300 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], K[8][3][24];
      shape_of(mesh, e, X);
      const ElasticityMatrix solid = tangent_of(tangents, e);
      for (int v = 0; v < 8; ++v)
        hexahedron::stiffness_rows(X, solid, v, K[v]);
      for (int column = 0; column < 24; ++column)
        for (int row = 0; row <= column; ++row)
          packed.push_back(static_cast<Number>(K[row / 3][row % 3][column]));
    }
  return packed;
}

template decltype(packed_tangent_matrices<double>) packed_tangent_matrices<double>;
template decltype(packed_tangent_matrices<float>) packed_tangent_matrices<float>;
} // namespace strut
