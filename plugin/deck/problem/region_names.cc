// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/function_parser.h>

#include <strut/base/exceptions.h>
#include <strut/plugin/mesh_summary.h>
#include <strut/plugin/region.h>

#include <algorithm>

#include "plugin/base/spelling.h"
#include "plugin/deck/mesh/mesh_sets.h"

namespace strut::plugin
{
namespace
{
/// Whether a text is an id; `id` is it then.
bool is_id(const std::string &text, unsigned int &id)
{
  if (text.empty() || text.size() > 9 ||
      !std::all_of(text.begin(), text.end(), [](const char c) { return c >= '0' && c <= '9'; }))
    return false;
  id = static_cast<unsigned int>(std::stoul(text));
  return true;
}

/// ". Did you mean 'wall'?", or nothing.
std::string guess(const std::string &name, const std::vector<std::string> &names)
{
  const std::vector<std::string> near = near_names(name, names);
  return near.empty() ? std::string() : " Did you mean '" + near.front() + "'?";
}
} // namespace

Region::Region()  = default;
Region::~Region() = default;

void Region::find_boundaries(const MeshSummary &summary)
{
  boundary_ids_.clear();
  boundary_sets_ = std::make_unique<SetSelection>();
  surfaces_of_two_sides_.clear();
  for (const std::string &text : boundaries_)
    {
      unsigned int id    = 0;
      const bool numeric = is_id(text, id);
      bool found         = numeric && summary.boundary_ids.count(id) > 0;
      if (found)
        boundary_ids_.insert(id);
      std::vector<std::string> names;
      if (summary.sets != nullptr)
        {
          for (const MeshSets::Faces &set : summary.sets->faces)
            {
              names.push_back(set.name);
              if (set.name == text || (numeric && set.id == id))
                {
                  boundary_sets_->add(*summary.sets, set);
                  if (set.has_two_sides)
                    surfaces_of_two_sides_ += (surfaces_of_two_sides_.empty() ? "" : ", ") + text;
                  found = true;
                }
            }
          // a surface goes before nodes of the same name
          for (const MeshSets::Nodes &set : summary.sets->nodes)
            {
              names.push_back(set.name);
              if (!found && set.name == text)
                {
                  boundary_sets_->add(*summary.sets, set);
                  found = true;
                  break;
                }
            }
        }
      if (!found)
        throw EntryError(path_,
                         "Boundary ids",
                         (numeric ? "The mesh has no boundary faces with id " + text + "."
                                  : "The mesh has no boundary of the name '" + text + "'." +
                                      guess(text, names)) +
                           " Boundary ids of this mesh:\n" + summary.boundary_table());
    }
}

void Region::find_materials(const MeshSummary &summary)
{
  material_ids_.clear();
  material_sets_ = std::make_unique<SetSelection>();
  for (const std::string &text : materials_)
    {
      unsigned int id    = 0;
      const bool numeric = is_id(text, id);
      bool found         = numeric && summary.material_ids.count(id) > 0;
      if (found)
        material_ids_.insert(id);
      std::vector<std::string> names;
      if (summary.sets != nullptr)
        for (const MeshSets::Elements &set : summary.sets->elements)
          {
            names.push_back(set.name);
            if (set.name == text || (numeric && set.id == id))
              {
                material_sets_->add(*summary.sets, set);
                found = true;
              }
          }
      if (!found)
        throw EntryError(path_,
                         "Material ids",
                         (numeric ? "The mesh has no elements with material id " + text + "."
                                  : "The mesh has no material of the name '" + text + "'." +
                                      guess(text, names)) +
                           " Material ids of this mesh:\n" + summary.material_table());
    }
}

bool Region::has_face(const DeckMesh &mesh, const DeckMesh::Face &face) const
{
  const std::uint32_t id = mesh.boundary_id(face.element, face.number);
  if (id != CoarseCells::interior && (boundaries_.empty() || boundary_ids_.count(id) > 0))
    return true;
  return !boundaries_.empty() &&
         boundary_sets_->has_face(mesh.coarse_cell(face.element), face.number) &&
         mesh.is_on_coarse_face(face.element, face.number);
}

bool Region::has_node_sets() const
{
  return boundary_sets_->has_nodes();
}

bool Region::has_node(const DeckMesh &mesh, const std::size_t element, const unsigned int v) const
{
  return boundary_sets_->has_node(mesh.place(element), v);
}

bool Region::has_element(const DeckMesh &mesh, const std::size_t element) const
{
  return materials_.empty() || material_ids_.count(mesh.material_id(element)) > 0 ||
         material_sets_->has_cell(mesh.coarse_cell(element));
}
} // namespace strut::plugin
