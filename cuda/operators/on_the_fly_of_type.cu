// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "cuda/backend/backend_parts.h"
#include "cuda/operators/on_the_fly_kernels.cuh"
#include "cuda/operators/on_the_fly_of_type.cuh"
#include "cuda/operators/on_the_fly_of_type.h"
#include "source/base/inverse_map.h"

#include <strut/backend/backend.h>

#include <type_traits>

namespace strut::cuda
{
namespace
{
constexpr int n_warps = 4; ///< warps of a block of apply_lattice_kernel

/// Whether the elements are tetrahedra that their vertices determine.
template <typename Product>
constexpr bool is_straight_tetrahedron = Product::n_coordinates == 4;

/// Whether nine lanes compute an element with straight lines.
template <typename Product>
constexpr bool is_straight_hexahedron = Product::n_coordinates == 8;

/// Elements of a patch.
template <typename Product>
constexpr int patch_size = Product::n_nodes <= 10 ? 128 : 32;

/// Slots per element of patches, for memory plans; without patches, all nodes.
template <typename Element>
constexpr double slots_per_element = by_lattice<Element>      ? Element::n_nodes
                                     : Element::n_nodes == 4  ? 0.7
                                     : Element::n_nodes == 10 ? 3.
                                                              : 9.;

/// Products of elements of one type from the coordinates of their nodes; kernels in
/// on_the_fly_of_type.cuh. Numbers of elements are those of the mesh.
template <typename Number, typename Element, typename Product, bool ordered>
class OnTheFlyOfType : public ElementOperator<Number>
{
public:
  OnTheFlyOfType(Backend &backend, const ElementMesh &mesh, const Material &material)
    : context_(context_of(backend))
    , memory_(backend.memory())
    , n_elements_(mesh.n_elements)
    , n_nodes_(mesh.n_nodes)
    , material_{static_cast<Number>(material.lambda()), static_cast<Number>(material.mu())}
    , stiffness_(backend.memory(), std::vector<Number>(mesh.n_elements, Number(1)))
  {
    STRUT_CUDA_CHECK(cudaDeviceGetAttribute(&n_multiprocessors_,
                                            cudaDevAttrMultiProcessorCount,
                                            context_.device()));
    for (std::size_t k = 0; k < n; ++k)
      nodes_.node[k] = static_cast<std::uint8_t>(node_of<Element>(static_cast<int>(k)));
    std::vector<LocalIndex> connectivity(n * n_elements_);
    for (std::size_t e = 0; e < n_elements_; ++e)
      for (std::size_t a = 0; a < n; ++a)
        connectivity[n * e + a] = mesh.node(e, nodes_.node[a]);
    std::vector<double> coordinates(3 * n_nodes_);
    for (std::size_t node = 0; node < n_nodes_; ++node)
      for (std::size_t d = 0; d < 3; ++d)
        coordinates[3 * node + d] = mesh.coordinates[d * n_nodes_ + node];
    connectivity_ = Array<LocalIndex>(memory_, connectivity);
    coordinates_  = Array<double>(memory_, coordinates);
    const InverseMap places(connectivity, n_nodes_);
    begin_of_places_    = Array<LocalIndex>(memory_, places.begin);
    places_             = Array<LocalIndex>(memory_, places.entries);
    nodes_.connectivity = connectivity_.data();
    nodes_.coordinates  = coordinates_.data();
    nodes_.n_elements   = n_elements_;
    n_slots_            = n * n_elements_;
    if constexpr (is_straight_hexahedron<Product>)
      coefficients_ = Array<Number>(memory_, type_product::lattice::coefficients_of<Number>(mesh));
    if constexpr (!by_lattice<Element>)
      {
        const ElementPatches patches = ElementPatches::build(mesh, patch_size<Product>);
        n_patches_                   = patches.n_patches;
        n_slots_                     = patches.nodes.size();
        // numbers, then places, where those of each slot begin, and nodes
        const std::size_t n_values =
          std::max<std::size_t>((6 * patches.most_slots + 3) / 4 * 4, 3 * n * patch_size<Product>);
        bytes_of_block_ =
          sizeof(Number) * n_values + sizeof(std::uint16_t) * n * patch_size<Product> +
          sizeof(std::uint16_t) * ElementPatches::begin_of_row(patches.most_slots, 1) +
          sizeof(LocalIndex) * patches.most_slots;
        elements_         = Array<LocalIndex>(memory_, patches.elements);
        first_slot_       = Array<LocalIndex>(memory_, patches.first_slot);
        slot_nodes_       = Array<LocalIndex>(memory_, patches.nodes);
        slot_coordinates_ = Array<Number>(memory_, patches.coordinates<Number>(mesh));
        slots_            = Array<std::uint16_t>(memory_, patches.slots);
        nodes_of_sums_    = Array<LocalIndex>(memory_, patches.nodes_of_sums);
        first_place_      = Array<std::uint16_t>(memory_, patches.first_place);
        places_of_slots_  = Array<std::uint16_t>(memory_, patches.places);
        patches_          = {elements_.empty() ? nullptr : elements_.data(),
                    first_slot_.data(),
                    slot_nodes_.data(),
                    slot_coordinates_.data(),
                    slots_.data(),
                    nodes_of_sums_.data(),
                    first_place_.data(),
                    places_of_slots_.data(),
                    n_elements_,
                    static_cast<int>(n_values),
                    static_cast<int>(patches.most_slots)};
        if constexpr (ordered)
          {
            const InverseMap slots(patches.nodes_of_sums, n_nodes_);
            begin_of_slots_ = Array<LocalIndex>(memory_, slots.begin);
            slots_of_nodes_ = Array<LocalIndex>(memory_, slots.entries);
          }
      }
    if constexpr (ordered)
      sums_ = Array<Number>(memory_, 3 * n_slots_);
  }

  void set_stiffness(const Array<double> &factors) override
  {
    const double *const in = factors.data();
    Number *const out      = stiffness_.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      out[e] = static_cast<Number>(in[e]);
    });
  }

  void factors(Array<double> &factors) const override
  {
    const Number *const in = stiffness_.data();
    double *const out      = factors.data();
    parallel_for(context_, n_elements_, [=] __device__(const std::size_t e) {
      out[e] = static_cast<double>(in[e]);
    });
  }

  void set(const ElementMesh &mesh, const Stiffness &stiffness) override
  {
    if (stiffness.law() != Law::lame)
      return ElementOperator<Number>::set(mesh, stiffness);
    take(stiffness);
  }

  void apply(const Array<Number> &x, Array<Number> &y) const override
  {
    multiply(x, y);
  }

  void apply_to_float(const Array<float> &x, Array<Number> &y) const override
  {
    if (!std::is_same<Number, double>::value)
      return ElementOperator<Number>::apply_to_float(x, y);
    multiply(x, y);
  }

  void subtract(const Array<Number> &x, Array<Number> &y) const override
  {
    if (ordered)
      return ElementOperator<Number>::subtract(x, y);
    launch<Forces::added>(solids(), x, {Number(-1), y.data(), nullptr});
  }

  void diagonal(Array<Number> &d) const override
  {
    launch_blocks<3>(d);
  }

  void diagonal_blocks(Array<Number> &blocks) const override
  {
    launch_blocks<6>(blocks);
  }

  void energies(const Array<Number> &u, Array<double> &c) const override
  {
    launch<Forces::energies>(SolidsView<Number>{material_, nullptr, nullptr, nullptr},
                             u,
                             {Number(1), nullptr, c.data()});
  }

  void
  energies_of(const Stiffness &stiffness, const Array<Number> &u, Array<double> &c) const override
  {
    Array<double> of_lambda, of_mu;
    const double *const lambda = stiffness.component(0, 0, of_lambda).data();
    const double *const mu     = stiffness.component(0, 1, of_mu).data();
    launch<Forces::energies>(SolidsView<Number, double>{material_, nullptr, lambda, mu},
                             u,
                             {Number(1), nullptr, c.data()});
  }

  OperatorCost cost() const override
  {
    const auto elements = static_cast<double>(n_elements_), nodes = static_cast<double>(n_nodes_),
               slots = static_cast<double>(n_slots_);
    OperatorCost cost;
    cost.bytes_per_apply =
      elements * (4 * n + sizeof(Number)) + nodes * 6 * sizeof(Number) +
      (is_straight_hexahedron<Product>
         ? elements * 3 * type_product::lattice::n_coefficients * sizeof(Number)
       : by_lattice<Element> ? 24. * nodes
                             : slots * (10 + 3 * sizeof(Number))) +
      (ordered ? slots * (6 * sizeof(Number) + 4) : 0.);
    cost.flops_per_apply = elements * Product::flops;
    cost.memory_bytes    = memory_estimate(n_elements_, n_nodes_, slots, !lambda_.empty());
    return cost;
  }

  static double memory_estimate(const OperatorSize &size)
  {
    return memory_estimate(size.n_elements,
                           size.n_nodes,
                           slots_per_element<Element> * static_cast<double>(size.n_elements),
                           size.law == Law::lame);
  }

  /// Rounds Lame's parameters to Number. It is public, as kernels of lambdas ask.
  void take(const Stiffness &stiffness)
  {
    if (lambda_.empty())
      {
        lambda_ = Array<Number>(memory_, n_elements_);
        mu_     = Array<Number>(memory_, n_elements_);
      }
    Array<double> of_lambda, of_mu;
    const double *const from[] = {stiffness.component(0, 0, of_lambda).data(),
                                  stiffness.component(0, 1, of_mu).data()};
    Number *const to[]         = {lambda_.data(), mu_.data()};
    for (int k = 0; k < 2; ++k)
      parallel_for(context_,
                   n_elements_,
                   [in = from[k], out = to[k]] __device__(const std::size_t e) {
                     out[e] = static_cast<Number>(in[e]);
                   });
  }

private:
  static constexpr std::size_t n = Element::n_nodes;

  static double memory_estimate(const std::size_t n_elements,
                                const std::size_t n_nodes,
                                const double n_slots,
                                const bool is_lame)
  {
    const auto elements = static_cast<double>(n_elements), nodes = static_cast<double>(n_nodes);
    double bytes = elements * (8 * n + (is_lame ? 3 : 1) * sizeof(Number)) + nodes * 28.;
    if (is_straight_hexahedron<Product>)
      bytes += elements * 3 * type_product::lattice::n_coefficients * sizeof(Number);
    else if (!by_lattice<Element>)
      bytes += elements * 4 * n + n_slots * (10 + 3 * sizeof(Number));
    if (ordered)
      bytes += n_slots * 3 * sizeof(Number) + (by_lattice<Element> ? 0. : 4 * n_slots + 4 * nodes);
    return bytes;
  }

  SolidsView<Number> solids() const
  {
    if (lambda_.empty())
      return {material_, stiffness_.data(), nullptr, nullptr};
    return {material_, nullptr, lambda_.data(), mu_.data()};
  }

  template <typename Input>
  void multiply(const Array<Input> &x, Array<Number> &y) const
  {
    if (!ordered || n_nodes_ == 0)
      {
        y.set_zero();
        launch<Forces::added>(solids(), x, {Number(1), y.data(), nullptr});
        return;
      }
    launch<Forces::by_slot>(solids(), x, {Number(1), sums_.data(), nullptr});
    if (by_lattice<Element>)
      sum_slots(begin_of_places_, places_, sums_, 3, y.data());
    else
      sum_slots(begin_of_slots_, slots_of_nodes_, sums_, 3, y.data());
  }

  /// Sums three numbers of the slots of each node; out is `[n_nodes][stride]`.
  void sum_slots(const Array<LocalIndex> &begin,
                 const Array<LocalIndex> &slots,
                 const Array<Number> &three,
                 const std::size_t stride,
                 Number *const out) const
  {
    patch::sum_slots_kernel<<<n_blocks(3 * n_nodes_, loop_block_size),
                              loop_block_size,
                              0,
                              context_.activate()>>>(
      3 * n_nodes_, begin.data(), slots.data(), three.data(), stride, out);
    STRUT_CUDA_CHECK_LAUNCH("sum_slots_kernel");
  }

  template <Forces forces, typename Stored, typename Input>
  void launch(const SolidsView<Number, Stored> &solids,
              const Array<Input> &x,
              const Results<Number> &results) const
  {
    if (n_elements_ == 0)
      return;
    if constexpr (by_lattice<Element>)
      {
        constexpr std::size_t n_in_block = n_warps * lattice::n_elements;
        const std::size_t all            = (n_elements_ + n_in_block - 1) / n_in_block;
        const auto resident =
          static_cast<std::size_t>(lattice::n_resident<Number> * n_multiprocessors_);
        apply_lattice_kernel<Product, n_warps, forces>
          <<<static_cast<unsigned int>(std::min(all, resident)),
             32 * n_warps,
             0,
             context_.activate()>>>(nodes_, coefficients_.data(), solids, x.data(), results);
        STRUT_CUDA_CHECK_LAUNCH("apply_lattice_kernel");
      }
    else
      {
        const auto kernel =
          apply_patches_kernel<Product, patch_size<Product>, forces, Number, Stored, Input>;
        // More than 48 KB need a word. Patches of parts that share no node can be so large.
        if (bytes_of_block_ > 48 * 1024)
          STRUT_CUDA_CHECK(cudaFuncSetAttribute(kernel,
                                                cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                static_cast<int>(bytes_of_block_)));
        kernel<<<static_cast<unsigned int>(n_patches_),
                 patch_size<Product>,
                 bytes_of_block_,
                 context_.activate()>>>(patches_, solids, x.data(), results);
        STRUT_CUDA_CHECK_LAUNCH("apply_patches_kernel");
      }
  }

  template <int n_numbers>
  void launch_blocks(Array<Number> &out) const
  {
    if (n_nodes_ == 0)
      return;
    if constexpr (is_straight_tetrahedron<Product>)
      {
        nodal_blocks_of_tetrahedra_kernel<Element, n_numbers>
          <<<n_blocks(n_nodes_, loop_block_size), loop_block_size, 0, context_.activate()>>>(
            nodes_, solids(), n_nodes_, begin_of_places_.data(), places_.data(), out.data());
        STRUT_CUDA_CHECK_LAUNCH("nodal_blocks_of_tetrahedra_kernel");
      }
    else if constexpr (!ordered)
      {
        out.set_zero();
        launch_blocks_of_elements<n_numbers, Forces::added>(0, out);
      }
    else
      {
        // three numbers at a time, for which the sums of hexahedra have room
        Array<Number> own;
        if (!by_lattice<Element>)
          own = Array<Number>(memory_, 3 * n * n_elements_);
        Array<Number> &three = by_lattice<Element> ? sums_ : own;
        for (int part = 0; part < n_numbers / 3; ++part)
          {
            launch_blocks_of_elements<n_numbers, Forces::by_slot>(part, three);
            sum_slots(begin_of_places_, places_, three, n_numbers, out.data() + 3 * part);
          }
      }
  }

  template <int n_numbers, Forces forces>
  void launch_blocks_of_elements(const int part, Array<Number> &out) const
  {
    if (n_elements_ == 0)
      return;
    const std::size_t all = (n_elements_ + n_warps - 1) / n_warps;
    const auto resident   = static_cast<std::size_t>(16 * n_multiprocessors_);
    nodal_blocks_kernel<Element, n_warps, n_numbers, forces>
      <<<static_cast<unsigned int>(std::min(all, resident)),
         32 * n_warps,
         0,
         context_.activate()>>>(nodes_, solids(), part, out.data());
    STRUT_CUDA_CHECK_LAUNCH("nodal_blocks_kernel");
  }

  const Context &context_;
  Memory &memory_;
  const std::size_t n_elements_;
  const std::size_t n_nodes_;
  const type_product::Lame<Number> material_;
  int n_multiprocessors_ = 0;
  Array<Number> stiffness_;   ///< E_e, `[n_elements]`
  Array<Number> lambda_, mu_; ///< with Law::lame, `[n_elements]`

  Array<LocalIndex> connectivity_; ///< `[n_elements][n]`
  Array<double> coordinates_;      ///< `[n_nodes][3]`
  NodesView nodes_{};
  Array<Number> coefficients_;        ///< Straight hexahedra have `[n_elements][3][7]`.
  Array<LocalIndex> begin_of_places_; ///< `[n_nodes + 1]`
  Array<LocalIndex> places_;          ///< `n e + a` of the nodes, `[n n_elements]`

  // of patches, see ElementPatches
  std::size_t n_patches_ = 0, n_slots_ = 0, bytes_of_block_ = 0;
  Array<LocalIndex> elements_, first_slot_, slot_nodes_, nodes_of_sums_;
  Array<Number> slot_coordinates_;
  Array<std::uint16_t> slots_, first_place_, places_of_slots_;
  ElementPatchesView<Number> patches_{};

  // for sums in a fixed order
  Array<LocalIndex> begin_of_slots_; ///< `[n_nodes + 1]`
  Array<LocalIndex> slots_of_nodes_; ///< `[n_slots]`
  mutable Array<Number> sums_;       ///< `[n_slots][3]`
};
} // namespace

template <typename Number, bool ordered>
std::unique_ptr<ElementOperator<Number>>
make_on_the_fly_of_type(Backend &backend, const ElementMesh &mesh, const Material &material)
{
  return type_product::with_product(
    mesh.type,
    type_product::is_curved(mesh),
    [&](const auto element, const auto product) -> std::unique_ptr<ElementOperator<Number>> {
      using Element = std::decay_t<decltype(element)>;
      using Product = std::decay_t<decltype(product)>;
      if constexpr (std::is_same_v<Element, Hex8>)
        throw Error("Elements of type hex8 have an operator of their own.");
      else
        return std::make_unique<OnTheFlyOfType<Number, Element, Product, ordered>>(backend,
                                                                                   mesh,
                                                                                   material);
    });
}

template <typename Number, bool ordered>
double memory_of_on_the_fly_of_type(const OperatorSize &size)
{
  return type_product::with_product(size.type, false, [&](const auto element, const auto product) {
    return OnTheFlyOfType<Number,
                          std::decay_t<decltype(element)>,
                          std::decay_t<decltype(product)>,
                          ordered>::memory_estimate(size);
  });
}

template std::unique_ptr<ElementOperator<double>>
make_on_the_fly_of_type<double, false>(Backend &, const ElementMesh &, const Material &);
template std::unique_ptr<ElementOperator<double>>
make_on_the_fly_of_type<double, true>(Backend &, const ElementMesh &, const Material &);
template std::unique_ptr<ElementOperator<float>>
make_on_the_fly_of_type<float, false>(Backend &, const ElementMesh &, const Material &);
template std::unique_ptr<ElementOperator<float>>
make_on_the_fly_of_type<float, true>(Backend &, const ElementMesh &, const Material &);
template double memory_of_on_the_fly_of_type<double, false>(const OperatorSize &);
template double memory_of_on_the_fly_of_type<double, true>(const OperatorSize &);
template double memory_of_on_the_fly_of_type<float, false>(const OperatorSize &);
template double memory_of_on_the_fly_of_type<float, true>(const OperatorSize &);
} // namespace strut::cuda
