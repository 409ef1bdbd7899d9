// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/design/interpolation.h>
#include <strut/element/material.h>
#include <strut/element/solids.h>
#include <strut/mesh/element_mesh.h>
#include <strut/optimization/responses/response_region.h>
#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The design for which responses are evaluated. It has no array of the stiffness factors E(rho_e).
/// DesignOperations::interpolate() computes them, and stored_energy() sums with them.
struct AnalysedDesign
{
  const Array<double> &densities; ///< rho_e, after the maps, `[n_elements]` on the backend
  Interpolation interpolation;    ///< E, without the factors of Solids
  StateSolver &state;             ///< has displacements of the evaluated load case
};

/// Collects the derivative of a response by the densities, `dR/drho_e = E'(rho_e) dR/dE_e +
/// dR/drho_e at fixed stiffness`, times a factor that the caller has chosen.
class Derivative
{
public:
  /// @param work  `[n_elements]`, overwritten by responses
  /// @param sum  `[n_elements]`, the derivative is added to it
  Derivative(Backend &backend,
             const Interpolation &interpolation,
             const Array<double> &densities,
             double factor,
             Array<double> &work,
             Array<double> &sum);

  Backend &backend()
  {
    return backend_;
  }

  /// A scratch array for responses, until its content is added.
  Array<double> &work()
  {
    return work_;
  }

  /// Adds the derivative by the stiffness factors.
  ///
  /// @param decrease  `-dR/dE_e`: the decrease of R as an element gets stiffer
  void add_by_stiffness(const Array<double> &decrease);

  /// Adds the explicit derivative by the densities.
  ///
  /// @param by_density  dR/drho_e at fixed stiffness
  void add_by_density(const Array<double> &by_density);

private:
  Backend &backend_;
  const Interpolation &interpolation_;
  const Array<double> &densities_;
  double factor_;
  Array<double> &work_, &sum_;
};

/// The numbers with which a response continues after a restart, in an order that the response
/// chooses.
struct ResponseState
{
  std::vector<std::vector<double>> element_fields; ///< `[n_elements]` each, of this rank
  std::vector<double> numbers;                     ///< equal on every rank; empty: no state
};

/// A defect of a design that enters the value of a response only as a penalty.
struct ResponseFault
{
  std::string text;         ///< empty: none
  bool falls_short = false; ///< the design does not meet its requirement
  std::string note = {};    ///< remark about a limit that the design is far from; empty: none
  double largest   = 0.;    ///< the largest of the values that have the limit
  double limit     = 0.;    ///< the limit in the response; 0: it has none
};

/// A function of a design and of its displacements, which an optimization minimises or limits. It
/// is `R_l(rho, u_l)` for each load case l, or `R(rho)` alone.
class Response
{
public:
  virtual ~Response() = default;

  /// The result of evaluate(), over all ranks.
  struct Value
  {
    double value = 0; ///< R_l
    SolverReport adjoint =
      {}; ///< report of a second solve, or of a solve for modes of vibration, if there was one
  };

  /// Called before the evaluations of a new design that is no trial of an update. Responses use it
  /// for numbers that belong to a design. Default: does nothing.
  virtual void begin_design()
  {}

  /// Called when the design since begin_design() is given up after a failed solve. The response
  /// must return to its previous state. Default: does nothing.
  virtual void abandon_design()
  {}

  /// Returns R_l of the load case that `design.state` has just solved; l is 0 for a response
  /// without load cases. Collective. Throws SolverFailure.
  ///
  /// @param derivative  gets dR_l/drho_e; null where only the value is needed
  virtual Value evaluate(const AnalysedDesign &design, std::size_t l, Derivative *derivative) = 0;

  /// The fault of the design that was evaluated last. Default: none.
  virtual ResponseFault fault() const
  {
    return {};
  }

  /// The state between two designs, for the checkpoint of a response whose values depend on earlier
  /// designs. Such a response has numbers in it from the start. Default: none.
  virtual ResponseState state() const
  {
    return {};
  }
  /// Restores a state(). It is called before the first design.
  virtual void restore(const ResponseState &)
  {}
};

/// A response that is a function of the displacements. Derived classes give R_l and its derivative,
/// and this class uses the adjoint method. With `K lambda = dR_l/du` on the free DoFs and lambda =
/// 0 on the constrained ones, `dR_l/dE_e = -lambda_e . K0_e u_e` (Bendsoe and Sigmund 2003, section
/// 1.2.3). That takes a second solve for each load case, with the operator and the preconditioner
/// of the first.
///
/// With self weight the forces depend on the densities: the derivative gets `lambda . df/drho_e`,
/// and value() must not read LoadCase::forces.
///
/// Displacements are copied to the host, `[3 * n_nodes]`, DoF = 3 * node + component, owned nodes
/// first. Where that is too slow, derive from Response.
class DisplacementResponse : public Response
{
public:
  /// Returns R_l, the same number on every rank. Collective.
  ///
  /// @param u  `[3 * n_nodes]`, ghosts included
  virtual double value(const LoadCase &load_case, const std::vector<double> &u) = 0;

  /// Returns dR_l/du_i of the owned DoFs, `[3 * n_owned_nodes]`. It is called after value() for the
  /// same u. Collective.
  virtual std::vector<double> derivative(const LoadCase &load_case,
                                         const std::vector<double> &u) = 0;

  Value evaluate(const AnalysedDesign &design, std::size_t l, Derivative *derivative) final;
};

/// Adds the part of `dR_l/drho_e` that depends on the displacements, by an adjoint solve. Throws
/// SolverFailure. Collective.
///
/// @param g  dR_l/du_i on the backend: the first `3 * n_owned_nodes` entries, of the owned DoFs
SolverReport add_by_displacements(const AnalysedDesign &design,
                                  std::size_t l,
                                  const Array<double> &g,
                                  Derivative &derivative);
/// Adds the same part for a derivative on the host, `[3 * n_owned_nodes]`.
SolverReport add_by_displacements(const AnalysedDesign &design,
                                  std::size_t l,
                                  const std::vector<double> &g,
                                  Derivative &derivative);

/// The objects from which a response is made. They must outlive it, except for the finder of
/// regions, which it must not keep.
struct ResponseContext
{
  Backend &backend;
  Communicator communicator;
  const ElementMesh &mesh;
  Material material           = {};
  const RegionFinder *regions = nullptr; ///< null if no finder of regions is available
  ParameterValues values      = {}; ///< parameters of the response that differ from their defaults
  const Solids &solids        = Solids::none(); ///< solids other than `material`
};

/// A response's name in the deck, and a function that makes one. Each response takes one file and
/// one line in responses.cc.
struct ResponseEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<Response> (*make)(const ResponseContext &context);
  bool second_solve = true; ///< evaluate() makes a second solve; used to estimate the memory
  bool by_load_case =
    true; ///< false: a function of the densities alone, the same for all load cases

  /// The response is an amount of material: if it is minimised, the volume has no other limit.
  bool is_amount = false;
  /// Whether the value does not belong to a single design. Then the response can only be minimised,
  /// summed over all load cases.
  bool only_minimised = false;
  /// The response reads stresses, which must be those of isotropic solids.
  bool takes_stresses = false;

  /// Bytes per element that it keeps on the backend; used to estimate the memory.
  double bytes_per_element = 0.;
  double bytes_per_node    = 0.; ///< bytes per node that it keeps on the backend
  /// Further bytes per element that depend on its type. Null: none.
  double (*bytes_of_type)(const ElementType &type) = nullptr;
  double bytes_per_load_case        = 0.; ///< additional bytes per element and load case
  std::size_t fields_in_state       = 0;  ///< number of ResponseState::element_fields per load case
  std::vector<Parameter> parameters = {};

  /// Number of modes of vibration that evaluate() asks for; null: none. They need displacements in
  /// double precision.
  std::size_t (*n_modes)(const ParameterValues &values) = nullptr;
  /// Whether modes with Structure::supports_of_modes count; null: no.
  bool (*counts_all_modes)(const ParameterValues &values) = nullptr;
};

const std::vector<ResponseEntry> &responses();

/// Adds a response from outside of the core, behind the others and for the life of the program. It
/// must be called before a parameter file is read. Throws Error if the name is taken.
void add_response(const ResponseEntry &response);

/// The response of this name.
///
/// @param name  a name in responses(); throws Error with the list otherwise
const ResponseEntry &find_response(const std::string &name);

/// Makes a response. Throws Error for a value that belongs to no parameter or is not allowed.
///
/// @param name  a name in responses(); throws Error with the list otherwise
std::unique_ptr<Response> make_response(const std::string &name, const ResponseContext &context);
} // namespace strut
