// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/backend/backend_parts.h"
#include "source/backend/vector_loops.h"
#include "source/base/parallel_loop.h"

namespace strut::cpu
{
namespace
{
/// VectorOperations with threads of the host.
template <typename Number>
class CpuVectorOperations : public VectorLoops<Number, Loops>
{
public:
  using VectorLoops<Number, Loops>::VectorLoops;

  std::unique_ptr<KrylovUpdates<Number>> make_krylov_updates() const override
  {
    return cpu::make_krylov_updates<Number>(this->loops_.n_threads);
  }
};
} // namespace

template <typename Number>
std::unique_ptr<VectorOperations<Number>> make_vector_operations(const int n_threads)
{
  return std::make_unique<CpuVectorOperations<Number>>(Loops{n_threads});
}

template std::unique_ptr<VectorOperations<double>> make_vector_operations(int);
template std::unique_ptr<VectorOperations<float>> make_vector_operations(int);
} // namespace strut::cpu
