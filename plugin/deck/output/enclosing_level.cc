// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include <deal.II/base/mpi.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "plugin/base/host_halo.h"
#include "plugin/deck/output/node_means.h"
#include "plugin/deck/output/surface.h"
#include "source/base/filled_vector.h"
#include "source/base/parallel_loop.h"
#include "source/element/hexahedra_of_vertices.h"
#include "source/element/iso_cell.h"
#include "source/mesh/affine_element.h"
#include "source/optimization/design_pieces.h"
#include "source/optimization/updates/bracketed_root.h"

namespace strut
{
std::vector<double> design_densities_at_nodes(MPI_Comm communicator,
                                              const ElementMesh &mesh,
                                              const std::vector<double> &densities,
                                              const unsigned int n_threads)
{
  std::vector<double> means = means_at_nodes(
    communicator,
    mesh,
    densities,
    [&](const std::size_t e) { return mesh.flags[e] == DesignFlag::design ? mesh.volumes[e] : 0.; },
    n_threads);
  update_ghosts(communicator, mesh, means);
  return means;
}

namespace
{
/// A level of a nodal field, and the volume of the parts of design elements where the field is at
/// least the level.
struct EnclosingLevel
{
  double level  = 0.;
  double volume = 0.; ///< over all ranks
};

/// The volume of the parts of design elements on this rank where a nodal field is at least a level,
/// for levels of a bracket that gets narrower. Elements that no level of the bracket cuts keep
/// their share. So each call visits fewer elements than the one before.
///
/// The sums are those of NodalFields::volume_above(), without its copies of the mesh.
class VolumesAbove
{
public:
  /// @param field  `[n_nodes]`, ghosts up to date
  VolumesAbove(const ElementMesh &mesh, const std::vector<double> &field, const int n_threads)
    : volumes_(mesh.volumes)
    , field_(field)
    , n_threads_(n_threads)
    , shares_(cpu::filled_vector<double>(n_threads, mesh.n_elements))
    , blocks_((mesh.n_elements + block_size - 1) / block_size)
  {
    if (mesh.type != ElementType())
      straight_ = hexahedra_of_vertices(mesh);
    mesh_ = straight_ ? &*straight_ : &mesh;
    for_each_block([&](const std::size_t b) {
      for (std::size_t e = b * block_size; e < end_of(b); ++e)
        if (mesh.flags[e] == DesignFlag::design)
          blocks_[b].open.push_back(static_cast<LocalIndex>(e));
    });
  }

  /// The volume above a level. It and the levels of later calls are above `low` and at most `high`.
  double at(const double level, const double low, const double high)
  {
    for_each_block([&](const std::size_t b) {
      Block &block = blocks_[b];
      if (block.open.empty())
        return;
      std::size_t n_open = 0;
      for (const LocalIndex e : block.open)
        {
          double values[8];
          for (std::size_t v = 0; v < 8; ++v)
            values[v] = field_[mesh_->node(e, v)];
          const auto [least, largest] = std::minmax_element(values, values + 8);
          const bool is_out = *largest <= low, is_in = *least >= high;
          shares_[e] = is_out ? 0. : is_in ? 1. : share(e, values, level);
          if (!is_out && !is_in)
            block.open[n_open++] = e;
        }
      block.open.resize(n_open);
      block.volume = 0.;
      for (std::size_t e = b * block_size; e < end_of(b); ++e)
        block.volume += shares_[e] * volumes_[e];
    });
    double volume = 0.;
    for (const Block &block : blocks_)
      volume += block.volume;
    return volume;
  }

private:
  static constexpr std::size_t block_size = 4096;

  struct Block
  {
    std::vector<LocalIndex> open; ///< design elements that levels of the bracket may cut
    double volume = 0.;
  };

  std::size_t end_of(const std::size_t block) const
  {
    return std::min(shares_.size(), (block + 1) * block_size);
  }

  template <typename Body>
  void for_each_block(const Body &body) const
  {
    cpu::parallel_blocks(n_threads_, blocks_.size(), 1, [&](const std::size_t b, std::size_t) {
      body(b);
    });
  }

  /// The share of an element above a level.
  double share(const std::size_t e, const double (&values)[8], const double level) const
  {
    const int marked = iso_cell::marking(values, level);
    if (marked == 0 || marked == 255 || is_affine(*mesh_, e))
      return iso_cell::fraction(values, level);
    if (is_collapsed(*mesh_, e))
      return iso_cell::fraction_of_tetrahedron({values[0], values[1], values[2], values[4]}, level);
    double X[3][8];
    for (std::size_t v = 0; v < 8; ++v)
      for (std::size_t d = 0; d < 3; ++d)
        X[d][v] = mesh_->coordinates[d * mesh_->n_nodes + mesh_->node(e, v)];
    return iso_cell::volume(X, values, level) / mesh_->volumes[e];
  }

  std::optional<ElementMesh> straight_; ///< hexahedra_of_vertices(), for elements of other types
  const ElementMesh *mesh_ = nullptr;   ///< elements to cut
  const std::vector<double> &volumes_, &field_;
  const int n_threads_;
  std::vector<double> shares_;
  std::vector<Block> blocks_;
};

/// The level that encloses a volume of design elements, found by bisection. If the field is
/// constant over elements, there may be none: then the highest level that encloses more is
/// returned.
///
/// Volumes take nearly all the time, and fall with the level. So a faster method finds a narrow
/// bracket first, and only the last steps of the bisection need more of them.
class EnclosingLevelSearch
{
public:
  /// @param field  `[n_nodes]`, at least 0, ghosts up to date
  EnclosingLevelSearch(const Communicator &communicator,
                       const ElementMesh &mesh,
                       const std::vector<double> &field,
                       const double volume,
                       const int n_threads)
    : communicator_(communicator)
    , mesh_(mesh)
    , field_(field)
    , volume_(volume)
    , n_threads_(n_threads)
    , largest_(communicator.max(
        cpu::parallel_max(n_threads, field.size(), [&](const std::size_t n) { return field[n]; })))
    , above_{largest_ * (1. + narrow), 0.}
    , volumes_(mesh, field, n_threads)
  {}

  /// Collective.
  EnclosingLevel find()
  {
    const double first = above_.level;
    below_             = {0., communicator_.sum(volumes_.at(0., -1., first))};
    if (!is_above(below_.volume))
      return below_;
    EnclosingLevel below = below_;
    approach_level();
    for (double above = first; above - below.level > narrow * largest_;)
      {
        const double middle = 0.5 * (below.level + above);
        if (middle >= above_.level)
          above = middle;
        else if (middle <= below_.level)
          below = {middle, unknown};
        else
          {
            const double volume = volume_between(middle);
            if (volume >= volume_)
              below = {middle, volume};
            else
              above = middle;
            if (volume >= volume_ && !is_above(volume))
              break;
          }
      }
    if (below.volume == unknown)
      below.volume =
        communicator_.sum(VolumesAbove(mesh_, field_, n_threads_).at(below.level, -1., first));
    return below;
  }

private:
  // A narrower bracket would separate values that differ only by rounding, and a constant field
  // would give noise.
  static constexpr double narrow = 1e-10, close = 1e-10;
  static constexpr double unknown = -1.;

  /// Whether a volume exceeds the one to enclose by more than is close to it.
  bool is_above(const double volume) const
  {
    return volume - volume_ > close * volume_;
  }

  /// Computes the volume above a level in the bracket, and narrows that.
  double volume_between(const double level)
  {
    const double volume = communicator_.sum(volumes_.at(level, below_.level, above_.level));
    if (is_above(volume))
      below_ = {level, volume};
    else if (volume < volume_ * (1. - rounding))
      above_ = {level, volume};
    return volume;
  }

  /// Narrows the bracket around the level.
  void approach_level()
  {
    const double level = bracketed_root(below_.level,
                                        below_.volume - volume_,
                                        above_.level,
                                        above_.volume - volume_,
                                        close * volume_,
                                        [this](const double x) {
                                          const double excess = volume_between(x) - volume_;
                                          return width() > narrow * largest_ ? excess : 0.;
                                        });
    for (double way = 10. * narrow * largest_; width() > 2. * way; way *= 30.)
      {
        if (level - way > below_.level)
          volume_between(level - way);
        if (level + way < above_.level)
          volume_between(level + way);
      }
  }

  double width() const
  {
    return above_.level - below_.level;
  }

  static constexpr double rounding = 1e-12; ///< errors of the volumes are less

  const Communicator communicator_;
  const ElementMesh &mesh_;
  const std::vector<double> &field_;
  const double volume_;
  const int n_threads_;
  const double largest_;
  /// A level that encloses more, by more than is close, and one that encloses less.
  EnclosingLevel below_, above_;
  VolumesAbove volumes_;
};
} // namespace

EnclosingSurface make_enclosing_surface(MPI_Comm communicator,
                                        const ElementMesh &mesh,
                                        const std::vector<double> &densities,
                                        const unsigned int n_threads,
                                        const std::optional<double> level)
{
  EnclosingSurface result;

  const auto n_parts = static_cast<int>(n_threads);
  result.volumes.design =
    dealii::Utilities::MPI::sum(cpu::parallel_sum(n_parts,
                                                  mesh.n_elements,
                                                  [&](const std::size_t e) {
                                                    return mesh.flags[e] == DesignFlag::design
                                                             ? mesh.volumes[e] * densities[e]
                                                             : 0.;
                                                  }),
                                communicator);
  const std::vector<double> field =
    design_densities_at_nodes(communicator, mesh, densities, n_threads);
  double largest        = -1.; // of design elements
  const auto largest_of = [&](const std::size_t begin, const std::size_t end) {
    double of_block = -1.;
    for (std::size_t e = begin; e < end; ++e)
      if (mesh.flags[e] == DesignFlag::design)
        of_block = std::max(of_block, densities[e]);
    return of_block;
  };
  for (const double of_block : cpu::values_of_blocks(n_parts, mesh.n_elements, largest_of))
    largest = std::max(largest, of_block);
  largest = dealii::Utilities::MPI::max(largest, communicator);
  if (largest >= 0. && largest < DesignPiece::least_density)
    result.empty = largest;
  EnclosingLevel found;
  if (level)
    found.level = *level;
  else
    found =
      EnclosingLevelSearch(Communicator(communicator), mesh, field, result.volumes.design, n_parts)
        .find();
  // Relative to the volume: a level that encloses more describes no shape.
  constexpr double much = 1.05;
  // A level above all densities.
  if (!level && result.empty && found.volume > much * result.volumes.design)
    found = {2., 0.};
  result.volumes.enclosed = found.volume;
  result.surface          = make_surface(communicator, mesh, field, found.level, n_threads);
  return result;
}
} // namespace strut
