// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "plugin/deck/mesh/line_reader.h"

namespace strut::test
{
/// The folder of mesh files for tests.
inline const std::string meshes = STRUT_SOURCE_DIR "/tests/plugin/meshes/";

/// The text of a file.
inline std::string text_of(const std::string &file)
{
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  EXPECT_TRUE(in) << file;
  return text.str();
}

/// The error message for a text that is not a valid mesh.
template <typename Reader>
std::string message_of_reader(const Reader &reader, const std::string &text)
{
  try
    {
      reader(text);
    }
  catch (const MeshFileError &error)
    {
      return error.what();
    }
  ADD_FAILURE() << "no error for\n" << text;
  return "";
}

/// Expects for each text an error whose message contains the second text.
template <typename Reader>
void expect_messages(const Reader &reader, const std::map<std::string, std::string> &cases)
{
  for (const auto &[text, said] : cases)
    {
      const std::string message = message_of_reader(reader, text);
      EXPECT_NE(message.find(said), std::string::npos) << said << " is not in: " << message;
    }
}
} // namespace strut::test
