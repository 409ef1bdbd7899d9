// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/problem.h"

#include <deal.II/base/mpi.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_q.h>

#include <strut/base/exceptions.h>
#include <strut/mesh/rigid_motions.h>

#include <algorithm>
#include <sstream>

#include "plugin/problem/node_set.h"

namespace strut::plugin
{
namespace
{
/// One object for each subsection of that name in the deck.
template <typename Named>
std::vector<std::unique_ptr<Named>> make_named(const Deck &deck, const std::string &subsection)
{
  std::vector<std::unique_ptr<Named>> result;
  for (const std::string &name : deck.subsections({subsection}))
    {
      // deal.II takes a slash in a name for another subsection
      if (name.find('/') != std::string::npos)
        throw EntryError({subsection, name}, "", "A name must not contain '/'.");
      result.push_back(std::make_unique<Named>(name));
    }
  return result;
}

std::string folder_of(const std::string &file)
{
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? "." : file.substr(0, slash);
}
} // namespace

Problem::Problem(const Deck &deck)
  : deck_folder_(folder_of(deck.file_name()))
  , mesh_sources_(make_mesh_sources())
  , mesh_parameters_(mesh_sources_)
  , supports_(make_named<Support>(deck, "Supports"))
  , loads_(make_named<Load>(deck, "Loads"))
  , regions_(make_named<NonDesignRegion>(deck, "Non-design regions"))
{}

void Problem::setup(MPI_Comm communicator)
{
  communicator_ = communicator;
  notes_.clear();
  material_ = material_parameters_.get();
  make_mesh();
  apply_supports();
  assemble_loads();
  flag_regions();
}

void Problem::make_mesh()
{
  triangulation_ = std::make_unique<dealii::parallel::distributed::Triangulation<3>>(communicator_);
  for (const auto &source : mesh_sources_)
    if (source->name == mesh_parameters_.type)
      {
        source->deck_folder            = deck_folder_;
        const unsigned int refinements = source->create(*triangulation_);
        triangulation_->refine_global(refinements + mesh_parameters_.refinements);
      }
  fe_          = std::make_unique<dealii::FESystem<3>>(dealii::FE_Q<3>(1), 3);
  dof_handler_ = std::make_unique<dealii::DoFHandler<3>>(*triangulation_);
  dof_handler_->distribute_dofs(*fe_);
  summary_ = MeshSummary::collect(*triangulation_, communicator_);
  mesh_    = build_element_mesh(*dof_handler_, communicator_);
}

void Problem::apply_supports()
{
  PrescribedDofs prescribed;
  std::map<dealii::types::global_dof_index, std::string> by_whom;
  std::string contradiction; // the first on this rank, until all ranks have looked
  const auto prescribe =
    [&](const Node &node, const unsigned int c, const double value, const std::string &who) {
      const auto [entry, is_new] = prescribed.emplace(node.dofs[c], value);
      std::string &other         = by_whom[node.dofs[c]];
      if (!is_new && entry->second != value && contradiction.empty())
        {
          std::ostringstream text;
          text << other << " and " << who << " prescribe different displacements of one node, "
               << entry->second << " and " << value << " along "
               << "xyz"[c] << " at (" << node.location
               << ").\n  Let their regions not overlap, or give them the same "
               << "value.";
          contradiction = text.str();
        }
      other = who;
    };
  const auto require_consistency = [&](const std::vector<std::string> &path,
                                       const std::string &entry) {
    for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, contradiction))
      if (!text.empty())
        throw EntryError(path, entry, text);
  };

  for (const auto &support : supports_)
    {
      support->region.prepare(summary_);
      const std::string held = support->describe(); // looks at the values, on every rank
      const NodeSet nodes    = select_nodes(*dof_handler_, support->region);
      const auto count       = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        support->region.throw_selects_nothing("node", summary_);
      for (const auto &[key, node] : nodes)
        for (unsigned int c = 0; c < 3; ++c)
          if (support->holds(c))
            prescribe(node, c, support->displacement(c), "Support '" + support->name + "'");
      require_consistency(support->path(), "Displacement");
      notes_.push_back("support '" + support->name + "': " + held + " on " + std::to_string(count) +
                       " nodes (" + support->region.describe() + ")");
    }

  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    {
      const NodeSet nodes =
        select_plane(*dof_handler_, plane.component, plane.value, summary_.tolerance());
      const auto count = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        throw EntryError({"Symmetry"},
                         "Planes",
                         "No node lies on the plane " + plane.text +
                           ".\n  Boundary of the mesh:\n" + summary_.boundary_table());
      for (const auto &[key, node] : nodes)
        prescribe(node, plane.component, 0., "symmetry plane " + plane.text);
      require_consistency({"Symmetry"}, "Planes");
      notes_.push_back("symmetry plane " + plane.text + ": " + std::to_string(count) + " nodes");
    }
  set_constraints(*dof_handler_, prescribed, communicator_, mesh_);
}

void Problem::assemble_loads()
{
  // (1) The load cases, in the order in which the loads name them.
  load_cases_.clear();
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
      std::string names;
      bool found = false;
      for (const LoadCase &load_case : load_cases_)
        {
          found = found || load_case.name == name;
          names += (names.empty() ? "" : ", ") + load_case.name;
        }
      if (!found)
        throw EntryError({"Load cases"},
                         "Weights",
                         "No load belongs to the load case '" + name + "'. Load cases: " + names +
                           ".");
      if (!(weight > 0.))
        throw EntryError({"Load cases"},
                         "Weights",
                         "The weight of load case '" + name + "' must be positive.");
    }
  if (load_cases_.empty())
    load_cases_.push_back({"1", 1., {}}); // prescribed displacements alone

  // (2) Their forces.
  dealii::IndexSet relevant;
  dealii::DoFTools::extract_locally_relevant_dofs(*dof_handler_, relevant);
  for (LoadCase &load_case : load_cases_)
    {
      dealii::LinearAlgebra::distributed::Vector<double> forces(dof_handler_->locally_owned_dofs(),
                                                                relevant,
                                                                communicator_);
      for (const auto &load : loads_)
        if (load->load_case() == load_case.name)
          {
            load->region.prepare(summary_);
            dealii::LinearAlgebra::distributed::Vector<double> part(forces);
            part = 0.;
            assemble_load({*dof_handler_, summary_, communicator_, part}, *load);
            part.compress(dealii::VectorOperation::add);
            forces += part;

            dealii::Tensor<1, 3> total;
            for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
              total[i % 3] += part(mesh_.dof_indices[i]);
            total = dealii::Utilities::MPI::sum(total, communicator_);
            std::ostringstream note;
            note << "load '" << load->name << "', case '" << load_case.name
                 << "': " << load->describe() << " on " << load->region.describe()
                 << "; force in all (" << total[0] << ", " << total[1] << ", " << total[2] << ')';
            notes_.push_back(note.str());
          }
      load_case.forces.resize(mesh_.n_owned_dofs());
      for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
        load_case.forces[i] = forces(mesh_.dof_indices[i]);
    }
}

void Problem::flag_regions()
{
  const auto cells = dof_handler_->active_cell_iterators();
  for (const auto &region : regions_)
    {
      if (region->region.has_boundary_ids())
        throw EntryError(region->path(),
                         "Boundary ids",
                         "A non-design region is made of elements, which have no boundary ids.\n  "
                         "Name it by 'Material ids' or 'Expression'.");
      region->region.prepare(summary_);
      const DesignFlag flag = region->is_solid() ? DesignFlag::solid : DesignFlag::empty;
      std::vector<bool> selected;
      for (const auto &cell : cells)
        if (cell->is_locally_owned())
          selected.push_back(region->region.has_material_id(cell->material_id()) &&
                             region->region.holds_at(cell->center()));
      std::size_t count = 0;
      for (std::size_t e = 0; e < mesh_.n_elements; ++e)
        if (selected[mesh_.element_to_cell[e]])
          {
            ++count;
            mesh_.flags[e] = flag;
          }
      count = dealii::Utilities::MPI::sum(count, communicator_);
      if (count == 0)
        region->region.throw_selects_nothing("element", summary_);
      notes_.push_back("non-design region '" + region->name + "': " + std::to_string(count) +
                       (region->is_solid() ? " solid" : " void") + " elements (" +
                       region->region.describe() + ")");
    }
}

void Problem::check_well_posed() const
{
  const Communicator communicator(communicator_);
  if (supports_.empty() && communicator.sum(mesh_.constrained_dofs.size()) == 0)
    throw EntryError(
      {"Supports"},
      "",
      "There is no support: nothing holds the structure.\n"
      "Add 'subsection Supports / subsection <name>' with a region. Boundary ids of the mesh:\n" +
        summary_.boundary_table());
  const std::vector<std::string> motions = free_rigid_motions(communicator, mesh_);
  if (!motions.empty())
    {
      std::string list;
      for (const std::string &motion : motions)
        list += (list.empty() ? "" : "; ") + motion;
      throw EntryError({"Supports"},
                       "",
                       "The supports leave a rigid motion free: " + list +
                         ".\nHold more components, or more nodes that are not on one line.");
    }

  const bool prescribed = std::any_of(mesh_.constrained_values.begin(),
                                      mesh_.constrained_values.end(),
                                      [](const double value) { return value != 0.; });
  if (communicator.any(prescribed))
    return;
  for (const LoadCase &load_case : load_cases_)
    {
      if (loads_.empty())
        throw EntryError({"Loads"},
                         "",
                         "There is no load and no prescribed displacement: nothing acts on the "
                         "structure.\nAdd 'subsection Loads / subsection <name>' with a region and "
                         "a value.");
      const auto acts = [&](const std::vector<double> &forces) {
        return communicator.any(
          std::any_of(forces.begin(), forces.end(), [](const double f) { return f != 0.; }));
      };
      const auto load = std::find_if(loads_.begin(), loads_.end(), [&](const auto &candidate) {
        return candidate->load_case() == load_case.name;
      });
      if (!acts(load_case.forces))
        throw EntryError((*load)->path(),
                         "Value",
                         "The forces of load case '" + load_case.name +
                           "' are zero.\nGive its loads a value other than zero.");
      std::vector<double> forces = load_case.forces;
      for (const LocalIndex dof : mesh_.constrained_dofs)
        if (dof < forces.size())
          forces[dof] = 0.;
      if (!acts(forces))
        throw EntryError((*load)->path(),
                         "",
                         "The forces of load case '" + load_case.name +
                           "' act on supported nodes only, where they do nothing.\nChoose another "
                           "region for the load, or for the support.");
    }
}

std::string Problem::describe() const
{
  std::ostringstream out;
  out << "  mesh: " << mesh_parameters_.type << ", " << summary_.n_cells << " elements, "
      << dof_handler_->n_dofs() / 3 << " nodes, " << dof_handler_->n_dofs()
      << " degrees of freedom\n"
      << "  boundary ids:\n"
      << summary_.boundary_table() << "  material ids:\n"
      << summary_.material_table();
  for (const std::string &note : notes_)
    out << "  " << note << '\n';
  return out.str();
}
} // namespace strut::plugin
