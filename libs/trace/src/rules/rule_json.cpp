// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <ridge/trace/rule.hpp>

namespace ridge::trace {
namespace {

using node = nlohmann::ordered_json;

struct refused {
  std::string fault{};
};

template <class T>
T value_of(const node& object, const char* field, const std::string& row) {
  const auto at = object.find(field);
  if (at == object.end()) throw refused{fmt::format("{}: \"{}\" is missing", row, field)};
  try {
    return at->template get<T>();
  } catch (const node::exception&) {
    throw refused{fmt::format("{}: \"{}\" has the wrong type", row, field)};
  }
}

template <class T>
T value_of_word(const std::map<std::string, T>& words, const std::string& word, const std::string& row) {
  const auto at = words.find(word);
  if (at == words.end()) throw refused{fmt::format("{}: \"{}\" is not a word for this", row, word)};
  return at->second;
}

const std::map<std::string, rule_level> levels{{"trust", rule_level::trust}, {"where", rule_level::where},
                                               {"why", rule_level::why},     {"kernels", rule_level::kernels},
                                               {"host", rule_level::host},   {"ranks", rule_level::ranks}};
const std::map<std::string, rule_claim> claims{{"nothing", rule_claim::nothing},
                                               {"cause", rule_claim::cause},
                                               {"after", rule_claim::after},
                                               {"rest", rule_claim::rest}};

std::string cause_of(const std::string& slug, const std::string& row) {
  const auto known = cause_slugs();
  if (!slug.empty() && std::ranges::find(known, slug) == known.end())
    throw refused{fmt::format("{}: \"{}\" is no known cause, only {}", row, slug, fmt::join(known, ", "))};
  return slug;
}

threshold read_threshold(const node& object, const std::string& row) {
  return {.name = value_of<std::string>(object, "name", row),
          .value = value_of<double>(object, "value", row),
          .unit = value_of<std::string>(object, "unit", row),
          .means = value_of<std::string>(object, "means", row)};
}

rule read_rule(const node& object) {
  rule r;
  r.id = value_of<std::string>(object, "id", "a rule");
  const auto text = [&](const char* field) { return value_of<std::string>(object, field, r.id); };
  r.level = value_of_word(levels, text("level"), r.id);
  r.title = text("title");
  r.text = text("finding");
  r.advice = text("advice");
  r.experiments = value_of<std::vector<std::string>>(object, "try", r.id);
  r.next = text("next");
  r.source = text("source");
  for (const auto& t : value_of<std::vector<node>>(object, "thresholds", r.id))
    r.thresholds.push_back(read_threshold(t, r.id));
  r.needs = value_of<std::vector<std::string>>(object, "needs", r.id);
  r.claims = value_of_word(claims, text("claims"), r.id);
  r.cause = cause_of(text("cause"), r.id);
  return r;
}

void add_rule(rule_table& table, rule r) {
  if (table.find(r.id)) throw refused{fmt::format("{} is there twice", r.id)};
  for (const auto& wanted : r.needs) {
    if (std::ranges::find(table.needs, wanted, &rule_need::name) == table.needs.end())
      throw refused{fmt::format("{}: \"{}\" is none of the needs", r.id, wanted)};
  }
  table.rules.push_back(std::move(r));
}

rule_table read_table(const node& top) {
  rule_table table;
  if (value_of<std::string>(top, "schema", "the table") != "ridge.rules/1")
    throw refused{"the table's schema is not ridge.rules/1"};
  const auto needs = value_of<node>(top, "needs", "the table");
  for (const auto& [name, in] : needs.items())
    table.needs.push_back(
        {name, value_of<std::string>(in, "missing", name), value_of<std::string>(in, "get", name)});
  for (const auto& in : value_of<std::vector<node>>(top, "rules", "the table"))
    add_rule(table, read_rule(in));
  return table;
}

}  // namespace

result<rule_table> parse_rules(std::string_view json) {
  constexpr const char* remedy = "libs/trace/data/rules.json shows every field";
  try {
    return read_table(node::parse(json));
  } catch (const refused& why) {
    return error{why.fault, remedy};
  } catch (const node::exception& why) {
    return error{fmt::format("the table of rules is not valid JSON: {}", why.what()), remedy};
  }
}

}  // namespace ridge::trace
