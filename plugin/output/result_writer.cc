// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/result_writer.h"

#include <deal.II/base/mpi.h>

#include <cctype>
#include <cstdio>
#include <limits>
#include <sstream>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/host_halo.h"
#include "plugin/output/node_means.h"
#include "plugin/output/von_mises.h"
#include "plugin/output/vtu_file.h"

namespace strut::plugin
{
namespace
{
/// VTK's hexahedron goes around its faces, ours counts x, then y, then z.
constexpr std::size_t vertex_of_vtk[8] = {0, 1, 3, 2, 4, 5, 7, 6};

/// "_name" for each load case, with nothing in it that would be trouble in the name of an array, and
/// no two alike. Nothing for a single one.
std::vector<std::string> suffixes(const std::vector<ResultWriter::LoadCaseResult> &results)
{
  if (results.size() < 2)
    return std::vector<std::string>(results.size());
  std::vector<std::string> all;
  std::set<std::string> taken;
  for (const ResultWriter::LoadCaseResult &result : results)
    {
      std::string text = "_" + result.name;
      for (char &c : text)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0)
          c = '_';
      std::string name = text;
      for (unsigned int n = 2; !taken.insert(name).second; ++n)
        name = text + '_' + std::to_string(n);
      all.push_back(name);
    }
  return all;
}

VtuArray points(const ElementMesh &mesh)
{
  return make_vtu_array<float>("Points", 3, mesh.n_owned_nodes, [&mesh](const std::size_t i) {
    return mesh.coordinates[i % 3 * mesh.n_nodes + i / 3];
  });
}

VtuArray connectivity(const ElementMesh &mesh, const GlobalNodeNumbers &numbers)
{
  const auto number = [&](const std::size_t i) {
    return numbers(mesh.connectivity[vertex_of_vtk[i % 8] * mesh.n_elements + i / 8]);
  };
  const std::size_t n = mesh.n_elements;
  return numbers.n_nodes() <= std::numeric_limits<std::int32_t>::max()
           ? make_vtu_array<std::int32_t>("connectivity", 1, 8 * n, number)
           : make_vtu_array<std::int64_t>("connectivity", 1, 8 * n, number);
}

/// 1 for each component of an owned node that is prescribed, else 0.
std::vector<std::int8_t> supports(const ElementMesh &mesh)
{
  std::vector<std::int8_t> held(mesh.n_owned_dofs(), 0);
  for (const LocalIndex dof : mesh.constrained_dofs)
    if (dof < held.size())
      held[dof] = 1;
  return held;
}

template <typename Number, typename T>
VtuArray field(const std::string &name,
               const unsigned int n_components,
               const std::vector<T> &values,
               const std::size_t n)
{
  return make_vtu_array<Number>(name, n_components, n, [&values](const std::size_t i) {
    return values[i];
  });
}
} // namespace

ResultWriter::ResultWriter(const ElementMesh &mesh,
                           const Material &material,
                           std::vector<std::int32_t> material_ids,
                           MPI_Comm communicator,
                           std::string folder,
                           std::string base_name,
                           const bool von_mises)
  : mesh_(mesh)
  , material_(material)
  , material_ids_(std::move(material_ids))
  , communicator_(communicator)
  , folder_(folder.empty() ? "." : std::move(folder))
  , base_name_(std::move(base_name))
  , von_mises_(von_mises)
  , node_numbers_(communicator, mesh)
{
  on_root(communicator_, [this] { create_folder(folder_); });
}

void ResultWriter::write(const unsigned int iteration,
                         const std::vector<double> &densities,
                         const std::vector<double> &stiffness,
                         const std::vector<LoadCaseResult> &results,
                         const Facts &facts)
{
  const std::size_t n_elements = mesh_.n_elements;
  const std::size_t n_nodes    = mesh_.n_owned_nodes;
  VtuContents contents;
  contents.remarks      = facts.remarks;
  contents.numbers      = {{"TimeValue", iteration}, {"iteration", iteration}};
  contents.n_points     = node_numbers_.n_nodes();
  contents.n_cells      = node_numbers_.n_elements();
  contents.points       = points(mesh_);
  contents.connectivity = connectivity(mesh_, node_numbers_);
  contents.numbers.insert(contents.numbers.end(), facts.numbers.begin(), facts.numbers.end());

  // Cell data.
  contents.cell_data = {field<float>("density", 1, densities, n_elements),
                        make_vtu_array<std::int8_t>("design_flag",
                                                    1,
                                                    n_elements,
                                                    [this](const std::size_t e) {
                                                      return static_cast<int>(mesh_.flags[e]);
                                                    }),
                        field<std::int32_t>("material_id", 1, material_ids_, n_elements)};

  // Point data.
  std::vector<double> density_at_nodes =
    means_at_nodes(communicator_, mesh_, densities, [](std::size_t) { return 1.; });
  density_at_nodes.resize(mesh_.n_owned_nodes);
  const std::vector<std::int8_t> held = supports(mesh_);
  contents.point_data = {field<float>("density_at_nodes", 1, density_at_nodes, n_nodes),
                         field<std::int8_t>("support", 3, held, n_nodes)};

  // Both, of each load case. The stress is computed when it is written.
  const std::vector<std::string> ends = suffixes(results);
  for (std::size_t l = 0; l < results.size(); ++l)
    {
      const LoadCaseResult &result = results[l];
      contents.point_data.push_back(
        field<float>("displacement" + ends[l], 3, result.displacement, n_nodes));
      if (result.forces != nullptr)
        contents.point_data.push_back(
          field<float>("nodal_force" + ends[l], 3, *result.forces, n_nodes));
      if (von_mises_)
        {
          const auto stress = [&, this]() {
            std::vector<double> displacement = result.displacement;
            update_ghosts(communicator_, mesh_, displacement);
            const auto values = von_mises_stress(mesh_, material_, stiffness, displacement);
            return field<float>("", 1, values, n_elements).bytes();
          };
          contents.cell_data.push_back({"von_mises" + ends[l], "Float32", 1, stress});
        }
    }

  // The series after the file, so that the file which it names exists.
  write_vtu(communicator_, file_of(iteration, ".vtu"), contents);
  written_.insert(iteration);
  on_root(communicator_, [this] { write_series(); });
}

void ResultWriter::write_series() const
{
  std::ostringstream record;
  record << "<?xml version=\"1.0\"?>\n"
         << "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const unsigned int iteration : written_)
    record << "<DataSet timestep=\"" << iteration << "\" part=\"0\" file=\""
           << result_file(iteration) << "\"/>\n";
  record << "</Collection>\n</VTKFile>\n";
  write_file_atomically(series_file(), record.str());
}

std::string ResultWriter::result_file(const unsigned int iteration, const std::string &ending) const
{
  char number[32];
  std::snprintf(number, sizeof(number), "-%04u", iteration);
  return base_name_ + number + ending;
}

std::string ResultWriter::series_file() const
{
  return folder_ + "/" + base_name_ + ".pvd";
}
} // namespace strut::plugin
