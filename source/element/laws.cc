// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"

#include <strut/element/law.h>

#include <algorithm>
#include <string>

// Laws that others compute; each is a function in a file of its name.
// clang-format off
#define STRUT_LAWS(LAW) \
  LAW(isotropic_law)
// clang-format on

namespace strut
{
STRUT_DECLARE_EACH(STRUT_LAWS, Law)

namespace
{
std::vector<Law> &list()
{
  static std::vector<Law> list = {
    Law::factor, Law::table, Law::lame, Law::tangents, STRUT_CALL_EACH(STRUT_LAWS)};
  return list;
}
} // namespace

void Law::to_known(const Material &material, double (&numbers)[most_components]) const
{
  for (const Law *law = this; law->by != nullptr; law = law->by)
    {
      double converted[most_components];
      law->convert(material, numbers, converted);
      std::copy_n(converted, law->by->n_components, numbers);
    }
}

const std::vector<Law> &laws()
{
  return list();
}

void add_law(const Law &law)
{
  for (const Law &other : list())
    if (other == law)
      throw Error("There is a law '" + std::string(law.name) + "' already.");
  if (law.n_components > Law::most_components)
    throw Error("The law '" + std::string(law.name) + "' has " + std::to_string(law.n_components) +
                " numbers: " + std::to_string(Law::most_components) + " are allowed.");
  list().push_back(law);
}
} // namespace strut
