// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/mesh/element_mesh.h>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace strut::plugin
{
/// Triangles of one rank, counter-clockwise as seen from outside. Vertices are merged by the edge or the node of the mesh
/// that they are on, so that the triangles of all ranks close by their keys, not by their places.
struct Surface
{
  /// The global numbers of both nodes of an edge, the node's number twice, or one of these constants and a number.
  using Key = std::array<std::uint64_t, 2>;

  static constexpr std::uint64_t inside_element = ~std::uint64_t(0), on_face = inside_element - 1,
                                 beside_edge = inside_element - 2;

  std::vector<std::array<double, 3>> vertices;
  std::vector<Key>
    keys; ///< `[vertices.size()]`; the vertices of two ranks with one key have the same bits
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<double>
    sizes; ///< `[vertices.size()]`, the shortest edge of the element that a vertex is of
  std::vector<std::uint8_t>
    is_on_face; ///< `[triangles.size()]`, 0: cut by the level; 1: on a face of an element
};

/// The mean of the densities of the design elements around each node, weighted by volume; 0 where there is none. Solid
/// and empty elements do not count: they end at their faces. Ghosts are up to date. Collective.
/// @param densities  `[n_elements]` @return `[n_nodes]`
std::vector<double> design_densities_at_nodes(MPI_Comm communicator,
                                              const ElementMesh &mesh,
                                              const std::vector<double> &densities,
                                              unsigned int n_threads);

/// A level of a nodal field, and the volume of the parts of design elements in which the field is at least that.
struct EnclosingLevel
{
  double level  = 0.;
  double volume = 0.; ///< over all ranks
};

/// The level that encloses a volume of design elements, by bisection. Where the field is constant over elements, no level
/// may do so: then the highest that encloses more. Collective.
/// @param field  `[n_nodes]`, at least 0, ghosts up to date
EnclosingLevel find_enclosing_level(MPI_Comm communicator,
                                    const ElementMesh &mesh,
                                    const std::vector<double> &field,
                                    double volume,
                                    unsigned int n_threads);

/// The boundary of the solid elements together with the part of the design elements in which the field is at least the
/// level: the iso-surface (iso_cell.h), caps where the part ends at the domain or at empty elements, and of the faces
/// of solid elements what is not covered. Every edge has two triangles: where the body touches itself along an edge of the
/// mesh, each of its sheets has a vertex of its own there, moved into the body. Collective.
/// @param field  `[n_nodes]`, ghosts up to date
/// @param separation  a share of an edge: the least distance of cuts from nodes, so that vertices are apart in files of
/// single precision, too
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
  double enclosed = 0.; ///< by the surface
};

/// The surface of a design: of its nodal densities, at a level or at that which encloses the volume of the design. An empty
/// design, in which no element to design counts as material, has that of its solid elements alone where no level encloses its
/// volume: never that of the body.
struct EnclosingSurface
{
  SurfaceVolumes volumes;
  Surface surface; ///< of this rank
  std::optional<double>
    empty; ///< the largest density to design, if that is below DesignPiece::least_density
};

/// Collective. @param densities  `[n_elements]`
EnclosingSurface make_enclosing_surface(MPI_Comm communicator,
                                        const ElementMesh &mesh,
                                        const std::vector<double> &densities,
                                        unsigned int n_threads,
                                        std::optional<double> level = {});
} // namespace strut::plugin
