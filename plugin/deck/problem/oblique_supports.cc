// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Supports along the normals of faces and about axes. The equations of a node make some of its
// components dependent on the others.
#include <deal.II/base/mpi.h>

#include <strut/base/exceptions.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <sstream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "plugin/base/global_node_numbers.h"
#include "plugin/base/host_halo.h"
#include "plugin/deck/problem/problem.h"
#include "plugin/deck/problem/region_members.h"
#include "plugin/element_mesh/element_mesh_builder.h"
#include "source/element/elements.h"
#include "source/element/face_quadrature.h"
#include "source/mesh/affine_rows.h"

namespace strut
{
namespace
{
using Vector = dealii::Tensor<1, 3>;

/// The mean normal of a face near one of its nodes, times an area.
struct NormalAtNode
{
  std::uint64_t node; ///< number over all ranks
  std::array<double, 3> normal;
};

/// Adds the normals of a face at its nodes.
void add_normals(const DeckMesh &mesh,
                 const GlobalNodeNumbers &numbers,
                 const DeckMesh::Face &face,
                 std::vector<NormalAtNode> &normals)
{
  with_element(mesh.elements.type, [&](const auto element) {
    using Element = std::decay_t<decltype(element)>;
    double X[3][Element::n_nodes];
    nodes_of<Element>(mesh.elements, face.element, X);
    const std::vector<FacePoint> points = face_quadrature<Element>(X, face.number);
    mesh.for_each_node(face, [&](const LocalIndex node) {
      NormalAtNode here{numbers(node), {}};
      for (unsigned int v = 0; v < Element::n_nodes; ++v)
        if (mesh.node(face.element, v) == node)
          for (const FacePoint &point : points)
            for (std::size_t d = 0; d < 3; ++d) // squared, since shape functions may be negative
              here.normal[d] += point.N[v] * point.N[v] * point.area * point.normal[d];
      normals.push_back(here);
    });
  });
}

/// Returns the unit normals at a node: the mean of faces that are at most at 45 degrees to it.
std::vector<Vector> distinct_normals(std::vector<std::array<double, 3>> normals)
{
  std::sort(normals.begin(), normals.end()); // in the same order on any number of ranks
  std::vector<Vector> sums;
  for (const std::array<double, 3> &one : normals)
    {
      const Vector normal(dealii::Point<3>(one[0], one[1], one[2]));
      const auto near = std::find_if(sums.begin(), sums.end(), [&](const Vector &sum) {
        return sum * normal > 0.7071 * sum.norm() * normal.norm();
      });
      if (near != sums.end())
        *near += normal;
      else
        sums.push_back(normal);
    }
  for (Vector &sum : sums)
    sum /= sum.norm();
  return sums;
}

/// Returns a normal at planes of symmetry, where the mirror images of the faces count, too. A
/// normal along that of a plane is left as it is: its face lies on the plane.
/// @param mirrors  bit c is set if a plane with normal c passes through the node
Vector whole_normal(const Vector &normal, const std::uint8_t mirrors)
{
  Vector result = normal;
  for (unsigned int c = 0; c < 3; ++c)
    if ((mirrors >> c & 1) != 0)
      result[c] = 0.;
  return result.norm() > 0.7071 ? result / result.norm() : normal;
}

/// Returns the normals of the region's boundary faces at the owned nodes. Collective.
std::map<LocalIndex, std::vector<Vector>> normals_of(const DeckMesh &mesh,
                                                     MPI_Comm communicator,
                                                     const GlobalNodeNumbers &numbers,
                                                     const Region &region,
                                                     const NodeSet &nodes)
{
  std::vector<double> is_in(mesh.elements.n_nodes, 0.);
  for (const LocalIndex node : nodes)
    is_in[node] = 1.;
  update_ghosts(communicator, mesh.elements, is_in);
  std::vector<NormalAtNode> normals;
  for (const DeckMesh::Face &face : mesh.named_faces())
    {
      bool all = region.has_face(mesh, face) && region.has_element(mesh, face.element);
      mesh.for_each_node(face, [&](const LocalIndex node) { all = all && is_in[node] > 0.; });
      if (all)
        add_normals(mesh, numbers, face, normals);
    }
  const std::vector<NormalAtNode> others = of_other_ranks(communicator, normals);
  normals.insert(normals.end(), others.begin(), others.end());
  std::map<LocalIndex, std::vector<std::array<double, 3>>> at_nodes;
  for (const NormalAtNode &one : normals)
    if (one.node >= numbers(0) && one.node - numbers(0) < mesh.elements.n_owned_nodes)
      at_nodes[static_cast<LocalIndex>(one.node - numbers(0))].push_back(one.normal);
  std::map<LocalIndex, std::vector<Vector>> result;
  for (auto &[node, of_faces] : at_nodes)
    result[node] = distinct_normals(std::move(of_faces));
  return result;
}

/// A node with its displacements.
struct SolvedNode
{
  std::uint64_t node; ///< number over all ranks
  NodeDisplacements displacements;
};

/// Returns the rows of dependent components, with ascending DoFs.
AffineRows rows_of(const std::map<LocalIndex, NodeDisplacements> &nodes)
{
  AffineRows rows;
  rows.offsets = {0};
  for (const auto &[node, u] : nodes)
    for (LocalIndex c = 0; c < 3; ++c)
      {
        for (LocalIndex d = 0; d < 3; ++d)
          if (u.weights[c][d] != 0.)
            {
              rows.masters.push_back(3 * node + d);
              rows.weights.push_back(u.weights[c][d]);
            }
        if (rows.masters.size() == rows.offsets.back())
          continue; // free, or prescribed
        rows.dofs.push_back(3 * node + c);
        rows.values.push_back(u.values[c]);
        rows.offsets.push_back(static_cast<std::uint32_t>(rows.masters.size()));
      }
  return rows;
}
} // namespace

void Problem::apply_oblique_supports()
{
  oblique_nodes_.clear();
  if (std::none_of(supports_.begin(), supports_.end(), [](const auto &support) {
        return support->is_oblique();
      }))
    return;
  const GlobalNodeNumbers numbers(communicator_, mesh_.elements);
  ElementMesh &mesh = mesh_.elements;
  std::map<LocalIndex, double> prescribed; // owned DoFs
  for (std::size_t i = 0; i < mesh.constrained_dofs.size(); ++i)
    if (mesh.constrained_dofs[i] < mesh.n_owned_dofs())
      prescribed[mesh.constrained_dofs[i]] = mesh.constrained_values[i];
  std::map<LocalIndex, std::vector<DirectedDisplacement>> equations;
  std::map<LocalIndex, std::vector<std::size_t>> owners; // of the equations: numbers of holders
  const auto holder_of = [&](const LocalIndex dof) {
    std::size_t h = 0;
    while (!std::binary_search(holders_[h].dofs.begin(), holders_[h].dofs.end(), dof))
      ++h;
    return h;
  };
  const std::vector<std::uint8_t> mirrors = this->mirrors();
  std::string complaint; // the first on this rank, until all ranks have searched
  const auto throw_complaint = [&](const Support &support) {
    for (const std::string &text : dealii::Utilities::MPI::all_gather(communicator_, complaint))
      if (!text.empty())
        throw EntryError(support.path(), "Components", text);
  };
  const auto complain = [&](const LocalIndex node, const std::string &fault) {
    std::ostringstream text;
    text << "The node at (" << mesh_.location(node) << ") " << fault;
    if (complaint.empty())
      complaint = text.str();
  };
  std::map<LocalIndex, NodeDisplacements> solved;
  for (std::size_t s = 0; s < supports_.size(); ++s)
    {
      const Support &support = *supports_[s];
      if (!support.is_oblique())
        continue;
      const NodeSet nodes = select_nodes(mesh_, communicator_, support.region);
      std::map<LocalIndex, std::vector<Vector>> normals;
      if (support.needs_normals())
        normals = normals_of(mesh_, communicator_, numbers, support.region, nodes);
      for (const LocalIndex node : nodes)
        {
          if (support.needs_normals() && normals.count(node) == 0)
            complain(node,
                     "is on no boundary face whose nodes are all in the region, and has no "
                     "normal.\n  Let the region be faces, as by 'Boundary ids', or prescribe "
                     "components along x, y and z.");
          const auto [at, is_new] = equations.try_emplace(node);
          if (is_new)
            for (LocalIndex c = 0; c < 3; ++c)
              if (const auto value = prescribed.find(3 * node + c); value != prescribed.end())
                {
                  DirectedDisplacement along{{}, value->second};
                  along.direction[c] = 1.;
                  at->second.push_back(along);
                  owners[node].push_back(holder_of(3 * node + c));
                }
          for (Vector &normal : normals[node])
            normal = whole_normal(normal, mirrors[node]);
          if (const auto here =
                support.displacements_at(mesh_.location(node), normals[node], summary_.tolerance()))
            at->second.insert(at->second.end(), here->begin(), here->end());
          else
            complain(node,
                     "is on the axis, where no direction is radial or tangential.\n  Leave it out "
                     "of the region, or prescribe components along x, y and z.");
          if (const auto u = displacements_along(at->second))
            solved[node] = *u;
          else
            complain(node,
                     "has prescribed displacements that contradict each other, of this support or "
                     "of others.\n  Let their regions not overlap, or give them displacements that "
                     "agree.");
          oblique_nodes_[node] = "support '" + support.name + "'";
          owners[node].resize(at->second.size(), s);
        }
      for (const std::vector<LocalIndex> *const dofs :
           {&mesh.dependent.dofs, &mesh.dependent.masters})
        for (const LocalIndex dof : *dofs)
          if (oblique_nodes_.count(dof / 3) > 0)
            complain(dof / 3,
                     "is on tied faces, too ('Tie touching faces').\n  Let the region end before "
                     "them, or prescribe components along x, y and z.");
      throw_complaint(support);
    }

  for (Holder &holder : holders_)
    holder.dofs.erase(std::remove_if(holder.dofs.begin(),
                                     holder.dofs.end(),
                                     [&](const LocalIndex dof) {
                                       return solved.count(dof / 3) > 0;
                                     }),
                      holder.dofs.end());
  for (const auto &[node, along] : equations)
    {
      const auto parts = forces_along(along);
      for (std::size_t k = 0; k < parts.size(); ++k)
        holders_[owners[node][k]].shares.push_back({node, parts[k]});
    }
  for (const auto &[node, u] : solved)
    for (LocalIndex c = 0; c < 3; ++c)
      if (!u.is_free[c] && u.weights[c] == std::array<double, 3>())
        prescribed[3 * node + c] = u.values[c];
  std::vector<LocalIndex> dofs;
  std::vector<double> values;
  for (const auto &[dof, value] : prescribed)
    {
      dofs.push_back(dof);
      values.push_back(value);
    }
  set_constraints(dofs, values, communicator_, mesh);

  std::vector<SolvedNode> ours;
  for (const auto &[node, u] : solved)
    ours.push_back({numbers(node), u});
  std::map<std::uint64_t, LocalIndex> ghosts;
  for (std::size_t node = mesh.n_owned_nodes; node < mesh.n_nodes; ++node)
    ghosts[numbers(static_cast<LocalIndex>(node))] = static_cast<LocalIndex>(node);
  for (const SolvedNode &other : of_other_ranks(communicator_, ours))
    if (const auto ghost = ghosts.find(other.node); ghost != ghosts.end())
      solved[ghost->second] = other.displacements;
  merge_rows(rows_of(solved), mesh.dependent);
}
} // namespace strut
