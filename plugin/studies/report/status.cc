// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/studies/report/status.h"

#include <deal.II/base/exceptions.h>

#include <strut/base/exceptions.h>

#include <new>
#include <sstream>

#include "plugin/base/attempt.h"
#include "plugin/studies/report/format.h"

namespace strut
{
bool attempt_part(const Communicator &communicator,
                  std::string &status,
                  const std::function<void()> &work,
                  const std::string &refusal,
                  const std::string &failure)
{
  try
    {
      attempt_or_abort(communicator, work);
      return true;
    }
  catch (const OutOfMemory &error)
    {
      status = "does not fit: " + status_text(error.reason);
    }
  catch (const std::bad_alloc &)
    {
      status = "does not fit: the host is out of memory";
    }
  catch (const Error &error)
    {
      // An operator that does not take the elements has not failed.
      const bool is_refusal = error.remedy == Remedy::use_other_operator;
      status                = (is_refusal ? "refused: " : refusal) + status_text(error.reason);
    }
  catch (const dealii::ExceptionBase &error)
    {
      std::ostringstream text;
      error.print_info(text);
      status = failure + status_text(text.str());
    }
  catch (const std::exception &error)
    {
      status = failure + status_text(error.what());
    }
  return false;
}

bool is_failure(const std::string &status)
{
  return status.rfind("WRONG", 0) == 0 || status.rfind("FAILED", 0) == 0;
}
} // namespace strut
