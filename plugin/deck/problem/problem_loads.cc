// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "plugin/base/host_halo.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/problem/mirror_image_notes.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"
#include "source/base/filled_vector.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
std::string Problem::add_following(const Load &load,
                                   const FollowingForces &added,
                                   LoadCase &load_case,
                                   dealii::Tensor<1, 3> &total,
                                   double &size) const
{
  const Communicator communicator(communicator_);
  const std::size_t n    = mesh_.elements.n_elements;
  const auto is_not_zero = [](const double value) { return value != 0.; };
  const auto has_some    = [&](const std::vector<double> &values) {
    return std::any_of(values.begin(), values.end(), is_not_zero);
  };
  const auto add = [n](const std::vector<double> &values,
                       std::vector<double> &sum,
                       const std::vector<double> &factors) {
    if (!values.empty())
      sum.resize(values.size(), 0.);
    for (std::size_t i = 0; i < values.size(); ++i)
      sum[i] += factors[i % n] * values[i];
  };

  // (1) forces by the mass
  std::string follows = load.type() == "body force" ? ", whatever the density" : "";
  std::vector<double> means(3 * added.weights.size()), mass(n);
  for (std::size_t e = 0; e < n; ++e)
    mass[e] = solids_.mass_of(e);
  for (std::size_t e = 0; e < added.weights.size(); ++e)
    {
      for (unsigned int c = 0; c < 3; ++c)
        means[c * n + e] = added.weights[e][c];
      total += mass[e] * mesh_.elements.volumes[e] * added.weights[e];
      size += mass[e] * mesh_.elements.volumes[e] * added.weights[e].norm();
    }
  if (communicator.any(has_some(means) || has_some(added.uneven_weights)))
    {
      load_case.has_weight = true;
      load_case.weights.resize(3 * n, 0.);
      add(means, load_case.weights, mass);
      add(added.uneven_weights, load_case.uneven_weights, mass);
      follows = " if all of it is solid; times the density";
    }

  // (2) forces by the stiffness
  if (!communicator.any(has_some(added.expansion)))
    return follows;
  if (const auto [entry, value] = entry_of(material_.formulation); !entry.empty())
    throw EntryError({"Material"},
                     entry,
                     "The load '" + load.name +
                       "' is a thermal expansion, which is for elements with full integration, and "
                       "here is '" +
                       value + "'.\nLeave this entry or the load out.");
  if (communicator.any(!solids_.table.empty()))
    throw EntryError(load.path(),
                     "Type",
                     "A thermal expansion is that of isotropic solids, and 'Materials' has "
                     "'Young's moduli' of an orthotropic one.\nLeave them or the load out.");
  load_case.has_expansion = true;
  std::vector<double> moduli(n); // stress per strain that expands all sides alike
  for (std::size_t e = 0; e < n; ++e)
    {
      const Material solid = solids_.isotropic_solid(material_, e);
      moduli[e]            = solid.youngs_modulus / (1. - 2. * solid.poisson_ratio);
    }
  add(added.expansion, load_case.expansion, moduli);
  return follows + "; times the stiffness";
}

std::string Problem::note_on_node_sets(const Load &load) const
{
  const bool in_all = load.type() == "total force" || load.type() == "remote force";
  if (!load.region.has_node_sets() ||
      (!in_all && load.type() != "traction" && load.type() != "pressure"))
    return "";
  const NodesByFaces count = count_nodes_by_faces(mesh_, communicator_, load.region);
  if (count.on_faces == 0 || count.beside == 0)
    return "";
  return ": of its node sets " + std::to_string(count.on_faces) +
         " nodes are on faces whose nodes are all in the set, and " + std::to_string(count.beside) +
         " are not: " +
         (load.type() == "remote force"
            ? "all nodes get forces that are linear in place, which is no traction"
          : in_all ? "all nodes get equal parts of the force, which is no uniform traction"
                   : "the load is on these faces alone");
}

void Problem::assemble_loads()
{
  // (1) Make the load cases, in the order in which the loads name them.
  load_cases_.clear();
  // Only prescribed displacements.
  if (loads_.empty())
    load_cases_.push_back({"1", 1., {}});
  const auto &weights = load_case_parameters_.weights;
  for (const auto &load : loads_)
    {
      const bool is_new =
        std::none_of(load_cases_.begin(), load_cases_.end(), [&](const LoadCase &load_case) {
          return load_case.name == load->load_case();
        });
      if (is_new)
        {
          const auto weight = weights.find(load->load_case());
          load_cases_.push_back(
            {load->load_case(), weight == weights.end() ? 1. : weight->second, {}});
        }
    }
  for (const auto &[name, weight] : weights)
    {
      std::vector<std::string> names;
      for (const LoadCase &load_case : load_cases_)
        names.push_back(load_case.name);
      if (std::find(names.begin(), names.end(), name) == names.end())
        throw EntryError({"Load cases"},
                         "Weights",
                         "No load belongs to the load case '" + shown(name) +
                           "'. Load cases: " + shown(join(names), 500) + ".");
      constexpr double range = 1e12; // beyond it, one case is smaller than the rounding of another
      if (!(weight >= 1. / range && weight <= range))
        throw EntryError({"Load cases"},
                         "Weights",
                         "The weight of load case '" + shown(name) +
                           "' must be a number between 1e-12 and 1e12. Weights count relative to "
                           "each other.");
    }

  // (2) Add their forces.
  const int n_threads = cpu::default_n_threads();
  const MirrorImageNotes images(mesh_, summary_, symmetry_.planes(summary_), communicator_);
  for (LoadCase &load_case : load_cases_)
    {
      std::vector<double> forces; // forces of the first load, to which the others are added
      for (const auto &load : loads_)
        if (load->load_case() == load_case.name)
          {
            load->region.prepare(summary_);
            std::vector<double> part =
              cpu::filled_vector<double>(n_threads, mesh_.elements.n_dofs());
            SelectedPart selection;
            FollowingForces following;
            const std::string where = assemble_load({mesh_,
                                                     summary_,
                                                     communicator_,
                                                     part,
                                                     following.weights,
                                                     &selection,
                                                     symmetry_planes(),
                                                     &following.uneven_weights,
                                                     &following.expansion},
                                                    *load);
            add_to_owners(communicator_, mesh_.elements, part);

            const NodeSet loaded = numbers_where(mesh_.elements.n_owned_nodes, [&](std::size_t n) {
              return part[3 * n] != 0. || part[3 * n + 1] != 0. || part[3 * n + 2] != 0.;
            });
            const std::string owner = "load '" + load->name + "'";
            // The mirror images of a pressure and of a rotation are such loads.
            const std::string of_image = load->type() == "pressure" || load->type() == "rotation"
                                           ? std::string()
                                           : images.of_load(owner, part, following.weights);
            dealii::Tensor<1, 3> total;
            double size = 0.;
            for (const LocalIndex node : loaded)
              for (unsigned int c = 0; c < 3; ++c)
                {
                  total[c] += part[3 * std::size_t(node) + c];
                  size += std::abs(part[3 * std::size_t(node) + c]);
                }
            if (forces.empty())
              forces = std::move(part);
            else
              for (const LocalIndex node : loaded)
                for (unsigned int c = 0; c < 3; ++c)
                  forces[3 * std::size_t(node) + c] += part[3 * std::size_t(node) + c];
            const std::string follows = add_following(*load, following, load_case, total, size);
            total                     = dealii::Utilities::MPI::sum(total, communicator_);
            // Where forces cancel, the rest is rounding and not worth printing.
            size               = dealii::Utilities::MPI::sum(size, communicator_) + total.norm();
            const auto rounded = [size](double value) {
              return std::abs(value) < 1e-12 * size ? 0. : value;
            };
            std::ostringstream note;
            note << owner << ", case '" << load_case.name << "': " << load->describe() << " on "
                 << where << " (" << load->region.describe() << ')' << "; force in all ("
                 << rounded(total[0]) << ", " << rounded(total[1]) << ", " << rounded(total[2])
                 << ')' << follows;
            note_region(note.str(), selection, load->region);
            if (const std::string partly = note_on_node_sets(*load); !partly.empty())
              notes_.push_back("NOTE: " + owner + partly);
            const auto n_loaded = dealii::Utilities::MPI::sum(loaded.size(), communicator_);
            if (n_loaded > 1 && loads_without_type_.count(load->name) > 0)
              notes_.push_back(
                "NOTE: " + owner + " has no 'Type', so each node gets its value: in all that is " +
                std::to_string(n_loaded) +
                " times as much. 'set Type = total force' makes the value the force in all, 'set "
                "Type = force per node' says so without this note");
            add_note(of_image);
            add_note(void_nodes_->note(owner, loaded));
          }
      // Without ghosts; also for cases without load.
      forces.resize(mesh_.elements.n_owned_dofs(), 0.);
      load_case.forces = forces;
    }
}
} // namespace strut
