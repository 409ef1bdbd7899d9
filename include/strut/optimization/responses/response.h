// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/backend/backend.h>
#include <strut/base/communicator.h>
#include <strut/base/parameter.h>
#include <strut/design/interpolation.h>
#include <strut/element/material.h>
#include <strut/element/material_ratios.h>
#include <strut/mesh/element_mesh.h>
#include <strut/optimization/responses/response_region.h>
#include <strut/solvers/state/state_solver.h>

#include <memory>
#include <string>
#include <vector>

namespace strut
{
/// The design that responses are evaluated for. No array has its stiffness factors E(rho_e), which the operators know: who needs
/// them makes them by DesignOperations::interpolate(), or sums by stored_energy().
struct AnalysedDesign
{
  const Array<double> &densities; ///< rho_e, behind the maps, `[n_elements]` on the backend
  Interpolation interpolation;    ///< E, without MaterialRatios
  StateSolver &state;             ///< has displacements of the load case that is asked for
};

/// Where a response adds its derivative by the densities,
/// `dR/drho_e = E'(rho_e) dR/dE_e + dR/drho_e at fixed stiffness`, times a factor that the caller has chosen.
class Derivative
{
public:
  /// @param work  `[n_elements]`, overwritten by responses @param sum  `[n_elements]`, is added to
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

  /// An array that a response may use until it has added what is in it.
  Array<double> &work()
  {
    return work_;
  }

  /// @param decrease  `-dR/dE_e`: by how much R falls as an element gets stiffer
  void add_by_stiffness(const Array<double> &decrease);

  /// @param by_density  dR/drho_e at fixed stiffness
  void add_by_density(const Array<double> &by_density);

private:
  Backend &backend_;
  const Interpolation &interpolation_;
  const Array<double> &densities_;
  double factor_;
  Array<double> &work_, &sum_;
};

/// The numbers from which a response goes on, in an order of its own.
struct ResponseState
{
  std::vector<std::vector<double>> element_fields; ///< `[n_elements]` each, of this rank
  std::vector<double> numbers;                     ///< the same on every rank; empty: no state
};

/// A fault of a design that is in the value of a response only as a penalty.
struct ResponseFault
{
  std::string text;         ///< empty: none
  bool falls_short = false; ///< the design is not what was asked for
  std::string note = {};    ///< on a limit that it is not near; empty: none
};

/// A function of a design and of its displacements, which an optimization minimises or limits: `R_l(rho, u_l)` for each
/// load case l, or `R(rho)` alone.
class Response
{
public:
  virtual ~Response() = default;

  /// The result of evaluate(), over all ranks.
  struct Value
  {
    double value = 0; ///< R_l
    SolverReport adjoint =
      {}; ///< of a second solve, or of one for modes of vibration, if there was one
  };

  /// A design comes that counts: no trial of an update. For numbers that belong to a design. Unless overridden: nothing.
  virtual void begin_design()
  {}

  /// The design since begin_design() is given up, because a solve has failed: its state is to be that before. Unless overridden:
  /// nothing.
  virtual void abandon_design()
  {}

  /// R_l of the load case that `design.state` has just solved; of a response without load cases l is 0. Collective. Throws
  /// SolverFailure.
  /// @param derivative  gets dR_l/drho_e; null where only the value is asked for
  virtual Value evaluate(const AnalysedDesign &design, std::size_t l, Derivative *derivative) = 0;

  /// Of the design that was evaluated last. Unless overridden: none.
  virtual ResponseFault fault() const
  {
    return {};
  }

  /// For a checkpoint, of a response whose values depend on the designs before: its state between two designs. Such a
  /// response has numbers in it from the beginning on. Unless overridden: none.
  virtual ResponseState state() const
  {
    return {};
  }
  /// Go on from a state(). Called before the first design.
  virtual void restore(const ResponseState &)
  {}
};

/// A response that is a function of the displacements: say R_l and its derivative, and the rest is done by the
/// adjoint method. With `K lambda = dR_l/du` on the free DoFs and lambda = 0 on the constrained ones,
/// `dR_l/dE_e = -lambda_e . K0_e u_e` (Bendsoe and Sigmund 2003, section 1.2.3): a second solve for each load
/// case, with the operator and the preconditioner of the first.
///
/// With self weight the forces follow the densities: the derivative gets `lambda . df/drho_e`, and value()
/// must not look at LoadCase::forces.
///
/// Displacements come to the host for this, `[3 * n_nodes]`, DoF = 3 * node + component, owned nodes
/// first. Where that is too slow, derive from Response.
class DisplacementResponse : public Response
{
public:
  /// R_l, the same number on every rank. Collective.
  /// @param u  `[3 * n_nodes]`, ghosts included
  virtual double value(const LoadCase &load_case, const std::vector<double> &u) = 0;

  /// dR_l/du_i of the owned DoFs, `[3 * n_owned_nodes]`. Called after value() for the same u. Collective.
  virtual std::vector<double> derivative(const LoadCase &load_case,
                                         const std::vector<double> &u) = 0;

  Value evaluate(const AnalysedDesign &design, std::size_t l, Derivative *derivative) final;
};

/// The part of `dR_l/drho_e` that comes by way of the displacements, by an adjoint solve. Throws SolverFailure. Collective.
/// @param g  dR_l/du_i on the backend: the first `3 * n_owned_nodes` entries, of the owned DoFs
SolverReport add_by_displacements(const AnalysedDesign &design,
                                  std::size_t l,
                                  const Array<double> &g,
                                  Derivative &derivative);
/// The same from the host, `[3 * n_owned_nodes]`.
SolverReport add_by_displacements(const AnalysedDesign &design,
                                  std::size_t l,
                                  const std::vector<double> &g,
                                  Derivative &derivative);

/// The parts that a response is made from. The objects outlive it, but for the finder of regions, which it must not keep.
struct ResponseContext
{
  Backend &backend;
  Communicator communicator;
  const ElementMesh &mesh;
  Material material           = {};
  const RegionFinder *regions = nullptr; ///< null where nobody can find regions
  ParameterValues values = {}; ///< of the response's parameters that differ from their defaults
  const MaterialRatios &ratios = MaterialRatios::none(); ///< solids other than `material`
};

/// A response's name in the deck, and how to make one. One file and one line in responses.cc each.
struct ResponseEntry
{
  std::string name;
  std::string summary;
  std::unique_ptr<Response> (*make)(const ResponseContext &context);
  bool second_solve = true; ///< whether evaluate() takes one; for the estimate of the memory
  bool by_load_case =
    true;                 ///< false: a function of the densities alone, the same for all load cases
  bool is_amount = false; ///< of material: where it is minimised, the volume has no other limit
  /// Its value is that of no single design: it can be minimised, summed over all load cases, and nothing else.
  bool only_minimised        = false;
  bool takes_stresses        = false; ///< those of isotropic solids
  double bytes_per_element   = 0.; ///< that it keeps on the backend; for the estimate of the memory
  double bytes_per_node      = 0.; ///< likewise
  double bytes_per_load_case = 0.; ///< more per element and load case
  std::size_t fields_in_state       = 0; ///< ResponseState::element_fields per load case
  std::vector<Parameter> parameters = {};

  /// How many modes of vibration evaluate() asks for; null: none. They take displacements in double precision.
  std::size_t (*n_modes)(const ParameterValues &values) = nullptr;
};

const std::vector<ResponseEntry> &responses();

/// One more response, from outside of the core: after the others, for the life of the program,
/// before a parameter file is read. Throws Error if the name is taken.
void add_response(const ResponseEntry &response);

/// @param name  a name in responses(); throws Error with the list otherwise
const ResponseEntry &find_response(const std::string &name);

/// @param name  a name in responses(); throws Error with the list otherwise, for a value of no parameter, and for one
/// that is not allowed
std::unique_ptr<Response> make_response(const std::string &name, const ResponseContext &context);
} // namespace strut
