// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The strut authors
#include "plugin/deck/mesh/abaqus_deck.h"

#include <deal.II/base/tensor.h>

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "plugin/deck/mesh/line_reader.h"

namespace strut
{
namespace
{
class Parser
{
public:
  Parser(const std::string &text, const bool with_cards)
    : reader_(text, "**"), with_cards_(with_cards)
  {}

  AbaqusDeck parse()
  {
    bool more = next_line();
    while (more)
      {
        if (reader_.line().front() != '*')
          {
            if (wants_data_)
              reader_.fail(quote(reader_.line()) + " does not belong to a keyword");
            more = next_line();
            continue;
          }
        const AbaqusKeyword keyword = read_keyword();
        // The rest holds loads and output requests.
        in_steps_ = in_steps_ || keyword.name == "STEP";
        if (in_steps_ && !with_cards_)
          break;
        more = read(keyword);
      }
    if (where_ == Where::part || where_ == Where::instance)
      LineReader::fail_at(opened_,
                          "the part or instance that begins here never ends; the file is cut off");
    if (!has_elements_)
      throw MeshFileError("there is no *ELEMENT with data: the file has no mesh, or is cut off");
    return std::move(deck_);
  }

private:
  enum class Where
  {
    outside,
    part,
    assembly,
    instance
  };

  /// Goes to the next line, if the reader is not there already.
  bool next_line()
  {
    return std::exchange(is_at_next_, false) || reader_.next();
  }

  /// Goes to the next line. Returns whether it is a line of data.
  bool next_data()
  {
    more_ = next_line();
    return more_ && reader_.line().front() != '*';
  }

  AbaqusKeyword read_keyword()
  {
    AbaqusKeyword keyword;
    keyword.line = reader_.number();
    std::string line(reader_.line().substr(1));
    while (!line.empty() && line.back() == ',')
      {
        if (!reader_.next())
          LineReader::fail_at(keyword.line, "the keyword ends with a comma, and no line follows");
        // Some programs write a comma before lines of data and before other keywords, too.
        is_at_next_ =
          reader_.line().front() == '*' || (reader_.line().find('=') == std::string_view::npos &&
                                            reader_.line().find(',') != std::string_view::npos);
        if (is_at_next_)
          break;
        line += std::string(reader_.line());
      }
    std::vector<std::string_view> fields, words;
    split_fields(line, fields);
    // A comma between quotes is a part of a name.
    const auto is_open = [](const std::string_view text) {
      return std::count(text.begin(), text.end(), '"') % 2 == 1;
    };
    for (std::size_t i = 0; i + 1 < fields.size();)
      if (is_open(fields[i]))
        {
          const char *const end = fields[i + 1].data() + fields[i + 1].size();
          fields[i] = {fields[i].data(), static_cast<std::size_t>(end - fields[i].data())};
          fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
      else
        ++i;
    split_words(fields.empty() ? std::string_view() : fields[0], words);
    for (const std::string_view word : words)
      keyword.name += (keyword.name.empty() ? "" : " ") + upper_case(word);
    for (std::size_t i = 1; i < fields.size(); ++i)
      {
        const std::size_t equal = fields[i].find('=');
        auto name               = upper_case(fields[i].substr(0, equal));
        // CalculiX knows no blanks: 'REF NODE' is 'REFNODE'.
        name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
        std::string_view value;
        if (equal != std::string_view::npos)
          value = trim_view(fields[i].substr(equal + 1));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
          value = value.substr(1, value.size() - 2);
        keyword.parameters[name] = std::string(value);
      }
    return keyword;
  }

  /// Reads the data lines of a keyword. @return whether there is another line
  bool read(const AbaqusKeyword &keyword)
  {
    const std::string &name = keyword.name;
    wants_data_             = true;
    if (in_steps_)
      return read_card(keyword);
    if (name == "PART" || name == "INSTANCE" || name == "ASSEMBLY" || name.rfind("END ", 0) == 0)
      return read_structure(keyword);
    if (name == "NODE")
      return read_nodes(keyword);
    if (name == "SYSTEM")
      return read_system(keyword);
    if (name == "ELEMENT")
      return read_elements(keyword);
    if (name == "NSET" || name == "ELSET" || name == "SURFACE")
      return read_set(keyword);
    for (const char *generator : {"NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY"})
      if (name == generator)
        LineReader::fail_at(keyword.line,
                            "*" + name +
                              " makes nodes or elements out of others, which strut does "
                              "not do; write the file with all of them");
    if (name == "INCLUDE")
      LineReader::fail_at(keyword.line,
                          "*INCLUDE names no file; write '*INCLUDE, INPUT=file' in one line");
    deck_.contents.has_sections =
      deck_.contents.has_sections || boost::algorithm::ends_with(name, " SECTION");
    return read_card(keyword);
  }

  /// Keeps or skips a keyword that a mesh has no use for. @return whether there is another line
  bool read_card(const AbaqusKeyword &keyword)
  {
    AbaqusDeck::Card card{keyword, "", "", {}};
    if (where_ == Where::part)
      card.part = deck_.parts.back().name;
    if (where_ == Where::instance)
      card.instance = deck_.instances.back().name;
    while (next_data())
      if (with_cards_)
        card.lines.push_back({reader_.line(), {}, reader_.number()});
    if (with_cards_)
      deck_.cards.push_back(std::move(card));
    return more_;
  }

  bool read_structure(const AbaqusKeyword &keyword)
  {
    const auto fail = [&](const std::string &text) { LineReader::fail_at(keyword.line, text); };
    wants_data_     = false;
    if (keyword.name == "PART" || keyword.name == "INSTANCE")
      {
        const bool is_part = keyword.name == "PART";
        if (where_ != (is_part ? Where::outside : Where::assembly))
          fail(is_part ? "*PART within another part or an assembly"
                       : "*INSTANCE outside of *ASSEMBLY");
        if (keyword.get("NAME").empty())
          fail("*" + keyword.name + " without NAME");
        where_  = is_part ? Where::part : Where::instance;
        opened_ = keyword.line;
        if (is_part)
          {
            deck_.parts.emplace_back();
            deck_.parts.back().name = keyword.get("NAME");
            deck_.parts.back().line = keyword.line;
            return next_line();
          }
        if (keyword.get("PART").empty())
          fail("*INSTANCE without PART");
        deck_.instances.emplace_back();
        AbaqusDeck::Instance &instance = deck_.instances.back();
        instance.name                  = keyword.get("NAME");
        instance.part                  = keyword.get("PART");
        instance.line                  = keyword.line;
        while (next_data())
          {
            instance.placement.push_back(numbers());
            const std::size_t n = instance.placement.size() == 1 ? 3 : 7;
            if (instance.placement.size() > 2 || instance.placement.back().size() != n)
              reader_.fail("an instance has a line of three numbers, its translation, and one of "
                           "seven, two points of its axis and the angle in degrees");
          }
        return more_;
      }
    if (keyword.name == "ASSEMBLY")
      {
        if (where_ != Where::outside)
          fail("*ASSEMBLY within a part");
        where_ = Where::assembly;
      }
    else if (keyword.name == "END PART" || keyword.name == "END INSTANCE" ||
             keyword.name == "END ASSEMBLY")
      {
        const Where expected = keyword.name == "END PART"       ? Where::part
                               : keyword.name == "END INSTANCE" ? Where::instance
                                                                : Where::assembly;
        if (where_ != expected)
          fail("*" + keyword.name + " ends what did not begin");
        where_ = expected == Where::instance ? Where::assembly : Where::outside;
      }
    return next_line();
  }

  AbaqusDeck::Part &part()
  {
    if (where_ == Where::part)
      return deck_.parts.back();
    if (where_ == Where::instance)
      return deck_.instances.back().own;
    return deck_.root;
  }

  std::vector<double> numbers() const
  {
    std::vector<std::string_view> fields;
    split_fields(reader_.line(), fields);
    std::vector<double> result;
    for (const std::string_view field : fields)
      result.push_back(number_of(reader_, field, "a length or an angle"));
    return result;
  }

  static AbaqusDeck::Set &
  add_set(AbaqusDeck::Sets &sets, const std::string &name, const AbaqusKeyword &keyword)
  {
    AbaqusDeck::Set set;
    set.line        = keyword.line;
    set.instance    = keyword.get("INSTANCE");
    set.is_internal = keyword.has("INTERNAL") || name.front() == '_';
    return sets.emplace_back(name, set).second;
  }

  /// Reads *SYSTEM: the origin of the coordinates of nodes, a point on their first axis, and one
  /// near their second axis. Without lines of data the coordinates are those of the part again.
  bool read_system(const AbaqusKeyword &keyword)
  {
    using Vector = dealii::Tensor<1, 3>;
    std::vector<double> given;
    while (next_data())
      for (const double number : numbers())
        given.push_back(number);
    const auto axis_to = [&](const std::size_t i) {
      return Vector({given[i] - given[0], given[i + 1] - given[1], given[i + 2] - given[2]});
    };
    system_.clear();
    if (given.empty())
      return more_;
    if (given.size() != 3 && given.size() != 6 && given.size() != 9)
      LineReader::fail_at(keyword.line, "*SYSTEM has one, two or three points");
    Vector first({1., 0., 0.}), third({0., 0., 1.});
    if (given.size() > 3)
      first = axis_to(3);
    if (given.size() > 6)
      third = dealii::cross_product_3d(first, axis_to(6));
    else if (first[2] != 0.)
      LineReader::fail_at(keyword.line,
                          "*SYSTEM with an axis beside the plane of x and y needs three points");
    if (first.norm() == 0. || third.norm() == 0.)
      LineReader::fail_at(keyword.line, "the points of *SYSTEM are on one line");
    first /= first.norm();
    third /= third.norm();
    system_ = {Vector({given[0], given[1], given[2]}),
               first,
               dealii::cross_product_3d(third, first),
               third};
    return more_;
  }

  /// Returns the place of a node with coordinates in the *SYSTEM.
  std::array<double, 3> in_system(const std::array<double, 3> &location) const
  {
    if (system_.empty())
      return location;
    dealii::Tensor<1, 3> place = system_[0];
    for (std::size_t d = 0; d < 3; ++d)
      place += location[d] * system_[d + 1];
    return {{place[0], place[1], place[2]}};
  }

  bool read_nodes(const AbaqusKeyword &keyword)
  {
    if (keyword.has("SYSTEM") && upper_case(keyword.get("SYSTEM")) != "R")
      LineReader::fail_at(keyword.line,
                          "nodes in cylindrical or spherical coordinates; write them in x, y, z");
    AbaqusDeck::Part &into = part();
    AbaqusDeck::Set *set   = nullptr;
    if (!keyword.get("NSET").empty())
      set = &add_set(into.node_sets, keyword.get("NSET"), keyword);
    while (next_data())
      {
        split_fields(reader_.line(), fields_);
        if (fields_.size() < 2 || fields_.size() > 7)
          reader_.fail("a node has a number and three coordinates; found " +
                       std::to_string(fields_.size()) + " fields");
        const long id = integer_of(reader_, fields_[0], "the number of a node");
        std::array<double, 3> location{};
        for (std::size_t d = 0; d < 3 && d + 1 < fields_.size(); ++d)
          if (!fields_[d + 1].empty())
            location[d] = number_of(reader_, fields_[d + 1], "a coordinate");
        if (!into.node_of_id.emplace(id, into.nodes.size()).second)
          reader_.fail("node " + std::to_string(id) + " is there twice");
        into.nodes.emplace_back(id, in_system(location));
        if (set != nullptr)
          set->ids.push_back(id);
      }
    return more_;
  }

  bool read_elements(const AbaqusKeyword &keyword)
  {
    const std::string type = upper_case(keyword.get("TYPE"));
    if (type.empty())
      LineReader::fail_at(keyword.line, "*ELEMENT without TYPE");
    const CellType *const kind = type_of_abaqus(type);
    const std::size_t n_nodes  = kind == nullptr ? 0 : kind->n_nodes;
    AbaqusDeck::Part &into     = part();
    AbaqusDeck::Set *set       = nullptr;
    if (!keyword.get("ELSET").empty())
      set = &add_set(into.element_sets, keyword.get("ELSET"), keyword);
    bool more = next_data();
    while (more)
      {
        AbaqusDeck::Element element;
        element.line = reader_.number();
        std::vector<long> ids;
        // A line that ends with a comma continues in the next one while nodes are missing.
        bool continued = true;
        while (continued)
          {
            const bool comma = reader_.line().back() == ',';
            split_fields(reader_.line(), fields_);
            for (const std::string_view field : fields_)
              // Springs of an assembly have nodes such as "bar-1.40".
              if (long id = 0; n_nodes > 0 || ids.empty() || parse_integer(field, id))
                ids.push_back(integer_of(reader_, field, "the number of a node"));
            more      = next_data();
            continued = more && comma && (n_nodes == 0 || ids.size() <= n_nodes);
          }
        if (n_nodes > 0 && ids.size() != n_nodes + 1)
          LineReader::fail_at(element.line,
                              "an element " + type + " has a number and " +
                                std::to_string(n_nodes) + " nodes; found " +
                                std::to_string(ids.size()) + " numbers");
        element.id = ids.empty() ? 0 : ids[0];
        if (kind != nullptr && kind->is_useful())
          {
            element.type       = kind;
            element.first_node = into.nodes_of_elements.size();
            into.nodes_of_elements.insert(into.nodes_of_elements.end(), ids.begin() + 1, ids.end());
          }
        deck_.contents.count(kind, type.substr(0, 20), element.line, type);
        if (element.type != nullptr && kind->dim == 3 && kind->is_quadratic() &&
            type != kind->abaqus)
          if (auto &variant = deck_.variants[type.substr(0, 20)]; variant.count++ == 0)
            {
              variant.type  = kind;
              variant.first = element.line;
            }
        deck_.contents.has_sections =
          deck_.contents.has_sections || (kind != nullptr && kind->dim == 0);
        if (kind != nullptr && carries_load(*kind, type))
          if (auto &carriers = deck_.contents.carriers[type.substr(0, 20)]; carriers.count++ == 0)
            carriers.first = "line " + std::to_string(element.line);
        if (kind != nullptr && kind->dim == 1 && ids.size() > 2)
          element.ends = {{ids[1], ids[kind->n_nodes == 3 ? 3 : 2]}};
        has_elements_ = true;
        if (!into.element_of_id.emplace(element.id, into.elements.size()).second)
          LineReader::fail_at(element.line,
                              "element " + std::to_string(element.id) + " is there twice");
        into.elements.push_back(element);
        if (set != nullptr)
          set->ids.push_back(element.id);
      }
    return more_;
  }

  bool read_set(const AbaqusKeyword &keyword)
  {
    const bool is_surface  = keyword.name == "SURFACE";
    const std::string name = keyword.get(is_surface ? "NAME" : keyword.name);
    if (name.empty())
      LineReader::fail_at(keyword.line,
                          "*" + keyword.name + " without " + (is_surface ? "NAME" : keyword.name));
    AbaqusDeck::Part &into = part();
    AbaqusDeck::Set &set   = add_set(is_surface               ? into.surfaces
                                   : keyword.name == "NSET" ? into.node_sets
                                                            : into.element_sets,
                                   name,
                                   keyword);
    if (is_surface)
      {
        const std::string type = upper_case(keyword.get("TYPE"));
        set.of_nodes           = type == "NODE";
        if (!type.empty() && type != "ELEMENT" && type != "NODE")
          {
            // The surface is of another type, for example analytical: the mesh does not need it.
            into.surfaces.pop_back();
            return read_card(keyword);
          }
      }
    if (keyword.name == "NSET" && !keyword.get("ELSET").empty())
      {
        set.of_elements = true;
        set.items.push_back({keep(keyword.get("ELSET")), {}, keyword.line});
      }
    const bool generate = keyword.has("GENERATE");
    while (next_data())
      {
        split_fields(reader_.line(), fields_);
        if (generate)
          {
            if (fields_.size() < 2 || fields_.size() > 3)
              reader_.fail("a range has a first and a last number, and a step");
            std::array<long, 3> range = {{0, 0, 1}};
            for (std::size_t i = 0; i < fields_.size(); ++i)
              range[i] = integer_of(reader_, fields_[i], "a number of a range");
            if (range[2] < 1 || range[1] < range[0])
              reader_.fail("a range of numbers must go up, with a positive step");
            set.ranges.push_back(range);
          }
        else if (is_surface)
          {
            if (fields_.empty())
              reader_.fail("a surface has an element or a set of them in each line, and a face");
            const bool has_face = !set.of_nodes && fields_.size() > 1;
            set.items.push_back(
              {fields_[0], has_face ? fields_[1] : std::string_view(), reader_.number()});
          }
        else
          for (const std::string_view field : fields_)
            set.items.push_back({field, {}, reader_.number()});
      }
    return more_;
  }

  /// Stores a text and returns a view of it, for pieces that are not in the text of the file.
  std::string_view keep(const std::string &text)
  {
    deck_.kept.push_back(text);
    return deck_.kept.back();
  }

  LineReader reader_;
  AbaqusDeck deck_;
  Where where_        = Where::outside;
  std::size_t opened_ = 0;
  std::vector<dealii::Tensor<1, 3>> system_; ///< origin and axes; empty: those of the part
  bool more_         = true;
  bool wants_data_   = false;
  bool has_elements_ = false;
  bool in_steps_     = false; ///< A *STEP was read.
  bool is_at_next_   = false; ///< The reader is at a line that was not taken yet.
  const bool with_cards_;
  std::vector<std::string_view> fields_;
};
} // namespace

bool LessIgnoringCase::operator()(const std::string &a, const std::string &b) const
{
  return std::lexicographical_compare(
    a.begin(), a.end(), b.begin(), b.end(), [](const char x, const char y) {
      return std::toupper(static_cast<unsigned char>(x)) <
             std::toupper(static_cast<unsigned char>(y));
    });
}

AbaqusDeck parse_abaqus(const std::string &text, const bool with_cards)
{
  return Parser(text, with_cards).parse();
}
} // namespace strut
