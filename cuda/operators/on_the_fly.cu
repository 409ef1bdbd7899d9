// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/active_patches.cuh"
#include "cuda/operators/on_the_fly_diagonal.cuh"
#include "cuda/operators/on_the_fly_identical.cuh"
#include "cuda/operators/on_the_fly_kernels.cuh"
#include "source/mesh/identical_elements.h"
#include "source/operators/strategy_pair.h"

#include <algorithm>
#include <array>
#include <type_traits>

namespace strut::cuda
{
namespace
{
using patch::Shape;
using patch::Sums;

/// Bytes that the operators on patches keep, for Strategy.
template <typename Number>
struct MemoryOfPatches
{
  /// Strategy::memory_estimate. Only factors go with copies of one element.
  template <bool ordered>
  static double of(const OperatorSize &size)
  {
    const bool is_lame = size.law == Law::lame;
    const bool similar = size.has_similar_elements && !is_lame;
    const double slot  = (similar ? sizeof(LocalIndex) : bytes_of_slot) + (ordered ? of_sum : 0.);
    const double bytes = similar ? memory_estimate<ordered, true>(size.n_elements, size.n_nodes)
                                 : memory_estimate<ordered>(size.n_elements, size.n_nodes);
    return bytes + static_cast<double>(size.n_elements) *
                     (size.more_slots_per_element * slot + (is_lame ? 2. * sizeof(Number) : 0.));
  }

  /// Bytes of the node and its coordinates.
  static constexpr double bytes_of_slot =
    sizeof(LocalIndex) + patch::Vectors<Number>::stride * sizeof(Number);

  /// Estimated bytes, with 2.3 slots per element as in blocks, and a few more elsewhere. Copies of
  /// one element need no coordinates.
  template <bool ordered, bool similar = false>
  static double memory_estimate(const std::size_t n_elements, const std::size_t n_nodes)
  {
    const double n     = static_cast<double>(n_elements);
    const double slots = 1.5 * n + static_cast<double>(n_nodes);
    // Vertices of patterns, of which blocks have few and others up to 8 bytes per element.
    double bytes = n * ((similar ? 0.5 : 8.) + sizeof(Number) + 1.2) +
                   slots * (similar ? sizeof(LocalIndex) : bytes_of_slot);
    if (ordered)
      bytes += slots * of_sum + sizeof(LocalIndex) * static_cast<double>(n_nodes);
    return bytes;
  }

  /// Bytes per slot of sums in a fixed order: three numbers, and the place among the slots of a
  /// node.
  static constexpr double of_sum = 3 * sizeof(Number) + sizeof(LocalIndex);
};

/// Operator with the data of a mesh that the strategies keep on the device.
template <typename Number>
class OnTheFly : public ElementOperator<Number>
{
public:
  OnTheFly(Backend &backend, const ElementMesh &mesh, const Material &material, const bool ordered)
    : context_(context_of(backend))
    , memory_(backend.memory())
    , n_elements_(mesh.n_elements)
    , n_nodes_(mesh.n_nodes)
    , material_(material)
    , ordered_(ordered)
    , stiffness_(backend.memory(), mesh.n_elements)
  {
    STRUT_CUDA_CHECK(cudaDeviceGetAttribute(&n_multiprocessors_,
                                            cudaDevAttrMultiProcessorCount,
                                            context_.device()));
    Memory &memory = backend.memory();
    backend.vector_operations<Number>().fill(n_elements_, Number(1), stiffness_);
    const Patches patches = Patches::build(mesh, patch::n_banks<Number>);
    n_slots_              = patches.nodes.size();
    patches_              = Array<Patches::Patch>(memory, patches.patches);
    numbers_              = Array<LocalIndex>(memory, patches.elements);
    nodes_                = Array<LocalIndex>(memory, patches.nodes);
    vertices_             = Array<std::array<std::uint8_t, 8>>(memory, patches.vertices);
    if (const auto sizes = sizes_of_similar_elements(mesh); sizes.has_value())
      {
        similar_ = true;
        sizes_   = Array<Number>(memory, std::vector<Number>(sizes->begin(), sizes->end()));
        shape_of(mesh, 0, shape_.X);
        const IdenticalElements<double> matrix = matrix_of(shape_, material);
        std::transform(std::begin(matrix.upper),
                       std::end(matrix.upper),
                       std::begin(matrix_.upper),
                       [](const double entry) { return static_cast<Number>(entry); });
      }
    else
      coordinates_ = Array<Number>(memory, patches.coordinates<Number>(mesh, stride));
    active_ = std::make_unique<ActivePatches>(memory, patches_);
    if (ordered_)
      {
        const InverseMap map(patches.nodes, n_nodes_); // the slots of each node
        begin_    = Array<LocalIndex>(memory, map.begin);
        slots_of_ = Array<LocalIndex>(memory, map.entries);
        sums_     = Array<Number>(memory, 3 * n_slots_);
      }
    if (!sizes_.empty()) // The sizes belong to the factors.
      {
        Array<double> ones(memory, n_elements_);
        backend.vector_operations<double>().fill(n_elements_, 1., ones);
        OnTheFly::set_stiffness(ones);
      }
  }

  void set_stiffness(const Array<double> &factors) override
  {
    const double *const in          = factors.data();
    const LocalIndex *const numbers = numbers_.data();
    const Number *const sizes       = sizes_.data();
    Number *const out               = stiffness_.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      const std::size_t number = numbers == nullptr ? e : numbers[e];
      const auto factor        = static_cast<Number>(in[number]);
      out[e]                   = sizes == nullptr ? factor : factor * sizes[number];
    });
    update_active();
  }

  bool tells_factors() const override
  {
    return true;
  }

  void factors(Array<double> &factors) const override
  {
    const Number *const in          = stiffness_.data();
    const LocalIndex *const numbers = numbers_.data();
    const Number *const sizes       = sizes_.data();
    double *const out               = factors.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      const std::size_t number = numbers == nullptr ? e : numbers[e];
      out[number]              = double(in[e]) / (sizes == nullptr ? 1. : double(sizes[number]));
    });
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override
  {
    Array<double> work;
    if (stiffness.law() == Law::lame)
      take_lame(mesh, stiffness.component(0, 0, work), stiffness.component(0, 1, work));
    else if (stiffness.law() == Law::tangents)
      take_tangents(mesh, stiffness);
    else
      ElementOperator<Number>::set(mesh, stiffness);
  }

  /// Copies of one element become general elements, whose single pass is as cheap as two of copies.
  void take_lame(const ElementMesh &mesh, const Array<double> &lambda, const Array<double> &mu)
  {
    if (lambda_.empty())
      {
        provide_coordinates(mesh);
        lambda_ = Array<Number>(memory_, n_elements_);
        mu_     = Array<Number>(memory_, n_elements_);
      }
    const double *const of_lambda   = lambda.data();
    const double *const of_mu       = mu.data();
    const LocalIndex *const numbers = numbers_.data();
    Number *const own_lambda        = lambda_.data();
    Number *const own_mu            = mu_.data();
    Number *const out               = stiffness_.data(); // 0 outside of the structure, 1 inside.
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      const std::size_t number = numbers == nullptr ? e : numbers[e];
      own_lambda[e]            = static_cast<Number>(of_lambda[number]);
      own_mu[e]                = static_cast<Number>(of_mu[number]);
      out[e] = own_lambda[e] == Number(0) && own_mu[e] == Number(0) ? Number(0) : Number(1);
    });
    update_active();
  }

  /// Set tangents. Copies of one element become general ones.
  void take_tangents(const ElementMesh &mesh, const Stiffness &stiffness)
  {
    if (tangents_.empty())
      {
        provide_coordinates(mesh);
        Number *const out = stiffness_.data();
        parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
          out[e] = Number(1);
        });
        update_active();
      }
    tangents_.set(context_, memory_, numbers_, n_elements_, stiffness);
  }

  void mean_component(const unsigned int component,
                      const unsigned int first_point,
                      const unsigned int n_points,
                      Array<double> &values) const override
  {
    tangents_.mean(context_, numbers_, n_elements_, component, first_point, n_points, values);
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    multiply({x.data(), false}, y);
  }

  bool takes_float() const override
  {
    return std::is_same<Number, double>::value;
  }

  void apply_to_float(const Array<float> &x, Array<Number> &y) const override
  {
    if (!takes_float())
      return ElementOperator<Number>::apply_to_float(x, y);
    multiply({x.data(), true}, y);
  }

  bool can_subtract() const override
  {
    return !ordered_;
  }

  void subtract(const Array<Number> &x, Array<Number> &y) const override
  {
    if (ordered_)
      return ElementOperator<Number>::subtract(x, y);
    launch_apply<Sums::added>({x.data(), false}, Number(-1), y);
  }

  void diagonal(Array<Number> &d) const override
  {
    launch_diagonal<3>(d);
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    launch_diagonal<6>(blocks);
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    if (!tangents_.empty())
      {
        if (n_elements_ > 0)
          launch_energies(GeneralTangentElements<Number>{},
                          patch::TangentsOf<Number>{tangents_.view()},
                          u,
                          c);
        return;
      }
    with_elements([&](const auto &elements) {
      launch_energies(elements, patch::SizeOf<Number>{sizes_.data()}, u, c);
    });
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    Array<double> work;
    const double *const lambda = stiffness.component(0, 0, work).data();
    const double *const mu     = stiffness.component(0, 1, work).data();
    with_lame_elements([&](const auto &elements) {
      launch_energies(elements, patch::LameOf<Number>{lambda, mu}, u, c);
    });
  }

  OperatorCost cost() const override
  {
    const double n_elements = static_cast<double>(n_elements_);
    const auto n_slots = static_cast<double>(n_slots_), n_nodes = static_cast<double>(n_nodes_);
    const bool of_shape = similar_ && !has_lame() && tangents_.empty();
    using Bytes         = MemoryOfPatches<Number>;
    OperatorCost cost;
    cost.bytes_per_apply = static_cast<double>(8 * vertices_.size()) + tangents_.bytes() +
                           n_elements * ((has_lame() ? 2 : 1) * sizeof(Number)) +
                           n_slots * (of_shape ? sizeof(LocalIndex) : Bytes::bytes_of_slot) +
                           static_cast<double>(patches_.size()) * sizeof(Patches::Patch) +
                           n_nodes * 6 * sizeof(Number);
    if (ordered_)
      cost.bytes_per_apply +=
        n_slots * (6 * sizeof(Number) + sizeof(LocalIndex)) + n_nodes * sizeof(LocalIndex);
    cost.flops_per_apply =
      n_elements * (of_shape             ? 6 * 24. + 2. * 21 * 21 + 21
                    : !tangents_.empty() ? hexahedron::on_the_fly::tangent_flops
                                         : hexahedron::on_the_fly::flops_of(material_) + 2) +
      3 * n_slots;
    cost.memory_bytes =
      (has_lame() ? 2 * n_elements * sizeof(Number) : 0.) + tangents_.bytes() +
      (ordered_ ? (of_shape ? Bytes::template memory_estimate<true, true>(n_elements_, n_nodes_)
                            : Bytes::template memory_estimate<true>(n_elements_, n_nodes_))
                : (of_shape ? Bytes::template memory_estimate<false, true>(n_elements_, n_nodes_)
                            : Bytes::template memory_estimate<false>(n_elements_, n_nodes_)));
    return cost;
  }

private:
  static constexpr std::size_t stride = patch::Vectors<Number>::stride;

  hexahedron::on_the_fly::WeightedMaterial<Number> weighted_material() const
  {
    return hexahedron::on_the_fly::WeightedMaterial<Number>(material_);
  }

  patch::View<Number> view() const
  {
    return {patches_.data(),
            nodes_.data(),
            coordinates_.data(),
            reinterpret_cast<const uint2 *>(vertices_.data()),
            stiffness_.data(),
            lambda_.data(),
            mu_.data(),
            patches_.size(),
            tangents_.view()};
  }

  patch::View<Number> active_view() const
  {
    patch::View<Number> active = view();
    active.patches             = active_->data();
    active.n_patches           = active_->size();
    return active;
  }

  /// Whether the operator has Lame's parameters.
  bool has_lame() const
  {
    return !lambda_.empty();
  }

  /// Make the coordinates for copies of one element.
  void provide_coordinates(const ElementMesh &mesh)
  {
    if (coordinates_.empty() && n_elements_ > 0)
      coordinates_ = Array<Number>(
        memory_,
        Patches::build(mesh, patch::n_banks<Number>).template coordinates<Number>(mesh, stride));
  }

  void update_active()
  {
    active_->update(context_, stiffness_);
    if (ordered_ && !active_->are_all())
      sums_.set_zero(); // Sums of other patches stay zero.
  }

  /// Calls launch(elements) for elements with Lame's parameters, if there are any.
  template <typename Launch>
  void with_lame_elements(const Launch &launch) const
  {
    if (n_elements_ == 0)
      return;
    if (material_.formulation == Formulation::mean_dilatation)
      launch(GeneralLameElements<Number, true>{});
    else
      launch(GeneralLameElements<Number, false>{});
  }

  /// Calls launch(elements) for the kind of elements that the mesh has, if there are any.
  template <typename Launch>
  void with_elements(const Launch &launch) const
  {
    if (n_elements_ == 0)
      return;
    if (similar_)
      return launch(matrix_);
    with_formulation(material_.formulation, [&](const auto formulation) {
      launch(GeneralElements<Number, formulation.value>{weighted_material()});
    });
  }

  /// Compute y = K x.
  void multiply(const patch::Input<Number> &x, Array<Number> &y) const
  {
    if (!ordered_)
      {
        y.set_zero();
        launch_apply<Sums::added>(x, Number(1), y);
        return;
      }
    launch_apply<Sums::by_slot>(x, Number(1), sums_);
    if (n_nodes_ == 0)
      return;
    patch::sum_slots_kernel<<<n_blocks(3 * n_nodes_, loop_block_size),
                              loop_block_size,
                              0,
                              context_.activate()>>>(
      3 * n_nodes_, begin_.data(), slots_of_.data(), sums_.data(), y.data());
    STRUT_CUDA_CHECK_LAUNCH("sum_slots_kernel");
  }

  template <Sums sums>
  void launch_apply(const patch::Input<Number> &x, const Number sign, Array<Number> &out) const
  {
    if (active_->size() == 0)
      return;
    const auto launch = [&](const auto &elements) {
      using Elements         = std::decay_t<decltype(elements)>;
      const auto n_active    = static_cast<unsigned int>(active_->size());
      const unsigned int all = static_cast<unsigned int>(
        patch::blocks_per_multiprocessor<Number, Elements> * n_multiprocessors_);
      patch::apply_kernel<sums>
        <<<std::min(n_active, all), patch::block_size, 0, context_.activate()>>>(
          active_view(), elements, sign, x, out.data());
      STRUT_CUDA_CHECK_LAUNCH("apply_kernel");
    };
    if (!tangents_.empty())
      return launch(GeneralTangentElements<Number>{});
    has_lame() ? with_lame_elements(launch) : with_elements(launch);
  }

  /// Sort the patches by colours, which only diagonals in a fixed order need.
  void colour_patches() const
  {
    if (!colours_.empty())
      return;
    Patches patches;
    patches.patches     = patches_.to_host();
    patches.nodes       = nodes_.to_host();
    const auto colours  = patches.colours(n_nodes_);
    colours_            = colours.begin;
    patches_of_colours_ = Array<LocalIndex>(memory_, colours.entries);
  }

  template <typename Elements, typename NumbersOf>
  void launch_energies(const Elements &elements,
                       const NumbersOf &numbers_of,
                       const Array<Number> &u,
                       Array<double> &c) const
  {
    const auto n_patches = static_cast<unsigned int>(patches_.size());
    patch::energy_kernel<<<n_patches, patch::block_size, 0, context_.activate()>>>(
      view(), elements, numbers_.data(), numbers_of, u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("energy_kernel");
  }

  template <int n_numbers>
  void launch_diagonal(Array<Number> &out) const
  {
    using patch::BlocksOfElements;
    if (!tangents_.empty())
      launch_diagonal<n_numbers>(BlocksOfElements<Own::tangents>{material_}, out);
    else if (has_lame())
      launch_diagonal<n_numbers>(BlocksOfElements<Own::lame>{material_}, out);
    else if (similar_)
      launch_diagonal<n_numbers>(patch::BlocksOfShape(shape_, material_), out);
    else
      launch_diagonal<n_numbers>(BlocksOfElements<Own::factor>{material_}, out);
  }

  template <int n_numbers, typename Blocks>
  void launch_diagonal(const Blocks &blocks, Array<Number> &out) const
  {
    out.set_zero();
    if (!ordered_)
      return patch::add_diagonal<n_numbers>(context_, active_view(), blocks, out);
    colour_patches();
    patch::add_diagonal<n_numbers>(context_, view(), blocks, colours_, patches_of_colours_, out);
  }

  const Context &context_;
  Memory &memory_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const Material material_;
  const bool ordered_;
  bool similar_          = false; ///< scaled copies of one element
  std::size_t n_slots_   = 0;
  int n_multiprocessors_ = 0;

  Array<Patches::Patch> patches_;
  Array<LocalIndex> numbers_; ///< elements' numbers in the mesh; empty if in its order
  Array<LocalIndex> nodes_;   ///< `[n_slots]`
  Array<std::array<std::uint8_t, 8>> vertices_; ///< slots of a patch, see Patches
  Array<Number> stiffness_; ///< E_e, `[n_elements]`, in the order of the patches
  Array<Number> lambda_,
    mu_; ///< empty without Lame's parameters; with it E_e is 0 where both are 0, else 1
  BlockedTangents<Number> tangents_; ///< empty without tangents; with them E_e is 1
  std::unique_ptr<ActivePatches> active_;
  mutable std::vector<LocalIndex> colours_;      ///< `[n_colours + 1]`, see colour_patches()
  mutable Array<LocalIndex> patches_of_colours_; ///< `[n_patches]`, see colour_patches()

  // For general elements; shape_ and matrix_ for copies of one.
  Array<Number> coordinates_; ///< `[n_slots][stride]`
  /// Sizes relative to element 0, by numbers in the mesh; empty if all are 1.
  Array<Number> sizes_;
  Shape shape_                      = {};
  IdenticalElements<Number> matrix_ = {};

  // For sums in a fixed order.
  Array<LocalIndex> begin_;    ///< `[n_nodes + 1]`
  Array<LocalIndex> slots_of_; ///< `[n_slots]`
  mutable Array<Number> sums_; ///< `[n_slots][3]`
};

template <typename Number, bool ordered>
std::unique_ptr<ElementOperator<Number>>
make(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  return std::make_unique<OnTheFly<Number>>(backend, mesh, material, ordered);
}

template <typename Number, bool ordered>
Strategy<Number> strategy()
{
  Strategy<Number> result{
    ordered ? "on_the_fly_ordered" : "on_the_fly",
    ordered
      ? "as on_the_fly, but stores the sums of the patches and adds them in a fixed order"
      : "from vertex coordinates (one matrix if all elements have one shape), 1 warp per patch of 32 "
        "elements, 1 thread each, no stored matrices, writes each node of a patch by atomics",
    ordered,
    &MemoryOfPatches<Number>::template of<ordered>,
    &make<Number, ordered>};
  result.laws          = {Law::factor, Law::lame, Law::tangents};
  result.subtracts     = !ordered;
  result.tells_factors = true;
  result.takes_float   = std::is_same<Number, double>::value;
  return result;
}
} // namespace

/// The strategy `on_the_fly`: products from coordinates, patches of elements by warps.
StrategyPair on_the_fly()
{
  return {strategy<double, false>(), strategy<float, false>()};
}

/// The strategy `on_the_fly_ordered`, which adds the sums of the patches in a fixed order.
StrategyPair on_the_fly_ordered()
{
  return {strategy<double, true>(), strategy<float, true>()};
}
} // namespace strut::cuda
