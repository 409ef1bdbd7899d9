// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "source/backend/vector_loops.h"

namespace strut::cuda
{
namespace
{
/// VectorOperations on one device.
template <typename Number>
class CudaVectorOperations : public VectorLoops<Number, Loops>
{
public:
  using VectorLoops<Number, Loops>::VectorLoops;

  std::unique_ptr<KrylovUpdates<Number>> make_krylov_updates() const override
  {
    return cuda::make_krylov_updates<Number>(this->loops_.context);
  }
};
} // namespace

template <typename Number>
std::unique_ptr<VectorOperations<Number>> make_vector_operations(const Context &context)
{
  return std::make_unique<CudaVectorOperations<Number>>(Loops{context});
}

template std::unique_ptr<VectorOperations<double>> make_vector_operations(const Context &);
template std::unique_ptr<VectorOperations<float>> make_vector_operations(const Context &);
} // namespace strut::cuda
