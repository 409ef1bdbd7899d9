// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace strut
{
struct MeshSummary;
class Region;

/// The part of a mesh that is in a region, for the log: the number of nodes, boundary faces or
/// elements, their share, and their bounding box. The log so reveals wrong expressions early.
class SelectedPart
{
public:
  enum class Kind : unsigned int
  {
    nodes,
    faces,
    elements
  };

  /// @param kind  kind of the selected entities; nodes unless a load says otherwise
  void set_kind(const Kind kind)
  {
    kind_ = kind;
  }
  /// Counts one more entity, with its area or volume; include() takes its location.
  void count(const double measure = 0.)
  {
    ++count_;
    measure_ += measure;
  }
  /// Sets whether the nodes are all those of the boundary.
  void set_whole_boundary(const bool is_whole)
  {
    is_whole_boundary_ = is_whole;
  }
  /// Extends the box to contain a point.
  void include(const dealii::Point<3> &point);

  /// Adds the counts of another part of the same kind.
  void add(const SelectedPart &other);

  /// Sums the parts of all ranks. Collective.
  void sum(MPI_Comm communicator);

  /// Text such as "10 % of the boundary, in [32, 32] x [0, 16] x [0, 16]"; call sum() first. Empty
  /// if nothing was counted.
  /// @param n_nodes  number of nodes of the mesh
  std::string describe(const MeshSummary &summary, std::uint64_t n_nodes) const;

  /// The NOTE about a region that selects the whole mesh or boundary without the word `everywhere`;
  /// empty if there is none.
  std::string note(const Region &region, const MeshSummary &summary, std::uint64_t n_nodes) const;

private:
  struct Share
  {
    double of_all = 0; ///< total number of nodes, area or volume
    bool is_all   = false;
  };
  Share share(const MeshSummary &summary, std::uint64_t n_nodes) const;

  Kind kind_              = Kind::nodes;
  std::uint64_t count_    = 0;
  double measure_         = 0;
  bool is_whole_boundary_ = false;
  /// Lower corner, and the upper corner with the opposite sign, so that both are minima.
  std::array<double, 6> box_{{std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max()}};
};
} // namespace strut
