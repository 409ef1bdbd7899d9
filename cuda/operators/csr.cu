// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "csr.h"

#include "../base/check.h"
#include "../base/cuda_backend.h"

#include <strut/base/exceptions.h>
#include <strut/operators/stiffness_rows.h>

#include <cusparse.h>

#include <algorithm>
#include <thread>

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
                ".\n  The call: " + call + '.');
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

/// The matrix in compressed rows, y = A x by cusparseSpMV with the library's default algorithm and its
/// preprocessing. Assembled on the host (StiffnessRows), in double, and rounded once.
///
/// Bytes: number and column of each entry, about 81 a row; begin of each row; x and y once.
/// Flops: 2 an entry.
/// Determinism: the library promises none for this algorithm.
template <typename Number>
class Csr : public ElementOperator<Number>
{
public:
  Csr(const Context &context, Memory &memory, const ElementMesh &mesh, const Material &material);

  void set_stiffness(const Array<double> &factors) override
  {
    assemble(factors.to_host());
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override;

  void diagonal(Array<Number> &d) const override
  {
    d.copy_from(diagonal_);
  }

  void energies(const Array<Number> &, Array<double> &) const override
  {
    throw Error(std::string(name) +
                ": an assembled matrix does not know the energies of elements.");
  }

  OperatorCost cost() const override;

  static double memory_estimate(std::size_t n_elements, std::size_t n_nodes)
  {
    return (sizeof(Number) + sizeof(int)) * StiffnessRows::n_entries_estimate(n_elements, n_nodes) +
           3. * n_nodes * (sizeof(int) + sizeof(Number));
  }

private:
  void describe();
  void assemble(const std::vector<double> &factors);

  const Context &context_;
  Memory &memory_;
  StiffnessRows rows_;
  std::vector<int> host_row_begin_, host_columns_;
  Array<int> row_begin_;   ///< `[n_rows + 1]`
  Array<int> columns_;     ///< `[n_entries]`
  Array<Number> values_;   ///< `[n_entries]`
  Array<Number> diagonal_; ///< `[n_rows]`
  Array<char> buffer_;     ///< what the library asks for
  Descriptors descriptors_;
};

template <typename Number>
Csr<Number>::Csr(const Context &context,
                 Memory &memory,
                 const ElementMesh &mesh,
                 const Material &material)
  : context_(context)
  , memory_(memory)
  , rows_(mesh, material, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())))
  , host_row_begin_(rows_.row_begin(name))
  , host_columns_(static_cast<std::size_t>(host_row_begin_.back()))
  , row_begin_(memory, host_row_begin_)
  , values_(memory, host_columns_.size())
  , diagonal_(memory, rows_.n_rows())
{
  rows_.fill_columns(host_row_begin_.data(), host_columns_.data());
  columns_ = Array<int>(memory, host_columns_);
  if (rows_.n_rows() > 0)
    describe();
  assemble(std::vector<double>(mesh.n_elements, 1.));
}

template <typename Number>
void Csr<Number>::describe()
{
  const auto n             = static_cast<std::int64_t>(rows_.n_rows());
  const auto n_entries     = static_cast<std::int64_t>(values_.size());
  const cudaStream_t queue = context_.activate();
  STRUT_CUSPARSE_CHECK(cusparseCreate(&descriptors_.handle));
  STRUT_CUSPARSE_CHECK(cusparseSetStream(descriptors_.handle, queue));
  STRUT_CUSPARSE_CHECK(cusparseCreateCsr(&descriptors_.matrix,
                                         n,
                                         n,
                                         n_entries,
                                         row_begin_.data(),
                                         columns_.data(),
                                         values_.data(),
                                         CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_32I,
                                         CUSPARSE_INDEX_BASE_ZERO,
                                         number_type<Number>));
  // the vectors get their places at each product; these have the size
  STRUT_CUSPARSE_CHECK(
    cusparseCreateDnVec(&descriptors_.x, n, diagonal_.data(), number_type<Number>));
  STRUT_CUSPARSE_CHECK(
    cusparseCreateDnVec(&descriptors_.y, n, diagonal_.data(), number_type<Number>));
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
  buffer_ = Array<char>(memory_, std::max<std::size_t>(buffer_size, 1));
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
}

template <typename Number>
void Csr<Number>::assemble(const std::vector<double> &factors)
{
  std::vector<double> values(host_columns_.size());
  rows_.sum_values(factors.data(), host_row_begin_.data(), host_columns_.data(), values.data());
  std::vector<Number> diagonal(rows_.n_rows());
  for (std::size_t row = 0; row < diagonal.size(); ++row)
    {
      const auto begin    = host_columns_.begin() + host_row_begin_[row];
      const auto end      = host_columns_.begin() + host_row_begin_[row + 1];
      const auto position = std::lower_bound(begin, end, static_cast<int>(row));
      if (position != end) // a node that no element has is an empty row
        diagonal[row] = static_cast<Number>(values[position - host_columns_.begin()]);
    }
  values_.copy_from_host(std::vector<Number>(values.begin(), values.end()));
  diagonal_.copy_from_host(diagonal);
}

template <typename Number>
void Csr<Number>::apply(const Array<Number> &x, Array<Number> &y) const
{
  if (rows_.n_rows() == 0)
    return;
  context_.activate();
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
  const auto n_rows    = static_cast<double>(rows_.n_rows());
  const auto n_entries = static_cast<double>(values_.size());
  OperatorCost cost;
  cost.bytes_per_apply = (sizeof(Number) + sizeof(int)) * n_entries + sizeof(int) * (n_rows + 1) +
                         2. * sizeof(Number) * n_rows;
  cost.flops_per_apply = 2. * n_entries;
  cost.memory_bytes    = (sizeof(Number) + sizeof(int)) * n_entries + sizeof(int) * (n_rows + 1) +
                      sizeof(Number) * n_rows + static_cast<double>(buffer_.size());
  return cost;
}
} // namespace

template <typename Number>
Strategy<Number> csr()
{
  return {name,
          "assembled matrix in compressed rows, product by NVIDIA's cuSPARSE",
          false,
          &Csr<Number>::memory_estimate,
          [](Backend &backend,
             const ElementMesh &mesh,
             const Material &material) -> std::unique_ptr<ElementOperator<Number>> {
            return std::make_unique<Csr<Number>>(static_cast<CudaBackend &>(backend).context(),
                                                 backend.memory(),
                                                 mesh,
                                                 material);
          }};
}

template Strategy<double> csr<double>();
template Strategy<float> csr<float>();
} // namespace strut::cuda
