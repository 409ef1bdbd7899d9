// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/application/vector_exchange.h"
#include "plugin/application/device_vector_contents.h"
#include "source/base/measure.h"

#include <utility>

namespace strut
{
namespace
{
/// Makes a copy of n_bytes, and counts it.
template <typename Copy>
void count_copy(Backend &backend,
                const std::size_t bytes,
                const Copy &copy,
                Transfers::Direction &count)
{
  backend.synchronize(); // times the copy alone, without earlier work
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
                                       const ElementMesh &mesh,
                                       std::vector<std::uint32_t> constrained)
  : backend_(backend)
  , positions_(mesh.n_owned_dofs())
  , constrained_(std::move(constrained))
  , constrained_there_(backend.memory(), constrained_)
  , constrained_values_(backend.memory(), constrained_.size())
{
  for (std::size_t i = 0; i < positions_.size(); ++i)
    positions_[i] = static_cast<std::uint32_t>(owned.index_within_set(mesh.dof_indices[i]));
  positions_there_ = Array<std::uint32_t>(backend.memory(), positions_);
  values_          = Array<Number>(backend.memory(), positions_.size());
}

template <typename Number>
void VectorExchange<Number>::upload(const Number *const values, Array<Number> &x)
{
  strut::upload(backend_, values, values_.size(), values_, transfers.uploads);
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

template <typename Number>
void VectorExchange<Number>::upload(const OwnedEntries<Number> &values, Array<Number> &x)
{
  if (values.there == nullptr)
    upload(values.on_host, x);
  else
    backend_.vector_operations<Number>().gather(positions_there_,
                                                values.there->contents().values,
                                                x);
}

template <typename Number>
void VectorExchange<Number>::download(const Array<Number> &x, const OwnedEntries<Number> &values)
{
  if (values.there == nullptr)
    download(x, values.on_host);
  else
    backend_.vector_operations<Number>().scatter(positions_there_,
                                                 x,
                                                 values.there->contents().values);
}

template <typename Number>
void VectorExchange<Number>::add(const Number factor,
                                 const Array<Number> &x,
                                 const OwnedEntries<Number> &values)
{
  if (values.there == nullptr)
    {
      host_.resize(positions_.size());
      download(x, host_.data());
      for (std::size_t i = 0; i < host_.size(); ++i)
        values.on_host[i] += factor * host_[i];
      return;
    }
  backend_.vector_operations<Number>().scatter(positions_there_, x, values_);
  backend_.vector_operations<Number>().axpy(positions_.size(),
                                            factor,
                                            values_,
                                            values.there->contents().values);
}

template <typename Number>
void VectorExchange<Number>::copy_constrained(const OwnedEntries<Number> &from,
                                              const OwnedEntries<Number> &to,
                                              const bool add)
{
  if (to.there == nullptr)
    {
      for (const std::uint32_t i : constrained_)
        to.on_host[i] = add ? to.on_host[i] + from.on_host[i] : from.on_host[i];
      return;
    }
  const auto &vectors   = backend_.vector_operations<Number>();
  Array<Number> &target = to.there->contents().values;
  vectors.gather(constrained_there_, from.there->contents().values, constrained_values_);
  if (add)
    vectors.scatter_add(constrained_there_, constrained_values_, target);
  else
    vectors.scatter(constrained_there_, constrained_values_, target);
}

template <typename Number>
void VectorExchange<Number>::zero_constrained(const OwnedEntries<Number> &values)
{
  if (values.there != nullptr)
    return backend_.vector_operations<Number>().set(constrained_there_,
                                                    Number(0),
                                                    values.there->contents().values);
  for (const std::uint32_t i : constrained_)
    values.on_host[i] = Number(0);
}

template <typename Number>
std::size_t VectorExchange<Number>::host_memory() const
{
  return positions_.capacity() * sizeof(std::uint32_t) +
         constrained_.capacity() * sizeof(std::uint32_t) + host_.capacity() * sizeof(Number);
}

template class VectorExchange<double>;
template class VectorExchange<float>;
template void
upload(Backend &, const double *, std::size_t, Array<double> &, Transfers::Direction &);
} // namespace strut
