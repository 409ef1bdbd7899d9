// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <strut/base/communicator.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace strut
{
/// Does a part of a study. If it fails on any rank, all get the reason as the status of the result,
/// such as "does not fit: needs 2 GB, 1 GB free", and the study continues. Collective, see
/// attempt_or_abort().
///
/// @param refusal  text before the message of an Error: "refused: " if an Error is no failure. One
///                 that asks for another operator is none in any case.
/// @param failure  text before the message of any other exception
/// @return whether the work is done; else the status says why not
bool attempt_part(const Communicator &communicator,
                  std::string &status,
                  const std::function<void()> &work,
                  const std::string &refusal = "FAILED: ",
                  const std::string &failure = "FAILED: ");

/// Whether a status reports a wrong product or an unforeseen error, for which the program ends with
/// exit code 1.
bool is_failure(const std::string &status);

/// Whether no result of a list is a failure.
template <typename Result>
bool none_failed(const std::vector<Result> &results)
{
  return std::none_of(results.begin(), results.end(), [](const Result &result) {
    return is_failure(result.status);
  });
}
} // namespace strut
