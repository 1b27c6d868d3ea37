// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>

#include "json_in.hpp"

namespace ridge::model {
namespace {

using detail::json_in;
using detail::node;
using detail::refused;

// Returns "line 3, column 7: ..." made from the message of the parser, which counts bytes.
refused not_json(std::string_view text, const node::parse_error& e) {
  const auto before = text.substr(0, std::min(text.size(), e.byte ? e.byte - 1 : 0));
  const auto line = std::ranges::count(before, '\n') + 1;
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  std::string_view why = e.what();
  if (const auto at = why.find(" - "); at != std::string_view::npos) why.remove_prefix(at + 3);
  return {"", fmt::format("line {}, column {} is not JSON: {}", line, column, why)};
}

void expect_schema(const node& top, std::string_view kind) {
  const auto at = top.find("schema");
  const auto found = at != top.end() && at->is_string() ? at->get<std::string>() : std::string();
  if (found == fmt::format("ridge.{}/1", kind)) return;
  if (found.starts_with(fmt::format("ridge.{}/", kind))) {
    throw refused{"/schema",
                  fmt::format("'{}' was written by a newer ridge, this one reads version 1", found),
                  "read it with that version of ridge"};
  }
  throw refused{"/schema", fmt::format("'ridge.{}/1' expected, '{}' found", kind, found)};
}

// Runs come from anywhere. Before they are taken, this refuses what can be read in two ways, and what is
// small as text but costs a reader much: deep nesting, of which each level takes memory, and objects of very
// many members, among which each is searched for.
class strict_reading {
 public:
  void look_at(std::size_t depth, node::parse_event_t event, const node& parsed) {
    constexpr std::size_t deepest = 64;
    if (depth > deepest) throw refused{"", fmt::format("it is nested more than {} levels deep", deepest)};
    if (event == node::parse_event_t::object_start) open_.emplace_back();
    if (event == node::parse_event_t::object_end) open_.pop_back();
    if (event == node::parse_event_t::key) add(parsed.get_ref<const std::string&>());
  }

 private:
  void add(const std::string& name) {
    constexpr std::size_t most = 1000;
    auto& names = open_.back();
    if (std::ranges::find(names, name) != names.end())
      throw refused{"", fmt::format("an object has two members \"{}\"", name.substr(0, 100)),
                    "leave one out"};
    if (names.size() == most) throw refused{"", fmt::format("an object has more than {} members", most)};
    names.push_back(name);
  }

  std::vector<std::vector<std::string>> open_{};  // the members of each object that has not ended
};

node parsed_strictly(std::string_view text) {
  strict_reading reading;
  return node::parse(text, [&reading](int depth, node::parse_event_t event, node& parsed) {
    reading.look_at(static_cast<std::size_t>(depth), event, parsed);
    return true;
  });
}

node parsed(std::string_view text) { return node::parse(text); }

template <class T, class Read>
result<T> read(std::string_view text, std::string_view kind, Read fill,
               node (*parse)(std::string_view) = parsed) {
  try {
    const auto top = parse(text);
    json_in in(top, "");
    expect_schema(top, kind);
    T x{};
    fill(in, x);
    return x;
  } catch (const node::parse_error& e) {
    return error{not_json(text, e).fault, fmt::format("give the JSON that ridge wrote as ridge.{}", kind)};
  } catch (const node::out_of_range& e) {
    return error{fmt::format("a number is too large for JSON readers: {}", e.what()), "write it as null"};
  } catch (const refused& r) {
    return error{r.pointer.empty() ? r.fault : fmt::format("{}: {}", r.pointer, r.fault), r.remedy};
  }
}

}  // namespace

result<run> run_from_json(std::string_view text) {
  return read<run>(
      text, "run",
      [](json_in& reader, run& x) {
        fields(reader, x);
        reader("families", x.families);
      },
      parsed_strictly);
}

result<family> family_from_json(std::string_view text) {
  return read<family>(text, "family", [](json_in& reader, family& x) { fields(reader, x); });
}

result<peak> peak_from_json(std::string_view text) {
  return read<peak>(text, "peak", [](json_in& reader, peak& x) { fields(reader, x); });
}

result<roofline> roofline_from_json(std::string_view text) {
  return read<roofline>(text, "roofline", [](json_in& reader, roofline& x) { fields(reader, x); });
}

result<peak_report> peak_report_from_json(std::string_view text) {
  return read<peak_report>(text, "peak", [](json_in& reader, peak_report& x) { fields(reader, x); });
}

result<machine_node> probe_from_json(std::string_view text) {
  return read<machine_node>(text, "probe", [](json_in& reader, machine_node& x) { reader("machine", x); });
}

result<audit> audit_from_json(std::string_view text) {
  return read<audit>(text, "audit", [](json_in& reader, audit& x) { fields(reader, x); });
}

result<environment> environment_from_json(std::string_view text) {
  return read<environment>(text, "environment", [](json_in& reader, environment& x) { fields(reader, x); });
}

result<std::vector<check>> checks_from_json(std::string_view text) {
  return read<std::vector<check>>(text, "checks",
                                  [](json_in& reader, std::vector<check>& x) { reader("checks", x); });
}

result<problem_point> axes_from_json(std::string_view text) {
  return read<problem_point>(text, "axes", [](json_in& reader, problem_point& x) { reader("axes", x); });
}

}  // namespace ridge::model
