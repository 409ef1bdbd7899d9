// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/element/stress.h"

#include <strut/optimization/responses/response.h>
#include <strut/parallel/halo_exchange.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace strut
{
namespace
{
enum class Scaling
{
  none,
  maximum
};

struct Settings
{
  double exponent   = 8.;
  double relaxation = 0.5;
  Scaling scaling   = Scaling::maximum;
  ResponseRegion region;

  void declare(ParameterList &list)
  {
    list.add("Exponent", exponent, {2., 100.}, "P of the norm.");
    list.add(
      "Relaxation",
      relaxation,
      {0., 3.},
      "An element of density rho counts with rho to this power times the stress of the solid at its centre, so "
      "that void has none.");
    list.add<Scaling>(
      "Scaling",
      scaling,
      {{"maximum", Scaling::maximum}, {"none", Scaling::none}},
      "maximum: the norm, times its ratio to the largest stress, which is renewed with each design. none: the norm, which is below the largest stress.");
    region.declare(list);
  }
};

/// The norm of relaxed stresses `s_e = rho_e^q vM_e` of von Mises at the centres of the elements of a region,
///
///     R = c (sum_e v_e s_e^P / sum_e v_e)^(1/P),
///
/// with the volumes v, and c = 1, or the ratio of max_e s_e and the norm at the last design whose derivative was asked
/// for (Le, Norato, Bruns, Ha and Tortorelli 2010): no number that a derivative passes through. Stress is that of the
/// element's solid: `2 mu eps + lambda tr(eps)`, and `dvM/du_a = 2 mu T grad N_a` with `T = 3/2 dev(sigma) / vM`.
///
/// Computed on the host.
class VonMisesNorm : public Response
{
public:
  VonMisesNorm(const ResponseContext &context, const Settings &settings)
    : backend_(context.backend)
    , communicator_(context.communicator)
    , mesh_(context.mesh)
    , material_(context.material)
    , ratios_(context.ratios.stiffness)
    , settings_(settings)
    , elements_(elements_of(settings.region, context.regions, context.mesh))
    , ghosts_(backend_, communicator_, mesh_.node_halo, 3)
  {
    for (const LocalIndex e : elements_)
      volume_ += mesh_.volumes[e];
    volume_ = communicator_.sum(volume_);
  }

  void begin_design() override
  {
    scales_.clear();
  }

  Value
  evaluate(const AnalysedDesign &design, const std::size_t l, Derivative *const derivative) override
  {
    const std::vector<double> rho = design.densities.to_host();
    const std::vector<double> u   = design.state.displacement(l);
    std::vector<double> solid(elements_.size());
    double largest = 0;
    for (std::size_t k = 0; k < elements_.size(); ++k)
      {
        solid[k] = von_mises(centre_of(elements_[k], u).stress);
        largest  = std::max(largest, relaxed(rho[elements_[k]], solid[k]));
      }
    largest = communicator_.max(largest);
    if (!(largest > 0.))
      return {0.};
    double sum = 0; // relative to the largest one, so that no power overflows
    for (std::size_t k = 0; k < elements_.size(); ++k)
      sum += mesh_.volumes[elements_[k]] *
             std::pow(relaxed(rho[elements_[k]], solid[k]) / largest, settings_.exponent);
    const double norm =
      largest * std::pow(communicator_.sum(sum) / volume_, 1. / settings_.exponent);
    if (l >= scales_.size())
      scales_.resize(l + 1, 0.);
    if (!(scales_[l] > 0.))
      scales_[l] = settings_.scaling == Scaling::maximum ? largest / norm : 1.;
    const double factor = scales_[l];
    if (derivative == nullptr)
      return {factor * norm};

    // dR/ds_e = c v_e / V (s_e / norm)^(P - 1), by way of the displacements and by rho_e^q
    Array<double> &work = derivative->work();
    std::vector<double> by_density(mesh_.n_elements, 0.);
    std::vector<double> g(mesh_.n_dofs(), 0.);
    for (std::size_t k = 0; k < elements_.size(); ++k)
      {
        const LocalIndex e = elements_[k];
        const double s     = relaxed(rho[e], solid[k]);
        if (!(s > 0.))
          continue;
        const double by_stress =
          factor * mesh_.volumes[e] / volume_ * std::pow(s / norm, settings_.exponent - 1.);
        by_density[e] = by_stress * settings_.relaxation * s / rho[e];
        add_gradient(centre_of(e, u),
                     e,
                     by_stress * std::pow(rho[e], settings_.relaxation) / solid[k],
                     g);
      }
    work.copy_from_host(by_density);
    derivative->add_by_density(work);
    Array<double> on_backend(backend_.memory(), g);
    ghosts_.add_to_owners(on_backend);
    g = on_backend.to_host();
    g.resize(mesh_.n_owned_dofs());
    return {factor * norm, add_by_displacements(design, l, g, *derivative)};
  }

private:
  /// Of the solid at the centre of an element: its stress, and the gradients of the shape functions.
  struct Centre
  {
    Stress stress;
    double gradients[3][8];
  };

  Centre centre_of(const std::size_t e, const std::vector<double> &u) const
  {
    double J[3][3] = {}, D[3][3] = {};
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d)
        {
          const double slope = hexahedron::reference_gradient(v, d, 0.5, 0.5, 0.5);
          for (std::size_t i = 0; i < 3; ++i)
            {
              J[i][d] += mesh_.coordinates[i * mesh_.n_nodes + node(e, v)] * slope;
              D[i][d] += u[3 * node(e, v) + i] * slope;
            }
        }
    Centre centre{stress_of(material_, J, D), {}};
    for (double &component : centre.stress.component)
      component *= ratio(e);
    double inverse[3][3];
    hexahedron::invert(J, inverse);
    for (int v = 0; v < 8; ++v)
      for (int i = 0; i < 3; ++i)
        for (int d = 0; d < 3; ++d)
          centre.gradients[i][v] +=
            hexahedron::reference_gradient(v, d, 0.5, 0.5, 0.5) * inverse[d][i];
    return centre;
  }

  /// g += factor vM dvM/du
  void add_gradient(const Centre &centre,
                    const std::size_t e,
                    const double factor,
                    std::vector<double> &g) const
  {
    const double(&s)[6] = centre.stress.component;
    const double mean   = (s[0] + s[1] + s[2]) / 3.;
    const double mu     = ratio(e) * material_.mu();
    double T[3][3];
    for (int i = 0; i < 3; ++i)
      {
        const int j = (i + 1) % 3;
        T[i][i]     = 1.5 * (s[i] - mean);
        T[i][j] = T[j][i] = 1.5 * s[3 + i];
      }
    for (int v = 0; v < 8; ++v)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          g[3 * node(e, v) + i] += factor * 2. * mu * T[i][j] * centre.gradients[j][v];
  }

  /// Of the stiffness of the element's solid to that of material_.
  double ratio(const std::size_t e) const
  {
    return ratios_.empty() ? 1. : ratios_[e];
  }

  double relaxed(const double density, const double stress) const
  {
    return std::pow(density, settings_.relaxation) * stress;
  }

  std::size_t node(const std::size_t e, const int v) const
  {
    return mesh_.connectivity[static_cast<std::size_t>(v) * mesh_.n_elements + e];
  }

  Backend &backend_;
  Communicator communicator_;
  const ElementMesh &mesh_;
  Material material_;
  std::vector<double> ratios_; ///< `[n_elements]`; empty: all are 1
  Settings settings_;
  std::vector<LocalIndex> elements_;
  HaloExchange<double> ghosts_;
  double volume_ = 0;          ///< of the region, on all ranks
  std::vector<double> scales_; ///< c of each load case; none yet for the design: not positive
};
} // namespace

ResponseEntry von_mises()
{
  ResponseEntry entry;
  entry.name       = "von mises";
  entry.summary    = "the largest von Mises stress of a region, by way of a norm";
  entry.parameters = parameters_of<Settings>();
  entry.make       = [](const ResponseContext &context) -> std::unique_ptr<Response> {
    return std::make_unique<VonMisesNorm>(context, settings_from<Settings>(context.values));
  };
  return entry;
}
} // namespace strut
