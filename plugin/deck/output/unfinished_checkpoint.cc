// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/unfinished_checkpoint.h"

#include <atomic>

#include "source/base/first_error.h"
#include "source/base/parallel_loop.h"

namespace strut::plugin
{
void UnfinishedCheckpoint::write(const CheckpointPart &part, const int n_threads)
{
  constexpr std::size_t block_size = std::size_t(1) << 20; // numbers
  std::uint64_t position           = checkpoint_format::header_size;
  cpu::FirstError error;
  for_fields(fields, [&](const std::size_t kind, const std::vector<double> &field) {
    std::atomic<std::uint64_t> sum{0};
    const std::uint64_t first = part.begin(kind);
    cpu::parallel_blocks(
      n_threads, part.size(kind), block_size, [&](const std::size_t begin, const std::size_t end) {
        const double *const numbers = field.data() + begin;
        const std::size_t n         = end - begin;
        error.guard([&] {
          file->write_at(position + (first + begin) * sizeof(double),
                         {reinterpret_cast<const char *>(numbers), n * sizeof(double)});
          sum += checkpoint_format::sum_of(numbers, n, first + begin);
        });
      });
    head.sums.push_back(sum);
    position += head.size_of(kind) * sizeof(double);
  });
  error.rethrow();
  file->finish();
  fields = CheckpointState();
}

void UnfinishedCheckpoint::finish(const std::string &keep_as)
{
  const CheckpointEnds ends = to_bytes(head);
  file->write_last(0, ends.header);
  file->write_last(head.end_of_fields(), ends.trailer);
  file->commit(keep_as);
}
} // namespace strut::plugin
