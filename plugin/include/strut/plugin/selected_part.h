// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <deal.II/base/point.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace strut::plugin
{
struct MeshSummary;
class Region;

/// The part of a mesh that is in a region, for the log: the number of nodes, boundary faces or elements, their share,
/// and the box around them. A wrong expression shows there first.
class SelectedPart
{
public:
  enum class Kind : unsigned int
  {
    nodes,
    faces,
    elements
  };

  /// @param kind  of the selected entities; a load that says nothing has selected nodes
  void set_kind(const Kind kind)
  {
    kind_ = kind;
  }
  /// Count one more, with its area or volume; its place goes to include().
  void count(const double measure = 0.)
  {
    ++count_;
    measure_ += measure;
  }
  /// The nodes are, or are not, all those of the boundary.
  void set_whole_boundary(const bool is_whole)
  {
    is_whole_boundary_ = is_whole;
  }
  /// Make the box hold a point.
  void include(const dealii::Point<3> &point);

  /// Add what another one of the same kind has counted.
  void add(const SelectedPart &other);

  /// Add up the parts of all ranks. Collective.
  void sum(MPI_Comm communicator);

  /// "10 % of the boundary, in [32, 32] x [0, 16] x [0, 16]"; after sum(). Empty if nothing was counted.
  /// @param n_nodes  of the mesh
  std::string describe(const MeshSummary &summary, std::uint64_t n_nodes) const;

  /// The NOTE about a region that selects all there is and does not say `everywhere`; mostly empty.
  std::string note(const Region &region, const MeshSummary &summary, std::uint64_t n_nodes) const;

private:
  struct Share
  {
    double of_all = 0; ///< of the nodes, the area or the volume
    bool is_all   = false;
  };
  Share share(const MeshSummary &summary, std::uint64_t n_nodes) const;

  Kind kind_              = Kind::nodes;
  std::uint64_t count_    = 0;
  double measure_         = 0;
  bool is_whole_boundary_ = false;
  /// Lower corner, and the upper one with the other sign, so that both are minima.
  std::array<double, 6> box_{{std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max(),
                              std::numeric_limits<double>::max()}};
};
} // namespace strut::plugin
