// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/finite_element.h"
#include "source/element/elements.h"

#include <string>
#include <utility>

namespace strut
{
namespace
{
/// Whether all innermost base elements have this name, as in FESystem(FESystem(FE_Q(1), 3), 1).
bool has_bases(const dealii::FiniteElement<3> &fe, const std::string &name)
{
  if (fe.get_name() == name)
    return true;
  for (unsigned int b = 0; b < fe.n_base_elements(); ++b)
    if (&fe.base_element(b) == &fe || !has_bases(fe.base_element(b), name))
      return false;
  return true;
}

/// Whether DoF `3 * a + d` of a cell is component d at node a.
bool is_vector_of_nodes(const dealii::FiniteElement<3> &fe, const unsigned int n_nodes)
{
  if (fe.n_components() != 3 || fe.n_dofs_per_cell() != 3 * n_nodes ||
      fe.n_dofs_per_vertex() != 3 || !fe.is_primitive())
    return false;
  for (unsigned int i = 0; i < 3 * n_nodes; ++i)
    if (fe.system_to_component_index(i) != std::make_pair(i % 3, i / 3))
      return false;
  return true;
}
} // namespace

std::optional<ElementType> element_type_of(const dealii::FiniteElement<3> &fe)
{
  const std::pair<const char *, ElementType> known[] = {{"FE_Q<3>(1)", type_of<Hex8>()},
                                                        {"FE_Q<3>(2)", type_of<Hex27>()},
                                                        {"FE_SimplexP<3>(1)", type_of<Tet4>()},
                                                        {"FE_SimplexP<3>(2)", type_of<Tet10>()}};
  for (const auto &[name, type] : known)
    if (is_vector_of_nodes(fe, type.n_nodes) && has_bases(fe, name))
      return type;
  return std::nullopt;
}

std::vector<dealii::Point<3>> reference_nodes(const dealii::FiniteElement<3> &fe)
{
  std::vector<dealii::Point<3>> nodes;
  for (unsigned int i = 0; i < fe.n_dofs_per_cell(); i += 3)
    nodes.push_back(fe.unit_support_point(i));
  return nodes;
}
} // namespace strut
