// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/comparison/comparators/parts.h"
#include "source/operators/stiffness_rows.h"

#include "cuda/base/check.h"
#include "cuda/comparison/operators/assembled_matrix.cuh"

#include <strut/base/exceptions.h>

#include <cusparse.h>

#include <algorithm>

namespace strut::cuda
{
namespace
{
constexpr char name[] = "csr (cuSPARSE)";

/// Throws Error with the library's own text unless `status` is success.
void check_cusparse(const cusparseStatus_t status, const char *call)
{
  if (status != CUSPARSE_STATUS_SUCCESS)
    throw Error(std::string("cuSPARSE reports an error: ") + cusparseGetErrorString(status) +
                  ".\n  The call: " + call + '.',
                Remedy::check_gpu);
}
#define STRUT_CUSPARSE_CHECK(call) check_cusparse((call), #call)

template <typename Number>
constexpr cudaDataType number_type = sizeof(Number) == sizeof(double) ? CUDA_R_64F : CUDA_R_32F;

/// The handle of the library and the descriptors of matrix and vectors.
class Descriptors
{
public:
  Descriptors() = default;
  ~Descriptors()
  {
    if (y != nullptr)
      cusparseDestroyDnVec(y);
    if (x != nullptr)
      cusparseDestroyDnVec(x);
    if (matrix != nullptr)
      cusparseDestroySpMat(matrix);
    if (handle != nullptr)
      cusparseDestroy(handle);
  }
  Descriptors(const Descriptors &)            = delete;
  Descriptors &operator=(const Descriptors &) = delete;

  cusparseHandle_t handle     = nullptr;
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
};

/// The matrix in compressed rows, y = A x by cusparseSpMV with the library's default algorithm and
/// its preprocessing.
///
/// Bytes: number and column of each entry, about 81 per row; begin of each row; x and y once.
/// Flops: 2 per entry. Determinism: the library promises none for this algorithm.
template <typename Number>
class Csr : public AssembledMatrix<Number>
{
public:
  Csr(Backend &backend, const ElementMesh &mesh, const Material &material);

  void apply(const Array<Number> &x, Array<Number> &y) const override;

  OperatorCost cost() const override;

  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    return AssembledMatrix<Number>::common_memory_estimate(n_elements, n_nodes) +
           (sizeof(Number) + sizeof(LocalIndex)) *
             StiffnessRows::n_entries_estimate({n_elements, n_nodes}) +
           3. * n_nodes * (sizeof(int) + sizeof(std::uint64_t));
  }

private:
  void describe(Memory &memory);

  Array<int> row_begin_; ///< `[n_rows + 1]`, in 32 bits like the columns
  Array<char> buffer_;   ///< the library's scratch buffer
  Descriptors descriptors_;
};

template <typename Number>
Csr<Number>::Csr(Backend &backend, const ElementMesh &mesh, const Material &material)
  : AssembledMatrix<Number>(backend, mesh, material, MatrixFormat::csr, true)
{
  require_int_size(name, this->pattern_.n_entries);
  const std::vector<std::uint64_t> begin = this->pattern_.row_begin.to_host();
  row_begin_ = Array<int>(backend.memory(), std::vector<int>(begin.begin(), begin.end()));
  if (this->pattern_.n_entries > 0)
    describe(backend.memory());
}

template <typename Number>
void Csr<Number>::describe(Memory &memory)
{
  const auto n             = static_cast<std::int64_t>(this->pattern_.n_rows);
  const auto n_entries     = static_cast<std::int64_t>(this->pattern_.n_entries);
  const cudaStream_t queue = this->context_.activate();
  STRUT_CUSPARSE_CHECK(cusparseCreate(&descriptors_.handle));
  STRUT_CUSPARSE_CHECK(cusparseSetStream(descriptors_.handle, queue));
  STRUT_CUSPARSE_CHECK(cusparseCreateCsr(&descriptors_.matrix,
                                         n,
                                         n,
                                         n_entries,
                                         row_begin_.data(),
                                         const_cast<LocalIndex *>(this->pattern_.columns.data()),
                                         this->values_.data(),
                                         CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_BASE_ZERO,
                                         number_type<Number>));
  // The vectors get their addresses at each product; these have the size.
  Array<Number> vector(memory, this->pattern_.n_rows);
  STRUT_CUSPARSE_CHECK(cusparseCreateDnVec(&descriptors_.x, n, vector.data(), number_type<Number>));
  STRUT_CUSPARSE_CHECK(cusparseCreateDnVec(&descriptors_.y, n, vector.data(), number_type<Number>));
  const Number one = 1, zero = 0;
  std::size_t buffer_size = 0;
  STRUT_CUSPARSE_CHECK(cusparseSpMV_bufferSize(descriptors_.handle,
                                               CUSPARSE_OPERATION_NON_TRANSPOSE,
                                               &one,
                                               descriptors_.matrix,
                                               descriptors_.x,
                                               &zero,
                                               descriptors_.y,
                                               number_type<Number>,
                                               CUSPARSE_SPMV_ALG_DEFAULT,
                                               &buffer_size));
  buffer_ = Array<char>(memory, std::max<std::size_t>(buffer_size, 1));
  STRUT_CUSPARSE_CHECK(cusparseSpMV_preprocess(descriptors_.handle,
                                               CUSPARSE_OPERATION_NON_TRANSPOSE,
                                               &one,
                                               descriptors_.matrix,
                                               descriptors_.x,
                                               &zero,
                                               descriptors_.y,
                                               number_type<Number>,
                                               CUSPARSE_SPMV_ALG_DEFAULT,
                                               buffer_.data()));
  this->context_.synchronize(); // The vector must stay until the work is done.
}

template <typename Number>
void Csr<Number>::apply(const Array<Number> &x, Array<Number> &y) const
{
  if (this->pattern_.n_entries == 0)
    {
      y.set_zero();
      return;
    }
  this->context_.activate();
  const Number one = 1, zero = 0;
  STRUT_CUSPARSE_CHECK(cusparseDnVecSetValues(descriptors_.x, const_cast<Number *>(x.data())));
  STRUT_CUSPARSE_CHECK(cusparseDnVecSetValues(descriptors_.y, y.data()));
  STRUT_CUSPARSE_CHECK(cusparseSpMV(descriptors_.handle,
                                    CUSPARSE_OPERATION_NON_TRANSPOSE,
                                    &one,
                                    descriptors_.matrix,
                                    descriptors_.x,
                                    &zero,
                                    descriptors_.y,
                                    number_type<Number>,
                                    CUSPARSE_SPMV_ALG_DEFAULT,
                                    const_cast<char *>(buffer_.data())));
}

template <typename Number>
OperatorCost Csr<Number>::cost() const
{
  const auto n_rows    = static_cast<double>(this->pattern_.n_rows);
  const auto n_entries = static_cast<double>(this->pattern_.n_entries);
  const double matrix  = (sizeof(Number) + sizeof(int)) * n_entries + sizeof(int) * (n_rows + 1);
  OperatorCost cost;
  cost.bytes_per_apply = matrix + 2. * sizeof(Number) * n_rows;
  cost.flops_per_apply = 2. * n_entries;
  cost.memory_bytes    = this->common_memory_bytes() + matrix + sizeof(std::uint64_t) * n_rows +
                      static_cast<double>(buffer_.size());
  return cost;
}
} // namespace

StrategyPair csr()
{
  return strategy_pair<Csr>(name,
                            "assembled matrix in compressed rows, product by NVIDIA's cuSPARSE",
                            false);
}
} // namespace strut::cuda
