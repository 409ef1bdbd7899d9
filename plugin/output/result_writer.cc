// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/base/exceptions.h>

#include "plugin/output/result_writer.h"

#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/lac/vector.h>
#include <deal.II/numerics/data_out.h>

#include "plugin/output/atomic_file.h"
#include "plugin/output/collective.h"
#include "plugin/output/von_mises.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <list>
#include <sstream>

namespace strut::plugin
{
namespace
{
using NodalVector = dealii::LinearAlgebra::distributed::Vector<double>;

/// "_name" with nothing in it that a VTU cannot have in the name of an array.
std::string suffix(const std::string &name)
{
  std::string text = "_" + name;
  for (char &c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0)
      c = '_';
  return text;
}

std::string numbered(const char *format, const unsigned int number)
{
  char text[32];
  std::snprintf(text, sizeof(text), format, number);
  return text;
}

/// deal.II's active cell index of each element.
std::vector<unsigned int> active_cell_indices(const dealii::DoFHandler<3> &dof_handler,
                                              const ElementMesh &mesh)
{
  std::vector<unsigned int> of_owned_cell;
  for (const auto &cell : dof_handler.get_triangulation().active_cell_iterators())
    if (cell->is_locally_owned())
      of_owned_cell.push_back(cell->active_cell_index());

  std::vector<unsigned int> indices(mesh.n_elements);
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    indices[e] = of_owned_cell[mesh.element_to_cell[e]];
  return indices;
}
} // namespace

ResultWriter::ResultWriter(const dealii::DoFHandler<3, 3> &dof_handler,
                           const ElementMesh &mesh,
                           const Material &material,
                           MPI_Comm communicator,
                           std::string folder,
                           std::string base_name,
                           const bool von_mises)
  : dof_handler_(dof_handler)
  , mesh_(mesh)
  , material_(material)
  , communicator_(communicator)
  , folder_(folder.empty() ? "." : std::move(folder))
  , base_name_(std::move(base_name))
  , von_mises_(von_mises)
{
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &n_ranks_);

  std::string message;
  try
    {
      if (rank_ == 0)
        create_folder(folder_);
    }
  catch (const Error &error)
    {
      message = error.what();
    }
  throw_together(communicator_, message);
}

void ResultWriter::write(const unsigned int iteration,
                         const std::vector<double> &densities,
                         const std::vector<double> &stiffness,
                         const std::vector<LoadCaseResult> &results)
{
  const std::string name = stem(iteration);
  std::string pvtu;
  const std::string vtu = vtu_of_one_rank(name, densities, stiffness, results, iteration, pvtu);

  // The record of the pieces after the pieces, the series after both: what it names is there.
  const std::string folder = folder_ + "/";
  std::string message;
  try
    {
      const std::string piece =
        n_ranks_ == 1 ? "" : numbered(".%04u", static_cast<unsigned int>(rank_));
      write_file_atomically(folder + name + piece + ".vtu", vtu);
    }
  catch (const Error &error)
    {
      message = error.what();
    }
  throw_together(communicator_, message);

  const auto place = std::lower_bound(written_.begin(), written_.end(), iteration);
  if (place == written_.end() || *place != iteration)
    written_.insert(place, iteration);
  try
    {
      if (rank_ == 0)
        {
          if (n_ranks_ > 1)
            write_file_atomically(folder + name + ".pvtu", pvtu);
          // What an earlier run with another number of ranks left under the same iteration.
          std::error_code ignored;
          std::filesystem::remove(folder + name + (n_ranks_ == 1 ? ".pvtu" : ".vtu"), ignored);
          write_series();
        }
    }
  catch (const Error &error)
    {
      message = error.what();
    }
  throw_together(communicator_, message);
}

std::string ResultWriter::vtu_of_one_rank(const std::string &stem,
                                          const std::vector<double> &densities,
                                          const std::vector<double> &stiffness,
                                          const std::vector<LoadCaseResult> &results,
                                          const unsigned int iteration,
                                          std::string &pvtu) const
{
  dealii::DataOut<3> data_out;
  data_out.attach_dof_handler(dof_handler_);

  const std::vector<unsigned int> cell_index = active_cell_indices(dof_handler_, mesh_);
  std::list<dealii::Vector<double>> cell_fields; // a list: DataOut keeps pointers
  const auto add_cell_field = [&](const std::string &name, const auto &value_of_element) {
    dealii::Vector<double> &field =
      cell_fields.emplace_back(dof_handler_.get_triangulation().n_active_cells());
    for (std::size_t e = 0; e < mesh_.n_elements; ++e)
      field[cell_index[e]] = value_of_element(e);
    data_out.add_data_vector(field, name, dealii::DataOut<3>::type_cell_data);
  };
  add_cell_field("density", [&](const std::size_t e) { return densities[e]; });
  add_cell_field("design_flag", [&](const std::size_t e) { return double(mesh_.flags[e]); });

  dealii::IndexSet active_dofs;
  dealii::DoFTools::extract_locally_active_dofs(dof_handler_, active_dofs);
  std::list<NodalVector> nodal_fields;
  for (const LoadCaseResult &result : results)
    {
      const std::string end = results.size() > 1 ? suffix(result.name) : "";
      NodalVector &field =
        nodal_fields.emplace_back(dof_handler_.locally_owned_dofs(), active_dofs, communicator_);
      for (std::size_t i = 0; i < mesh_.n_owned_dofs(); ++i)
        field(mesh_.dof_indices[i]) = result.displacement[i];
      field.update_ghost_values();
      data_out.add_data_vector(
        dof_handler_,
        field,
        std::vector<std::string>(3, "displacement" + end),
        std::vector<dealii::DataComponentInterpretation::DataComponentInterpretation>(
          3, dealii::DataComponentInterpretation::component_is_part_of_vector));

      if (von_mises_)
        {
          std::vector<double> displacement(mesh_.n_dofs());
          for (std::size_t i = 0; i < mesh_.n_dofs(); ++i)
            displacement[i] = field(mesh_.dof_indices[i]);
          const std::vector<double> stress =
            von_mises_stress(mesh_, material_, stiffness, displacement);
          add_cell_field("von_mises" + end, [&](const std::size_t e) { return stress[e]; });
        }
    }

  dealii::DataOutBase::VtkFlags flags;
  flags.time                     = iteration;
  flags.cycle                    = iteration;
  flags.print_date_and_time      = false; // the same run writes the same file
  flags.write_higher_order_cells = false;
  // The enumeration has another name in later deal.II.
  flags.compression_level = decltype(flags.compression_level)::best_speed;
  data_out.set_flags(flags);
  data_out.build_patches();

  if (rank_ == 0 && n_ranks_ > 1)
    {
      std::vector<std::string> pieces;
      for (int rank = 0; rank < n_ranks_; ++rank)
        pieces.push_back(stem + numbered(".%04u", static_cast<unsigned int>(rank)) + ".vtu");
      std::ostringstream record;
      data_out.write_pvtu_record(record, pieces);
      pvtu = record.str();
    }
  std::ostringstream vtu;
  data_out.write_vtu(vtu);
  return vtu.str();
}

void ResultWriter::write_series() const
{
  const std::string ours = n_ranks_ == 1 ? ".vtu" : ".pvtu";
  // After a restart the first part of the series may come from another number of ranks.
  const std::string others = n_ranks_ == 1 ? ".pvtu" : ".vtu";
  std::vector<std::pair<double, std::string>> files;
  for (const unsigned int iteration : written_)
    {
      const std::string name = stem(iteration);
      std::error_code ignored;
      const bool from_others = !std::filesystem::exists(folder_ + "/" + name + ours, ignored) &&
                               std::filesystem::exists(folder_ + "/" + name + others, ignored);
      files.emplace_back(iteration, name + (from_others ? others : ours));
    }
  std::ostringstream record;
  dealii::DataOutBase::write_pvd_record(record, files);
  write_file_atomically(series_file(), record.str());
}

std::string ResultWriter::stem(const unsigned int iteration) const
{
  return base_name_ + numbered("-%04u", iteration);
}

std::string ResultWriter::series_file() const
{
  return folder_ + "/" + base_name_ + ".pvd";
}

const std::vector<unsigned int> &ResultWriter::written() const
{
  return written_;
}

void ResultWriter::set_written(const std::vector<unsigned int> &iterations)
{
  written_ = iterations;
  std::sort(written_.begin(), written_.end());
  written_.erase(std::unique(written_.begin(), written_.end()), written_.end());
}
} // namespace strut::plugin
