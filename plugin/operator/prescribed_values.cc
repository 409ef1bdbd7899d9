// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/operator/prescribed_values.h"

#include <deal.II/base/index_set.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>

#include <deal.II/lac/affine_constraints.h>

#include <strut/base/exceptions.h>

#include <sstream>
#include <string>

#include "plugin/base/attempt.h"

namespace strut::plugin
{
namespace
{
using Dof = dealii::types::global_dof_index;

/// "displacement along y at (0, 1, 0)" of an owned DoF.
std::string place_of(const dealii::DoFHandler<3, 3> &dof_handler, const Dof dof)
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

/// "0.5 u_3 + 0.5 u_7 + 0.1", a few terms of it.
template <typename ConstraintNumber>
std::string right_hand_side(const dealii::AffineConstraints<ConstraintNumber> &constraints,
                            const Dof dof)
{
  constexpr std::size_t n_terms = 4;
  const auto &entries           = *constraints.get_constraint_entries(dof);
  std::ostringstream out;
  for (std::size_t k = 0; k < entries.size() && k < n_terms; ++k)
    out << (k == 0 ? "" : " + ") << entries[k].second << " u_" << entries[k].first;
  if (entries.size() > n_terms)
    out << " + ...";
  if (constraints.get_inhomogeneity(dof) != ConstraintNumber(0))
    out << " + " << constraints.get_inhomogeneity(dof);
  return out.str();
}

} // namespace

template <typename ConstraintNumber>
PrescribedValues read_prescribed(const dealii::DoFHandler<3, 3> &dof_handler,
                                 const dealii::AffineConstraints<ConstraintNumber> &constraints,
                                 const Communicator &communicator)
{
  const dealii::IndexSet &owned = dof_handler.locally_owned_dofs();
  PrescribedValues prescribed;
  std::size_t n_refused = 0;
  Dof refused           = 0; // the first of them
  attempt_together(communicator, [&]() {
    if (constraints.n_constraints() > 0 && !constraints.is_closed())
      throw Error("The constraints of the StiffnessOperator are not closed.\n  Call "
                  "constraints.close() before.");
    const dealii::IndexSet known = constraints.get_local_lines(); // empty: all
    if (known.size() > 0 &&
        (known.size() != owned.size() || (owned & known).n_elements() != owned.n_elements()))
      throw Error(
        "The constraints of the StiffnessOperator know only some of the degrees of freedom "
        "that their rank owns.\n  Call constraints.reinit() with the locally relevant ones "
        "before constraining any.");
    for (const auto &line : constraints.get_lines()) // ascending, as they are closed
      if (line.index < owned.size() && owned.is_element(line.index))
        {
          if (line.entries.empty())
            prescribed.emplace_back(line.index, static_cast<double>(line.inhomogeneity));
          else if (n_refused++ == 0)
            refused = line.index;
        }
  });

  const std::size_t n_refused_anywhere = communicator.sum(n_refused);
  if (n_refused_anywhere > 0)
    attempt_together(communicator, [&]() {
      if (n_refused > 0)
        throw Error(
          "Degree of freedom " + std::to_string(refused) + " (" + place_of(dof_handler, refused) +
          ") is constrained to others: u_" + std::to_string(refused) + " = " +
          right_hand_side(constraints, refused) +
          ".\n  StiffnessOperator can prescribe values only, not what periodicity, hanging "
          "nodes or no normal flux on oblique faces ask for; there are " +
          std::to_string(n_refused_anywhere) +
          " constraints like it.\n  Leave them out, or use deal.II's own operators.");
    });
  return prescribed;
}

template PrescribedValues read_prescribed(const dealii::DoFHandler<3, 3> &,
                                          const dealii::AffineConstraints<double> &,
                                          const Communicator &);
template PrescribedValues read_prescribed(const dealii::DoFHandler<3, 3> &,
                                          const dealii::AffineConstraints<float> &,
                                          const Communicator &);
} // namespace strut::plugin
