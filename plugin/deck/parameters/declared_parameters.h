// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/dealii_classes.h>

#include <iosfwd>
#include <string>
#include <utility>
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

/// Writes a deck with everything that is declared. Comments above each entry show its
/// documentation, the allowed values, and the default if the current value differs. Deck::read and
/// Deck::apply accept it and give the same values.
/// @param examples  subsections whose own subsections are written as comments
void write_default_deck(const dealii::ParameterHandler &parameters,
                        std::ostream &out,
                        const std::vector<std::string> &examples = {});

/// All entries as ("A/B/name", current value) in the order of declaration. The entries of a
/// subsection precede its subsections.
std::vector<std::pair<std::string, std::string>>
all_entries(const dealii::ParameterHandler &parameters);
} // namespace strut
