// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"

#include <strut/element/law.h>

#include <algorithm>
#include <cmath>
#include <sstream>
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

std::string Law::fault_of_factor(const double *const numbers)
{
  if (std::isfinite(numbers[0]) && numbers[0] > 0.)
    return "";
  std::ostringstream text;
  text << " the factor " << numbers[0] << ", which must be positive.";
  return text.str();
}

std::string Law::fault_of_lame(const double *const numbers)
{
  const double lambda = numbers[0], mu = numbers[1];
  if (std::isfinite(lambda) && mu > 0. && 3. * lambda + 2. * mu > 0.)
    return "";
  std::ostringstream text;
  text << " lambda = " << lambda << " and mu = " << mu
       << ", and mu and 3 lambda + 2 mu must be positive.";
  return text.str();
}

const std::vector<Law> &laws()
{
  return list();
}

void check_law(const Law &law)
{
  const std::string subject = std::string("The law '") + law.name + "' ";
  const auto known          = {Law::factor, Law::table, Law::lame, Law::tangents};
  if (law.n_components == 0 || law.n_components > Law::most_components)
    throw Error(subject + "has " + std::to_string(law.n_components) + " numbers: 1 to " +
                std::to_string(Law::most_components) + " are allowed.");
  if (law.by == nullptr && std::find(known.begin(), known.end(), law) == known.end())
    throw Error(subject +
                "does not say which law computes it.\n  Give it a law of class Law in 'by'.");
  if (law.by != nullptr && law.convert == nullptr)
    throw Error(subject + "has no function 'convert' to the numbers of " + law.by->name + ".");
}

void add_law(const Law &law)
{
  check_law(law);
  if (std::find(list().begin(), list().end(), law) != list().end())
    throw Error("There is a law '" + std::string(law.name) + "' already.");
  list().push_back(law);
}
} // namespace strut
