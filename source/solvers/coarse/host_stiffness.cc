// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/coarse/host_stiffness.h"
#include "source/element/law_matrix.h"
#include "source/mesh/identical_elements.h"

namespace strut
{
HostStiffness
host_stiffness(Memory &memory, const std::size_t n_elements, const Stiffness &stiffness)
{
  HostStiffness result{stiffness.law(), {}};
  Array<double> work(memory, stiffness.is_stored() ? 0 : n_elements);
  for (unsigned int k = 0; k < stiffness.law().n_components; ++k)
    result.components.push_back(stiffness.component(0, k, work).to_host());
  return result;
}

template <typename Number>
std::vector<Number>
packed_matrices(const ElementMesh &mesh, const Material &material, const HostStiffness &stiffness)
{
  std::vector<double> numbers(stiffness.law.n_components);
  std::vector<Number> packed;
  packed.reserve(300 * mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    {
      double X[3][8], K[24 * 24];
      shape_of(mesh, e, X);
      for (std::size_t k = 0; k < numbers.size(); ++k)
        numbers[k] = stiffness.components[k][e];
      element_matrix(stiffness.law, material, X, numbers.data(), 1, K);
      for (int column = 0; column < 24; ++column)
        for (int row = 0; row <= column; ++row)
          packed.push_back(static_cast<Number>(K[24 * row + column]));
    }
  return packed;
}

template decltype(packed_matrices<double>) packed_matrices<double>;
template decltype(packed_matrices<float>) packed_matrices<float>;
} // namespace strut
