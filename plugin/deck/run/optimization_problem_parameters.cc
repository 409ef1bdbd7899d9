// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
// Members of OptimizationParameters that make an OptimizationProblem: objective and constraints.
#include <strut/base/exceptions.h>
#include <strut/optimization/responses/response_region.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "plugin/deck/output/history.h"
#include "plugin/deck/problem/region_members.h"
#include "plugin/deck/run/run_parameters.h"
#include "source/optimization/design_functions.h"
#include "source/optimization/load_nodes.h"

namespace strut
{
namespace
{
/// The regions of one response of a deck, with the same entries as supports and loads.
class DeckRegions : public RegionFinder
{
public:
  /// @param mesh,  summary  must outlive this object
  /// @param path  path of the subsection with the entries of the region, for messages
  /// @param owner  "constraint 'tip'", for the log
  DeckRegions(const DeckMesh &mesh,
              const MeshSummary &summary,
              MPI_Comm communicator,
              std::vector<std::string> path,
              std::string owner)
    : mesh_(mesh)
    , summary_(summary)
    , communicator_(communicator)
    , path_(std::move(path))
    , owner_(std::move(owner))
  {}

  /// Throws EntryError.
  std::vector<LocalIndex> nodes(const ResponseRegion &words) const override
  {
    Region region;
    region.set(words, path_);
    region.prepare(summary_);
    NodeSet nodes = select_nodes(mesh_, communicator_, region);
    take(nodes.size(), "node", selected_nodes(nodes, mesh_, region), region);
    return nodes;
  }
  std::vector<LocalIndex> elements(const ResponseRegion &words) const override
  {
    Region region;
    region.set(words, path_);
    region.prepare(summary_);
    last_elements_ = select_elements(mesh_, communicator_, region);
    take(last_elements_.size(), "element", selected_elements(last_elements_, mesh_), region);
    return last_elements_;
  }

  /// Elements of the last region of elements on this rank, ascending; empty if none was requested.
  const std::vector<LocalIndex> &last_elements() const
  {
    return last_elements_;
  }

  /// Lines for the log: the regions that were requested, with their numbers of nodes or elements.
  const std::string &log() const
  {
    return log_;
  }

private:
  /// Throws EntryError if the region is empty on all ranks, otherwise adds it to the log.
  /// Collective.
  void take(const std::size_t n,
            const std::string &entity,
            SelectedPart selection,
            const Region &region) const
  {
    const std::size_t n_on_all = Communicator(communicator_).sum(n);
    if (n_on_all == 0)
      region.throw_selects_nothing(entity, summary_);
    selection.sum(communicator_);
    log_ += "  " + owner_ + ": " + std::to_string(n_on_all) + ' ' + entity + "s (" +
            region.describe() + ")\n      " + selection.describe(summary_, summary_.n_nodes) + '\n';
    if (const std::string note = selection.note(region, summary_, summary_.n_nodes); !note.empty())
      log_ += "  NOTE: " + owner_ + ": " + note + '\n';
  }

  const DeckMesh &mesh_;
  const MeshSummary &summary_;
  MPI_Comm communicator_;
  std::vector<std::string> path_;
  std::string owner_;
  mutable std::string log_;
  mutable std::vector<LocalIndex> last_elements_;
};

/// The NOTE on elements to design next to loads, supports or solid regions that a limit of stresses
/// leaves out, or nothing. Material may vanish there except for hinges, or altogether. Collective.
/// @param limited  elements of this rank whose stress is limited, ascending
/// @param response  "constraint 'stress'"
std::string note_on_hinges(Backend &backend,
                           const Communicator &communicator,
                           const Problem &problem,
                           const std::vector<LocalIndex> &limited,
                           const std::string &response)
{
  const ElementMesh &mesh = problem.mesh();
  LoadNodes nodes(communicator, mesh, problem.mirrors());
  for (const LoadCase &load_case : problem.load_cases())
    nodes.add(load_case);
  const std::vector<std::uint8_t> is_near = nodes.elements(backend, communicator, true);
  std::vector<bool> is_solid(mesh.n_nodes, false);
  const auto for_each_node = [&](const std::size_t e, const auto &action) {
    for (std::size_t v = 0; v < mesh.type.n_nodes; ++v)
      action(mesh.node(e, v));
  };
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::solid)
      for_each_node(e, [&](const LocalIndex node) { is_solid[node] = true; });
  std::size_t n = 0;
  for (std::size_t e = 0; e < mesh.n_elements; ++e)
    if (mesh.flags[e] == DesignFlag::design &&
        !std::binary_search(limited.begin(), limited.end(), static_cast<LocalIndex>(e)))
      {
        bool touches = is_near[e] != 0;
        for_each_node(e, [&](const LocalIndex node) { touches = touches || is_solid[node]; });
        n += touches ? 1 : 0;
      }
  n = communicator.sum(n);
  return n == 0
           ? ""
           : "  NOTE: " + response + ": " + std::to_string(n) +
               " elements to design next to loads, supports or solid regions are outside of its region. Nothing "
               "limits their stress: they may become hinges, and the part may come off there. Make them solid "
               "('Non-design regions'), or widen the region\n";
}
} // namespace

OptimizationProblem
OptimizationParameters::problem_without_responses(const Constraints &constraints,
                                                  const std::size_t n_load_cases) const
{
  const auto refuse = [](const std::string &entry, const std::string &text) {
    throw EntryError({"Optimization"}, entry, text);
  };
  OptimizationProblem problem;
  problem.objective     = {objective, nullptr, find_response(objective).by_load_case, over_};
  problem.maximises     = maximised_ != "none";
  problem.limits_volume = problem.maximises || !find_response(objective).is_amount;
  problem.fields        = robust_fields();
  for (const auto &constraint : constraints)
    problem.constraints.push_back(constraint->get());
  if (problem.fields.kind == RobustFields::Kind::eroded && !constraints.empty())
    throw EntryError(
      constraints.front()->path(),
      "",
      "With 'Robust / Fields = eroded' that field alone is analysed, and the others may break the "
      "constraint.\n'set Fields = worst case' with 'set Update = mma', or leave one of both out.");
  if (!find_design_method(method).solves_any_problem)
    {
      const std::string remedy = ".\n'set Method = simp' takes any response.";
      if (objective != "compliance" || over_ != DesignFunction::Over::sum || problem.maximises)
        refuse(problem.maximises ? "Maximise" : "Minimise",
               "The method '" + method + "' minimises the sum of the compliances alone" + remedy);
      if (!constraints.empty())
        throw EntryError(constraints.front()->path(),
                         "",
                         "The method '" + method + "' knows the volume as its only constraint" +
                           remedy);
      if (settings_.update != OptimizationSettings().update)
        refuse("Update",
               "The method '" + method +
                 "' has no update: its changes are its own.\nLeave this entry out.");
      if (settings_.stopping.criterion == StoppingRule::Criterion::kkt)
        refuse("Stopping criterion",
               "The method '" + method + "' knows no KKT residual.\nLeave this entry out.");
      return problem;
    }
  const ResponseEntry &response = find_response(objective);
  if (constraints.empty() && !problem.limits_volume && !response.only_minimised)
    refuse("Minimise",
           "Nothing limits the " + objective +
             " from below: void is the lightest.\nSay what the design has to keep: "
             "'subsection Constraints', say a 'displacement' with 'At most'.");
  if (constraints.empty() && problem.maximises && objective == "compliance")
    refuse(
      "Maximise",
      "The largest compliance is that of void, and nothing limits it.\n'set Minimise = compliance' finds a "
      "stiff design; a constraint would limit it.");
  if (!problem.objective.by_load_case && over_ == DesignFunction::Over::worst)
    refuse("Over load cases",
           "The response '" + objective +
             "' is the same for all load cases.\nLeave this entry out.");
  if (problem.maximises && over_ == DesignFunction::Over::worst)
    refuse("Over load cases",
           "The worst case is the largest one, which is minimised; '" + objective +
             "' is maximised.\nLeave this entry out.");
  if (find_response(objective).only_minimised && over_ == DesignFunction::Over::worst)
    refuse(
      "Over load cases",
      "The response '" + objective +
        "' counts all load cases together, each with limits of its own.\nLeave this entry out.");
  std::vector<std::string> columns{column_name(objective)};
  if (problem.fields.enabled()) // in the order of Simp
    {
      for (const RobustFields::Field field : problem.fields.analysed())
        columns.push_back(std::string("objective_") + RobustFields::name_of(field));
      for (const RobustFields::Field field :
           {RobustFields::Field::eroded, RobustFields::Field::dilated})
        columns.push_back(std::string("volume_fraction_") + RobustFields::name_of(field));
    }
  for (const auto &constraint : constraints)
    {
      const std::string column = column_name(constraint->name);
      if (std::find(columns.begin(), columns.end(), column) != columns.end())
        throw EntryError(constraint->path(),
                         "",
                         "history.csv would have two columns '" + column +
                           "'.\nGive the constraint another name.");
      columns.push_back(column);
    }
  const DesignUpdateEntry &update = find_design_update(settings_.update);
  if (settings_.criteria.damping != OptimalityCriteria().damping &&
      update.name != OptimizationSettings().update)
    refuse("Damping exponent",
           "It belongs to the optimality criteria, and the update is '" + update.name +
             "'.\nLeave this entry out.");
  if (update.obstacle != nullptr)
    if (const std::string reason = update.obstacle(problem, n_load_cases); !reason.empty())
      refuse("Update",
             "The update '" + update.name + "' cannot solve this problem: " + reason +
               (update.name == "mma"
                  ? "."
                  : ".\n'set Update = mma' takes any objective and constraints."));
  if (sensitivity_radius() > 0. && update.needs_gradients)
    refuse(
      "Filter",
      "The update '" + update.name +
        "' takes gradients, and the filter 'sensitivity' makes something else of them.\n'set Filter = density', or "
        "'projection', or 'Maps'.");
  if (settings_.stopping.criterion == StoppingRule::Criterion::kkt && !update.has_kkt_norm)
    refuse("Stopping criterion",
           "The update '" + update.name +
             "' knows no KKT residual.\n'set Update = mma', or another criterion.");
  return problem;
}

OptimizationProblem OptimizationParameters::make_problem(const Constraints &constraints,
                                                         Backend &backend,
                                                         const Problem &structure,
                                                         MPI_Comm communicator,
                                                         const std::vector<std::string> &load_cases,
                                                         std::string *const regions_in_words) const
{
  const auto with = [&](const std::vector<std::string> &path,
                        const std::string &owner,
                        const std::string &response,
                        const auto &make) {
    const DeckRegions regions(
      structure.deck_mesh(), structure.summary(), communicator, path, owner);
    const ResponseContext context{backend,
                                  Communicator(communicator),
                                  structure.mesh(),
                                  structure.material(),
                                  &regions,
                                  {},
                                  structure.solids()};
    try
      {
        auto made = make(context);
        if (regions_in_words != nullptr)
          {
            *regions_in_words += regions.log();
            if (find_response(response).takes_stresses &&
                Communicator(communicator).any(!regions.last_elements().empty()))
              *regions_in_words += note_on_hinges(
                backend, Communicator(communicator), structure, regions.last_elements(), owner);
          }
        return made;
      }
    catch (const EntryError &)
      {
        throw;
      }
    catch (const Error &error)
      {
        throw EntryError(path, "", error.reason);
      }
  };
  OptimizationProblem problem = problem_without_responses(constraints, load_cases.size());
  for (const auto &constraint : constraints)
    for (const std::string &load_case : load_cases)
      if (column_name(constraint->name) == column_name(objective + '_' + load_case))
        throw EntryError(
          constraint->path(),
          "",
          "history.csv has a column of that name for a load case.\nGive the constraint another name.");
  problem.objective.response =
    with({"Optimization", subsection_of(objective)},
         "objective '" + objective + "'",
         objective,
         [&](ResponseContext context) {
           context.values = values_of(response_values_, objective);
           return std::shared_ptr<Response>(make_response(objective, context));
         });
  for (std::size_t i = 0; i < constraints.size(); ++i)
    problem.constraints[i] = with(constraints[i]->response_path(),
                                  "constraint '" + constraints[i]->name + "'",
                                  constraints[i]->response,
                                  [&](const ResponseContext &context) {
                                    return constraints[i]->make(context, load_cases);
                                  });
  return problem;
}

std::size_t OptimizationParameters::n_adjoints(const Constraints &constraints,
                                               const std::size_t n_load_cases) const
{
  if (!find_design_method(method).solves_any_problem)
    return 0;
  const OptimizationProblem problem = problem_without_responses(constraints);
  const auto of = [&](const std::string &response, const DesignFunction &function) {
    const ResponseEntry &entry = find_response(response);
    return !entry.second_solve      ? 0
           : !entry.by_load_case    ? 1
           : function.cases.empty() ? n_load_cases
                                    : function.cases.size();
  };
  std::size_t n = of(objective, problem.objective);
  for (std::size_t i = 0; i < constraints.size(); ++i)
    n += of(constraints[i]->response, problem.constraints[i].function);
  return n * problem.fields.analysed().size();
}

std::size_t OptimizationParameters::n_modes(const Constraints &constraints) const
{
  const auto of = [](const std::string &response, const ParameterValues &values) {
    const ResponseEntry &entry = find_response(response);
    return entry.n_modes == nullptr ? std::size_t(0) : entry.n_modes(values);
  };
  std::size_t most = of(objective, values_of(response_values_, objective));
  for (const auto &constraint : constraints)
    most = std::max(most, of(constraint->response, constraint->response_values()));
  return most;
}

bool OptimizationParameters::counts_all_modes(const Constraints &constraints) const
{
  const auto counts = [](const std::string &response, const ParameterValues &values) {
    const ResponseEntry &entry = find_response(response);
    return entry.counts_all_modes != nullptr && entry.counts_all_modes(values);
  };
  return counts(objective, values_of(response_values_, objective)) ||
         std::any_of(constraints.begin(), constraints.end(), [&](const auto &constraint) {
           return counts(constraint->response, constraint->response_values());
         });
}

double OptimizationParameters::update_memory_estimate(const Constraints &constraints,
                                                      const std::size_t n_load_cases,
                                                      const ElementMesh &mesh) const
{
  if (!find_design_method(method).solves_any_problem)
    return 0.;
  const OptimizationProblem problem = problem_without_responses(constraints);
  const std::size_t n               = n_functions(problem, n_load_cases);
  const DesignUpdateEntry &update   = find_design_update(settings_.update);
  const auto elements               = static_cast<double>(mesh.n_elements);
  double bytes =
    DesignFunctions::memory_estimate(mesh.n_elements, n - 1) +
    DesignVolumes::memory_estimate(mesh.volumes, !maps().empty() || update.takes_common_volume);
  const auto add_own = [&](const std::string &response) {
    const ResponseEntry &entry = find_response(response);
    // Volumes of its region.
    if (entry.is_amount)
      bytes += sizeof(double) * elements;
    bytes +=
      (entry.bytes_per_element + entry.bytes_per_load_case * static_cast<double>(n_load_cases)) *
        elements +
      (entry.bytes_of_type == nullptr ? 0. : entry.bytes_of_type(mesh.type) * elements) +
      entry.bytes_per_node * static_cast<double>(mesh.n_nodes);
  };
  add_own(objective);
  for (const auto &constraint : constraints)
    add_own(constraint->response);
  const bool is_robust = problem.fields.enabled();
  if (over_ == DesignFunction::Over::worst || is_robust) // the derivative of the function
    bytes += sizeof(double) * elements;
  if (is_robust) // densities of the other fields
    bytes += 2. * sizeof(double) * elements;
  return update.memory_estimate == nullptr ? bytes
                                           : bytes + update.memory_estimate(mesh.n_elements, n);
}

bool OptimizationParameters::needs_loads(const Constraints &constraints) const
{
  return find_response(objective).by_load_case ||
         std::any_of(constraints.begin(), constraints.end(), [](const auto &constraint) {
           return find_response(constraint->response).by_load_case;
         });
}

std::string OptimizationParameters::describe_problem(const Constraints &constraints) const
{
  const bool is_usual = objective == "compliance" && maximised_ == "none" &&
                        over_ == DesignFunction::Over::sum && constraints.empty() &&
                        settings_.update == OptimizationSettings().update &&
                        !robust_fields().enabled();
  if (is_usual || !find_design_method(method).solves_any_problem)
    return "";
  const OptimizationProblem problem = problem_without_responses(constraints);
  std::string text = (problem.maximises ? "  maximise: " : "  minimise: ") + objective +
                     (over_ == DesignFunction::Over::worst ? " in the worst load case" : "") + '\n';
  for (const auto &constraint : constraints)
    text += "  constraint " + constraint->describe() + '\n';
  if (problem.fields.kind == RobustFields::Kind::worst_case)
    text +=
      "  robust: the worst of the eroded field, the blueprint and the dilated field, with thresholds " +
      dealii::Patterns::Tools::to_string(problem.fields.distance) + " apart\n";
  if (problem.fields.kind == RobustFields::Kind::eroded_and_dilated)
    text += "  robust: the worst of the eroded and the dilated field, with thresholds " +
            dealii::Patterns::Tools::to_string(problem.fields.distance) +
            " from that of the blueprint\n";
  if (problem.fields.kind == RobustFields::Kind::eroded)
    text += "  robust: the eroded field is analysed, with a threshold " +
            dealii::Patterns::Tools::to_string(problem.fields.distance) +
            " above that of the blueprint\n";
  if (problem.limits_volume)
    text += "  constraint on the volume: fraction <= " +
            dealii::Patterns::Tools::to_string(settings_.volume_fraction) + '\n';
  return text + "  update: " + settings_.update + '\n';
}
} // namespace strut
