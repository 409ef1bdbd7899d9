// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/problem/problem.h"

#include <deal.II/base/mpi.h>

#include <deal.II/distributed/tria.h>

#include <deal.II/fe/fe_q.h>

#include <strut/base/exceptions.h>

#include <sstream>

#include "plugin/element_mesh/mesh_hierarchy_builder.h"
#include "plugin/mesh/mesh_memory.h"
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

void Problem::setup(MPI_Comm communicator, const bool with_hierarchy)
{
  communicator_ = communicator;
  notes_.clear();
  material_ = material_parameters_.get();
  make_mesh(with_hierarchy);
  flag_regions(); // first, so that supports and loads know the void ones
  const std::vector<std::string> regions = std::move(notes_);
  notes_.clear();
  apply_supports();
  hierarchy_ =
    with_hierarchy ? build_mesh_hierarchy(*dof_handler_, mesh_, communicator_) : MeshHierarchy();
  assemble_loads();
  notes_.insert(notes_.end(), regions.begin(), regions.end());
}

void Problem::note_region(const std::string &text, const Caught &local, const Region &region)
{
  Caught caught = local;
  caught.sum(communicator_);
  const std::uint64_t n_nodes = dof_handler_->n_dofs() / 3;
  const std::string what      = caught.describe(summary_, n_nodes);
  notes_.push_back(text + (what.empty() ? "" : "\n    " + what));
  if (const std::string note = caught.note(region, summary_, n_nodes); !note.empty())
    notes_.push_back("NOTE: " + text.substr(0, text.find(':')) + ": " + note);
}

void Problem::make_mesh(const bool with_hierarchy)
{
  // p4est's order of the coarse cells takes minutes where a flat mesh has a million of them, and one
  // rank has no use for it.
  const bool is_alone = dealii::Utilities::MPI::n_mpi_processes(communicator_) == 1;
  if (is_alone)
    triangulation_ = std::make_unique<dealii::Triangulation<3>>();
  else
    {
      using Distributed = dealii::parallel::distributed::Triangulation<3>;
      triangulation_ =
        std::make_unique<Distributed>(communicator_,
                                      dealii::Triangulation<3>::none,
                                      with_hierarchy ? Distributed::construct_multigrid_hierarchy
                                                     : Distributed::default_setting);
    }
  std::shared_ptr<const MeshSets> sets;
  for (const auto &source : mesh_sources_)
    if (source->name == mesh_parameters_.type)
      {
        source->deck_folder = deck_folder_;
        // each of several ranks, on one machine or on many, sees another memory
        source->bytes_per_element = is_alone ? bytes_of_hexahedron : 0.;
        const unsigned int refinements =
          source->create(*triangulation_) + mesh_parameters_.refinements;
        require_room_to_refine(triangulation_->n_active_cells(),
                               refinements,
                               source->bytes_per_element);
        triangulation_->refine_global(refinements);
        sets = source->sets();
      }
  fe_          = std::make_unique<dealii::FESystem<3>>(dealii::FE_Q<3>(1), 3);
  dof_handler_ = std::make_unique<dealii::DoFHandler<3>>(*triangulation_);
  dof_handler_->distribute_dofs(*fe_);
  summary_ = MeshSummary::collect(*triangulation_, communicator_, std::move(sets));
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
      const std::string who = "support '" + support->name + "'";
      note_region(who + ": " + held + " on " + std::to_string(count) + " nodes (" +
                    support->region.describe() + ")",
                  caught_nodes(nodes, *dof_handler_, support->region),
                  support->region);
      if (const std::string note = void_nodes_->note(who, first_dofs(nodes)); !note.empty())
        notes_.push_back(note);
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
  set_constraints(prescribed, communicator_, mesh_);
}

std::vector<std::uint8_t> Problem::mirrors() const
{
  std::vector<std::uint8_t> mirrors(mesh_.n_nodes, 0);
  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    for (std::size_t n = 0; n < mesh_.n_nodes; ++n)
      if (std::abs(mesh_.coordinates[plane.component * mesh_.n_nodes + n] - plane.value) <=
          summary_.tolerance())
        mirrors[n] = static_cast<std::uint8_t>(mirrors[n] | 1u << plane.component);
  return mirrors;
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
