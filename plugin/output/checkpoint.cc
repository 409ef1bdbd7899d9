// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/output/checkpoint.h"

#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/background.h"
#include "plugin/base/collective.h"
#include "plugin/base/host_halo.h"
#include "plugin/output/cell_keys.h"
#include "plugin/output/checkpoint_file.h"
#include "plugin/output/checkpoint_format.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace strut::plugin
{
namespace
{
namespace format = checkpoint_format;

format::MeshFingerprint fingerprint_of(MPI_Comm communicator,
                                       const ElementMesh &mesh,
                                       const KeyedField &elements,
                                       const KeyedField &nodes)
{
  format::MeshFingerprint result;
  result.n_elements = elements.n_global();
  result.n_nodes    = nodes.n_global();
  result.cells      = elements.fingerprint();
  result.nodes      = nodes.fingerprint();

  // the least of x and of -x
  double least[6];
  std::fill_n(least, 6, std::numeric_limits<double>::max());
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t node = 0; node < mesh.n_owned_nodes; ++node)
      {
        const double x = mesh.coordinates[d * mesh.n_nodes + node];
        least[d]       = std::min(least[d], x);
        least[d + 3]   = std::min(least[d + 3], -x);
      }
  MPI_Allreduce(least, result.box.data(), 6, MPI_DOUBLE, MPI_MIN, communicator);
  for (std::size_t d = 3; d < 6; ++d)
    result.box[d] = -result.box[d];

  double volume = 0;
  for (const double v : mesh.volumes)
    volume += v;
  MPI_Allreduce(&volume, &result.volume, 1, MPI_DOUBLE, MPI_SUM, communicator);
  return result;
}
} // namespace

struct Checkpoint::Implementation
{
  Implementation(std::string name,
                 MPI_Comm communicator,
                 const ElementMesh &mesh,
                 const std::vector<std::uint64_t> &cell_keys)
    : file_name(std::move(name))
    , communicator(communicator)
    , mesh(mesh)
    , elements(communicator, cell_keys)
    , nodes(communicator, node_keys(communicator, mesh, cell_keys))
    , fingerprint(fingerprint_of(communicator, mesh, elements, nodes))
  {}

  const std::string file_name;
  const MPI_Comm communicator;
  const ElementMesh &mesh;
  const KeyedField elements, nodes;
  const format::MeshFingerprint fingerprint;
  Background background; ///< of rank 0
};

Checkpoint::Checkpoint(std::string file_name,
                       MPI_Comm communicator,
                       const ElementMesh &mesh,
                       const std::vector<std::uint64_t> &cell_keys)
  : implementation_(
      std::make_unique<Implementation>(std::move(file_name), communicator, mesh, cell_keys))
{}

Checkpoint::~Checkpoint() = default;

void Checkpoint::write(const CheckpointState &state)
{
  Implementation &own         = *implementation_;
  const ElementMesh &mesh     = own.mesh;
  auto file                   = std::make_shared<CheckpointFile>();
  file->mesh                  = own.fingerprint;
  file->state.parameters      = state.parameters;
  file->state.history         = state.history;
  file->state.written_results = state.written_results;
  file->state.design.numbers  = state.design.numbers;
  for (const std::vector<double> &field : state.design.element_fields)
    file->state.design.element_fields.push_back(own.elements.gather(field, 1));
  for (const std::vector<double> &field : state.design.node_fields)
    file->state.design.node_fields.push_back(
      own.nodes.gather({field.begin(), field.begin() + mesh.n_owned_nodes}, 1));
  for (const std::vector<double> &displacement : state.displacements)
    {
      if (displacement.size() != mesh.n_dofs())
        throw std::invalid_argument("Checkpoint: wrong size of a displacement");
      file->state.displacements.push_back(
        own.nodes.gather({displacement.begin(), displacement.begin() + mesh.n_owned_dofs()}, 3));
    }
  on_root(own.communicator, [&] {
    own.background.start(
      [name = own.file_name, file] { write_file_atomically(name, to_bytes(*file)); });
  });
}

void Checkpoint::wait()
{
  on_root(implementation_->communicator, [this] { implementation_->background.wait(); });
}

CheckpointState Checkpoint::read() const
{
  const Implementation &own = *implementation_;
  const ElementMesh &mesh   = own.mesh;
  CheckpointFile file;
  std::string small_parts;
  on_root(own.communicator, [&] {
    file = read_checkpoint_file(own.file_name);
    compare_meshes(own.file_name, file.mesh, own.fingerprint);
    small_parts = to_bytes(small_parts_of(file));
  });

  CheckpointState state =
    from_bytes(own.file_name, dealii::Utilities::MPI::broadcast(own.communicator, small_parts))
      .state;
  std::uint64_t sizes[3] = {file.state.design.element_fields.size(),
                            file.state.displacements.size(),
                            file.state.design.node_fields.size()};
  MPI_Bcast(sizes, 3, MPI_UINT64_T, 0, own.communicator);
  file.state.design.element_fields.resize(sizes[0]);
  for (const std::vector<double> &sorted : file.state.design.element_fields)
    state.design.element_fields.push_back(own.elements.scatter(sorted, 1));
  file.state.design.node_fields.resize(sizes[2]);
  for (const std::vector<double> &sorted : file.state.design.node_fields)
    {
      state.design.node_fields.push_back(own.nodes.scatter(sorted, 1));
      state.design.node_fields.back().resize(mesh.n_nodes);
    }
  file.state.displacements.resize(sizes[1]);
  for (const std::vector<double> &sorted : file.state.displacements)
    {
      std::vector<double> displacement = own.nodes.scatter(sorted, 3);
      displacement.resize(mesh.n_dofs());
      update_ghosts(own.communicator, mesh, displacement);
      state.displacements.push_back(std::move(displacement));
    }
  return state;
}

std::vector<std::pair<std::string, std::string>>
read_checkpoint_parameters(const std::string &file_name, MPI_Comm communicator)
{
  std::string small_parts;
  on_root(communicator,
          [&] { small_parts = to_bytes(small_parts_of(read_checkpoint_file(file_name))); });
  return from_bytes(file_name, dealii::Utilities::MPI::broadcast(communicator, small_parts))
    .state.parameters;
}

std::vector<std::string>
compare_parameters(const std::string &checkpoint_file,
                   const std::vector<std::pair<std::string, std::string>> &then,
                   const std::vector<std::pair<std::string, std::string>> &now,
                   const std::vector<std::string> &may_change)
{
  const auto free_to_change = [&](const std::string &name) {
    return std::any_of(may_change.begin(), may_change.end(), [&](const std::string &free) {
      const bool subsection = !free.empty() && free.back() == '/';
      return subsection ? name.compare(0, free.size(), free) == 0 : name == free;
    });
  };
  const auto value_in = [](const auto &list, const std::string &name) -> const std::string * {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto &entry) {
      return entry.first == name;
    });
    return found == list.end() ? nullptr : &found->second;
  };

  const auto is_mark = [](const std::string &name) { return name.rfind(option_of, 0) == 0; };
  // "value", and in parentheses the option of the command line that it came from
  const auto told = [&](const auto &list, const std::string &name, const std::string &value) {
    const std::string *const option = value_in(list, option_of + name);
    return '"' + value + '"' + (option == nullptr ? std::string() : " (" + *option + ")");
  };

  std::string differences;
  std::vector<std::string> changed;
  const auto differs = [&](const std::string &name, const std::string &how) {
    if (free_to_change(name))
      changed.push_back(name + ": " + how);
    else
      differences += "\n  " + name + ": " + how;
  };
  for (const auto &[name, old_value] : then)
    {
      const std::string *new_value = value_in(now, name);
      if (!is_mark(name) && (new_value == nullptr || *new_value != old_value))
        differs(name,
                "was " + told(then, name, old_value) + ", " +
                  (new_value == nullptr ? "is gone" : "is now " + told(now, name, *new_value)));
    }
  for (const auto &[name, new_value] : now)
    if (!is_mark(name) && value_in(then, name) == nullptr)
      differs(name, "was not there, is now " + told(now, name, new_value));
  if (differences.empty())
    return changed;

  std::string message =
    "The deck is not the one of the checkpoint \"" + checkpoint_file +
    "\". These entries differ:" + differences +
    "\nSet them back to go on (--set does so too), or start from the beginning.";
  for (std::size_t i = 0; i < may_change.size(); ++i)
    message += (i == 0 ? " These may change: " : ", ") + may_change[i];
  if (!may_change.empty())
    message += ".";
  throw Error(message);
}
} // namespace strut::plugin
