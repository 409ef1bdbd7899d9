// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "source/surface/triangle_mesh.h"

namespace strut
{
/// Triangles of one rank, counter-clockwise as seen from outside. Vertices are merged by the edge
/// or node of the mesh on which they lie. The triangles of all ranks are therefore joined by keys,
/// not by coordinates.
struct Surface
{
  /// The global numbers of both nodes of an edge, the node's number twice, or one of these
  /// constants and a number.
  using Key = std::array<std::uint64_t, 2>;

  static constexpr std::uint64_t inside_element = ~std::uint64_t(0), on_face = inside_element - 1,
                                 beside_edge = inside_element - 2;

  std::vector<std::array<double, 3>> vertices;
  /// `[vertices.size()]`; vertices of two ranks with one key have the same bits.
  std::vector<Key> keys;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  /// Shortest edge of the element that a vertex belongs to, `[vertices.size()]`.
  std::vector<double> sizes;
  /// `[triangles.size()]`, 0: cut by the level; 1: on a face of an element.
  std::vector<std::uint8_t> is_on_face;
};

/// The mean of the densities of the design elements around each node, weighted by volume; 0 where
/// there are none. Solid and empty elements do not count: they end at their faces. Ghosts are up to
/// date. Collective.
/// @param densities  `[n_elements]`
/// @return `[n_nodes]`
std::vector<double> design_densities_at_nodes(MPI_Comm communicator,
                                              const ElementMesh &mesh,
                                              const std::vector<double> &densities,
                                              unsigned int n_threads);

/// The boundary of the solid elements and of the part of the design elements where the field is at
/// least the level. It consists of the iso-surface (iso_cell.h), of caps at the domain or at empty
/// elements, and of uncovered parts of solid faces.
///
/// Every edge has two triangles. Where the body touches itself along an edge of the mesh, each of
/// its sheets has a separate vertex there, moved into the body. Collective.
/// @param field  `[n_nodes]`, ghosts up to date
/// @param separation  least distance of cuts from nodes as a fraction of the edge, so that vertices
///   also differ in files of single precision
Surface make_surface(MPI_Comm communicator,
                     const ElementMesh &mesh,
                     const std::vector<double> &field,
                     double level,
                     unsigned int n_threads,
                     double separation = 1e-3);

/// Volumes of design elements.
struct SurfaceVolumes
{
  double design   = 0.; ///< volume times density
  double enclosed = 0.; ///< volume that the surface encloses
};

/// The surface of a design, from its nodal densities at a given level, or at the level that
/// encloses the volume of the design.
///
/// In an empty design, no design element counts as material. If no level encloses its volume, its
/// surface is that of its solid elements, never that of the whole body.
struct EnclosingSurface
{
  SurfaceVolumes volumes;
  Surface surface; ///< surface of this rank
  /// The largest density of a design element, if it is below DesignPiece::least_density.
  std::optional<double> empty;
};

/// Makes the surface. Collective. @param densities  `[n_elements]`
EnclosingSurface make_enclosing_surface(MPI_Comm communicator,
                                        const ElementMesh &mesh,
                                        const std::vector<double> &densities,
                                        unsigned int n_threads,
                                        std::optional<double> level = {});

/// Joins the surfaces of all ranks on the root, where vertices with the same key become one. Other
/// ranks get nothing. Collective.
CutSurface whole_surface(MPI_Comm communicator, Surface surface);
} // namespace strut
