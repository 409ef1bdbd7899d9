// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/bounding_box.h>
#include <deal.II/base/patterns.h>

#include <deal.II/grid/tria.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/base/named_file.h"
#include "plugin/deck/mesh/file_mesh.h"
#include "plugin/deck/mesh/file_triangulation.h"
#include "plugin/deck/mesh/gmsh_binary.h"
#include "plugin/deck/mesh/included_text.h"
#include "plugin/deck/mesh/line_reader.h"
#include "plugin/deck/mesh/mesh_source.h"
#include "source/base/parallel_loop.h"
#include "source/mesh/faces.h"

namespace strut
{
namespace
{
/// A format with its name in the deck.
struct Format
{
  const char *name;
  FileMesh (*read)(const std::string &text);
};
constexpr Format formats[] = {{"msh", read_gmsh}, {"abaqus", read_abaqus}, {"vtk", read_vtk}};

/// The format AVS UCD, which strut recognises only to say how to convert it.
constexpr const char *ucd = "ucd";

/// Whether a line begins a section of a Gmsh file. Comments of Nastran begin with '$', too.
bool begins_gmsh(const std::string_view line)
{
  for (const char *const section :
       {"$MeshFormat", "$PhysicalNames", "$Entities", "$Nodes", "$Elements", "$Comments", "$NOD"})
    if (line == section)
      return true;
  return false;
}

/// Returns the name of the format that the beginning of a text shows, or "auto" if it is unknown.
std::string recognise_format(const std::string &text)
{
  LineReader reader(text);
  while (reader.next())
    {
      if (reader.line().rfind("# vtk", 0) == 0)
        return "vtk";
      if (begins_gmsh(reader.line()))
        return "msh";
      if (reader.line().front() == '*')
        return "abaqus";
      if (reader.line().front() == '#')
        continue; // comments come first in UCD
      // A file of AVS UCD begins with five numbers: of nodes, of cells, and of three kinds of data.
      long number = 0;
      const bool is_whole =
        std::all_of(reader.words().begin(), reader.words().end(), [&](const auto word) {
          return parse_integer(word, number);
        });
      return is_whole && reader.words().size() == 5 ? ucd : "auto";
    }
  return "auto";
}

/// Lines and faces of the file that belong to no hexahedron, by their vertices.
class Strays
{
public:
  explicit Strays(const FileMesh &mesh) : is_used_(mesh.points.size(), 0)
  {
    for (const FileMesh::Line &line : mesh.lines)
      add({{line.ends[0], line.ends[1], FileMesh::none, FileMesh::none}}, line.line);
    for (std::size_t f = 0; f < mesh.faces.size(); ++f)
      add(mesh.faces[f], mesh.lines_of_faces[f]);
    std::sort(all_.begin(), all_.end());
    found_.assign(all_.size(), 0);
    cpu::parallel_for(cpu::default_n_threads(), mesh.cells.size(), [&](const std::size_t c) {
      const FileMesh::Cell &cell = mesh.cells[c];
      for (unsigned int d = 0; d < 3; ++d)
        for (unsigned int v = 0; v < 8; ++v)
          if ((v >> d & 1u) == 0)
            find({{cell[v], cell[v | 1u << d], FileMesh::none, FileMesh::none}});
      for (const auto &face : around_face)
        find({{cell[face[0]], cell[face[1]], cell[face[2]], cell[face[3]]}});
    });
  }

  /// Returns "3 lines that are no edges of hexahedra (first: line 12)", or nothing if there are
  /// none.
  /// @param is_line  true: lines, false: faces
  std::string list(const bool is_line) const
  {
    std::size_t n = 0, first = 0;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (found_[i] == 0 && (all_[i].first[2] == FileMesh::none) == is_line)
        {
          first = n == 0 ? all_[i].second : std::min(first, all_[i].second);
          ++n;
        }
    return n == 0 ? ""
                  : std::to_string(n) +
                      (is_line ? " lines that are no edges" : " faces that are no faces") +
                      " of hexahedra (first: line " + std::to_string(first) + ")";
  }

private:
  void add(FileMesh::Face points, const std::size_t line)
  {
    for (const unsigned int point : points)
      if (point != FileMesh::none)
        is_used_[point] = 1;
    std::sort(points.begin(), points.end());
    all_.emplace_back(points, line);
  }

  void find(FileMesh::Face points)
  {
    for (const unsigned int point : points)
      if (point != FileMesh::none && is_used_[point] == 0)
        return;
    std::sort(points.begin(), points.end());
    for (auto at =
           std::lower_bound(all_.begin(), all_.end(), std::make_pair(points, std::size_t(0)));
         at != all_.end() && at->first == points;
         ++at)
      __atomic_store_n(&found_[static_cast<std::size_t>(at - all_.begin())], 1, __ATOMIC_RELAXED);
  }

  std::vector<std::uint8_t> is_used_; ///< points that a line or face uses
  std::vector<std::pair<FileMesh::Face, std::size_t>> all_;
  std::vector<std::uint8_t> found_;
};

/// A note on elements that may carry load in another program, but are left out of a mesh of
/// hexahedra. In an Abaqus file with sections, these are its structural elements. Otherwise they
/// are lines and faces that are no edges and faces of hexahedra. The note is empty if there are
/// none.
std::string note_on_left_out(const FileMesh &mesh)
{
  std::string list = mesh.contents.has_sections ? mesh.contents.list_carriers() : "";
  if (!mesh.contents.has_sections && (!mesh.lines.empty() || !mesh.faces.empty()) &&
      !mesh.has_tetrahedra())
    {
      const Strays strays(mesh);
      list                    = strays.list(true);
      const std::string faces = strays.list(false);
      list += (list.empty() || faces.empty() ? "" : ", ") + faces;
    }
  if (list.empty())
    return "";
  const std::string solids = mesh.has_tetrahedra() ? "tetrahedra" : "hexahedra";
  return "NOTE: the file has elements beside its " + solids +
         " that may carry load, and strut leaves them out: " + list +
         ". Mesh what they stand for with " + solids +
         ", or replace it by supports or springs; where they only "
         "give names to edges and faces, nothing is missing";
}

/// A mesh from a file: of linear hexahedra, or of other cells for callers that allow them.
class MeshFile : public MeshSource
{
public:
  MeshFile() : MeshSource("file", "File")
  {
    add_parameter("File name",
                  file_name_,
                  "Mesh file. A relative name is looked up from the working directory, then from "
                  "the folder of the parameter file.");
    add_parameter("Format",
                  format_,
                  "Format of the file: Gmsh's .msh, Abaqus' .inp, legacy VTK; auto looks at "
                  "how it begins.",
                  dealii::ParameterAcceptor::prm,
                  dealii::Patterns::Selection("auto|msh|abaqus|vtk"));
    add_parameter("Scale",
                  scale_,
                  "Factor on all coordinates, for example 0.001 for a file in millimetres.");
    add_parameter(
      "Merge nodes",
      merge_nodes_,
      "Whether nodes closer than a millionth of the longest side become one. This joins "
      "parts of an assembly that touch there, or volumes that were meshed separately, if "
      "their meshes match.");
    add_parameter(
      "Tie touching faces",
      tie_,
      "Whether faces that lie on each other in a plane, and are not joined, are tied: the "
      "displacements of one side follow the other's. false: such a mesh is refused.");
    add_parameter(
      "Refinements",
      refinements_,
      "How often to split all hexahedra of the file into eight; multigrid has one level "
      "more than this.");
  }

  std::optional<CoarseMesh> create_cells() const override
  {
    if (refinements_ > 0)
      return std::nullopt;
    CoarseMesh cells;
    read([&](FileMesh mesh) {
      FileCells made = make_cells(std::move(mesh));
      cells          = std::move(made.coarse);
      return std::move(made.sets);
    });
    return cells;
  }

  unsigned int create(dealii::Triangulation<3, 3> &triangulation) const override
  {
    // copy_triangulation() copies the smoothing as well
    dealii::Triangulation<3> serial(triangulation.get_mesh_smoothing());
    read([&](FileMesh mesh) {
      if (allowed_cells == AllowedCells::all)
        require_refinable({"Mesh"}, "Additional refinements", mesh.contents);
      return make_triangulation(std::move(mesh), serial);
    });
    triangulation.copy_triangulation(serial);
    return refinements_;
  }

  std::shared_ptr<const MeshSets> sets() const override
  {
    return sets_;
  }

  TouchingFaces touching_faces() const override
  {
    return tie_ ? TouchingFaces::tied : TouchingFaces::refused;
  }

  std::string joined_in_vain() const override
  {
    return merge_nodes_ && n_merged_ == 0 ? "Merge nodes" : "";
  }

  std::string note() const override
  {
    std::string text;
    for (const std::string &remark : remarks_)
      text += (text.empty() ? "" : "\n  ") + remark;
    if (merge_nodes_)
      text += (text.empty() ? "" : "\n  ") +
              ("Merge nodes: " + std::to_string(n_merged_) +
               " nodes of the file were at the places of others, and are merged");
    return text;
  }

  std::string boundaries() const override
  {
    return "as in the file, by number or by name (Gmsh: physical surfaces; Abaqus: surfaces; VTK: "
           "quadrilaterals with a number; 0 where there is none); materials likewise (Gmsh: physical "
           "volumes; Abaqus: element sets; VTK: hexahedra with a number)";
  }

private:
  /// Reads the file, passes its mesh to `make`, and keeps the sets. @param make  returns the sets
  template <typename Make>
  void read(const Make &make) const
  {
    require_positive("Scale", scale_);
    const std::string path = find();
    std::string text       = text_of(path);

    sets_.reset();
    const std::string name = format_ == "auto" ? recognise_format(text) : format_;
    const auto *const format =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format &candidate) {
        return candidate.name == name;
      });
    if (name == ucd)
      fail(
        "File name",
        "\"" + path + "\" is an AVS UCD file, which strut does not read. Convert it with meshio " +
          "for Python, numbers of materials and boundaries included: m = meshio.read(\"" + path +
          "\", \"avsucd\"); m.cell_data[\"gmsh:physical\"] = m.cell_data[\"gmsh:geometrical\"] = " +
          "m.cell_data.pop(\"avsucd:material\"); meshio.write(\"mesh.msh\", m, \"gmsh22\", binary=False)");
    if (format == std::end(formats))
      fail("File name",
           "\"" + path + "\" does not begin as one of the formats that strut reads: Gmsh .msh " +
             "($MeshFormat), Abaqus .inp (*HEADING), VTK .vtk (# vtk). " +
             "If it is one of these, name it: set Format = msh | abaqus | vtk. " +
             "Gmsh opens others, such as .bdf and .unv, and exports .msh.");
    std::optional<IncludedText> whole; // of Abaqus
    bool is_converted = false;
    try
      {
        if (name == "msh" && is_binary_gmsh(text))
          {
            text         = gmsh_text(text);
            is_converted = true;
          }
        if (name == "abaqus")
          whole.emplace(std::move(text), path);
        FileMesh mesh = format->read(whole ? whole->text() : text);
        require_kinds(path, mesh.contents);
        require_sound_points(mesh);
        remarks_ = mesh.remarks;
        if (const std::string left_out = note_on_left_out(mesh); !left_out.empty())
          remarks_.push_back(left_out);
        for (dealii::Point<3> &point : mesh.points)
          point *= scale_;
        if (merge_nodes_)
          n_merged_ = merge_points(mesh, tolerance(mesh));
        sets_ = std::make_shared<MeshSets>(make(std::move(mesh)));
        if (!sets_->note.empty())
          remarks_.push_back(sets_->note);
        if (whole)
          for (std::string &remark : remarks_)
            remark = whole->explain(remark);
      }
    catch (const MeshFileError &error)
      {
        fail("File name",
             "\"" + path + "\" as " + format->name + ": " +
               (whole ? whole->explain(error.what()) : error.what()) +
               (is_converted && std::string(error.what()).rfind("line ", 0) == 0
                  ? " (the file is binary; lines are those of the same sections as text)"
                  : "") +
               ".",
             error.place);
      }
  }

  /// Throws MeshFileError unless the cubes of all lengths are finite and the mesh is larger than a
  /// point.
  static void require_sound_points(const FileMesh &mesh)
  {
    for (const dealii::Point<3> &point : mesh.points)
      if (point.norm() > 1e60)
        throw MeshFileError("a node is at (" + to_text(point[0]) + ", " + to_text(point[1]) + ", " +
                            to_text(point[2]) + "), which is too far away to compute with");
  }

  /// Distance below which two nodes count as coincident.
  static double tolerance(const FileMesh &mesh)
  {
    const dealii::BoundingBox<3> box(mesh.points);
    return 1e-6 * std::max({box.side_length(0), box.side_length(1), box.side_length(2)});
  }

  void require_kinds(const std::string &path, const MeshFileContents &contents) const
  {
    const bool of_tetrahedra = contents.n_of("hexahedra") == 0 && contents.n_of("tetrahedra") > 0;
    if (allowed_cells == AllowedCells::all ||
        (allowed_cells == AllowedCells::linear && of_tetrahedra))
      require_one_type(path, contents);
    else
      require_hexahedra(path, contents);
    if (refinements_ > 0)
      require_refinable({"Mesh", title}, "Refinements", contents);
  }

  /// Throws EntryError for an entry that asks for refinement of cells other than linear hexahedra.
  void require_refinable(const std::vector<std::string> &subsection,
                         const std::string &entry,
                         const MeshFileContents &contents) const
  {
    if (const std::string others = contents.list_others(3); !others.empty())
      throw EntryError(subsection,
                       entry,
                       "Linear hexahedra are refined, and \"" + file_name_ + "\" has " + others +
                         ".\n  Leave this entry out, and make a finer mesh.");
  }

  std::string find() const
  {
    const NamedFile file = NamedFile::find(file_name_, deck_folder, "mesh file");
    if (!file.obstacle.empty())
      fail("File name", file.obstacle);
    return file.path;
  }

  /// Returns the text of the file without the byte order mark with which editors on Windows begin.
  std::string text_of(const std::string &path) const
  {
    std::string text;
    try
      {
        text = file_contents(path);
      }
    catch (const Error &error)
      {
        fail("File name", error.reason);
      }
    if (text.empty())
      fail("File name", "\"" + path + "\" is empty.");
    if (text.rfind("\xEF\xBB\xBF", 0) == 0)
      text.erase(0, 3);
    if (text.rfind("\xFF\xFE", 0) == 0 || text.rfind("\xFE\xFF", 0) == 0)
      fail("File name",
           "\"" + path + "\" is in UTF-16, two bytes for each letter. Save it as UTF-8 or ASCII.");
    return text;
  }

  void require_hexahedra(const std::string &path, const MeshFileContents &contents) const
  {
    const std::string others = contents.list_others(3);
    const std::string hexahedra =
      contents.n_of("hexahedra") == 0
        ? ""
        : " beside " + std::to_string(contents.n_of("hexahedra")) + " hexahedra";
    if (!others.empty())
      fail("File name",
           "\"" + path + "\" has " + others + hexahedra + "; strut takes linear hexahedra only." +
             contents.remedies());
    if (contents.n_of("hexahedra") == 0)
      {
        const std::string flat = contents.list_others(2);
        fail("File name",
             "\"" + path + "\" has no hexahedra" +
               (flat.empty() ? std::string() : ": it is a two-dimensional mesh of " + flat) +
               "; strut needs a mesh of solids. In Gmsh: extrude with Layers and Recombine, mesh " +
               "with -3, and see that the volumes are in a physical group.");
      }
  }

  void require_one_type(const std::string &path, const MeshFileContents &contents) const
  {
    const bool all          = allowed_cells == AllowedCells::all;
    const std::string cells = contents.list(3), flat = contents.list(2);
    if (cells.empty())
      fail("File name",
           "\"" + path + "\" has no solids" +
             (flat.empty() ? std::string() : ": it is a two-dimensional mesh of " + flat) +
             "; strut needs a mesh of solids. In Gmsh: mesh with -3, and see that the volumes are "
             "in a physical group.");
    if (!contents.is_of_one_type())
      fail("File name",
           "\"" + path + "\" has " + cells + "; cells of one kind are needed, " +
             (all ? "hexahedra of 8, 20 or 27 nodes or tetrahedra of 4 or 10." +
                      contents.remedies(all)
                  : "linear tetrahedra or linear hexahedra."));
  }

  std::string file_name_    = "";
  std::string format_       = "auto";
  double scale_             = 1.;
  unsigned int refinements_ = 0;
  bool merge_nodes_         = false;
  bool tie_                 = false;
  mutable std::shared_ptr<const MeshSets> sets_;
  mutable std::size_t n_merged_ = 0;
  mutable std::vector<std::string> remarks_;
};
} // namespace

std::unique_ptr<MeshSource> make_mesh_file()
{
  return std::make_unique<MeshFile>();
}
} // namespace strut
