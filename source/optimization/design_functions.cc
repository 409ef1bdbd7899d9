// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/optimization/design_functions.h"
#include "source/optimization/solve_load_cases.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace strut
{
std::size_t n_functions(const OptimizationProblem &problem, const std::size_t n_load_cases)
{
  const auto count = [n_load_cases](const DesignFunction &function) {
    return !function.by_load_case || function.over == DesignFunction::Over::sum ? 1
           : function.cases.empty()                                             ? n_load_cases
                                    : function.cases.size();
  };
  std::size_t n = count(problem.objective);
  for (const DesignConstraint &constraint : problem.constraints)
    n += count(constraint.function);
  return n * problem.fields.analysed().size();
}

OptimizationProblem minimise(const std::string &response, const ResponseContext &context)
{
  return {{response,
           make_response(response, context),
           find_response(response).by_load_case,
           DesignFunction::Over::sum,
           {}}};
}

DesignFunctions::DesignFunctions(Backend &backend,
                                 const std::size_t n_elements,
                                 const std::size_t n_load_cases,
                                 OptimizationProblem problem)
  : backend_(backend), problem_(std::move(problem)), field_(problem_.fields.analysed().front())
{
  const auto add_rows = [&](const DesignFunction &function, const double limit, const double sign) {
    std::vector<std::size_t> cases = function.cases;
    if (cases.empty())
      {
        cases.resize(n_load_cases);
        std::iota(cases.begin(), cases.end(), std::size_t(0));
      }
    std::vector<std::vector<std::size_t>> of_rows;
    if (!function.by_load_case)
      of_rows = {{}};
    else if (function.over == DesignFunction::Over::sum)
      of_rows = {cases};
    else
      for (const std::size_t l : cases)
        of_rows.push_back({l});
    for (const RobustFields::Field field : problem_.fields.analysed())
      for (const std::vector<std::size_t> &of_row : of_rows)
        {
          Row row;
          row.function = &function;
          row.cases    = of_row;
          row.field    = field;
          row.limit    = limit;
          row.sign     = sign;
          row.has_weights =
            function.over == DesignFunction::Over::sum || &function == &problem_.objective;
          row.derivative = Array<double>(backend_.memory(), n_elements);
          rows_.push_back(std::move(row));
        }
  };
  add_rows(problem_.objective, 0., problem_.maximises ? -1. : 1.);
  n_objective_rows_ = rows_.size();
  if (problem_.objective.over == DesignFunction::Over::worst ||
      problem_.fields.analysed().size() > 1)
    for (Row &row : rows_)
      row.is_worst_objective = true;
  for (const DesignConstraint &constraint : problem_.constraints)
    add_rows(constraint.function, constraint.limit, constraint.at_least ? -1. : 1.);
  std::size_t n_adjoints = 0;
  for (Row &row : rows_)
    {
      row.first_adjoint = n_adjoints;
      n_adjoints += std::max<std::size_t>(1, row.cases.size());
    }
}

double DesignFunctions::memory_estimate(const std::size_t n_elements, const std::size_t n_rows)
{
  return sizeof(double) * static_cast<double>(n_elements) * static_cast<double>(n_rows);
}

void DesignFunctions::begin_values()
{
  for (Row &row : rows_)
    row.value = 0.;
}

void DesignFunctions::begin()
{
  begin_values();
  for (Row &row : rows_)
    {
      row.derivative.set_zero();
      row.function->response->begin_design();
    }
}

void DesignFunctions::begin_field(const RobustFields::Field field)
{
  field_ = field;
  for (Row &row : rows_)
    if (row.field == field)
      row.function->response->begin_design();
}

void DesignFunctions::abandon()
{
  for (Response *const response : responses())
    response->abandon_design();
}

double DesignFunctions::objective() const
{
  double worst = rows_.front().value;
  for (std::size_t i = 1; i < n_objective_rows_; ++i)
    if (rows_[i].sign * (rows_[i].value - worst) > 0.)
      worst = rows_[i].value;
  return worst;
}

double DesignFunctions::objective(const RobustFields::Field field) const
{
  const Row *worst = nullptr;
  for (std::size_t i = 0; i < n_objective_rows_; ++i)
    if (const Row &row = rows_[i];
        row.field == field && (worst == nullptr || row.sign * (row.value - worst->value) > 0.))
      worst = &row;
  return worst->value;
}

SolverReport DesignFunctions::add(Row &row,
                                  const AnalysedDesign &design,
                                  const std::size_t l,
                                  const double weight,
                                  Array<double> *const work,
                                  IterationRecord &record)
{
  Response::Value found;
  if (work == nullptr)
    found = row.function->response->evaluate(design, l, nullptr);
  else
    {
      const auto of_case = std::find(row.cases.begin(), row.cases.end(), l);
      // The adjoint of this response, load case and field.
      design.state.select_adjoint(
        row.first_adjoint +
        (row.cases.empty() ? 0 : static_cast<std::size_t>(of_case - row.cases.begin())));
      Derivative derivative(
        backend_, design.interpolation, design.densities, row.sign * weight, *work, row.derivative);
      found = row.function->response->evaluate(design, l, &derivative);
    }
  row.value += weight * found.value;
  if (!row.cases.empty())
    require_computable(design.state.load_case(l).name, found.value);
  if (row.function == &problem_.objective)
    {
      if (!row.cases.empty())
        record.case_objectives.push_back(found.value);
      record.objective = objective();
    }
  return found.adjoint;
}

void DesignFunctions::finish(const AnalysedDesign &design,
                             Array<double> *const work,
                             IterationRecord &record)
{
  for (Row &row : rows_)
    if (row.cases.empty() && row.field == field_)
      {
        const SolverReport report = add(row, design, 0, 1., work, record);
        record.solver_iterations += report.iterations;
        record.n_solves += report.iterations > 0 ? 1 : 0;
      }
}

void DesignFunctions::backward(DesignChain &map,
                               const Array<double> &design,
                               const unsigned int iteration)
{
  for (Row &row : rows_)
    map.backward(design, row.derivative, {iteration, problem_.fields.shift(row.field)});
}

std::vector<Response *> DesignFunctions::responses() const
{
  std::vector<Response *> responses{problem_.objective.response.get()};
  for (const DesignConstraint &constraint : problem_.constraints)
    responses.push_back(constraint.function.response.get());
  return responses;
}

std::vector<double>
DesignFunctions::constraint_values(const std::optional<RobustFields::Field> field) const
{
  std::vector<double> values;
  for (const DesignConstraint &constraint : problem_.constraints)
    {
      bool is_first = true;
      double worst  = 0;
      for (const Row &row : rows_)
        if (row.function == &constraint.function && (!field || row.field == *field))
          {
            if (is_first || row.sign * (row.value - worst) > 0.)
              worst = row.value;
            is_first = false;
          }
      values.push_back(worst);
    }
  return values;
}
} // namespace strut
