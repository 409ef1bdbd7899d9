// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/level_operator.h"
#include "source/element/full_integration.h"
#include "source/parallel/halo_sum.h"
#include "source/solvers/coarse/host_stiffness.h"
#include "source/solvers/multigrid/galerkin_level.h"
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace strut
{
namespace
{
/// The elasticity operator on the mesh of the level, with the mean stiffness of the finer elements
/// in each element.
template <typename Number>
class DiscretisedLevel : public LevelOperator<Number>
{
public:
  DiscretisedLevel(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &mesh,
                   const Material &material,
                   const std::string &strategy,
                   const std::optional<ExtremeSolids> &solids)
    : backend_(backend)
    , communicator_(communicator)
    , mesh_(mesh)
    , material_(material)
    , solids_(solids)
    , K_(backend, communicator, mesh, material, strategy, solids ? Law::lame : Law::factor)
    , node_sum_(backend, communicator, mesh.node_halo, mesh.n_components)
    , residual_sum_(backend,
                    communicator,
                    mesh.node_halo,
                    mesh.n_components,
                    HaloSum<Number>::To::shared_values)
    , block_sum_(backend,
                 communicator,
                 mesh.node_halo,
                 mesh.n_components * (mesh.n_components + 1) / 2)
  {}

  /// Make a level below another one.
  DiscretisedLevel(Backend &backend,
                   const Communicator &communicator,
                   const ElementMesh &fine,
                   const CoarseLevel &coarse,
                   const Material &material,
                   const std::string &strategy,
                   const DiscretisedLevel &finer)
    : DiscretisedLevel(backend, communicator, coarse.mesh, material, strategy, finer.solids_)
  {
    finer_      = &finer;
    from_finer_ = make_coarse_stiffness(backend, communicator, fine, coarse);
  }

  void set(const Stiffness &stiffness) override
  {
    if (finer_ == nullptr)
      {
        Array<double> work;
        given_ = stiffness.law() == Law::factor && stiffness.is_stored()
                   ? &stiffness.component(0, 0, work)
                   : nullptr;
        K_.set(stiffness);
      }
    else
      {
        const Stiffness fine = finer_->means();
        Array<double> work(backend_.memory(), fine.is_stored() ? 0 : finer_->mesh_.n_elements);
        K_.set(Stiffness::of_fields(fine.layout(),
                                    [&](unsigned int, const unsigned int k, Array<double> &values) {
                                      from_finer_->apply(fine.component(0, k, work), values);
                                    }));
      }
    find_bound();
  }

  void apply(Array<Number> &x, Array<Number> &y) override
  {
    K_.apply_local(x, y);
    node_sum_.add(y);
  }

  bool subtract(Array<Number> &x, Array<Number> &r) override
  {
    if (!K_.can_subtract())
      return false;
    residual_sum_.set_aside(r);
    K_.subtract_local(x, r);
    residual_sum_.add(r);
    return true;
  }

  void diagonal_blocks(Array<Number> &blocks) override
  {
    K_.local_diagonal_blocks(blocks);
    block_sum_.add(blocks);
  }

  double smoother_bound() const override
  {
    return bound_;
  }

  void factor(CoarseSolver<Number> &solver) const override
  {
    const Stiffness here = means();
    if (!solver.set(here))
      solver.set_matrices(Array<Number>(
        backend_.memory(),
        packed_matrices<Number>(mesh_,
                                material_,
                                host_stiffness(backend_.memory(), mesh_.n_elements, here))));
  }

private:
  Stiffness means() const
  {
    return K_.means(given_);
  }

  /// Finds the bound of the eigenvalues once for each law. It depends on the numbers only for
  /// Lame's parameters with the mean dilatation.
  void find_bound()
  {
    if (mesh_.type != ElementType())
      {
        // With z_v = C^1/2 B_v x_v at a point, |sum_v z_v|^2 <= n sum_v |z_v|^2.
        bound_ = mesh_.type.n_nodes;
        return;
      }
    const StiffnessLayout &now = K_.layout();
    if (now.n_points > 1)
      {
        bound_ = bound_for_any_tangents;
        return;
      }
    ExtremeSolids solids = solids_.value_or(any_solids);
    int kind             = 0;
    if (now.law == Law::lame && material_.formulation == Formulation::mean_dilatation)
      {
        Array<double> work;
        const Stiffness lame = means();
        std::tie(solids, kind) =
          solids_with_mean(largest_lame_ratio(communicator_,
                                              lame.component(0, 0, work).to_host(),
                                              lame.component(0, 1, work).to_host()));
      }
    Bound &found = bounds_[now.law.name];
    if (found.value == 0. || found.kind != kind)
      {
        const double here =
          now.law == Law::lame
            ? strut::smoother_bound(backend_, mesh_, solids)
            : strut::smoother_bound(backend_,
                                    mesh_,
                                    now.law == Law::factor ? material_ : Material::volumetric());
        found = {communicator_.max(here), kind};
      }
    bound_ = found.value;
  }

  struct Bound
  {
    double value = 0.; ///< 0: not found yet
    int kind     = 0;  ///< kind of the solids that it is for
  };

  Backend &backend_;
  const Communicator communicator_;
  const ElementMesh &mesh_;
  const Material material_;
  /// no value for one material, unless the law is Law::lame
  const std::optional<ExtremeSolids> solids_;
  ElasticityOperator<Number> K_;
  HaloSum<Number> node_sum_, residual_sum_, block_sum_;
  const DiscretisedLevel *finer_ = nullptr; ///< null on the finest level
  std::unique_ptr<CoarseStiffness> from_finer_;
  const Array<double> *given_ = nullptr; ///< factors that the finest level was given in an array
  std::map<std::string, Bound> bounds_;  ///< bounds of laws with one point for each element
  double bound_ = 0.;                    ///< bound for the stiffness in force
};
} // namespace

template <typename Number>
std::vector<std::unique_ptr<LevelOperator<Number>>>
make_level_operators(const CoarseOperators kind,
                     Backend &backend,
                     const Communicator &communicator,
                     const Structure &structure,
                     const std::size_t n_coarser,
                     const std::string &strategy,
                     const Formulation on_coarse_levels,
                     const std::optional<ExtremeSolids> &solids)
{
  // Factors and Lame's parameters are those of the solids.
  const ElementMesh &mesh      = structure.mesh;
  const Material &material     = structure.material;
  const MeshHierarchy &coarser = structure.coarser;
  const Material coarse_material{material.youngs_modulus, material.poisson_ratio, on_coarse_levels};
  std::vector<std::unique_ptr<LevelOperator<Number>>> levels;
  auto finest = std::make_unique<DiscretisedLevel<Number>>(
    backend, communicator, mesh, material, strategy, solids);
  const DiscretisedLevel<Number> *discretised = finest.get();
  const GalerkinLevel<Number> *galerkin       = nullptr;
  levels.push_back(std::move(finest));
  for (std::size_t l = 0; l < n_coarser; ++l)
    {
      const ElementMesh &fine = l == 0 ? mesh : coarser[l - 1].mesh;
      if (kind == CoarseOperators::galerkin)
        {
          require_full_integration(material,
                                   "Multigrid with Galerkin's coarse operators",
                                   "rediscretised ones");
          if (coarser[l].transfer.is_background())
            throw Error("Galerkin's coarse operators are not made for background cells; the "
                        "rediscretised ones are.",
                        Remedy::refine_coarser_mesh);
          auto level =
            std::make_unique<GalerkinLevel<Number>>(backend,
                                                    communicator,
                                                    fine,
                                                    coarser[l],
                                                    l + 1 < n_coarser ? &coarser[l + 1] : nullptr,
                                                    material,
                                                    galerkin);
          galerkin = level.get();
          levels.push_back(std::move(level));
        }
      else
        {
          auto level = std::make_unique<DiscretisedLevel<Number>>(
            backend, communicator, fine, coarser[l], coarse_material, strategy, *discretised);
          discretised = level.get();
          levels.push_back(std::move(level));
        }
    }
  return levels;
}

template decltype(make_level_operators<double>) make_level_operators<double>;
template decltype(make_level_operators<float>) make_level_operators<float>;
} // namespace strut
