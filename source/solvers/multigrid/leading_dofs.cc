// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/leading_dofs.h"
#include "source/backend/gather_rows.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <algorithm>
#include <map>

namespace strut
{
namespace
{
/// DoFs that fewer follow are smoothed well. A dense matrix of more would take seconds to invert.
constexpr std::size_t many = 16, most = 1200;

/// Returns the DoFs that many follow, ascending.
std::vector<std::uint32_t> leading_dofs(const AffineRows &rows)
{
  std::map<std::uint32_t, std::size_t> n_followers;
  for (const std::uint32_t master : rows.masters)
    ++n_followers[master];
  std::vector<std::uint32_t> result;
  for (const auto &[dof, n] : n_followers)
    if (n > many)
      result.push_back(dof);
  return result.size() > most ? std::vector<std::uint32_t>() : result;
}
} // namespace

template <typename Number>
LeadingDofs<Number>::LeadingDofs(Backend &backend,
                                 const Communicator &communicator,
                                 const ElementMesh &mesh)
  : backend_(backend)
{
  const AffineRows &given                = mesh.dependent;
  const std::vector<std::uint32_t> leads = leading_dofs(given);
  if (communicator.size() > 1 || leads.empty())
    return;
  const auto number_of = [&](const std::uint32_t master) {
    return std::lower_bound(leads.begin(), leads.end(), master) - leads.begin();
  };
  const auto n         = static_cast<Eigen::Index>(leads.size());
  Eigen::MatrixXd gram = Eigen::MatrixXd::Identity(n, n); // A^T A
  std::vector<std::uint32_t> followers;
  std::vector<RowEntry> rows, transposed;
  for (std::size_t k = 0; k < given.dofs.size(); ++k)
    {
      const std::uint32_t begin = given.offsets[k], end = given.offsets[k + 1];
      if (!std::all_of(given.masters.begin() + begin,
                       given.masters.begin() + end,
                       [&](const std::uint32_t master) {
                         return std::binary_search(leads.begin(), leads.end(), master);
                       }))
        continue;
      followers.push_back(given.dofs[k]);
      for (std::uint32_t i = begin; i < end; ++i)
        {
          rows.push_back({given.dofs[k], given.masters[i], given.weights[i]});
          transposed.push_back({given.masters[i], given.dofs[k], given.weights[i]});
          for (std::uint32_t j = begin; j < end; ++j)
            gram(number_of(given.masters[i]), number_of(given.masters[j])) +=
              given.weights[i] * given.weights[j];
        }
    }
  Memory &memory = backend.memory();
  dofs_          = Array<std::uint32_t>(memory, leads);
  followers_     = Array<std::uint32_t>(memory, followers);
  rows_          = gather_rows<Number>(memory, rows, mesh.n_dofs(), SamePlace::sum);
  transposed_    = gather_rows<Number>(memory, transposed, mesh.n_dofs(), SamePlace::sum);

  const Eigen::MatrixXd G            = gram.llt().solve(Eigen::MatrixXd::Identity(n, n));
  const auto size                    = static_cast<std::uint32_t>(n);
  std::vector<std::uint32_t> offsets = {0}, places;
  for (std::uint32_t i = 0; i < size; ++i)
    {
      places.push_back(size + i);
      offsets.push_back(i + 1);
    }
  const auto dense = [&](const Eigen::MatrixXd &matrix) {
    std::vector<RowEntry> entries;
    for (std::uint32_t i = 0; i < size; ++i)
      for (std::uint32_t j = 0; j < size; ++j)
        if (matrix(i, j) != 0.) // DoFs of other regions have none
          entries.push_back({size + i, j, matrix(i, j)});
    return gather_rows<Number>(memory, entries, 2 * leads.size(), SamePlace::sum);
  };
  G_       = dense(G);
  inverse_ = dense(gram);
  offsets_ = Array<std::uint32_t>(memory, offsets);
  places_  = Array<std::uint32_t>(memory, places);
  numbers_ = Array<Number>(memory, 2 * leads.size());
}

template <typename Number>
void LeadingDofs<Number>::multiply(SparseRows<Number> &matrix, Array<Number> &x)
{
  const auto &vectors = backend_.vector_operations<Number>();
  vectors.gather(dofs_, x, numbers_);
  vectors.combine(matrix, Number(0), numbers_);
  vectors.sum_rows(dofs_, offsets_, places_, numbers_, x);
}

template <typename Number>
void LeadingDofs<Number>::spread(Array<Number> &r)
{
  if (empty())
    return;
  multiply(G_, r);
  backend_.vector_operations<Number>().combine(rows_, Number(0), r);
}

template <typename Number>
void LeadingDofs<Number>::collect(Array<Number> &r)
{
  if (empty())
    return;
  multiply(inverse_, r);
  backend_.vector_operations<Number>().set(followers_, Number(0), r);
}

template <typename Number>
void LeadingDofs<Number>::average(Array<Number> &d)
{
  if (empty())
    return;
  backend_.vector_operations<Number>().combine(transposed_, Number(1), d);
  multiply(G_, d);
}

template class LeadingDofs<double>;
template class LeadingDofs<float>;
} // namespace strut
