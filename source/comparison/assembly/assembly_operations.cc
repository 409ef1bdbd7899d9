// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors

#include "source/comparison/assembly/assembly_operations.h"

namespace strut
{
AssemblyOperations assembly_operations(Backend &backend)
{
  const std::string name = backend.name();
  if (name != "cpu" && name != "cuda")
    throw Error("The backend '" + name +
                "' has no matrix generation; those of the CPU and of CUDA have.");
  return {backend, name == "cuda" ? cuda::assembly_functions() : cpu::assembly_functions()};
}

SparsePattern AssemblyOperations::make_pattern(const NeighbourMatrix &neighbours,
                                               const MatrixFormat format,
                                               const int dofs_per_node,
                                               StageReport *const report) const
{
  SparsePattern pattern = pattern_sizes(neighbours, format, dofs_per_node);
  const double bytes    = index_bytes(pattern);
  Memory &memory        = backend_.memory();
  require_memory(memory, bytes, "the indices of the matrix (" + to_string(format) + ")");
  if (format == MatrixFormat::csr)
    pattern.row_begin = Array<std::uint64_t>(memory, pattern.n_rows + 1);
  if (format == MatrixFormat::coo)
    pattern.rows = Array<LocalIndex>(memory, pattern.n_entries);
  pattern.columns = Array<LocalIndex>(memory, pattern.n_stored);

  const double in = sizeof(LocalIndex) * static_cast<double>(neighbours.n_pairs) +
                    sizeof(std::uint64_t) * (static_cast<double>(neighbours.n_nodes) + 1.);
  timed_step(backend_, report, "indices", in + bytes, [&]() {
    functions_.fill_pattern(backend_, neighbours, pattern);
  });
  if (report != nullptr)
    {
      report->bytes        = in + bytes;
      report->memory_bytes = bytes;
    }
  return pattern;
}
} // namespace strut
