// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <strut/selected_part.h>

#include <deal.II/base/mpi.h>

#include <strut/region.h>

#include <algorithm>
#include <sstream>

#include "plugin/base/coordinate_text.h"
#include <strut/mesh_summary.h>

namespace strut
{
void SelectedPart::include(const dealii::Point<3> &point)
{
  for (int d = 0; d < 3; ++d)
    {
      box_[d]     = std::min(box_[d], point[d]);
      box_[3 + d] = std::min(box_[3 + d], -point[d]);
    }
}

void SelectedPart::add(const SelectedPart &other)
{
  count_ += other.count_;
  measure_ += other.measure_;
  for (std::size_t i = 0; i < box_.size(); ++i)
    box_[i] = std::min(box_[i], other.box_[i]);
}

void SelectedPart::sum(MPI_Comm communicator)
{
  // A rank without selection does not know the kind.
  kind_ =
    static_cast<Kind>(dealii::Utilities::MPI::max(static_cast<unsigned int>(kind_), communicator));
  count_             = dealii::Utilities::MPI::sum(count_, communicator);
  measure_           = dealii::Utilities::MPI::sum(measure_, communicator);
  is_whole_boundary_ = dealii::Utilities::MPI::min(is_whole_boundary_ ? 1u : 0u, communicator) > 0;
  for (double &side : box_)
    side = dealii::Utilities::MPI::min(side, communicator);
}

SelectedPart::Share SelectedPart::share(const MeshSummary &summary,
                                        const std::uint64_t n_nodes) const
{
  if (kind_ == Kind::nodes)
    return {static_cast<double>(count_) / static_cast<double>(n_nodes), count_ >= n_nodes};
  const auto &whole = kind_ == Kind::faces ? summary.whole_boundary : summary.whole_mesh;
  return {measure_ / whole.measure, count_ >= whole.count};
}

std::string SelectedPart::describe(const MeshSummary &summary, const std::uint64_t n_nodes) const
{
  if (count_ == 0)
    return {};
  std::ostringstream text;
  text.precision(3);
  text << 100. * share(summary, n_nodes).of_all << " % of the "
       << (kind_ == Kind::faces      ? "boundary"
           : kind_ == Kind::elements ? "volume"
                                     : "nodes")
       << ", in ";
  const auto &[lowest, highest] = summary.box.get_boundary_points();
  std::array<double, 3> low, high;
  for (std::size_t d = 0; d < 3; ++d)
    {
      low[d]  = box_[d];
      high[d] = 0. - box_[3 + d];
    }
  text << box_text(low, high, digits_in_box(6, lowest, highest));
  return text.str();
}

std::string SelectedPart::note(const Region &region,
                               const MeshSummary &summary,
                               const std::uint64_t n_nodes) const
{
  const bool all = share(summary, n_nodes).is_all;
  if (region.is_everywhere() || !(all || is_whole_boundary_))
    return {};
  const std::string whole =
    kind_ == Kind::faces || !all ? "the whole boundary of the mesh" : "the whole mesh";
  // Naming all materials of a mesh, for example for a body force, is intended.
  if (kind_ == Kind::elements && !region.has_expression())
    return {};
  return "the region is " + whole + " (" + region.describe() + ')' +
         (region.has_expression() ? "; 'Expression = everywhere' says so without this note" : "");
}
} // namespace strut
