// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <memory>
#include <string>

#include "plugin/deck/problem/problem.h"
#include "plugin/deck/run/output_parameters.h"
#include "plugin/deck/run/run_parameters.h"

namespace strut
{
/// All entries that a deck may have, declared without a deck, in the order of a deck. Decks choose
/// the names of supports, loads, non-design regions, constraints, materials, springs, masses and
/// couplings. One name of each stands for them; an empty name leaves its kind out.
struct AllParameters
{
  AllParameters(const std::string &support,
                const std::string &load,
                const std::string &region     = std::string(),
                const std::string &constraint = std::string(),
                const std::string &material   = std::string(),
                const std::string &spring     = std::string(),
                const std::string &coupling   = std::string(),
                const std::string &mass       = std::string())
    : material(material.empty() ? nullptr : std::make_unique<MaterialRegion>(material))
    , support(support)
    , spring(spring.empty() ? nullptr : std::make_unique<Spring>(spring))
    , mass(mass.empty() ? nullptr : std::make_unique<PointMass>(mass))
    , coupling(coupling.empty() ? nullptr : std::make_unique<Coupling>(coupling))
    , load(load)
    , region(region.empty() ? nullptr : std::make_unique<NonDesignRegion>(region))
    , constraint(constraint.empty() ? nullptr : std::make_unique<ConstraintParameters>(constraint))
  {}

  ComputeParameters compute;
  Problem problem{Deck()};
  std::unique_ptr<MaterialRegion> material;
  Support support;
  std::unique_ptr<Spring> spring;
  std::unique_ptr<PointMass> mass;
  std::unique_ptr<Coupling> coupling;
  Load load;
  std::unique_ptr<NonDesignRegion> region;
  SolverParameters solver;
  OptimizationParameters optimization;
  std::unique_ptr<ConstraintParameters> constraint;
  OutputParameters output;
  ExportParameters part;
};
} // namespace strut
