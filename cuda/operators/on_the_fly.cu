// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/base/parallel_loop.cuh"
#include "cuda/operators/active_patches.cuh"
#include "cuda/operators/on_the_fly_diagonal.cuh"
#include "cuda/operators/on_the_fly_identical.cuh"
#include "cuda/operators/on_the_fly_kernels.cuh"
#include "cuda/operators/on_the_fly_of_type.h"
#include "source/mesh/identical_elements.h"
#include "source/operators/strategy_pair.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <variant>

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
    return memory_estimate(ordered, similar, size.n_elements, size.n_nodes) +
           static_cast<double>(size.n_elements) *
             (size.more_slots_per_element * slot + (is_lame ? 2. * sizeof(Number) : 0.));
  }

  /// Bytes of the node and its coordinates.
  static constexpr double bytes_of_slot =
    sizeof(LocalIndex) + patch::Vectors<Number>::stride * sizeof(Number);

  /// Estimated bytes, with 2.3 slots per element as in blocks, and a few more elsewhere. Copies of
  /// one element need no coordinates.
  static double memory_estimate(const bool ordered,
                                const bool similar,
                                const std::size_t n_elements,
                                const std::size_t n_nodes)
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
    const Patches patches   = Patches::build(mesh, patch::n_banks<Number>);
    n_slots_                = patches.nodes.size();
    patches_                = Array<Patches::Patch>(memory, patches.patches);
    numbers_                = Array<LocalIndex>(memory, patches.elements);
    nodes_                  = Array<LocalIndex>(memory, patches.nodes);
    vertices_               = Array<std::array<std::uint8_t, 8>>(memory, patches.vertices);
    of_law_.flops_per_apply = hexahedron::on_the_fly::flops_of(material) + 2;
    if (const auto sizes = sizes_of_similar_elements(mesh); sizes.has_value())
      {
        sizes_ = Array<Number>(memory, std::vector<Number>(sizes->begin(), sizes->end()));
        Shape shape;
        shape_of(mesh, 0, shape.X);
        law_                    = Copies{matrix_of<Number>(shape, material), {shape, material}};
        of_law_.flops_per_apply = 6 * 24. + 2. * 21 * 21 + 21;
      }
    else
      coordinates_ = Array<Number>(memory, patches.coordinates<Number>(mesh, stride));
    view_   = {patches_.data(),
               nodes_.data(),
               coordinates_.data(),
               reinterpret_cast<const uint2 *>(vertices_.data()),
               stiffness_.data(),
               nullptr,
               nullptr,
               patches_.size(),
               {}};
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
    const auto set_to = [&](auto law) {
      if (!std::holds_alternative<decltype(law)>(law_))
        {
          if (coordinates_.empty() && n_elements_ > 0) // Copies of one element become general ones.
            coordinates_ = Array<Number>(memory_,
                                         Patches::build(mesh, patch::n_banks<Number>)
                                           .template coordinates<Number>(mesh, stride));
          view_.coordinates = coordinates_.data();
          law_              = std::move(law);
        }
      of_law_ = std::get<decltype(law)>(law_).set(*this, stiffness);
    };
    if (stiffness.law() == Law::lame)
      set_to(Lame());
    else if (stiffness.law() == Law::tangents)
      set_to(Tangents());
    else
      ElementOperator<Number>::set(mesh, stiffness);
  }

  void mean_component(const unsigned int component,
                      const unsigned int first_point,
                      const unsigned int n_points,
                      Array<double> &values) const override
  {
    std::get<Tangents>(law_).numbers.mean(
      context_, numbers_, n_elements_, component, first_point, n_points, values);
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    multiply({x.data(), false}, y);
  }

  void apply_to_float(const Array<float> &x, Array<Number> &y) const override
  {
    if (!std::is_same<Number, double>::value)
      return ElementOperator<Number>::apply_to_float(x, y);
    multiply({x.data(), true}, y);
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
    if (std::holds_alternative<Lame>(law_))
      throw Error("Energies of elements with Lame's parameters are those of energies_of().");
    with_law([&](const auto &elements, const auto &numbers_of, const auto &) {
      launch_energies(elements, numbers_of, u, c);
    });
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    Array<double> work;
    const double *const lambda = stiffness.component(0, 0, work).data();
    const double *const mu     = stiffness.component(0, 1, work).data();
    std::get<Lame>(law_).launch(*this, [&](const auto &elements, const auto &, const auto &) {
      launch_energies(elements, patch::LameOf<Number>{lambda, mu}, u, c);
    });
  }

  OperatorCost cost() const override
  {
    const auto n_slots = static_cast<double>(n_slots_), n_nodes = static_cast<double>(n_nodes_);
    const bool of_shape   = std::holds_alternative<Copies>(law_);
    using Bytes           = MemoryOfPatches<Number>;
    const auto n_elements = static_cast<double>(n_elements_);
    OperatorCost cost     = of_law_;
    cost.bytes_per_apply +=
      static_cast<double>(8 * vertices_.size()) + n_elements * sizeof(Number) +
      n_slots * (of_shape ? sizeof(LocalIndex) : Bytes::bytes_of_slot) +
      static_cast<double>(patches_.size()) * sizeof(Patches::Patch) + n_nodes * 6 * sizeof(Number);
    if (ordered_)
      cost.bytes_per_apply +=
        n_slots * (6 * sizeof(Number) + sizeof(LocalIndex)) + n_nodes * sizeof(LocalIndex);
    cost.flops_per_apply = n_elements * cost.flops_per_apply + 3 * n_slots;
    cost.memory_bytes += Bytes::memory_estimate(ordered_, of_shape, n_elements_, n_nodes_);
    return cost;
  }

  // A struct for each law. launch() calls body(elements, numbers_of, blocks): what kernels of
  // products, of energies and of diagonals take. set() returns bytes and memory of the numbers, and
  // the flops of an element. It is public, as kernels of lambdas ask.

  /// Law::factor.
  struct Factors
  {
    template <typename Body>
    void launch(const OnTheFly &K, const Body &body) const
    {
      using namespace hexahedron::on_the_fly;
      with_formulation(K.material_.formulation, [&](const auto formulation) {
        body(GeneralElements<Number, formulation.value>{WeightedMaterial<Number>(K.material_)},
             patch::SizeOf<Number>{K.sizes_.data()},
             patch::BlocksOfElements<Own::factor>{K.material_});
      });
    }
  };

  /// Law::factor for copies of one element, without coordinates.
  struct Copies
  {
    IdenticalElements<Number> matrix;
    patch::BlocksOfShape blocks;

    template <typename Body>
    void launch(const OnTheFly &K, const Body &body) const
    {
      body(matrix, patch::SizeOf<Number>{K.sizes_.data()}, blocks);
    }
  };

  /// Law::lame. E_e is 0 where both are 0, else 1.
  struct Lame
  {
    Array<Number> lambda, mu; ///< parameters in the order of the patches

    OperatorCost set(OnTheFly &K, const Stiffness &stiffness)
    {
      if (lambda.empty())
        {
          K.view_.lambda = (lambda = Array<Number>(K.memory_, K.n_elements_)).data();
          K.view_.mu     = (mu = Array<Number>(K.memory_, K.n_elements_)).data();
        }
      Array<double> work;
      const double *const of_lambda   = stiffness.component(0, 0, work).data();
      const double *const of_mu       = stiffness.component(0, 1, work).data();
      const LocalIndex *const numbers = K.numbers_.data();
      Number *const own_lambda        = lambda.data();
      Number *const own_mu            = mu.data();
      Number *const out               = K.stiffness_.data();
      parallel_for(K.context_, K.n_elements_, [=] __device__(const std::size_t e) {
        const std::size_t number = numbers == nullptr ? e : numbers[e];
        own_lambda[e]            = static_cast<Number>(of_lambda[number]);
        own_mu[e]                = static_cast<Number>(of_mu[number]);
        out[e] = own_lambda[e] == Number(0) && own_mu[e] == Number(0) ? Number(0) : Number(1);
      });
      K.update_active();
      const auto bytes = static_cast<double>(lambda.size() * sizeof(Number));
      return {bytes, hexahedron::on_the_fly::flops_of(K.material_) + 2, 2 * bytes};
    }
    template <typename Body>
    void launch(const OnTheFly &K, const Body &body) const
    {
      with_formulation(K.material_.formulation, [&](const auto formulation) {
        body(GeneralLameElements<Number, formulation.value == Formulation::mean_dilatation>{},
             patch::LameOf<Number>{},
             patch::BlocksOfElements<Own::lame>{K.material_});
      });
    }
  };

  /// Law::tangents. E_e is 1.
  struct Tangents
  {
    BlockedTangents<Number> numbers;

    OperatorCost set(OnTheFly &K, const Stiffness &stiffness)
    {
      if (numbers.empty())
        {
          Number *const out = K.stiffness_.data();
          parallel_for(K.context_, K.n_elements_, [=] __device__(const std::size_t e) {
            out[e] = Number(1);
          });
          K.update_active();
        }
      numbers.set(K.context_, K.memory_, K.numbers_, K.n_elements_, stiffness);
      K.view_.tangents = numbers.view();
      return {numbers.bytes(), hexahedron::on_the_fly::tangent_flops, numbers.bytes()};
    }
    template <typename Body>
    void launch(const OnTheFly &K, const Body &body) const
    {
      body(GeneralTangentElements<Number>{},
           patch::TangentsOf<Number>{numbers.view()},
           patch::BlocksOfElements<Own::tangents>{K.material_});
    }
  };

private:
  static constexpr std::size_t stride = patch::Vectors<Number>::stride;

  patch::View<Number> active_view() const
  {
    patch::View<Number> active = view_;
    active.patches             = active_->data();
    active.n_patches           = active_->size();
    return active;
  }

  void update_active()
  {
    active_->update(context_, stiffness_);
    if (ordered_ && !active_->are_all())
      sums_.set_zero(); // Sums of other patches stay zero.
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
      3 * n_nodes_, begin_.data(), slots_of_.data(), sums_.data(), 3, y.data());
    STRUT_CUDA_CHECK_LAUNCH("sum_slots_kernel");
  }

  template <Sums sums>
  void launch_apply(const patch::Input<Number> &x, const Number sign, Array<Number> &out) const
  {
    if (active_->size() == 0)
      return;
    with_law([&](const auto &elements, const auto &, const auto &) {
      using Elements         = std::decay_t<decltype(elements)>;
      const auto n_active    = static_cast<unsigned int>(active_->size());
      const unsigned int all = static_cast<unsigned int>(
        patch::blocks_per_multiprocessor<Number, Elements> * n_multiprocessors_);
      patch::apply_kernel<sums>
        <<<std::min(n_active, all), patch::block_size, 0, context_.activate()>>>(
          active_view(), elements, sign, x, out.data());
      STRUT_CUDA_CHECK_LAUNCH("apply_kernel");
    });
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

  /// Calls launch(elements, numbers_of, blocks) of the law in force.
  template <typename Launch>
  void with_law(const Launch &launch) const
  {
    std::visit([&](const auto &law) { law.launch(*this, launch); }, law_);
  }

  template <typename Elements, typename NumbersOf>
  void launch_energies(const Elements &elements,
                       const NumbersOf &numbers_of,
                       const Array<Number> &u,
                       Array<double> &c) const
  {
    if (n_elements_ == 0)
      return;
    const auto n_patches = static_cast<unsigned int>(patches_.size());
    patch::energy_kernel<<<n_patches, patch::block_size, 0, context_.activate()>>>(
      view_, elements, numbers_.data(), numbers_of, u.data(), c.data());
    STRUT_CUDA_CHECK_LAUNCH("energy_kernel");
  }

  template <int n_numbers>
  void launch_diagonal(Array<Number> &out) const
  {
    out.set_zero();
    if (ordered_)
      colour_patches();
    with_law([&](const auto &, const auto &, const auto &blocks) {
      if (ordered_)
        patch::add_diagonal<n_numbers>(context_, view_, blocks, colours_, patches_of_colours_, out);
      else
        patch::add_diagonal<n_numbers>(context_, active_view(), blocks, out);
    });
  }

  const Context &context_;
  Memory &memory_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const Material material_;
  const bool ordered_;
  std::size_t n_slots_   = 0;
  int n_multiprocessors_ = 0;

  Array<Patches::Patch> patches_;
  Array<LocalIndex> numbers_; ///< elements' numbers in the mesh; empty if in its order
  Array<LocalIndex> nodes_;   ///< `[n_slots]`
  Array<std::array<std::uint8_t, 8>> vertices_; ///< slots of a patch, see Patches
  Array<Number> stiffness_; ///< E_e, `[n_elements]`, in the order of the patches
  std::variant<Factors, Copies, Lame, Tangents> law_;
  patch::View<Number> view_ = {};
  OperatorCost of_law_; ///< bytes and flops that the law adds
  std::unique_ptr<ActivePatches> active_;
  mutable std::vector<LocalIndex> colours_;      ///< `[n_colours + 1]`, see colour_patches()
  mutable Array<LocalIndex> patches_of_colours_; ///< `[n_patches]`, see colour_patches()

  Array<Number> coordinates_; ///< `[n_slots][stride]`; empty for Copies
  /// Sizes relative to element 0, by numbers in the mesh; empty if all are 1.
  Array<Number> sizes_;

  // For sums in a fixed order.
  Array<LocalIndex> begin_;    ///< `[n_nodes + 1]`
  Array<LocalIndex> slots_of_; ///< `[n_slots]`
  mutable Array<Number> sums_; ///< `[n_slots][3]`
};

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
    [](const OperatorSize &size) {
      return size.type == ElementType() ? MemoryOfPatches<Number>::template of<ordered>(size)
                                        : memory_of_on_the_fly_of_type<Number, ordered>(size);
    },
    [](Backend &backend, const ElementMesh &mesh, const Material &material) {
      if (mesh.type != ElementType())
        return make_on_the_fly_of_type<Number, ordered>(backend, mesh, material);
      return std::unique_ptr<ElementOperator<Number>>(
        std::make_unique<OnTheFly<Number>>(backend, mesh, material, ordered));
    }};
  result.laws          = {Law::factor, Law::lame, Law::tangents};
  result.takes_types   = true;
  result.laws_of_types = {Law::factor, Law::lame};
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
