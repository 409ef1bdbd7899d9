// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/element_mesh/constraint_lines.h"

#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_accessor.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe.h>
#include <deal.II/fe/mapping.h>

#include <deal.II/grid/tria.h>

#include <deal.II/lac/affine_constraints.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "plugin/base/attempt.h"
#include "plugin/element_mesh/element_mesh_builder.h"

namespace strut
{
namespace
{
using Dof     = dealii::types::global_dof_index;
using Masters = std::vector<std::pair<Dof, double>>;

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

/// Answer of an owner in types that deal.II can send: the DoFs of the node, whether it is
/// constrained, and its line.
using Answer = std::pair<std::vector<Dof>, std::pair<std::pair<bool, double>, Masters>>;

NodesOfDofs nodes_of_cells(const dealii::DoFHandler<3, 3> &dof_handler)
{
  NodesOfDofs nodes;
  std::vector<Dof> of_cell(dof_handler.get_fe().n_dofs_per_cell());
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (cell->is_locally_owned())
      {
        cell->get_dof_indices(of_cell);
        for (std::size_t i = 0; i < of_cell.size(); i += 3)
          for (std::size_t d = 0; d < 3; ++d)
            nodes.emplace(of_cell[i + d],
                          std::array<Dof, 3>{{of_cell[i], of_cell[i + 1], of_cell[i + 2]}});
      }
  return nodes;
}

/// Answers of the owners, and knowledge of this rank, about DoFs.
class Register
{
public:
  Register(NodesOfDofs &&nodes,
           const dealii::IndexSet &owned,
           const ConstraintLines &owned_lines,
           const Communicator &communicator)
    : communicator_(communicator), owned_(owned), nodes_(std::move(nodes))
  {
    for (const ConstraintLine &line : owned_lines)
      lines_[line.dof] = line;
  }

  /// DoFs of this rank's elements that other ranks own.
  std::set<Dof> ghosts() const
  {
    std::set<Dof> result;
    for (const auto &[dof, node] : nodes_)
      if (!owned_.is_element(dof))
        result.insert(dof);
    return result;
  }

  const ConstraintLine *find(const Dof dof) const
  {
    const auto found = lines_.find(dof);
    return found == lines_.end() ? nullptr : &found->second;
  }

  /// DoFs of the node of a DoF; null if this rank owns it or has it in an element.
  const std::array<Dof, 3> *node_apart(const Dof dof) const
  {
    const auto found = apart_.find(dof);
    return found == apart_.end() ? nullptr : &found->second;
  }

  bool knows(const Dof dof) const
  {
    return owned_.is_element(dof) || asked_.count(dof) > 0;
  }

  /// Asks the owners of some DoFs for their lines. Collective.
  void ask(const std::set<Dof> &wanted)
  {
    const std::vector<Dof> dofs(wanted.begin(), wanted.end());
    dealii::IndexSet set(owned_.size());
    set.add_indices(dofs.begin(), dofs.end());
    set.compress();
    const auto owners =
      dealii::Utilities::MPI::compute_index_owner(owned_, set, communicator_.mpi());
    std::map<unsigned int, std::vector<Dof>> questions;
    for (std::size_t k = 0; k < dofs.size(); ++k)
      questions[owners[k]].push_back(dofs[k]);
    std::map<unsigned int, std::vector<Answer>> answers;
    for (const auto &[rank, asked] :
         dealii::Utilities::MPI::some_to_some(communicator_.mpi(), questions))
      for (const Dof dof : asked)
        answers[rank].push_back(answer(dof));
    for (const auto &[rank, given] :
         dealii::Utilities::MPI::some_to_some(communicator_.mpi(), answers))
      for (std::size_t k = 0; k < given.size(); ++k)
        take(questions.at(rank)[k], given[k]);
    asked_.insert(wanted.begin(), wanted.end());
  }

private:
  Answer answer(const Dof dof) const
  {
    const std::array<Dof, 3> &node   = nodes_.at(dof);
    const ConstraintLine *const line = find(dof);
    return {std::vector<Dof>(node.begin(), node.end()),
            {{line != nullptr, line == nullptr ? 0. : line->value},
             line == nullptr ? Masters() : line->masters}};
  }

  void take(const Dof dof, const Answer &answer)
  {
    const auto &[node, line] = answer;
    if (line.first.first)
      lines_[dof] = {dof, line.second, line.first.second};
    if (nodes_.count(dof) == 0)
      std::copy_n(node.begin(), 3, apart_[dof].begin());
  }

  const Communicator communicator_;
  const dealii::IndexSet owned_;
  NodesOfDofs nodes_, apart_;
  std::map<Dof, ConstraintLine> lines_;
  std::set<Dof> asked_;
};

/// Replaces the constrained masters of a line by their own masters, once. Returns true if there
/// were any.
bool substitute(const Register &known, ConstraintLine &line)
{
  bool changed = false;
  std::map<Dof, double> masters;
  for (const auto &[master, weight] : line.masters)
    if (const ConstraintLine *const other = known.find(master))
      {
        changed = true;
        line.value += weight * other->value;
        for (const auto &[further, factor] : other->masters)
          masters[further] += weight * factor;
      }
    else
      masters[master] += weight;
  line.masters.assign(masters.begin(), masters.end());
  return changed;
}
} // namespace

std::string place_of(const dealii::DoFHandler<3, 3> &dof_handler,
                     const dealii::types::global_dof_index dof)
{
  const dealii::FiniteElement<3> &fe = dof_handler.get_fe();
  std::vector<Dof> of_cell(fe.n_dofs_per_cell());
  for (const auto &cell : dof_handler.active_cell_iterators())
    if (!cell->is_artificial())
      {
        cell->get_dof_indices(of_cell);
        const auto found = std::find(of_cell.begin(), of_cell.end(), dof);
        if (found == of_cell.end())
          continue;
        const auto i = static_cast<unsigned int>(found - of_cell.begin());
        const dealii::Point<3> x =
          fe.reference_cell().get_default_linear_mapping<3>().transform_unit_to_real_cell(
            cell, fe.unit_support_point(i));
        std::ostringstream out;
        out << "displacement along "
            << "xyz"[i % 3] << " at (" << x[0] << ", " << x[1] << ", " << x[2] << ')';
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

ResolvedConstraints resolve_constraints(const dealii::DoFHandler<3, 3> &dof_handler,
                                        const ConstraintLines &owned,
                                        const Communicator &communicator)
{
  const bool any =
    std::any_of(owned.begin(), owned.end(), [](const auto &line) { return !line.masters.empty(); });
  if (!communicator.any(any))
    return {owned, {}, {}};
  // One rank has nobody to tell its nodes to, and a loop over all cells would take longer than a
  // time step.
  auto resolved =
    resolve_constraints(communicator.size() == 1 ? NodesOfDofs() : nodes_of_cells(dof_handler),
                        dof_handler.locally_owned_dofs(),
                        owned,
                        communicator);
  if (!resolved)
    throw Error("The constraints of the StiffnessOperator go round in a circle: some degree of "
                "freedom is constrained to itself by way of others.\n  Look for it among those of "
                "several ranks.");
  return *std::move(resolved);
}

std::optional<ResolvedConstraints> resolve_constraints(NodesOfDofs nodes,
                                                       const dealii::IndexSet &owned,
                                                       const ConstraintLines &lines,
                                                       const Communicator &communicator)
{
  ResolvedConstraints result;
  result.owned = lines;
  Register known(std::move(nodes), owned, lines, communicator);
  const bool alone = communicator.size() == 1;
  if (!alone)
    {
      const std::set<Dof> ghosts = known.ghosts();
      known.ask(ghosts);
      for (const Dof dof : ghosts)
        if (const ConstraintLine *const line = known.find(dof))
          if (!line->masters.empty())
            result.ghosts.push_back(*line);
    }

  // A master may be constrained on its owner's rank, with masters that are constrained on yet
  // another rank.
  constexpr unsigned int most_rounds = 100;
  for (unsigned int round = 0;; ++round)
    {
      std::set<Dof> unknown;
      bool changed = false;
      for (ConstraintLines *const some : {&result.owned, &result.ghosts})
        for (ConstraintLine &line : *some)
          {
            changed = substitute(known, line) || changed;
            for (const auto &[master, weight] : line.masters)
              if (!known.knows(master))
                unknown.insert(master);
          }
      if (!communicator.any(changed || (!alone && !unknown.empty())))
        break;
      if (round == most_rounds)
        return std::nullopt;
      if (!alone)
        known.ask(unknown);
    }

  std::set<std::array<Dof, 3>> apart;
  for (const ConstraintLines *const some : {&result.owned, &result.ghosts})
    for (const ConstraintLine &line : *some)
      for (const auto &[master, weight] : line.masters)
        if (const auto *const node = known.node_apart(master))
          apart.insert(*node);
  result.nodes_apart.assign(apart.begin(), apart.end());
  return result;
}

void set_constraints(const ResolvedConstraints &constraints,
                     const dealii::IndexSet &owned,
                     const Communicator &communicator,
                     ElementMesh &mesh)
{
  PrescribedDofs prescribed;
  for (const ConstraintLine &line : constraints.owned)
    if (line.masters.empty())
      prescribed.emplace_hint(prescribed.end(), line.dof, line.value);
  set_constraints(prescribed, communicator.mpi(), mesh);

  mesh.dependent = {};
  if (prescribed.size() == constraints.owned.size() && constraints.ghosts.empty())
    return;
  std::vector<LocalIndex> of_owned(owned.n_elements());
  std::unordered_map<Dof, LocalIndex> of_ghosts;
  for (std::size_t i = 0; i < mesh.n_dofs(); ++i)
    if (i < mesh.n_owned_dofs())
      of_owned[owned.index_within_set(mesh.dof_indices[i])] = static_cast<LocalIndex>(i);
    else
      of_ghosts[mesh.dof_indices[i]] = static_cast<LocalIndex>(i);
  const auto local = [&](const Dof dof) {
    return owned.is_element(dof) ? of_owned[owned.index_within_set(dof)] : of_ghosts.at(dof);
  };

  std::map<LocalIndex, const ConstraintLine *> rows;
  for (const ConstraintLines *const lines : {&constraints.owned, &constraints.ghosts})
    for (const ConstraintLine &line : *lines)
      if (!line.masters.empty())
        rows[local(line.dof)] = &line;
  AffineRows &dependent = mesh.dependent;
  dependent.offsets     = {0};
  for (const auto &[dof, line] : rows)
    {
      dependent.dofs.push_back(dof);
      dependent.values.push_back(line->value);
      for (const auto &[master, weight] : line->masters)
        {
          dependent.masters.push_back(local(master));
          dependent.weights.push_back(weight);
        }
      dependent.offsets.push_back(static_cast<std::uint32_t>(dependent.masters.size()));
    }
}
} // namespace strut
