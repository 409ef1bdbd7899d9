// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/parameters/deck_choice.h"

namespace strut
{
namespace
{
/// Quotes a word for a shell, if needed.
std::string quoted(const std::string &word)
{
  const char *const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-+,:";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string text = "'";
  for (const char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}
} // namespace

std::string as_command_line(const std::vector<Deck::Setting> &settings)
{
  std::string text;
  for (const Deck::Setting &setting : settings)
    {
      // The value of --output and of --threads is the text after the '='.
      const std::string value = setting.option == "--set"
                                  ? setting.text
                                  : setting.text.substr(setting.text.find(" = ") + 3);
      text += ' ' + setting.option + ' ' + quoted(value);
    }
  return text;
}
} // namespace strut
