// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/problem.h"

#include <deal.II/base/mpi.h>
#include <deal.II/base/patterns.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "plugin/base/host_halo.h"
#include "plugin/base/named_file.h"
#include "plugin/base/spelling.h"
#include "plugin/deck/parameters/deck.h"
#include "plugin/deck/parameters/named_choice.h"
#include "plugin/deck/problem/mirror_image_notes.h"
#include "plugin/deck/problem/region_members.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/element/elements.h"
#include "source/mesh/numbers_where.h"

namespace strut
{
MeshParameters::MeshParameters(const std::vector<std::unique_ptr<MeshSource>> &sources)
  : dealii::ParameterAcceptor("/Mesh")
{
  std::vector<std::string> names;
  for (const auto &source : sources)
    names.push_back(source->name);
  add_parameter("Type",
                type,
                "Where the mesh comes from; the parameters of each source are in a subsection.",
                prm,
                dealii::Patterns::Selection(join(names, "|")));
  add_parameter(
    "Element type",
    element_type,
    "Type of the elements. of the source: what a mesh file has, else hex8, hexahedra of eight nodes. "
    "The others are for generated meshes: tet4 and tet10 cut each hexahedron into six tetrahedra; hex20, "
    "hex27 and tet10 are quadratic, with straight lines.",
    prm,
    dealii::Patterns::Selection("of the source|hex8|hex20|hex27|tet4|tet10"));
  add_parameter("Additional refinements",
                refinements,
                "How often to refine the whole mesh once more; each time gives eight times the "
                "elements.",
                prm,
                dealii::Patterns::Integer(0, 10));
}

MaterialParameters::MaterialParameters() : dealii::ParameterAcceptor("/Material")
{
  add_parameter("Young's modulus", material_.youngs_modulus, "Of the solid, force per area.");
  add_parameter("Poisson's ratio", material_.poisson_ratio, "In (-1, 0.5).");
  add_parameter("Strength",
                strength,
                "Yield stress, for the safety factors in log and summary: strength over von Mises "
                "stress at nodes. 0: not known.",
                prm,
                dealii::Patterns::Double(0., 1e300));
  add_choice(
    *this,
    "Volumetric integration",
    has_mean_,
    {{"full", false}, {"mean", true}},
    "Of the part of the stiffness that resists changes of volume. full: as the rest. mean: with the mean "
    "change of volume of an element, so that elements do not lock where Poisson's ratio comes near 0.5.");
  add_choice(
    *this,
    "Element",
    has_modes_,
    {{"trilinear", false}, {"incompatible modes", true}},
    "trilinear: the displacements of the nodes alone, too stiff where one or two elements across a wall bend. "
    "incompatible modes: quadratic ones beside them, eliminated in each element (Wilson, Taylor), so that elements that are "
    "about parallelepipeds bend as they should; a product takes about twice as long.");
}

Material MaterialParameters::get() const
{
  if (!(material_.youngs_modulus > 0. && std::isfinite(material_.youngs_modulus)))
    throw EntryError({"Material"},
                     "Young's modulus",
                     "Young's modulus must be a positive, finite number.");
  if (!(material_.poisson_ratio > -1. && material_.poisson_ratio < 0.5))
    throw EntryError(
      {"Material"},
      "Poisson's ratio",
      "Poisson's ratio must lie between -1 and 0.5, both excluded. Near 0.5 trilinear elements lock "
      "with 'Volumetric integration = full'.");
  if (has_mean_ && has_modes_)
    throw EntryError(
      {"Material"},
      "Element",
      "An element has incompatible modes, or the mean change of volume: leave out 'Element', or "
      "'Volumetric integration'.");
  Material material    = material_;
  material.formulation = has_mean_    ? Formulation::mean_dilatation
                         : has_modes_ ? Formulation::incompatible_modes
                                      : Formulation::full_integration;
  return material;
}

std::pair<std::string, std::string> entry_of(const Formulation formulation)
{
  static constexpr std::pair<const char *, const char *> entries[] = {
    {"", ""}, {"Volumetric integration", "mean"}, {"Element", "incompatible modes"}};
  return entries[static_cast<int>(formulation)];
}

LoadCaseParameters::LoadCaseParameters() : dealii::ParameterAcceptor("/Load cases")
{
  add_parameter(
    "Weights",
    weights,
    "Weights of the load cases in the objective, 'name: weight, name: weight'; those not "
    "named weigh 1. From 1e-12 to 1e12.");
}

Spring::Spring(const std::string &name) : RegionSection("Springs", name)
{
  add_parameter(
    "Stiffness",
    stiffness_,
    "Along x, y, z: force per displacement of the region as a whole; its nodes get equal parts.");
}

std::array<double, 3> Spring::stiffness() const
{
  std::array<double, 3> result{};
  bool any = false, allowed = stiffness_.size() == 3;
  for (std::size_t c = 0; allowed && c < 3; ++c)
    {
      allowed   = stiffness_[c] >= 0. && std::isfinite(stiffness_[c]);
      any       = any || stiffness_[c] > 0.;
      result[c] = stiffness_[c];
    }
  if (!allowed || !any)
    fail("Stiffness",
         "A spring takes three numbers along x, y and z, from 0 on, and one of them above 0.");
  return result;
}

std::string Spring::describe() const
{
  const std::array<double, 3> k = stiffness();
  std::ostringstream text;
  text << "stiffness (" << k[0] << ", " << k[1] << ", " << k[2] << ')';
  return text.str();
}

PointMass::PointMass(const std::string &name) : RegionSection("Masses", name)
{
  add_parameter(
    "Mass",
    mass_,
    "Of the region as a whole, as far as it is meshed; its nodes get equal parts, those on planes of 'Symmetry' half of one. "
    "It counts in modes of vibration, in the unit of 'Density' times a volume.");
}

double PointMass::mass() const
{
  if (!(mass_ > 0.) || !std::isfinite(mass_))
    fail("Mass", "A mass is a number above 0.");
  return mass_;
}

double NonDesignRegion::distance() const
{
  if (!(distance_ >= 0.))
    fail("Distance", "The distance must not be negative.");
  if (distance_ > 0. && !region.has_boundary_ids())
    fail(
      "Distance",
      "It is measured from faces, and the region has no 'Boundary ids'.\n  Name those, or write the "
      "distance into the expression.");
  return distance_;
}

std::string NonDesignRegion::describe() const
{
  std::ostringstream text;
  if (distance_ > 0.)
    text << "within " << distance_ << " of ";
  text << region.describe();
  return text.str();
}

VoidNodes::VoidNodes(const ElementMesh &mesh, MPI_Comm communicator) : communicator_(communicator)
{
  const std::size_t n = mesh.n_elements;
  const double largest =
    cpu::parallel_max(cpu::parts_of_loop(cpu::default_n_threads(), n), n, [&](const std::size_t e) {
      return mesh.flags[e] == DesignFlag::empty ? 1. : 0.;
    });
  const bool here = largest > 0.;
  any_            = dealii::Utilities::MPI::max(here ? 1u : 0u, communicator) > 0;
  if (!any_)
    return;
  // Number of elements at each node that are not void, summed over ranks.
  std::vector<double> touching(mesh.n_nodes, 0.);
  for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
    for (std::size_t e = 0; e < mesh.n_elements; ++e)
      if (mesh.flags[e] != DesignFlag::empty)
        touching[mesh.node(e, v)] += 1.;
  add_to_owners(communicator, mesh, touching);
  is_among_.resize(mesh.n_owned_nodes);
  for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
    is_among_[node] = touching[node] == 0.;
}

void VoidNodes::join(const std::vector<LocalIndex> &nodes)
{
  if (any_ && !std::all_of(nodes.begin(), nodes.end(), [&](const LocalIndex node) {
        return is_among_[node];
      }))
    for (const LocalIndex node : nodes)
      is_among_[node] = false;
}

std::string VoidNodes::note(const std::string &subject, const std::vector<LocalIndex> &nodes) const
{
  if (!any_)
    return {};
  const auto found =
    static_cast<std::size_t>(std::count_if(nodes.begin(), nodes.end(), [&](const LocalIndex node) {
      return is_among_[node];
    }));
  const auto all     = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
  const auto in_void = dealii::Utilities::MPI::sum(found, communicator_);
  if (in_void == 0)
    return {};
  return "NOTE: " + subject + ": " + (in_void == all ? "all" : std::to_string(in_void) + " of") +
         " its " + std::to_string(all) +
         " nodes are in void regions only, where the minimum density alone connects them to the "
         "structure";
}

Problem::Problem(const Deck &deck)
  : deck_folder_(folder_of(deck.file_name()))
  , mesh_sources_(make_mesh_sources())
  , mesh_parameters_(mesh_sources_)
  , materials_(make_named<MaterialRegion>(deck, "Materials"))
  , supports_(make_named<Support>(deck, "Supports"))
  , springs_(make_named<Spring>(deck, "Springs"))
  , point_masses_(make_named<PointMass>(deck, "Masses"))
  , couplings_(make_named<Coupling>(deck, "Couplings"))
  , loads_(make_named<Load>(deck, "Loads"))
  , regions_(make_named<NonDesignRegion>(deck, "Non-design regions"))
{
  for (const auto &load : loads_)
    if (deck.find_entry(load->path(), "Type") == nullptr)
      loads_without_type_.insert(load->name);
}

void Problem::setup(MPI_Comm communicator, const bool with_hierarchy)
{
  communicator_ = communicator;
  notes_.clear();
  material_ = material_parameters_.get();
  make_mesh();
  flag_regions(); // first, so that supports and loads know the void regions
  const std::vector<std::string> regions = std::move(notes_);
  notes_.clear();
  assign_materials();
  apply_supports();
  apply_springs();
  apply_masses();
  tie_touching();
  apply_oblique_supports();
  apply_couplings();
  hierarchy_ = with_hierarchy ? mesh_maker_->make_hierarchy(mesh_.elements) : MeshHierarchy();
  assemble_loads();
  notes_.insert(notes_.end(), regions.begin(), regions.end());
  note_doubts();
}

void Problem::note_region(const std::string &text, const SelectedPart &local, const Region &region)
{
  SelectedPart selection = local;
  selection.sum(communicator_);
  const std::string description = selection.describe(summary_, summary_.n_nodes);
  notes_.push_back(text + (description.empty() ? "" : "\n    " + description));
  if (const std::string note = selection.note(region, summary_, summary_.n_nodes); !note.empty())
    notes_.push_back("NOTE: " + text.substr(0, text.find(':')) + ": " + note);
  for (const std::string &doubt : region.doubts())
    notes_.push_back("NOTE: " + text.substr(0, text.find(':')) + ": " + doubt);
}

void Problem::add_note(const std::string &note)
{
  if (!note.empty())
    notes_.push_back(note);
}

CoarseMesh Problem::make_cells(const MeshSource &source, const ElementType &type)
{
  dealii::Triangulation<3, 3> &triangulation = mesh_maker_->triangulation();
  const unsigned int refinements = source.create(triangulation) + mesh_parameters_.refinements;
  const unsigned int n_cells     = type.n_vertices == 4 ? 6 : 1; // of a hexahedron
  require_room_to_refine(triangulation.n_active_cells(),
                         refinements,
                         source.bytes_per_element == 0.
                           ? 0.
                           : bytes_of_hexahedron +
                               n_cells * (bytes_of_deck_element + bytes_of_flat_cell));
  triangulation.refine_global(refinements);
  try
    {
      return mesh_of_type(type, coarse_mesh_of(triangulation));
    }
  catch (const Error &error)
    {
      throw EntryError({"Mesh"},
                       "Element type",
                       "The mesh '" + source.name + "' cannot be of tetrahedra: " + error.what() +
                         ".\nTake hexahedra, or a mesh file of tetrahedra.");
    }
}

void Problem::make_mesh()
{
  const bool is_of_source = mesh_parameters_.element_type == "of the source";
  ElementType type;
  for (const ElementType &candidate : element_types())
    if (candidate.name == mesh_parameters_.element_type)
      type = candidate;
  const bool is_alone      = dealii::Utilities::MPI::n_mpi_processes(communicator_) == 1;
  mesh_maker_              = std::make_unique<MeshMaker>(communicator_);
  unsigned int refinements = 0;
  std::shared_ptr<const MeshSets> sets;
  bool may_touch = false;
  std::vector<std::string> joined_in_vain;
  for (const auto &source : mesh_sources_)
    if (source->name == mesh_parameters_.type)
      {
        source->deck_folder = deck_folder_;
        // With several ranks, on one machine or on many, none knows the memory left to all.
        source->bytes_per_element     = is_alone ? bytes_of_deck_element : 0.;
        source->bytes_per_coarse_cell = is_alone ? bytes_of_hexahedron : 0.;
        source->bytes_per_flat_cell   = !is_alone                           ? 0.
                                        : mesh_parameters_.refinements == 0 ? bytes_of_flat_cell
                                                                            : bytes_of_hexahedron;
        std::optional<CoarseMesh> cells;
        source->allowed_cells = MeshSource::AllowedCells::all;
        if (!is_of_source && source->touching_faces() != MeshSource::TouchingFaces::none)
          throw EntryError(
            {"Mesh"},
            "Element type",
            "A mesh file says the type of its elements itself. Leave 'Element type' out.");
        if (type != ElementType())
          cells = make_cells(*source, type);
        else if (mesh_parameters_.refinements == 0)
          cells = source->create_cells();
        if (!cells)
          {
            refinements =
              source->create(mesh_maker_->triangulation()) + mesh_parameters_.refinements;
            require_room_to_refine(mesh_maker_->triangulation().n_active_cells(),
                                   refinements,
                                   source->bytes_per_element);
          }
        sets       = source->sets();
        mesh_      = cells ? mesh_maker_->make_mesh(std::move(*cells), sets.get())
                           : mesh_maker_->make_mesh(refinements, sets.get());
        mesh_note_ = source->note();
        may_touch  = source->touching_faces() != MeshSource::TouchingFaces::none;
        ties_      = source->touching_faces() == MeshSource::TouchingFaces::tied;
        if (const std::string entry = source->joined_in_vain(); !entry.empty())
          joined_in_vain.push_back(entry);
      }
  summary_ = MeshSummary::collect(mesh_, communicator_, std::move(sets));
  if (may_touch)
    find_touching_faces(std::move(joined_in_vain));
}

void Problem::apply_springs()
{
  std::vector<double> stiffness(springs_.empty() ? 0 : mesh_.elements.n_owned_dofs(), 0.);
  for (const auto &spring : springs_)
    {
      spring->region.prepare(summary_);
      const std::array<double, 3> whole = spring->stiffness();
      const NodeSet nodes               = select_nodes(mesh_, communicator_, spring->region);
      const auto count                  = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        spring->region.throw_selects_nothing("node", summary_);
      for (const LocalIndex node : nodes)
        for (std::size_t c = 0; c < 3; ++c)
          stiffness[3 * std::size_t(node) + c] += whole[c] / static_cast<double>(count);
      const std::string owner = "spring '" + spring->name + "'";
      const ElementType &type = mesh_.elements.type;
      const std::string parts =
        type.n_nodes > type.n_vertices
          ? " nodes, equal parts, which no uniform spring has on elements of type " +
              std::string(type.name) + " ("
          : " nodes (";
      note_region(owner + ": " + spring->describe() + " on " + std::to_string(count) + parts +
                    spring->region.describe() + ")",
                  selected_nodes(nodes, mesh_, spring->region),
                  spring->region);
      add_note(void_nodes_->note(owner, nodes));
    }
  ElementMesh &mesh = mesh_.elements;
  mesh.spring_dofs =
    numbers_where(stiffness.size(), [&](const std::size_t dof) { return stiffness[dof] > 0.; });
  for (const LocalIndex dof : mesh.spring_dofs)
    mesh.spring_stiffness.push_back(stiffness[dof]);
}

void Problem::note_masses_without_modes()
{
  if (!point_masses_.empty())
    add_note("NOTE: 'Masses' do nothing here, as no response has modes of vibration");
}

void Problem::apply_masses()
{
  masses_.assign(point_masses_.empty() ? 0 : mesh_.elements.n_owned_nodes, 0.);
  if (point_masses_.empty())
    return;
  // A node on a plane of symmetry is half of one of the whole body, whose nodes get equal parts.
  const std::vector<std::uint8_t> planes = mirrors();
  const auto part                        = [&](const LocalIndex node) {
    double part_of_node = 1.;
    for (unsigned int c = 0; c < 3; ++c)
      if ((planes[node] >> c & 1u) != 0)
        part_of_node *= 0.5;
    return part_of_node;
  };
  for (const auto &one : point_masses_)
    {
      one->region.prepare(summary_);
      const double mass   = one->mass();
      const NodeSet nodes = select_nodes(mesh_, communicator_, one->region);
      const auto count    = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        one->region.throw_selects_nothing("node", summary_);
      double parts = 0.;
      for (const LocalIndex node : nodes)
        parts += part(node);
      parts = dealii::Utilities::MPI::sum(parts, communicator_);
      for (const LocalIndex node : nodes)
        masses_[node] += mass * part(node) / parts;
      std::ostringstream text;
      text << "mass '" << one->name << "': " << mass
           << (symmetry_.planes(summary_).empty() ? "" : ", of the part that is meshed,") << " on "
           << count << " nodes, which counts in modes of vibration alone ("
           << one->region.describe() << ")";
      note_region(text.str(), selected_nodes(nodes, mesh_, one->region), one->region);
      add_note(void_nodes_->note("mass '" + one->name + "'", nodes));
    }
}

void Problem::apply_supports()
{
  // Owned DoFs, with the support that prescribes each, and the value.
  struct Prescribed
  {
    LocalIndex dof;
    std::uint32_t support; ///< index into the names
    double value;
  };
  const auto is_before = [](const Prescribed &a, const Prescribed &b) { return a.dof < b.dof; };
  std::vector<Prescribed> prescribed; // ascending; a list, because only few DoFs are prescribed
  std::vector<std::string> names;
  std::string contradiction; // the first on this rank, until all ranks have searched
  const auto prescribe = [&](const NodeSet &nodes, const unsigned int c, const double value) {
    const auto n_before = static_cast<std::ptrdiff_t>(prescribed.size());
    const auto support  = static_cast<std::uint32_t>(names.size() - 1);
    auto earlier        = prescribed.begin();
    std::vector<Prescribed> added;
    for (const LocalIndex node : nodes)
      {
        const Prescribed here{3 * node + c, support, value};
        earlier = std::lower_bound(earlier, prescribed.end(), here, is_before);
        if (earlier == prescribed.end() || earlier->dof != here.dof)
          {
            added.push_back(here);
            continue;
          }
        if (earlier->value != value && contradiction.empty())
          {
            std::ostringstream text;
            text << names[earlier->support] << " and " << names.back()
                 << " prescribe different displacements of one node, " << earlier->value << " and "
                 << value << " along "
                 << "xyz"[c] << " at (" << mesh_.location(node)
                 << ").\n  Let their regions not overlap, or give them the same "
                 << "value.";
            contradiction = text.str();
          }
        earlier->support = support;
      }
    prescribed.insert(prescribed.end(), added.begin(), added.end());
    std::inplace_merge(prescribed.begin(),
                       prescribed.begin() + n_before,
                       prescribed.end(),
                       is_before);
  };
  const auto require_consistency = [&](const std::vector<std::string> &path,
                                       const std::string &entry) {
    for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, contradiction))
      if (!text.empty())
        throw EntryError(path, entry, text);
  };

  const std::vector<SymmetryPlanes::Plane> planes = symmetry_.planes(summary_);
  const MirrorImageNotes images(mesh_, summary_, planes, communicator_);
  for (const auto &support : supports_)
    {
      support->region.prepare(summary_);
      const std::string held = support->describe(); // checks the values, on every rank
      const NodeSet nodes    = select_nodes(mesh_, communicator_, support->region);
      const auto count       = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        support->region.throw_selects_nothing("node", summary_);
      names.push_back("Support '" + support->name + "'");
      for (unsigned int c = 0; c < 3; ++c)
        if (support->holds(c))
          prescribe(nodes, c, support->displacement(c));
      require_consistency(support->path(), "Displacement");
      const std::string owner = "support '" + support->name + "'";
      note_region(owner + ": " + held + " on " + std::to_string(count) + " nodes (" +
                    support->region.describe() + ")",
                  selected_nodes(nodes, mesh_, support->region),
                  support->region);
      add_note(images.of_support(*support));
      add_note(void_nodes_->note(owner, nodes));
    }

  held_by_supports_.clear();
  for (const Prescribed &one : prescribed)
    held_by_supports_.push_back(one.dof);
  for (const SymmetryPlanes::Plane &plane : planes)
    {
      const NodeSet nodes = select_plane(mesh_, plane.component, plane.value, summary_.tolerance());
      const auto count    = dealii::Utilities::MPI::sum(nodes.size(), communicator_);
      if (count == 0)
        throw EntryError({"Symmetry"},
                         "Planes",
                         "No node lies on the plane " + plane.text +
                           ".\n  Boundary of the mesh:\n" + summary_.boundary_table());
      names.push_back("symmetry plane " + plane.text);
      prescribe(nodes, plane.component, 0.);
      require_consistency({"Symmetry"}, "Planes");
      if (symmetry_.mirror_filters() && !plane.passes_through(summary_))
        mesh_.elements.symmetry_planes.push_back({plane.component, plane.value});
      notes_.push_back(
        "symmetry plane " + plane.text + ": " + std::to_string(count) + " nodes" +
        (symmetry_.mirror_filters() ? "" : "; filters, maps and means over nodes end there"));
    }

  std::vector<LocalIndex> dofs;
  std::vector<double> values;
  holders_.clear();
  for (const std::string &name : names)
    holders_.push_back({"s" + name.substr(1), {}});
  for (const Prescribed &one : prescribed)
    {
      dofs.push_back(one.dof);
      values.push_back(one.value);
      holders_[one.support].dofs.push_back(one.dof);
    }
  set_constraints(dofs, values, communicator_, mesh_.elements);
}

std::vector<std::uint8_t> Problem::mirrors() const
{
  const std::size_t n               = mesh_.elements.n_nodes;
  const int n_threads               = cpu::default_n_threads();
  std::vector<std::uint8_t> mirrors = cpu::filled_vector<std::uint8_t>(n_threads, n);
  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    cpu::parallel_for(n_threads, n, [&](const std::size_t node) {
      if (std::abs(mesh_.elements.coordinates[plane.component * n + node] - plane.value) <=
          summary_.tolerance())
        mirrors[node] = static_cast<std::uint8_t>(mirrors[node] | 1u << plane.component);
    });
  return mirrors;
}

std::vector<SymmetryPlane> Problem::symmetry_planes() const
{
  std::vector<SymmetryPlane> planes;
  for (const SymmetryPlanes::Plane &plane : symmetry_.planes(summary_))
    if (!plane.passes_through(summary_))
      planes.push_back({plane.component, plane.value});
  return planes;
}

std::string Problem::describe() const
{
  std::ostringstream out;
  out << "  mesh: " << mesh_parameters_.type << ", " << summary_.n_cells << " elements"
      << (mesh().type == ElementType() ? "" : std::string(" of type ") + mesh().type.name) << ", "
      << summary_.n_nodes << " nodes, " << 3 * summary_.n_nodes << " degrees of freedom\n"
      << (mesh_note_.empty() ? "" : "  " + mesh_note_ + '\n') << mesh_doubts_ << "  boundary ids:\n"
      << summary_.boundary_table() << "  material ids:\n"
      << summary_.material_table() << materials_table();
  for (const std::string &note : notes_)
    out << "  " << note << '\n';
  return out.str();
}

void Problem::flag_regions()
{
  std::vector<DesignFlag> &flags = mesh_.elements.flags; // all are design elements at first
  for (const auto &region : regions_)
    {
      region->region.prepare(summary_);
      const DesignFlag flag     = region->is_solid() ? DesignFlag::solid : DesignFlag::empty;
      const double distance     = region->distance();
      const ElementSet elements = select_elements(mesh_, communicator_, region->region, distance);
      bool overlap              = false;
      for (const LocalIndex e : elements)
        {
          overlap  = overlap || (flags[e] != DesignFlag::design && flags[e] != flag);
          flags[e] = flag;
        }
      if (dealii::Utilities::MPI::max(overlap ? 1u : 0u, communicator_) > 0)
        throw EntryError(region->path(),
                         "Density",
                         "The region shares elements with another one of the other density.\nLet "
                         "solid and void regions not overlap.");
      const auto count = dealii::Utilities::MPI::sum(elements.size(), communicator_);
      if (count == 0)
        region->region.throw_selects_nothing("element", summary_);
      note_region("non-design region '" + region->name + "': " + std::to_string(count) +
                    (region->is_solid() ? " solid" : " void") + " elements (" + region->describe() +
                    ")",
                  selected_elements(elements, mesh_),
                  region->region);
    }
  void_nodes_ = std::make_unique<VoidNodes>(mesh_.elements, communicator_);
}

std::vector<Problem::Selection> Problem::selections() const
{
  std::vector<Selection> all;
  for (const auto &material : materials_)
    all.push_back({"material " + material->name,
                   true,
                   select_elements(mesh_, communicator_, material->region)});
  for (const auto &support : supports_)
    all.push_back(
      {"support " + support->name, false, select_nodes(mesh_, communicator_, support->region)});
  for (const auto &spring : springs_)
    all.push_back(
      {"spring " + spring->name, false, select_nodes(mesh_, communicator_, spring->region)});
  for (const auto &mass : point_masses_)
    all.push_back({"mass " + mass->name, false, select_nodes(mesh_, communicator_, mass->region)});
  for (const auto &coupling : couplings_)
    all.push_back(
      {"coupling " + coupling->name, false, select_nodes(mesh_, communicator_, coupling->region)});
  for (const auto &region : regions_)
    all.push_back({"region " + region->name,
                   true,
                   select_elements(mesh_, communicator_, region->region, region->distance())});
  return all;
}
} // namespace strut
