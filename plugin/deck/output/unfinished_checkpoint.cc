// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/output/unfinished_checkpoint.h"

namespace strut::plugin
{
void UnfinishedCheckpoint::write(const CheckpointPart &part)
{
  std::uint64_t position = checkpoint_format::header_size;
  for_fields(fields, [&](const std::size_t kind, const auto &field) {
    const std::size_t n = part.size(kind), n_bytes = CheckpointHead::bytes_of(kind);
    file->write_at(position + part.begin(kind) * n_bytes,
                   {reinterpret_cast<const char *>(field.data()), n * n_bytes});
    head.sums.push_back(checkpoint_format::sum_of(field.data(), n, part.begin(kind)));
    position += head.size_of(kind) * n_bytes;
  });
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
