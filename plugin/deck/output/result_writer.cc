// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/result_writer.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <new>
#include <system_error>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/host_halo.h"
#include "plugin/base/xml_text.h"
#include "plugin/deck/output/array_names.h"
#include "plugin/deck/output/node_means.h"
#include "plugin/deck/output/part_of_mesh.h"
#include "plugin/deck/output/surface_writer.h"
#include "source/base/filled_vector.h"
#include "source/base/text.h"
#include "source/base/text_stream.h"
#include "source/element/principal_stresses.h"
#include "source/optimization/design_pieces.h"

namespace strut
{
namespace
{
/// Returns a suffix "_name" for each load case, valid in the name of an array and unique. A single
/// load case has no suffix.
std::vector<std::string> suffixes(const std::vector<ResultWriter::LoadCaseResult> &results)
{
  if (results.size() < 2)
    return std::vector<std::string>(results.size());
  std::vector<std::string> all;
  ArrayNames array_name;
  for (const ResultWriter::LoadCaseResult &result : results)
    all.push_back(array_name("_" + result.name));
  return all;
}
} // namespace

struct ResultWriter::Fields
{
  SharedField density;
  std::vector<float> density_at_nodes                          = {};
  std::shared_ptr<const PartOfMesh> part                       = {}; ///< nullptr: the whole mesh
  std::vector<bool> support                                    = {};
  std::vector<LoadCaseResult> load_cases                       = {};
  std::vector<double> stiffness                                = {}; ///< for stresses
  std::vector<std::pair<std::string, SharedField>> cell_fields = {};
};

ResultWriter::ResultWriter(const ElementMesh &mesh,
                           const SolidsOfElements &solids,
                           std::function<std::int32_t(std::size_t)> material_id,
                           MPI_Comm communicator,
                           std::string folder,
                           std::string base_name,
                           const bool von_mises,
                           const int n_threads,
                           const ResultFields result_fields)
  : mesh_(mesh)
  , material_(solids.material)
  , solids_(solids.solids)
  , material_id_(std::move(material_id))
  , communicator_(communicator)
  , folder_(folder.empty() ? "." : std::move(folder))
  , base_name_(std::move(base_name))
  , von_mises_(von_mises)
  , n_threads_(n_threads)
  , result_fields_(result_fields)
  , mesh_in_vtu_(communicator, mesh)
  , steps_(communicator_)
{
  on_root(communicator_, [this] { create_folder(folder_); });
}

ResultWriter::~ResultWriter()
{
  if (is_compressing_mesh_)
    prepared_mesh_->stop();
}

void ResultWriter::prepare_mesh()
{
  if (result_fields_ == ResultFields::surface || prepared_mesh_ != nullptr)
    return;
  wait();
  const VtuContents mesh  = mesh_in_vtu_.contents();
  const std::size_t n_own = mesh.points.bytes.n_bytes + mesh.connectivity.bytes.n_bytes;
  // Compression makes them smaller by an unknown factor.
  const std::size_t n = communicator_.sum(n_own);
  std::error_code error;
  const bool has_room = communicator_.rank() != 0 ||
                        (std::filesystem::space(folder_, error).available / 2 > n && !error);
  why_mesh_is_not_shared_.clear();
  if (communicator_.any(!has_room))
    {
      why_mesh_is_not_shared_ = folder_ + " has less room than twice its size, " +
                                format_bytes(2. * static_cast<double>(n)) + " before compression";
      return;
    }
  try
    {
      prepared_mesh_ = compressed_mesh(communicator_, mesh, folder_ + '/' + base_name_ + ".mesh");
    }
  catch (const Error &error) // thrown by all ranks
    {
      why_mesh_is_not_shared_ = error.reason;
      return;
    }
  is_compressing_mesh_ = true;
  mesh_failed_         = true; // until it is finished
  const auto compress  = [this] {
    try
      {
        const int half = std::max(1, n_threads_ / 2); // the run needs the other threads
        prepared_mesh_->compress(half);
        mesh_failed_ = false;
      }
    catch (const Error &)
      {
        // No space, or stopped.
      }
    catch (const std::bad_alloc &)
      {}
  };
  steps_.begin([&] { return BackgroundSteps::Steps{{compress, {}}}; });
}

void ResultWriter::look_at_mesh()
{
  if (!is_compressing_mesh_ || !steps_.is_done())
    return;
  is_compressing_mesh_ = false;
  if (communicator_.any(mesh_failed_))
    {
      prepared_mesh_          = nullptr;
      why_mesh_is_not_shared_ = "its file in " + folder_ + " could not be written";
    }
}

void ResultWriter::forget_mesh()
{
  if (is_compressing_mesh_)
    {
      prepared_mesh_->stop();
      wait();
    }
  prepared_mesh_ = nullptr;
  why_mesh_is_not_shared_.clear();
}

template <typename Action>
void ResultWriter::attempt(const Action &action)
{
  try
    {
      action();
    }
  catch (const Error &)
    {
      written_.erase(last_);
      throw;
    }
}

void ResultWriter::proceed()
{
  attempt([this] { steps_.proceed(); });
  look_at_mesh();
}

void ResultWriter::wait()
{
  attempt([this] { steps_.wait(); });
  look_at_mesh();
}

void ResultWriter::write(const unsigned int iteration,
                         SharedField densities,
                         std::vector<double> stiffness,
                         std::vector<LoadCaseResult> results,
                         Facts facts)
{
  wait();

  // (1) Copy the state, because the run goes on and changes it.
  const auto fields  = std::make_shared<Fields>(Fields{std::move(densities)});
  const auto average = [this, fields] {
    fields->density_at_nodes = means_at_nodes<float>(
      communicator_.mpi(), mesh_, *fields->density, [](std::size_t) { return 1.; }, n_threads_);
  };
  const bool alone    = communicator_.size() == 1; // then nothing communicates in the background
  const bool averages = result_fields_ == ResultFields::all;
  if (averages && !alone)
    average();
  if (result_fields_ == ResultFields::surface)
    {
      std::vector<std::uint8_t> counts =
        cpu::filled_vector<std::uint8_t>(n_threads_, mesh_.n_elements);
      cpu::parallel_for(n_threads_, mesh_.n_elements, [&](const std::size_t e) {
        counts[e] = (*fields->density)[e] >= DesignPiece::least_density ? 1 : 0;
      });
      fields->part =
        std::make_shared<PartOfMesh>(outer_part(communicator_, mesh_, counts, n_threads_));
    }
  fields->support    = mesh_in_vtu_.supports();
  fields->load_cases = std::move(results);
  if (von_mises_)
    fields->stiffness = std::move(stiffness);
  fields->cell_fields = std::move(facts.cell_fields);

  // (2) Write the files. The series is last, so that the file that it names exists.
  last_ = iteration;
  written_.insert(iteration);
  const auto write_series = [file = series_file(), text = series_of(written_)] {
    write_file_atomically(file, text);
  };
  steps_.begin(
    [&] {
      BackgroundSteps::Steps steps;
      if (facts.surface)
        steps = stl_steps(communicator_, file_of(iteration, ".stl"), std::move(*facts.surface));
      for (auto &step : vtu_steps(communicator_,
                                  file_of(iteration, ".vtu"),
                                  contents_of(iteration, fields, facts),
                                  n_threads_,
                                  write_series))
        steps.push_back(std::move(step));
      if (averages && alone)
        steps.push_front({average, {}});
      return steps;
    },
    file_of(iteration, ".vtu"));
}

VtuContents ResultWriter::contents_of(const unsigned int iteration,
                                      const std::shared_ptr<const Fields> &fields,
                                      const Facts &facts) const
{
  const std::shared_ptr<const PartOfMesh> part = fields->part;
  const std::size_t n_elements                 = part ? part->elements.size() : mesh_.n_elements;
  const std::size_t n_nodes                    = part ? part->nodes.size() : mesh_.n_owned_nodes;
  // Cells, and components of points, in the numbering of the mesh.
  const auto element = [part](const std::size_t i) {
    return part ? std::size_t(part->elements[i]) : i;
  };
  const auto component = [part](const std::size_t i) {
    return part ? 3 * std::size_t(part->nodes[i / 3]) + i % 3 : i;
  };
  VtuContents contents     = mesh_in_vtu_.contents(part);
  contents.compressed_mesh = part ? nullptr : prepared_mesh_;
  contents.remarks         = facts.remarks;
  contents.numbers         = {{"TimeValue", iteration}, {"iteration", iteration}};
  contents.numbers.insert(contents.numbers.end(), facts.numbers.begin(), facts.numbers.end());

  if (part)
    contents.numbers.emplace_back(surface_alone, 1.);

  // Cell data.
  const bool is_rounded = result_fields_ == ResultFields::density;
  if (is_rounded)
    contents.numbers.emplace_back(density_steps, n_density_steps);
  const auto values_of = [=](const SharedField &field) {
    return [=](const std::size_t i) {
      const double value = (*field)[element(i)];
      return is_rounded ? std::round(n_density_steps * value) / n_density_steps : value;
    };
  };
  const auto flag = [=](const std::size_t i) { return static_cast<int>(mesh_.flags[element(i)]); };
  const auto material_id = [=](const std::size_t i) { return material_id_(element(i)); };
  contents.cell_data = {make_vtu_array<float>("density", 1, n_elements, values_of(fields->density)),
                        make_vtu_array<std::int8_t>("design_flag", 1, n_elements, flag)};

  for (const auto &of_fields : fields->cell_fields)
    contents.cell_data.push_back(
      make_vtu_array<float>(of_fields.first, 1, n_elements, values_of(of_fields.second)));
  if (is_rounded)
    return contents;
  contents.cell_data.insert(
    contents.cell_data.begin() + 2,
    make_vtu_array<std::int32_t>("material_id", 1, n_elements, material_id));

  // Point data.
  const auto at_node = [fields](const std::size_t i) { return fields->density_at_nodes[i]; };
  const auto support = [=](const std::size_t i) { return fields->support[component(i)] ? 1 : 0; };
  if (!part)
    contents.point_data.push_back(make_vtu_array<float>("density_at_nodes", 1, n_nodes, at_node));
  contents.point_data.push_back(make_vtu_array<std::int8_t>("support", 3, n_nodes, support));

  // Displacements and forces of each load case.
  const std::vector<std::string> ends = suffixes(fields->load_cases);
  for (std::size_t l = 0; l < fields->load_cases.size(); ++l)
    {
      const LoadCaseResult &result = fields->load_cases[l];
      const auto force             = [fields, component, &result](const std::size_t i) {
        return (*result.forces)[component(i)];
      };
      const auto stress = [=, &result](const std::size_t i) {
        const std::size_t e = element(i);
        return von_mises_stress(mesh_,
                                {material_, solids_},
                                fields->stiffness[e],
                                *std::get<SharedField>(result.displacement),
                                e);
      };
      std::visit(
        [&](const auto &field) {
          const auto u = [field, component](const std::size_t i) { return (*field)[component(i)]; };
          contents.point_data.push_back(
            make_vtu_array<float>("displacement" + ends[l], 3, n_nodes, u));
        },
        result.displacement);
      if (result.forces != nullptr)
        contents.point_data.push_back(
          make_vtu_array<float>("nodal_force" + ends[l], 3, n_nodes, force));
      if (!result.stress->empty())
        {
          const auto tensor = [stresses = result.stress, component](const std::size_t node) {
            Stress stress;
            const float *const first = &(*stresses)[2 * component(3 * node)];
            std::copy_n(first, 6, stress.component);
            return stress;
          };
          const auto entry = [tensor](const std::size_t i) {
            return tensor(i / 6).component[i % 6];
          };
          const auto principal = [tensor](const std::size_t i) {
            return principal_stresses(tensor(i / 3))[i % 3];
          };
          const auto equivalent = [tensor](const std::size_t i) { return von_mises(tensor(i)); };
          contents.point_data.push_back(
            make_vtu_array<float>("stress_at_nodes" + ends[l], 6, n_nodes, entry));
          contents.point_data.push_back(
            make_vtu_array<float>("principal_stresses" + ends[l], 3, n_nodes, principal));
          contents.point_data.push_back(
            make_vtu_array<float>("von_mises_at_nodes" + ends[l], 1, n_nodes, equivalent));
        }
      if (von_mises_)
        contents.cell_data.push_back(
          make_vtu_array<float>("von_mises" + ends[l], 1, n_elements, stress));
    }
  return contents;
}

std::string ResultWriter::series_of(const std::set<unsigned int> &iterations) const
{
  TextStream record;
  record << "<?xml version=\"1.0\"?>\n"
         << "<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n";
  for (const unsigned int iteration : iterations)
    record << "<DataSet timestep=\"" << iteration << "\" part=\"0\" file=\""
           << xml_escaped(result_file(iteration)) << "\"/>\n";
  record << "</Collection>\n</VTKFile>\n";
  return record.str();
}

std::vector<std::string> ResultWriter::set_written(const std::vector<unsigned int> &iterations)
{
  std::vector<unsigned int> found;
  on_root(communicator_, [&] {
    for (const unsigned int iteration : iterations)
      if (std::error_code error;
          std::filesystem::file_size(file_of(iteration, ".vtu"), error) > 0 && !error)
        found.push_back(iteration);
  });
  found    = dealii::Utilities::MPI::broadcast(communicator_.mpi(), found);
  written_ = {found.begin(), found.end()};
  std::vector<std::string> lost;
  for (const unsigned int iteration : iterations)
    if (written_.count(iteration) == 0)
      lost.push_back(file_of(iteration, ".vtu"));
  return lost;
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
} // namespace strut
