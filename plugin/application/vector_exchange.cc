// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/vector_exchange.h"
#include "source/base/measure.h"

namespace strut::plugin
{
namespace
{
/// Make a copy of so many bytes, and count it.
template <typename Copy>
void count_copy(Backend &backend,
                const std::size_t bytes,
                const Copy &copy,
                Transfers::Direction &count)
{
  backend.synchronize(); // the time is that of the copy alone, without earlier work
  const WallClock clock;
  if (bytes > 0)
    copy();
  ++count.count;
  count.bytes += bytes;
  count.seconds += clock.seconds();
}
} // namespace

template <typename T>
void upload(Backend &backend,
            const T *const values,
            const std::size_t n,
            Array<T> &array,
            Transfers::Direction &count)
{
  const std::size_t bytes = n * sizeof(T);
  count_copy(
    backend, bytes, [&]() { backend.memory().copy_from_host(array.data(), values, bytes); }, count);
}

template <typename Number>
VectorExchange<Number>::VectorExchange(Backend &backend,
                                       const dealii::IndexSet &owned,
                                       const ElementMesh &mesh)
  : backend_(backend), positions_(mesh.n_owned_dofs())
{
  for (std::size_t i = 0; i < positions_.size(); ++i)
    positions_[i] = static_cast<std::uint32_t>(owned.index_within_set(mesh.dof_indices[i]));
  positions_there_ = Array<std::uint32_t>(backend.memory(), positions_);
  values_          = Array<Number>(backend.memory(), positions_.size());
}

template <typename Number>
void VectorExchange<Number>::upload(const Number *const values, Array<Number> &x)
{
  plugin::upload(backend_, values, values_.size(), values_, transfers.uploads);
  backend_.vector_operations<Number>().gather(positions_there_, values_, x);
}

template <typename Number>
void VectorExchange<Number>::download(const Array<Number> &x, Number *const values)
{
  backend_.vector_operations<Number>().scatter(positions_there_, x, values_);
  const std::size_t bytes = values_.size() * sizeof(Number);
  count_copy(
    backend_,
    bytes,
    [&]() { backend_.memory().copy_to_host(values, values_.data(), bytes); },
    transfers.downloads);
}

template class VectorExchange<double>;
template class VectorExchange<float>;
template void
upload(Backend &, const double *, std::size_t, Array<double> &, Transfers::Direction &);
} // namespace strut::plugin
