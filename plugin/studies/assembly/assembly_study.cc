// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/assembly/assembly_study.h"

#include "source/element/full_integration.h"
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include <fcntl.h>
#include <sys/file.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <utility>

#include "plugin/base/atomic_file.h"
#include "plugin/deck/mesh/mesh_sets.h"
#include "plugin/deck/mesh/mesh_source.h"
#include "plugin/deck/run/versions.h"
#include "plugin/studies/assembly/assembly_mesh.h"
#include "plugin/studies/assembly/assembly_report.h"
#include "plugin/studies/assembly/library_assembly.h"
#include "plugin/studies/assembly/measure_solve.h"
#include "plugin/studies/report/backends.h"
#include "plugin/studies/report/choices.h"
#include "plugin/studies/report/status.h"

namespace strut
{
namespace
{
/// A cell of VTK: its type number, and its points in half edges of the reference element.
struct VtkCell
{
  int type;
  std::vector<std::array<int, 3>> points;
};

using Edges = std::vector<std::array<std::size_t, 2>>;

/// Adds the midpoints of the edges, in VTK's order.
VtkCell with_midpoints(const int type, std::vector<std::array<int, 3>> points, const Edges &edges)
{
  for (const auto &[a, b] : edges)
    {
      std::array<int, 3> middle{};
      for (std::size_t d = 0; d < 3; ++d)
        middle[d] = (points[a][d] + points[b][d]) / 2;
      points.push_back(middle);
    }
  return {type, std::move(points)};
}

VtkCell vtk_cell(const ElementType type)
{
  const std::vector<std::array<int, 3>> cube        = {{{0, 0, 0}},
                                                       {{2, 0, 0}},
                                                       {{2, 2, 0}},
                                                       {{0, 2, 0}},
                                                       {{0, 0, 2}},
                                                       {{2, 0, 2}},
                                                       {{2, 2, 2}},
                                                       {{0, 2, 2}}};
  const std::vector<std::array<int, 3>> tetrahedron = {{{0, 0, 0}},
                                                       {{2, 0, 0}},
                                                       {{0, 2, 0}},
                                                       {{0, 0, 2}}};
  switch (type)
    {
      case ElementType::hex20:
      case ElementType::hex20_irons:
        return with_midpoints(25,
                              cube,
                              {{{0, 1}},
                               {{1, 2}},
                               {{2, 3}},
                               {{3, 0}},
                               {{4, 5}},
                               {{5, 6}},
                               {{6, 7}},
                               {{7, 4}},
                               {{0, 4}},
                               {{1, 5}},
                               {{2, 6}},
                               {{3, 7}}});
      case ElementType::tet4:
        return {10, tetrahedron};
      case ElementType::tet10:
        return with_midpoints(24,
                              tetrahedron,
                              {{{0, 1}}, {{1, 2}}, {{2, 0}}, {{0, 3}}, {{1, 3}}, {{2, 3}}});
      case ElementType::hex8:
        break;
    }
  return {12, cube};
}

/// Returns the node of our element at the place of each point of a VTK cell.
std::vector<int> nodes_of_vtk(const ElementType type, const VtkCell &cell)
{
  std::vector<int> nodes;
  with_element(type, [&](const auto element) {
    using Element = decltype(element);
    for (const std::array<int, 3> &point : cell.points)
      for (int node = 0; node < Element::n_nodes; ++node)
        if (Element::position(node, 0) == point[0] && Element::position(node, 1) == point[1] &&
            Element::position(node, 2) == point[2])
          nodes.push_back(node);
  });
  return nodes;
}

/// Writes a mesh of any element type with displacements at its nodes, for ParaView, in VTK's legacy
/// binary format. The file is written completely or not at all. Quadratic elements keep their
/// midpoints.
/// @param displacement  `[3 * n_nodes]`
/// @throws Error if the file cannot be written
void write_displacement(const std::string &file_name,
                        const AssemblyMesh &mesh,
                        const std::vector<double> &displacement)
{
  const Connectivity &connectivity = mesh.connectivity;
  const std::size_t n_nodes = connectivity.n_nodes, n_elements = connectivity.n_elements;
  const VtkCell cell           = vtk_cell(mesh.element_type);
  const std::vector<int> nodes = nodes_of_vtk(mesh.element_type, cell);

  std::string file;
  const auto line   = [&](const std::string &text) { file += text + '\n'; };
  const auto number = [&](const auto value) { // the most significant byte first, as the format asks
    static_assert(sizeof(value) == 4);
    std::uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    for (int shift = 24; shift >= 0; shift -= 8)
      file += static_cast<char>(bits >> shift & 0xffu);
  };
  line("# vtk DataFile Version 3.0");
  line("displacement of a matrix generated by strut-assemble");
  line("BINARY\nDATASET UNSTRUCTURED_GRID");
  line("POINTS " + std::to_string(n_nodes) + " float");
  for (std::size_t node = 0; node < n_nodes; ++node)
    for (std::size_t d = 0; d < 3; ++d)
      number(static_cast<float>(mesh.coordinates[d * n_nodes + node]));
  line("\nCELLS " + std::to_string(n_elements) + ' ' +
       std::to_string(n_elements * (nodes.size() + 1)));
  for (std::size_t e = 0; e < n_elements; ++e)
    {
      number(static_cast<std::int32_t>(nodes.size()));
      for (const int node : nodes)
        number(static_cast<std::int32_t>(connectivity.node(e, node)));
    }
  line("\nCELL_TYPES " + std::to_string(n_elements));
  for (std::size_t e = 0; e < n_elements; ++e)
    number(static_cast<std::int32_t>(cell.type));
  line("\nPOINT_DATA " + std::to_string(n_nodes) + "\nVECTORS displacement float");
  for (const double value : displacement)
    number(static_cast<float>(value));
  line("");
  write_file_atomically(file_name, file);
}

/// Larger than any cache. With a gigabyte, one thread would take longer than the generation.
constexpr std::size_t n_bytes_on_cpu = std::size_t(1) << 28;

/// Waits for the file's lock, and keeps it until the program ends.
void lock(const std::string &file)
{
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0)
    throw Error("--lock " + file + ": the file cannot be locked: " + std::strerror(errno) +
                ".\n  Name a file in a folder where you may write.");
}

bool is_tetrahedron(const ElementType type)
{
  return type == ElementType::tet4 || type == ElementType::tet10;
}

/// The triangulations of a deck. Hexahedra come from its mesh source. Each is cut into 24
/// tetrahedra by deal.II's convert_hypercube_to_simplex_mesh(), with its boundary ids, material ids
/// and manifolds. A mesh file may also contain tetrahedra itself.
class AssemblyGeometry
{
public:
  /// @throws EntryError for parameters that give no mesh
  explicit AssemblyGeometry(const AssemblyDeck &deck)
    : cells_(std::make_unique<dealii::Triangulation<3>>())
  {
    double bytes_per_element = bytes_of_hexahedron;
    for (const ElementType type : deck.assembly.element_types())
      if (is_tetrahedron(type))
        bytes_per_element = bytes_of_hexahedron + bytes_of_cut_hexahedron;
    for (const auto &source : deck.mesh_sources)
      if (source->name == deck.mesh.type)
        {
          source->allows_tetrahedra      = true;
          source->bytes_per_element      = bytes_per_element;
          const unsigned int refinements = source->create(*cells_) + deck.mesh.refinements;
          if (refinements > 0 && !cells_->all_reference_cells_are_hyper_cube())
            throw EntryError(
              {"Mesh"},
              deck.mesh.refinements > 0 ? "Additional refinements" : "Type",
              "A mesh of tetrahedra cannot be refined here.\n  Set all refinements to 0 "
              "and make the mesh finer where it comes from.");
          require_room_to_refine(cells_->n_active_cells(), refinements, bytes_per_element);
          cells_->refine_global(refinements);
          if (const auto sets = source->sets(); sets != nullptr)
            for (const MeshSets::Faces &set : sets->faces)
              if (!set.name.empty())
                boundary_names.emplace(set.name, set.id);
        }
  }

  /// The cells for elements of this type.
  /// @throws EntryError if the mesh has tetrahedra and the type needs hexahedra
  const dealii::Triangulation<3> &cells(const ElementType type)
  {
    const bool of_tetrahedra = is_tetrahedron(type);
    if (cells_->all_reference_cells_are_hyper_cube() != of_tetrahedra)
      return *cells_;
    if (!of_tetrahedra)
      throw EntryError(
        {"Assembly"},
        "Element types",
        "Elements of type " + std::string(name(type)) +
          " need hexahedra, and the mesh file has tetrahedra.\n  Choose tet4 or tet10.");
    if (tetrahedra_ == nullptr)
      {
        tetrahedra_ = std::make_unique<dealii::Triangulation<3>>();
        dealii::GridGenerator::convert_hypercube_to_simplex_mesh(*cells_, *tetrahedra_);
        for (const auto id : cells_->get_manifold_ids())
          if (id != dealii::numbers::flat_manifold_id)
            tetrahedra_->set_manifold(id, cells_->get_manifold(id));
      }
    return *tetrahedra_;
  }

  /// Boundary ids by the names of a mesh file.
  std::map<std::string, unsigned int> boundary_names;

private:
  std::unique_ptr<dealii::Triangulation<3>> cells_;
  std::unique_ptr<dealii::Triangulation<3>> tetrahedra_;
};
} // namespace

void study_assembly(AssemblyDeck &deck,
                    const std::string &output,
                    const std::string &lock_file,
                    std::ostream &log)
{
  const std::vector<std::string> backends = deck.place.chosen_backends();
  const std::string folder                = !output.empty()                 ? output
                                            : deck.output.directory.empty() ? "output/" + deck.base_name
                                                                            : deck.output.directory;
  create_folder(folder);
  const Material material = deck.material.get();
  require_full_integration(material, "strut-assemble", "compare operators with strut-compare");
  const GenerationChoices choices = deck.assembly.choices();
  AssemblyResults results(log);
  results.deck  = deck.base_name;
  results.label = {{"program", strut_version()},
                   {"date", today()},
                   {"deck", deck.deck.file_name()},
                   {"libraries", library_versions()}};
  log << strut_version() << ", " << library_versions() << std::endl;

  AssemblyGeometry geometry(deck);
  deck.solve.find_boundaries(geometry.boundary_names);
  std::vector<Place> places;
  for (const ElementType type : deck.assembly.element_types())
    {
      const auto &cells            = geometry.cells(type);
      const TriangulationMesh mesh = build_assembly_mesh(cells, type);
      std::optional<GeneratedProblem> problem;
      if (deck.solve.wanted) // reports errors before the measurements
        problem = generated_problem(mesh, deck.solve);
      const Connectivity &connectivity = mesh.mesh.connectivity;
      results.meshes.push_back({name(type), connectivity.n_elements, connectivity.n_nodes});
      if (places.empty())
        {
          if (!lock_file.empty())
            lock(lock_file);
          const auto add = [&](Place place) {
            log << place.text << std::endl;
            places.push_back(std::move(place));
          };
          for_each_place(backends,
                         deck.place.threads,
                         Communicator(MPI_COMM_SELF),
                         results.label,
                         add,
                         n_bytes_on_cpu);
        }
      log << '\n'
          << name(type) << ": " << connectivity.n_elements << " elements, " << connectivity.n_nodes
          << " nodes, " << 3 * connectivity.n_nodes << " degrees of freedom" << std::endl;
      std::vector<double> reference;
      if (problem && contains<std::string>(deck.assembly.libraries, "deal.II"))
        reference = solve_with_library(cells, mesh, material, deck.solve, results);
      for (const Place &place : places)
        {
          log << ' ' << place.key << std::endl;
          measure_generation(place, mesh.mesh, material, choices, results);
          if (place.backend().name() == "cpu")
            for (const std::string &library : deck.assembly.libraries)
              measure_library(
                {library, place.n_threads, choices.n_runs}, cells, mesh, material, results);
          if (problem)
            if (const std::vector<double> u = measure_solve(
                  place, *problem, material, choices.formats, deck.solve, reference, results);
                !u.empty())
              write_displacement(folder + '/' + results.deck + '.' + name(type) + '.' +
                                   place.backend().name() + ".vtk",
                                 problem->mesh,
                                 u);
          write_reports(folder, results);
        }
    }
  for (const Section &section : overview(results))
    log << '\n' << section.heading.substr(3) << '\n' << section.table.text(); // without "## "
  log << "\nWritten: " << folder << '/' << results.deck
      << ".assembly.md (all stages and steps), .assembly.csv, .memory.csv" << std::endl;
  if (!none_failed(results.stages))
    throw Error("Values are wrong: see the column 'status'.\n  Their times mean nothing; please "
                "report it with the deck.");
}
} // namespace strut
