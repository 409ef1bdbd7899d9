// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "source/base/entries.h"
#include "source/base/registry.h"

#include <strut/base/exceptions.h>
#include <strut/optimization/responses/response.h>

// All responses; each is a function in a file of its name.
#define STRUT_RESPONSES(RESPONSE)   \
  RESPONSE(compliance)              \
  RESPONSE(volume)                  \
  RESPONSE(mass)                    \
  RESPONSE(displacement)            \
  RESPONSE(displacement_norm)       \
  RESPONSE(von_mises)               \
  RESPONSE(mass_with_stress_limits) \
  RESPONSE(local_volume)            \
  RESPONSE(frequency)

namespace strut
{
STRUT_DECLARE_EACH(STRUT_RESPONSES, ResponseEntry)

namespace
{
std::vector<ResponseEntry> &list()
{
  static std::vector<ResponseEntry> list = {STRUT_CALL_EACH(STRUT_RESPONSES)};
  return list;
}
} // namespace

const std::vector<ResponseEntry> &responses()
{
  return list();
}

void add_response(const ResponseEntry &response)
{
  add_named(list(), response, "a response");
}

const ResponseEntry &find_response(const std::string &name)
{
  return find_named(list(), name, "response");
}

std::unique_ptr<Response> make_response(const std::string &name, const ResponseContext &context)
{
  const ResponseEntry &entry = find_response(name);
  check_values(context.values, entry.parameters, "The response '" + name + "'");
  return entry.make(context);
}
} // namespace strut
