// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/unfinished_checkpoint.h"

#include <atomic>
#include <stdexcept>

#include "source/base/parallel_loop.h"

namespace strut
{
void UnfinishedCheckpoint::write(const CheckpointPart &part)
{
  for_fields(fields,
             [&](const std::size_t kind, const auto &field) { write_field(part, kind, field, 1); });
  file->finish();
  fields = CheckpointState();
}

template <typename Number>
void UnfinishedCheckpoint::write_field(const CheckpointPart &part,
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

template void UnfinishedCheckpoint::write_field(const CheckpointPart &,
                                                std::size_t,
                                                const std::vector<double> &,
                                                int);
template void UnfinishedCheckpoint::write_field(const CheckpointPart &,
                                                std::size_t,
                                                const std::vector<std::int32_t> &,
                                                int);

void UnfinishedCheckpoint::finish(const std::string &keep_as)
{
  const CheckpointEnds ends = to_bytes(head);
  file->write_last(0, ends.header);
  file->write_last(head.end_of_fields(), ends.trailer);
  file->commit(keep_as);
}
} // namespace strut
