// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#pragma once

#include <optional>
#include <string>
#include <type_traits>

namespace strut
{
/// Writes JSON (RFC 8259) on one line or with two blanks of indentation per level.
///
///     Json json;
///     json.open("sizes").value("elements", 192).close();   // "sizes": {"elements": 192}
///     json.text();
class Json
{
public:
  enum class Layout
  {
    indented,
    one_line
  };

  explicit Json(Layout layout = Layout::indented);

  /// Opens an object or a list with a name, or without one as an element of a list.
  Json &open(const std::string &name = std::string());
  Json &open_list(const std::string &name);
  Json &close();

  /// Numbers have all their digits; NaN and infinity become null.
  template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
  Json &value(const std::string &name, const Number number)
  {
    if constexpr (std::is_same_v<Number, bool>)
      return add(name, number ? "true" : "false");
    else if constexpr (std::is_integral_v<Number>)
      return add(name, std::to_string(number));
    else
      return add(name, number_text(number));
  }
  Json &value(const std::string &name, const std::string &text);
  Json &null(const std::string &name);
  /// The value, or null without one.
  template <typename Value>
  Json &value(const std::string &name, const std::optional<Value> &value)
  {
    return value ? this->value(name, *value) : null(name);
  }
  /// The text, or null if it is empty.
  Json &value_or_null(const std::string &name, const std::string &text)
  {
    return text.empty() ? null(name) : value(name, text);
  }

  /// Adds an element to a list.
  Json &element(const std::string &text);
  Json &element(double number);
  /// Adds a list of texts or numbers.
  template <typename Elements>
  Json &list(const std::string &name, const Elements &elements)
  {
    open_list(name);
    for (const auto &one : elements)
      element(one);
    return close();
  }

  /// The complete text, after everything was closed.
  std::string text() const;

  /// Text in quotes such as "a \"b\"", with characters that JSON cannot hold escaped. Invalid UTF-8
  /// becomes U+FFFD.
  static std::string quoted(const std::string &text);

private:
  Json &add(const std::string &name, const std::string &value);
  Json &begin(const std::string &name, char bracket);
  static std::string number_text(double number);

  /// Text between two elements.
  std::string separation() const;

  Layout layout_;
  std::string text_;
  std::string open_; ///< closing brackets of the open objects and lists, the innermost last
  bool first_ = true;
};
} // namespace strut
