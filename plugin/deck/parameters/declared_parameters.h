// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <iosfwd>
#include <string>
#include <vector>

namespace strut
{
/// One declared entry of a ParameterHandler.
struct DeclaredEntry
{
  std::string name;
  std::string value;
  std::string default_value;
  std::string documentation;
  std::string pattern; ///< deal.II's description, "[Bool]"
};

/// The entries that a ParameterHandler declares in one subsection, in the order of declaration.
struct DeclaredSection
{
  std::string name;
  std::vector<DeclaredEntry> entries;
  std::vector<DeclaredSection> subsections;

  /// @return nullptr if there is none
  const DeclaredSection *find(const std::vector<std::string> &path) const;

  /// @return nullptr if there is none
  const DeclaredEntry *find_entry(const std::string &name) const;

  std::vector<std::string> entry_names() const;
  std::vector<std::string> subsection_names() const;
};

/// Returns everything that is declared, from the top level.
DeclaredSection declared_parameters(const dealii::ParameterHandler &parameters);

/// Decodes a key of deal.II's tree, "Volume_20fraction", to the declared name.
std::string unmangle(const std::string &key);

/// Writes everything that is declared as Markdown. Each subsection with entries has a heading, such
/// as "`Solver`" or "`Mesh / Box`". A list item for each entry states its default, the allowed
/// values, and its meaning. The current values do not matter.
void write_parameter_reference(const dealii::ParameterHandler &parameters, std::ostream &out);
} // namespace strut
