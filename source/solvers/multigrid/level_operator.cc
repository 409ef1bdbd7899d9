// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/solvers/multigrid/level_operator.h"
#include "source/element/full_integration.h"
#include "source/parallel/halo_sum.h"
#include "source/solvers/coarse/tangent_matrices.h"
#include "source/solvers/lame_operator.h"
#include "source/solvers/multigrid/galerkin_level.h"
#include "source/solvers/multigrid/grid_transfer.h"
#include "source/solvers/multigrid/smoother_bound.h"

#include <strut/base/exceptions.h>
#include <strut/solvers/elasticity_operator.h>

#include <algorithm>
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
    , K_(backend,
         communicator,
         mesh,
         material,
         strategy,
         solids ? ElementParameters::lame : ElementParameters::factors)
    , node_sum_(backend, communicator, mesh.node_halo, 3)
    , residual_sum_(backend, communicator, mesh.node_halo, 3, HaloSum<Number>::To::shared_values)
    , block_sum_(backend, communicator, mesh.node_halo, 6)
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
    mean_       = Array<double>(backend.memory(), coarse.mesh.n_elements);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    if (finer_ == nullptr)
      factors_ = &factors;
    else
      {
        from_finer_->apply(*finer_->factors_, mean_);
        factors_ = &mean_;
      }
    K_.set_stiffness(*factors_);
    if (bound_ == 0.)
      bound_ = communicator_.max(strut::smoother_bound(backend_, mesh_, material_));
  }

  void set_lame(const Array<double> &lambda, const Array<double> &mu) override
  {
    if (finer_ == nullptr)
      {
        K_.set_lame(lambda, mu);
        return find_lame_bound();
      }
    if (mean_mu_.empty())
      mean_mu_ = Array<double>(backend_.memory(), mesh_.n_elements);
    from_finer_->apply(finer_->K_.lambda(), mean_);
    from_finer_->apply(finer_->K_.mu(), mean_mu_);
    K_.set_lame(mean_, mean_mu_);
    find_lame_bound();
  }

  void set_tangents(const unsigned int n_points, const TangentFields &fields) override
  {
    if (finer_ == nullptr)
      K_.set_tangents(n_points, fields);
    else
      {
        Array<double> of_finer(backend_.memory(), finer_->mesh_.n_elements);
        K_.set_tangents(1, [&](unsigned int, const unsigned int k, Array<double> &values) {
          finer_->K_.mean_tangents(k, of_finer);
          from_finer_->apply(of_finer, values);
        });
      }
    if (one_tangent_bound_ == 0. && K_.n_tangent_points() == 1)
      one_tangent_bound_ =
        communicator_.max(strut::smoother_bound(backend_, mesh_, Material::volumetric()));
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
    if (K_.has_tangents())
      return K_.n_tangent_points() == 1 ? one_tangent_bound_ : bound_for_any_tangents;
    return K_.has_lame() ? lame_bound_ : bound_;
  }

  void factor(CoarseSolver<Number> &solver) const override
  {
    if (K_.has_tangents())
      return factor_tangents(solver);
    if (!K_.has_lame())
      return solver.set_stiffness(*factors_);
    if (solver.set_lame(K_.lambda(), K_.mu()))
      return;
    const std::vector<Number> matrices = packed_lame_matrices<Number>(
      mesh_, K_.lambda().to_host(), K_.mu().to_host(), material_.volumetric_integration);
    solver.set_matrices(Array<Number>(backend_.memory(), matrices));
  }

private:
  void factor_tangents(CoarseSolver<Number> &solver) const
  {
    const auto means = [&](unsigned int, const unsigned int k, Array<double> &values) {
      K_.mean_tangents(k, values);
    };
    if (!solver.set_tangents(mesh_.n_elements, means))
      solver.set_matrices(
        Array<Number>(backend_.memory(),
                      packed_tangent_matrices<Number>(
                        mesh_, host_tangents(backend_.memory(), mesh_.n_elements, means))));
  }

  /// Find the bound for Lame's parameters. With the mean dilatation it depends on the current
  /// solids, otherwise it is found once.
  void find_lame_bound()
  {
    ExtremeSolids solids = solids_.value_or(any_solids);
    int kind             = 0;
    if (material_.has_mean_dilatation())
      std::tie(solids, kind) = solids_with_mean(
        largest_lame_ratio(communicator_, K_.lambda().to_host(), K_.mu().to_host()));
    if (lame_bound_ == 0. || kind != kind_of_lame_bound_)
      lame_bound_ = communicator_.max(strut::smoother_bound(backend_, mesh_, solids));
    kind_of_lame_bound_ = kind;
  }

  Backend &backend_;
  const Communicator communicator_;
  const ElementMesh &mesh_;
  const Material material_;
  /// no value for one material, without set_lame()
  const std::optional<ExtremeSolids> solids_;
  ElasticityOperator<Number> K_;
  HaloSum<Number> node_sum_, residual_sum_, block_sum_;
  const DiscretisedLevel *finer_ = nullptr; ///< null on the finest level
  std::unique_ptr<CoarseStiffness> from_finer_;
  Array<double> mean_, mean_mu_;
  double bound_ = 0., lame_bound_ = 0.; ///< set by set_stiffness() and set_lame()
  int kind_of_lame_bound_       = 0;
  double one_tangent_bound_     = 0.;      ///< bound of elements with one tangent
  const Array<double> *factors_ = nullptr; ///< factors of this level
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
                     const VolumetricIntegration on_coarse_levels,
                     const std::optional<ExtremeSolids> &solids)
{
  // The ratios are included in the factors.
  const auto &[mesh, material, coarser, unused] = structure;
  static_cast<void>(unused);
  Material coarse_material               = material;
  coarse_material.volumetric_integration = on_coarse_levels;
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
