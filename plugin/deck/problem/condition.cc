// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/problem/condition.h"

#include <strut/base/exceptions.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "plugin/base/spelling.h"

namespace strut
{
namespace
{
/// A token of a condition.
struct ConditionToken
{
  enum class Kind
  {
    name,
    number,
    sign,
    end
  };

  Kind kind;
  /// Normalised text: `&&` for `and` and `&`, `||` for `or` and `|`. The words `not`, `true`,
  /// `false` and `everywhere` are written so for any case of their letters. Empty at the end.
  std::string text;
  std::size_t place; ///< position of its first character, from 1
};

constexpr std::size_t longest_expression = 10000;

bool is_digit(const char c)
{
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(const char c)
{
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Length of the number that begins at a position: digits, a point, an exponent.
std::size_t number_length(const std::string &text, const std::size_t begin)
{
  std::size_t end = begin;
  while (end < text.size() && (is_digit(text[end]) || text[end] == '.'))
    ++end;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E'))
    {
      std::size_t exponent = end + 1;
      if (exponent < text.size() && (text[exponent] == '+' || text[exponent] == '-'))
        ++exponent;
      if (exponent < text.size() && is_digit(text[exponent]))
        for (end = exponent; end < text.size() && is_digit(text[end]);)
          ++end;
    }
  return end - begin;
}

void check_number(const std::string &word)
{
  char *end          = nullptr;
  const double value = std::strtod(word.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value))
    throw Error("'" + shown(word, 40) + "' is not a number that strut can hold.");
}

std::string spelled_one_way(const std::string &word)
{
  for (const char *known : {"not", "true", "false", "everywhere"})
    if (same_letters(word, known))
      return known;
  if (word == "&" || same_letters(word, "and"))
    return "&&";
  if (word == "|" || same_letters(word, "or"))
    return "||";
  return word;
}

/// Returns the tokens of an expression, followed by one of Kind::end. Throws Error for invalid
/// characters, and for an expression of many thousand characters.
std::vector<ConditionToken> condition_tokens(const std::string &text)
{
  if (text.size() > longest_expression)
    throw Error("The expression has " + std::to_string(text.size()) + " characters; at most " +
                std::to_string(longest_expression) + " are allowed.");
  std::vector<ConditionToken> tokens;
  for (std::size_t i = 0; i < text.size();)
    {
      if (std::isspace(static_cast<unsigned char>(text[i])) != 0)
        {
          ++i;
          continue;
        }
      ConditionToken::Kind kind = ConditionToken::Kind::sign;
      std::size_t length        = 1;
      if (is_digit(text[i]) || text[i] == '.')
        {
          kind   = ConditionToken::Kind::number;
          length = number_length(text, i);
          check_number(text.substr(i, length));
        }
      else if (is_letter(text[i]))
        {
          kind = ConditionToken::Kind::name;
          while (i + length < text.size() &&
                 (is_letter(text[i + length]) || is_digit(text[i + length])))
            ++length;
        }
      else
        {
          const std::string two = text.substr(i, 2);
          if (two == "<=" || two == ">=" || two == "==" || two == "!=" || two == "&&" ||
              two == "||")
            length = 2;
          else if (std::string("<>=!&|+-*/^()?:,").find(text[i]) == std::string::npos)
            throw Error("The expression cannot be read at '" + shown(text.substr(i), 20) +
                        "', character " + std::to_string(i + 1) + ".");
        }
      const std::string word = spelled_one_way(text.substr(i, length));
      if (word == "&&" || word == "||" || word == "not")
        kind = ConditionToken::Kind::sign;
      tokens.push_back({kind, word, i + 1});
      i += length;
    }
  tokens.push_back({ConditionToken::Kind::end, {}, text.size() + 1});
  return tokens;
}

/// A function of muParser or of deal.II's parser, with its numbers of arguments.
struct FunctionName
{
  const char *name;
  unsigned int at_least, at_most;
};
constexpr unsigned int any_number       = 100;
constexpr FunctionName function_names[] = {
  {"abs", 1, 1},   {"sqrt", 1, 1},  {"sin", 1, 1},          {"cos", 1, 1},
  {"tan", 1, 1},   {"asin", 1, 1},  {"acos", 1, 1},         {"atan", 1, 1},
  {"atan2", 2, 2}, {"sinh", 1, 1},  {"cosh", 1, 1},         {"tanh", 1, 1},
  {"asinh", 1, 1}, {"acosh", 1, 1}, {"atanh", 1, 1},        {"exp", 1, 1},
  {"log", 1, 1},   {"ln", 1, 1},    {"log2", 1, 1},         {"log10", 1, 1},
  {"pow", 2, 2},   {"sign", 1, 1},  {"rint", 1, 1},         {"floor", 1, 1},
  {"ceil", 1, 1},  {"int", 1, 1},   {"min", 1, any_number}, {"max", 1, any_number},
  {"cot", 1, 1},   {"csc", 1, 1},   {"sec", 1, 1},          {"sum", 1, any_number},
  {"erfc", 1, 1},  {"if", 3, 3},    {"avg", 1, any_number}};

/// A part of the expression: its text for muParser, and its kind.
struct Part
{
  std::string formula;
  /// Whether it is a condition; the numbers 0 and 1 are both kinds.
  bool is_condition                    = false;
  bool is_number                       = false;
  std::vector<Condition::Bound> bounds = {}; ///< bounds that hold where the condition holds
};

/// A recursive-descent parser with one function for each level of precedence.
class ConditionParser
{
public:
  ConditionParser(const std::string &text, const std::vector<std::string> &constants)
    : tokens_(condition_tokens(text)), constants_(constants)
  {}

  Condition read()
  {
    for (const ConditionToken &word : tokens_)
      if (word.text == "=")
        throw Error(
          "'=' assigns a value, it does not compare.\n  Coordinates are compared with some room: "
          "'abs(x - 32) < tol' for the plane x = 32, 'x > xmax - tol' for the end.");
    const Part whole = choice();
    if (at(","))
      throw Error("',' outside the parentheses of a function.\n  Numbers have a decimal point: "
                  "'x > 31.5'. Conditions are joined by 'and' or 'or'.");
    if (!at(""))
      unexpected();
    require_condition(whole);
    if (!depends_ && !(says_everywhere_ && whole.formula == "1"))
      throw Error("The expression does not depend on x, y or z: it holds everywhere or nowhere.\n  "
                  "For the whole mesh write 'set Expression = everywhere'.");
    return {whole.formula, !depends_, whole.bounds};
  }

private:
  const ConditionToken &token() const
  {
    return tokens_[next_];
  }
  bool at(const std::string &text) const
  {
    return token().text == text;
  }
  bool accept(const std::string &text)
  {
    if (!at(text))
      return false;
    ++next_;
    return true;
  }

  [[noreturn]] void unexpected() const
  {
    const std::string where =
      at("") ? "at the end"
             : "at '" + shown(token().text, 40) + "', character " + std::to_string(token().place);
    if (const std::string &before = next_ > 0 ? tokens_[next_ - 1].text : std::string();
        at("") || at(")") || before.empty())
      throw Error("The expression cannot be read " + where + ": something is missing there.");
    throw Error("The expression cannot be read " + where + ", after '" +
                shown(tokens_[next_ - 1].text, 40) + "'.");
  }

  static void require_number(const Part &part)
  {
    if (!part.is_number)
      throw Error("A condition is used as a number.\n  Join conditions by 'and' or 'or': "
                  "'x > 1 and x < 3', not '1 < x < 3'.");
  }
  static void require_condition(const Part &part)
  {
    if (!part.is_condition)
      throw Error(
        "A number is used as a condition, which is a comparison: 'x > 2'.\n  Each side of "
        "'and' and 'or' needs one of its own: 'x < 1 or x > 3', not 'x < 1 or 3'.");
  }

  // The syntax is: condition ? part : part
  Part choice()
  {
    const Depth deeper(depth_);
    const Part first = disjunction();
    if (!accept("?"))
      return first;
    require_condition(first);
    const Part yes = choice();
    if (!accept(":"))
      unexpected();
    return either(first, yes, choice());
  }

  static Part either(const Part &condition, const Part &yes, const Part &no)
  {
    const Part result{"((" + condition.formula + ") ? (" + yes.formula + ") : (" + no.formula +
                        "))",
                      yes.is_condition && no.is_condition,
                      yes.is_number && no.is_number};
    if (!result.is_condition && !result.is_number)
      throw Error("One of the two values of a choice is a condition, the other one a number.");
    return result;
  }

  Part disjunction()
  {
    Part left = conjunction();
    while (accept("||"))
      left = joined(left, conjunction(), "||");
    return left;
  }
  Part conjunction()
  {
    Part left = negation();
    while (accept("&&"))
      left = joined(left, negation(), "&&");
    return left;
  }
  static Part joined(const Part &left, const Part &right, const std::string &by)
  {
    require_condition(left);
    require_condition(right);
    Part both{"((" + left.formula + ") " + by + " (" + right.formula + "))", true, false};
    if (by == "&&")
      for (const Part *const part : {&left, &right})
        both.bounds.insert(both.bounds.end(), part->bounds.begin(), part->bounds.end());
    return both;
  }

  /// `not` has lower precedence than comparisons, `!` the highest.
  Part negation()
  {
    const Depth deeper(depth_);
    return accept("not") ? negated(negation()) : comparison();
  }
  static Part negated(const Part &part)
  {
    if (!part.is_condition)
      throw Error("'!' is before a number.\n  It negates only the next term: write "
                  "'!(x > 2)' or 'not x > 2'.");
    return {"((" + part.formula + ") == 0)", true, false};
  }

  Part comparison()
  {
    const auto is_comparison = [&]() {
      return at("<") || at(">") || at("<=") || at(">=") || at("==") || at("!=");
    };
    const Part left = sum();
    if (!is_comparison())
      return left;
    const std::string by       = token().text;
    const bool depended_before = depends_;
    depends_                   = false;
    ++next_;
    const Part right         = sum();
    const bool right_depends = depends_;
    depends_                 = depends_ || depended_before;
    if (is_comparison())
      throw Error("Two comparisons in a row.\n  Write 'x > 1 and x < 3', not '1 < x < 3'.");
    if (!(left.is_condition && right.is_condition && (by == "==" || by == "!=")))
      {
        require_number(left);
        require_number(right);
      }
    Part result{"((" + left.formula + ") " + by + " (" + right.formula + "))", true, false};
    const std::string coordinates = "xyz";
    if (!right_depends && (by[0] == '<' || by[0] == '>') && left.formula.size() == 1)
      if (const std::size_t d = coordinates.find(left.formula); d < 3)
        result.bounds.push_back({static_cast<unsigned int>(d), by, right.formula});
    return result;
  }

  /// Sums and products of conditions are accepted as an old notation for `or` and `and`.
  Part sum()
  {
    Part left = product();
    while (at("+") || at("-"))
      left = arithmetic(left, &ConditionParser::product);
    return left;
  }
  Part product()
  {
    Part left = sign();
    while (at("*") || at("/"))
      left = arithmetic(left, &ConditionParser::sign);
    return left;
  }
  Part arithmetic(const Part &left, Part (ConditionParser::*operand)())
  {
    const std::string by = token().text;
    ++next_;
    const Part right = (this->*operand)();
    if (by == "*" && left.is_condition && right.is_condition &&
        !(left.is_number && right.is_number))
      return joined(left, right, "&&");
    if (by == "+" && left.is_condition && right.is_condition &&
        !(left.is_number && right.is_number))
      return joined(left, right, "||");
    require_number(left);
    require_number(right);
    return {"((" + left.formula + ") " + by + " (" + right.formula + "))", false, true};
  }

  Part sign()
  {
    const Depth deeper(depth_);
    const bool minus = at("-");
    if (!accept("-") && !accept("+"))
      return power();
    const Part part = sign();
    require_number(part);
    return {minus ? "(-(" + part.formula + "))" : part.formula, false, true};
  }

  Part power()
  {
    const Part base = primary();
    if (!accept("^"))
      return base;
    const Part exponent = sign();
    require_number(base);
    require_number(exponent);
    return {"((" + base.formula + ")^(" + exponent.formula + "))", false, true};
  }

  Part primary()
  {
    const Depth deeper(depth_);
    if (accept("!"))
      return negated(primary());
    if (accept("("))
      {
        const Part inside = choice();
        if (at(","))
          throw Error("',' in parentheses that belong to no function.\n  Numbers have a decimal "
                      "point: 'x > (31.5)'. Conditions are joined by 'and' or 'or'.");
        if (!accept(")"))
          missing_parenthesis();
        return inside;
      }
    const ConditionToken now = token();
    if (now.kind == ConditionToken::Kind::number)
      {
        ++next_;
        return {now.text, now.text == "0" || now.text == "1", true};
      }
    if (now.kind != ConditionToken::Kind::name)
      unexpected();
    ++next_;
    return at("(") ? call(now.text) : name(now.text);
  }

  [[noreturn]] void missing_parenthesis() const
  {
    if (at(""))
      throw Error("A ')' is missing.");
    unexpected();
  }

  Part name(const std::string &text)
  {
    if (text == "everywhere" || text == "true" || text == "false")
      {
        says_everywhere_ = text != "false";
        return {says_everywhere_ ? "1" : "0", true, false};
      }
    if (text == "x" || text == "y" || text == "z")
      depends_ = true;
    else if (text != "pi" &&
             std::find(constants_.begin(), constants_.end(), text) == constants_.end())
      unknown(text);
    return {text, false, true};
  }

  Part call(const std::string &text)
  {
    if (text == "rand" || text == "rand_seed")
      throw Error("'" + text +
                  "' gives another number in each call: the region would be another "
                  "one in each run.");
    const auto *found = std::find_if(std::begin(function_names),
                                     std::end(function_names),
                                     [&](const FunctionName &f) { return f.name == text; });
    if (found == std::end(function_names))
      unknown(text);
    std::vector<Part> arguments;
    do
      {
        ++next_; // '(' or ','
        arguments.push_back(choice());
    } while (at(","));
    if (!accept(")"))
      missing_parenthesis();
    if (arguments.size() < found->at_least || arguments.size() > found->at_most)
      throw Error("'" + text + "' takes " + std::to_string(found->at_least) +
                  (found->at_most > found->at_least ? " or more" : "") +
                  (found->at_most == 1 ? " value" : " values") + ", not " +
                  std::to_string(arguments.size()) +
                  ".\n  Numbers have a decimal point: 'abs(x - 31.5)'.");
    if (text == "if")
      {
        require_condition(arguments[0]);
        return either(arguments[0], arguments[1], arguments[2]);
      }
    std::vector<std::string> list;
    for (const Part &argument : arguments)
      {
        require_number(argument);
        list.push_back(argument.formula);
      }
    return {text + "(" + join(list) + ")", false, true};
  }

  [[noreturn]] void unknown(const std::string &text) const
  {
    std::vector<std::string> known = constants_;
    for (const char *word : {"x", "y", "z", "pi", "and", "or", "not", "everywhere"})
      known.emplace_back(word);
    for (const FunctionName &function : function_names)
      known.emplace_back(function.name);
    const std::vector<std::string> near = near_names(text, known);
    throw Error("'" + shown(text, 40) + "' is not known here." +
                (near.empty() ? "" : " Did you mean '" + near.front() + "'?") +
                "\n  An expression may use x, y, z, the constants " + join(constants_) +
                ", pi, comparisons, and, or, not (&&, ||, !), abs, sqrt, sin, ...");
  }

  /// Counts the depth of recursion: endless parentheses must not crash the program.
  struct Depth
  {
    explicit Depth(unsigned int &depth) : depth(depth)
    {
      constexpr unsigned int most = 400; // a pair of parentheses takes 4
      if (++depth > most)
        throw Error("The expression is nested too deeply.\n  Write it with fewer parentheses.");
    }
    ~Depth()
    {
      --depth;
    }
    Depth(const Depth &)            = delete;
    Depth &operator=(const Depth &) = delete;
    unsigned int &depth;
  };

  std::vector<ConditionToken> tokens_; ///< the last token is empty
  const std::vector<std::string> &constants_;
  std::size_t next_     = 0;
  unsigned int depth_   = 0;
  bool depends_         = false; ///< whether the expression depends on x, y or z
  bool says_everywhere_ = false;
};
} // namespace

Condition Condition::read(const std::string &text, const std::vector<std::string> &constants)
{
  return ConditionParser(text, constants).read();
}
} // namespace strut
