// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <fstream>
#include <map>
#include <string>

#include "plugin/base/named_file.h"
#include "plugin/deck/mesh/line_reader.h"
#include "tests/plugin/text_checks.h"

namespace strut::test
{
/// The folder of mesh files for tests.
inline const std::string meshes = STRUT_SOURCE_DIR "/tests/plugin/meshes/";

/// Expects for each text an error whose message contains the second text.
template <typename Reader>
void expect_messages(const Reader &reader, const std::map<std::string, std::string> &cases)
{
  for (const auto &[text, said] : cases)
    EXPECT_CONTAINS(message_of<MeshFileError>([&] { reader(text); }), said) << "for\n" << text;
}
} // namespace strut::test
