// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>
#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>
#include <utility>

#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"
#include "source/mesh/affine_rows.h"

namespace strut
{
namespace
{
constexpr const char *names_of_motions[] = {"x", "y", "z", "about x", "about y", "about z"};

/// A DoF and its number in a list.
using Numbered = std::pair<LocalIndex, std::size_t>;

/// Returns the numbers of a list of DoFs in the order of these.
std::vector<Numbered> ascending(const std::vector<LocalIndex> &dofs)
{
  std::vector<Numbered> result;
  for (std::size_t k = 0; k < dofs.size(); ++k)
    result.emplace_back(dofs[k], k);
  std::sort(result.begin(), result.end());
  return result;
}
} // namespace

Coupling::Coupling(const std::string &name) : RegionSection("Couplings", name)
{
  add_parameter(
    "Motions",
    motions_,
    "Motions of the region that are prescribed: of its point along x, y, z, and about x, y, "
    "z, by the right-hand rule. The others are free.",
    prm,
    dealii::Patterns::MultipleSelection("x|y|z|about x|about y|about z"));
  add_parameter("Values",
                values_,
                "Of the motions: one for all, or one for each, in length units of the mesh, and in "
                "radians, as of small rotations.");
  add_parameter("Point",
                point_,
                "The point that the motions are of, x, y, z. Without it: the mean of the nodes.");
}

std::array<std::optional<double>, 6> Coupling::motions() const
{
  const std::vector<std::string> listed = dealii::Utilities::split_string_list(motions_);
  if (values_.size() != 1 && values_.size() != listed.size())
    fail("Values",
         std::to_string(values_.size()) + " values for " + std::to_string(listed.size()) +
           " motions (" + motions_ +
           ").\n  Give one value, or one for each motion, in the same order.");
  if (listed.empty() && values_ != std::vector<double>{0.})
    fail("Values", "There are values, and no motion has one.\n  Name the motions in 'Motions'.");
  std::array<std::optional<double>, 6> result;
  for (std::size_t i = 0; i < listed.size(); ++i)
    for (std::size_t m = 0; m < 6; ++m)
      if (listed[i] == names_of_motions[m])
        {
          if (result[m])
            fail("Motions", "The motion '" + listed[i] + "' is there twice.\n  Name each once.");
          result[m] = values_[values_.size() == 1 ? 0 : i];
          if (!std::isfinite(*result[m]))
            fail("Values", "A motion must be a finite number.");
        }
  return result;
}

RigidRegion Coupling::rigid_region(const ElementMesh &mesh, std::vector<LocalIndex> nodes) const
{
  RigidRegion result;
  result.motions = motions();
  for (std::size_t d = 0; d < 3; ++d)
    for (const LocalIndex node : nodes)
      result.point[d] +=
        mesh.coordinates[d * mesh.n_nodes + node] / static_cast<double>(nodes.size());
  if (!point_.empty() && point_.size() != 3)
    fail("Point", std::to_string(point_.size()) + " numbers are no point.\n  Give three, x, y, z.");
  std::copy(point_.begin(), point_.end(), result.point.begin());
  result.nodes = std::move(nodes);
  return result;
}

std::string Coupling::describe() const
{
  std::ostringstream text;
  const auto motions = this->motions();
  for (std::size_t m = 0; m < 6; ++m)
    if (motions[m])
      text << ", " << (m < 3 ? "along " : "") << names_of_motions[m] << " = " << *motions[m];
  return "rigid" + text.str();
}

void Problem::apply_couplings()
{
  if (couplings_.empty())
    return;
  ElementMesh &mesh = mesh_.elements;
  if (dealii::Utilities::MPI::n_mpi_processes(communicator_) > 1)
    throw EntryError(
      couplings_.front()->path(),
      "Motions",
      "Couplings work on one rank alone.\n  Start strut without mpirun, with several "
      "threads ('Threads').");
  std::map<LocalIndex, std::string> owners; // of nodes that no other coupling may have
  for (const std::vector<LocalIndex> *const dofs : {&mesh.dependent.dofs, &mesh.dependent.masters})
    for (const LocalIndex dof : *dofs)
      owners[dof / 3] = "'Tie touching faces'";
  for (const auto &[node, owner] : oblique_nodes_)
    owners[node] = owner;
  const std::vector<std::uint8_t> mirrors = this->mirrors();
  for (const auto &coupling : couplings_)
    {
      coupling->region.prepare(summary_);
      const std::string owner = "coupling '" + coupling->name + "'";
      const NodeSet nodes     = select_nodes(mesh_, communicator_, coupling->region);
      if (nodes.empty())
        coupling->region.throw_selects_nothing("node", summary_);
      const auto refuse = [&](const std::string &reason) {
        const std::vector<std::string> path = coupling->path();
        throw EntryError(path, "", reason);
      };
      if (nodes.size() == 1)
        refuse(
          "The region has one node, which is rigid.\n  Take a support for it, or a larger region.");
      for (const LocalIndex node : nodes)
        {
          const auto [at, is_new] = owners.emplace(node, owner);
          if (is_new)
            continue;
          std::ostringstream text;
          text << "The node at (" << mesh_.location(node) << ") is one of " << at->second
               << ", too.\n  Let their regions not overlap, or make them one.";
          refuse(text.str());
        }
      RigidRegionRows rows;
      try
        {
          RigidRegion region = coupling->rigid_region(mesh, nodes);
          for (const LocalIndex node : nodes)
            for (std::size_t d = 0; d < 3; ++d)
              region.is_cut[d] = region.is_cut[d] || (mirrors[node] >> d & 1) != 0;
          rows = rows_of_rigid_region(mesh, region);
        }
      catch (const EntryError &)
        {
          throw;
        }
      catch (const Error &error)
        {
          refuse(error.reason);
        }
      if (rows.n_free_motions < 6)
        {
          Holder holder{owner, {}};
          for (const LocalIndex node : nodes)
            for (LocalIndex dof = 3 * node; dof < 3 * node + 3; ++dof)
              if (!std::binary_search(mesh.constrained_dofs.begin(),
                                      mesh.constrained_dofs.end(),
                                      dof))
                holder.dofs.push_back(dof);
          holders_.push_back(std::move(holder));
        }
      merge_rows(rows.dependent, mesh.dependent);
      std::vector<LocalIndex> dofs = mesh.constrained_dofs;
      std::vector<double> values   = mesh.constrained_values;
      dofs.insert(dofs.end(), rows.held_dofs.begin(), rows.held_dofs.end());
      values.insert(values.end(), rows.held_values.begin(), rows.held_values.end());
      const std::vector<Numbered> order = ascending(dofs);
      mesh.constrained_dofs.resize(order.size());
      mesh.constrained_values.resize(order.size());
      for (std::size_t i = 0; i < order.size(); ++i)
        {
          mesh.constrained_dofs[i]   = order[i].first;
          mesh.constrained_values[i] = values[order[i].second];
        }
      const std::size_t n_free = rows.n_free_motions;
      note_region(owner + ": " + coupling->describe() + ", " +
                    (n_free == 0
                       ? std::string("held, ")
                       : std::to_string(n_free) +
                           (n_free == 1 ? " motion is left to " : " motions are left to ")) +
                    std::to_string(nodes.size()) + " nodes (" + coupling->region.describe() + ")",
                  selected_nodes(nodes, mesh_, coupling->region),
                  coupling->region);
      add_note(void_nodes_->note(owner, nodes));
      void_nodes_->join(nodes);
    }
}
} // namespace strut
