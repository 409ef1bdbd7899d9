// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/checkpoint.h"

#include <deal.II/base/mpi.h>

#include <strut/base/communicator.h>
#include <strut/base/exceptions.h>

#include "plugin/base/atomic_file.h"
#include "plugin/base/attempt.h"
#include "plugin/base/background_steps.h"
#include "plugin/base/global_node_numbers.h"
#include "plugin/base/host_halo.h"
#include "plugin/deck/output/checkpoint_file.h"
#include "plugin/deck/output/checkpoint_format.h"
#include "source/base/parallel_loop.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <stdexcept>
#include <utility>

namespace strut
{
namespace format = checkpoint_format;

/// Calls body(kind, field) for the fields of a design that precede the displacements, in the order
/// of the file.
template <typename State, typename Body>
void for_design_fields(State &design, const Body &body)
{
  for (auto &field : design.element_fields)
    body(format::of_elements, field);
  for (auto &field : design.node_fields)
    body(format::of_nodes, field);
  for (auto &field : design.vectors)
    body(format::vectors, field);
}

/// Calls body(kind, field) for all fields of a state, in the order of the file.
template <typename Body>
void for_fields(const CheckpointState &state, const Body &body)
{
  for_design_fields(state.design, body);
  for (const SharedField &field : state.displacements)
    body(format::displacements, *field);
  for (const PackedValues &field : state.design.packed)
    body(format::packed_vectors, field.multiples);
  for (const PackedValues &field : state.displacements_before)
    body(format::displacements_before, field.multiples);
}

/// Takes the fields of a design out of it, and leaves its numbers.
static DesignState take_fields(DesignState &design)
{
  DesignState fields;
  fields.element_fields.swap(design.element_fields);
  fields.node_fields.swap(design.node_fields);
  fields.vectors.swap(design.vectors);
  fields.packed.swap(design.packed);
  return fields;
}

/// A state that is being written to the file.
struct UnfinishedCheckpoint
{
  /// Writes this rank's parts of the fields with one thread, and drops them.
  void write(const format::CheckpointPart &part)
  {
    for_fields(fields, [&](const std::size_t kind, const auto &field) {
      write_field(part, kind, field, 1);
    });
    file->finish();
    fields = CheckpointState();
  }

  /// Writes this rank's part of the next field.
  template <typename Number>
  void write_field(const format::CheckpointPart &part,
                   const std::size_t kind,
                   const std::vector<Number> &field,
                   const int n_threads)
  {
    constexpr std::size_t block_size = std::size_t(1) << 16;
    const std::uint64_t first        = part.begin(kind);
    if (field.size() < part.size(kind))
      throw std::invalid_argument("Checkpoint: wrong size of a field");
    std::atomic<std::uint64_t> sum{0}; // the same for any order
    cpu::parallel_blocks(
      n_threads, part.size(kind), block_size, [&](const std::size_t begin, const std::size_t end) {
        file->write_at(position + (first + begin) * sizeof(Number),
                       {reinterpret_cast<const char *>(field.data() + begin),
                        (end - begin) * sizeof(Number)});
        sum += checkpoint_format::sum_of(field.data() + begin, end - begin, first + begin);
      });
    head.sums.push_back(sum);
    position += head.size_of(kind) * sizeof(Number);
  }

  /// Writes the rest on rank 0, once `head` has the sums of all ranks.
  /// @param keep_as  name that the previous file gets
  void finish(const std::string &keep_as)
  {
    const CheckpointEnds ends = to_bytes(head);
    file->write_last(0, ends.header);
    file->write_last(head.end_of_fields(), ends.trailer);
    file->commit(keep_as);
  }

  CheckpointHead head;    ///< with the sums of this rank's parts, once they are written
  CheckpointState fields; ///< fields of this rank
  std::unique_ptr<SharedFile> file;
  std::uint64_t position = checkpoint_format::header_size; ///< position of the next field
};

namespace
{
format::MeshFingerprint fingerprint_of(MPI_Comm communicator,
                                       const ElementMesh &mesh,
                                       const CellKeys &cell_keys,
                                       const format::CheckpointPart &part,
                                       const int n_threads)
{
  format::MeshFingerprint result;
  const GlobalNodeNumbers numbers(communicator, mesh);
  result.n_elements   = numbers.n_elements();
  result.n_nodes      = numbers.n_nodes();
  const auto of_block = [&](const std::size_t begin, const std::size_t end) {
    std::array<std::uint64_t, 2> sums{};
    for (std::size_t e = begin; e < end; ++e)
      {
        sums[0] += format::mixed(part.first_element + e, cell_keys[e]);
        for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
          sums[1] += format::mixed(mesh.type.n_nodes * (part.first_element + e) + v,
                                   numbers(mesh.node(e, v)));
      }
    return sums;
  };
  std::uint64_t sums[2]{};
  for (const auto &[cells, nodes] : cpu::values_of_blocks(n_threads, mesh.n_elements, of_block))
    {
      sums[0] += cells;
      sums[1] += nodes;
    }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM, communicator);
  result.cells = sums[0];
  result.nodes = sums[1];

  // minima of x and of -x
  using Box         = std::array<double, 6>;
  const auto box_of = [&](const std::size_t begin, const std::size_t end) {
    Box least;
    least.fill(std::numeric_limits<double>::max());
    for (std::size_t d = 0; d < 3; ++d)
      for (std::size_t node = begin; node < end; ++node)
        {
          const double x = mesh.coordinates[d * mesh.n_nodes + node];
          least[d]       = std::min(least[d], x);
          least[d + 3]   = std::min(least[d + 3], -x);
        }
    return least;
  };
  Box least = box_of(0, 0);
  for (const Box &of_block : cpu::values_of_blocks(n_threads, mesh.n_owned_nodes, box_of))
    for (std::size_t i = 0; i < 6; ++i)
      least[i] = std::min(least[i], of_block[i]);
  MPI_Allreduce(least.data(), result.box.data(), 6, MPI_DOUBLE, MPI_MIN, communicator);
  for (std::size_t d = 3; d < 6; ++d)
    result.box[d] = -result.box[d];

  const double volume = cpu::parallel_sum(n_threads, mesh.n_elements, [&](const std::size_t e) {
    return mesh.volumes[e];
  });
  MPI_Allreduce(&volume, &result.volume, 1, MPI_DOUBLE, MPI_SUM, communicator);
  return result;
}

/// Adds the ranges of the ranks and their units. Collective. @param units  units of this rank, by
/// field
void add_units(MPI_Comm communicator,
               const format::CheckpointPart &part,
               const std::vector<double> &units,
               CheckpointHead &head)
{
  if (units.empty())
    return;
  using dealii::Utilities::MPI::all_gather;
  head.ends_of_ranges =
    all_gather(communicator,
               part.begin(format::packed_vectors) + part.size(format::packed_vectors));
  const auto units_of_rank = all_gather(communicator, units);
  for (std::size_t l = 0; l < units.size(); ++l)
    for (const std::vector<double> &of_rank : units_of_rank)
      head.units.push_back(of_rank[l]);
}

/// A rank's part of a field of multiples. It stays as written if it is from one range.
/// Otherwise the numbers are packed again, as all ranks pack theirs.
/// @param l  number of the field
PackedValues with_one_unit(const CheckpointHead &head,
                           const std::size_t l,
                           const format::CheckpointPart &part,
                           std::vector<std::int32_t> multiples)
{
  const std::vector<std::uint64_t> &ends = head.ends_of_ranges;
  const std::uint64_t begin              = part.begin(format::packed_vectors);
  const auto range_of                    = [&](const std::uint64_t i) {
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin());
  };
  const double *const units = head.units.data() + l * ends.size();
  if (multiples.empty())
    return {};
  std::size_t range = range_of(begin);
  if (range == range_of(begin + multiples.size() - 1))
    return {units[range], std::move(multiples)};
  std::vector<double> values(multiples.size());
  for (std::size_t i = 0; i < multiples.size(); ++i)
    {
      while (begin + i >= ends[range])
        ++range;
      values[i] = units[range] * multiples[i];
    }
  return to_packed(values, values.size());
}

/// Adds the sums of the fields, which each rank has of its parts. Collective.
void add_over_ranks(const Communicator &communicator, std::vector<std::uint64_t> &sums)
{
  MPI_Allreduce(MPI_IN_PLACE,
                sums.data(),
                static_cast<int>(sums.size()),
                MPI_UINT64_T,
                MPI_SUM,
                communicator.mpi());
}
} // namespace

Checkpoint::Checkpoint(std::string file_name,
                       MPI_Comm communicator,
                       const ElementMesh &mesh,
                       const CellKeys &cell_keys,
                       const int n_threads)
  : file_name_(std::move(file_name))
  , communicator_(communicator)
  , mesh_(mesh)
  , n_threads_(n_threads)
  , part_{sum_before(communicator, mesh.n_elements),
          sum_before(communicator, mesh.n_owned_nodes),
          mesh.n_elements,
          mesh.n_owned_nodes}
  , fingerprint_(fingerprint_of(communicator, mesh, cell_keys, part_, n_threads))
  , steps_(communicator_)
{}

void Checkpoint::finish(UnfinishedCheckpoint &next) const
{
  add_over_ranks(communicator_, next.head.sums);
  on_root(communicator_, [&] { next.finish(before_last(file_name_)); });
}

void Checkpoint::write(CheckpointState state, std::shared_future<void> results)
{
  for_fields(state, [&](const std::size_t kind, const auto &field) {
    if (field.size() < part_.size(kind))
      throw std::invalid_argument("Checkpoint: wrong size of a field");
  });
  const auto next     = std::make_shared<UnfinishedCheckpoint>();
  next->head.mesh     = fingerprint_;
  next->head.n_fields = {{state.design.element_fields.size(),
                          state.design.node_fields.size(),
                          state.design.vectors.size(),
                          state.displacements.size(),
                          state.design.packed.size(),
                          state.displacements_before.size()}};
  std::vector<double> units;
  for (const auto *const fields : {&state.design.packed, &state.displacements_before})
    for (const PackedValues &field : *fields)
      units.push_back(field.unit);
  add_units(communicator_.mpi(), part_, units, next->head);
  next->fields.displacements.swap(state.displacements);
  next->fields.displacements_before.swap(state.displacements_before);
  next->fields.design = take_fields(state.design);
  next->head.state    = std::move(state);

  // By one thread: the background team compresses results meanwhile. If the checkpoint took the
  // team, a single thread would have to compress them.
  const auto write_fields = [next, this] { next->write(part_); };
  const auto complete     = [next, this, results = std::move(results)] {
    if (results.valid())
      results.wait();
    finish(*next);
  };
  steps_.begin(
    [&]() -> BackgroundSteps::Steps {
      next->file = std::make_unique<SharedFile>(communicator_, file_name_, Outlives::machine);
      return {{write_fields, complete}};
    },
    file_name_);
}

void Checkpoint::write_now(CheckpointState state,
                           const DisplacementSource &displacements,
                           const Outlives outlives)
{
  steps_.wait();
  UnfinishedCheckpoint next;
  next.head.mesh     = fingerprint_;
  next.head.n_fields = {{state.design.element_fields.size(),
                         state.design.node_fields.size(),
                         state.design.vectors.size(),
                         displacements.n_cases,
                         state.design.packed.size(),
                         displacements.before ? displacements.n_cases : 0}};
  next.file          = std::make_unique<SharedFile>(communicator_, file_name_, outlives);

  // Actions that make a field may communicate; the others must not.
  const auto write = [&](const std::size_t kind, const auto &field) {
    attempt_together(communicator_, [&] { next.write_field(part_, kind, field, n_threads_); });
  };
  DesignState fields = take_fields(state.design);
  for_design_fields(fields, [&](const std::size_t kind, auto &field) {
    write(kind, field);
    std::vector<double>().swap(field);
  });
  for (std::size_t l = 0; l < displacements.n_cases; ++l)
    write(format::displacements, displacements.now(l));
  std::vector<double> units;
  for (PackedValues &field : fields.packed)
    {
      units.push_back(field.unit);
      write(format::packed_vectors, field.multiples);
      std::vector<std::int32_t>().swap(field.multiples);
    }
  for (std::size_t l = 0; l < next.head.n_fields[format::displacements_before]; ++l)
    {
      const PackedValues field = displacements.before(l);
      units.push_back(field.unit);
      write(format::displacements_before, field.multiples);
    }
  attempt_together(communicator_, [&] { next.file->finish(); });
  add_units(communicator_.mpi(), part_, units, next.head);
  next.head.state = std::move(state);
  finish(next);
}

CheckpointState Checkpoint::read(const std::string &file_name) const
{
  std::string small_parts;
  on_root(communicator_.mpi(), [&] {
    const CheckpointHead head = read_checkpoint_head(file_name);
    compare_meshes(file_name, head.mesh, fingerprint_);
    small_parts = small_parts_of(head);
  });
  const CheckpointHead head =
    head_from_bytes(file_name, dealii::Utilities::MPI::broadcast(communicator_.mpi(), small_parts));

  CheckpointState state = head.state;
  state.design.element_fields.resize(head.n_fields[format::of_elements]);
  state.design.node_fields.resize(head.n_fields[format::of_nodes]);
  state.design.vectors.resize(head.n_fields[format::vectors]);
  std::vector<std::vector<double>> displacements(head.n_fields[format::displacements]);
  std::vector<std::uint64_t> sums;
  attempt_together(communicator_, [&] {
    std::uint64_t position = format::header_size; // position of the field
    const auto read_field  = [&](const std::size_t kind, auto &field) {
      const std::size_t n = part_.size(kind), n_bytes = format::bytes_of(kind);
      field.resize(kind == format::of_nodes                                   ? mesh_.n_nodes
                   : kind == format::vectors || kind == format::displacements ? mesh_.n_dofs()
                                                                              : n);
      read_checkpoint_bytes(file_name,
                            position + part_.begin(kind) * n_bytes,
                            reinterpret_cast<char *>(field.data()),
                            n * n_bytes);
      sums.push_back(format::sum_of(field.data(), n, part_.begin(kind)));
      position += head.size_of(kind) * n_bytes;
    };
    for_design_fields(state.design, read_field);
    for (std::vector<double> &displacement : displacements)
      read_field(format::displacements, displacement);
    for (std::size_t l = 0; l < head.n_packed(); ++l)
      {
        std::vector<std::int32_t> multiples;
        read_field(format::packed_vectors, multiples);
        (l < head.n_fields[format::packed_vectors] ? state.design.packed
                                                   : state.displacements_before)
          .push_back(with_one_unit(head, l, part_, std::move(multiples)));
      }
  });
  add_over_ranks(communicator_, sums);
  if (sums != head.sums)
    refuse_damaged(file_name);
  for (std::vector<double> &displacement : displacements)
    {
      update_ghosts(communicator_.mpi(), mesh_, displacement);
      state.displacements.emplace_back(std::move(displacement));
    }
  return state;
}

std::string before_last(const std::string &file_name)
{
  const std::size_t dot = file_name.rfind('.');
  return file_name.substr(0, dot) + ".before-last" + file_name.substr(dot);
}

std::vector<std::pair<std::string, std::string>>
read_checkpoint_parameters(const std::string &file_name, MPI_Comm communicator)
{
  std::string small_parts;
  on_root(communicator, [&] { small_parts = small_parts_of(read_checkpoint_head(file_name)); });
  return head_from_bytes(file_name, dealii::Utilities::MPI::broadcast(communicator, small_parts))
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

  const auto is_mark = [](const std::string &name) {
    return name.rfind(option_of, 0) == 0 || name == note_of_run;
  };
  // Formats "value", followed by the command line option that set it in parentheses.
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
} // namespace strut
