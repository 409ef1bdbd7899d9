// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/choices.h"


#include <strut/base/exceptions.h>

#include <cstdlib>

#include "plugin/base/spelling.h"

namespace strut
{
void require_known(const std::string &option,
                   const std::vector<std::string> &chosen,
                   const std::vector<std::string> &known)
{
  for (const std::string &name : chosen)
    if (!contains(known, name))
      {
        const std::vector<std::string> near = near_names(name, known);
        throw Error("There is no '" + name + "' for " + option + "." +
                    (near.empty() ? "" : " Did you mean '" + near.front() + "'?") +
                    "\n  There are: " + join(known) + ".");
      }
}

unsigned int to_number(const std::string &text,
                       const std::string &kind,
                       const unsigned int smallest,
                       const unsigned int largest,
                       const std::string &otherwise)
{
  char *end         = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (end == text.c_str() || *end != '\0' || number < static_cast<long>(smallest) ||
      number > static_cast<long>(largest))
    throw Error("'" + text + "' is no " + kind + ".\n  Give a number from " +
                std::to_string(smallest) + " to " + std::to_string(largest) + ", or " + otherwise +
                ".");
  return static_cast<unsigned int>(number);
}

unsigned int to_threads(const std::string &text)
{
  return text == "all" ? 0 : to_number(text, "number of threads", 1, 4096, "all");
}
} // namespace strut
