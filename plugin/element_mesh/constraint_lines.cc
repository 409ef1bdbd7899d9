// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/constraint_lines.h"

#include <deal.II/base/index_set.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "plugin/base/attempt.h"

namespace strut
{
namespace
{
using Dof = dealii::types::global_dof_index;

/// Throws Error if an owned DoF at a hanging node is not constrained, as displacements would be
/// discontinuous.
void require_hanging_nodes_held(const dealii::DoFHandler<3, 3> &dof_handler,
                                const ConstraintLines &lines)
{
  dealii::AffineConstraints<double> hanging(
    dealii::DoFTools::extract_locally_relevant_dofs(dof_handler));
  dealii::DoFTools::make_hanging_node_constraints(dof_handler, hanging);
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  std::size_t n_free            = 0;
  Dof first                     = 0;
  for (const auto &line : hanging.get_lines())
    if (owned.is_element(line.index) &&
        !std::binary_search(lines.begin(),
                            lines.end(),
                            ConstraintLine{line.index, {}, 0.},
                            [](const auto &one, const auto &other) {
                              return one.dof < other.dof;
                            }) &&
        n_free++ == 0)
      first = line.index;
  if (n_free > 0)
    throw Error(
      "The mesh has hanging nodes (it is refined locally), and the constraints leave " +
      std::to_string(n_free) + " of their degrees of freedom free, such as " +
      std::to_string(first) + " (" + place_of(dof_handler, first) +
      ").\n  Call DoFTools::make_hanging_node_constraints(dof_handler, constraints) before "
      "constraints.close().");
}
/// Throws Error if the constraints name DoFs that the DoFHandler lacks, as they then belong to
/// another mesh.
template <typename ConstraintNumber>
void require_known_dofs(const dealii::AffineConstraints<ConstraintNumber> &constraints,
                        const Dof n_dofs)
{
  Dof largest = 0;
  for (const auto &line : constraints.get_lines())
    {
      largest = std::max(largest, line.index);
      for (const auto &[master, weight] : line.entries)
        largest = std::max(largest, master);
    }
  if (constraints.n_constraints() > 0 && largest >= n_dofs)
    throw Error(
      "The constraints of the StiffnessOperator are about degree of freedom " +
      std::to_string(largest) + ", and the DoFHandler has " + std::to_string(n_dofs) +
      ": they are those of another mesh.\n  Call constraints.clear(), or reinit(), before "
      "constraining the degrees of freedom of this one.");
}
} // namespace

std::string place_of(const dealii::DoFHandler<3, 3> &dof_handler,
                     const dealii::types::global_dof_index dof)
{
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (!cell->is_artificial())
      for (const unsigned int v : cell->vertex_indices())
        for (unsigned int d = 0; d < 3; ++d)
          if (cell->vertex_dof_index(v, d) == dof)
            {
              std::ostringstream out;
              const dealii::Point<3> &x = cell->vertex(v);
              out << "displacement along "
                  << "xyz"[d] << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ')';
              return out.str();
            }
  return "of no cell";
}

template <typename ConstraintNumber>
ConstraintLines read_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const dealii::AffineConstraints<ConstraintNumber> &constraints,
                                 const Communicator &communicator)
{
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  ConstraintLines lines;
  attempt_together(communicator, [&]() {
    if (constraints.n_constraints() > 0 && !constraints.is_closed())
      throw Error("The constraints of the StiffnessOperator are not closed.\n  Call "
                  "constraints.close() before.");
    require_known_dofs(constraints, owned.size());
    // an empty set stands for all DoFs
    const dealii::IndexSet known = constraints.get_local_lines();
    if (known.size() > 0 &&
        (known.size() != owned.size() || (owned & known).n_elements() != owned.n_elements()))
      throw Error(
        "The constraints of the StiffnessOperator know only some of the degrees of freedom "
        "that their rank owns.\n  Call constraints.reinit() with the locally relevant ones "
        "before constraining any.");
    // in ascending order, as the constraints are closed
    for (const auto &line : constraints.get_lines())
      if (line.index < owned.size() && owned.is_element(line.index))
        {
          lines.push_back({line.index, {}, static_cast<double>(line.inhomogeneity)});
          for (const auto &[master, weight] : line.entries)
            lines.back().masters.emplace_back(master, static_cast<double>(weight));
        }
  });
  if (communicator.any(dof_handler.get_triangulation().has_hanging_nodes()))
    attempt_together(communicator, [&]() { require_hanging_nodes_held(dof_handler, lines); });
  return lines;
}

template ConstraintLines read_constraints(const dealii::DoFHandler<3, 3> &,
                                          const dealii::AffineConstraints<double> &,
                                          const Communicator &);
template ConstraintLines read_constraints(const dealii::DoFHandler<3, 3> &,
                                          const dealii::AffineConstraints<float> &,
                                          const Communicator &);
} // namespace strut
