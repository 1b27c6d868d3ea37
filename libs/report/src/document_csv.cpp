// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>
#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

std::string csv_value(const value& v) {
  if (const auto* number = std::get_if<double>(&v))
    return std::isfinite(*number) ? fmt::format("{}", *number) : "";
  return csv_cell(shown(v, unit::text));
}

std::string header_of(const sheet& s) {
  std::string text;
  for (std::size_t i = 0; i < s.fields.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(s.fields[i].key);
  return text + '\n';
}

std::string rows_of(const sheet& s, const std::string& front = {}) {
  std::string text;
  for (const auto& r : s.rows) {
    text += front;
    for (std::size_t i = 0; i < r.values.size(); ++i) text += (i == 0 ? "" : ",") + csv_value(r.values[i]);
    text += '\n';
  }
  return text;
}

bool is_table(const sheet& s) { return !s.key.empty() && !s.rows.empty(); }

std::string fact_of(const document& d, std::string_view key) {
  const auto at = std::ranges::find(d.facts, key, &std::pair<std::string, value>::first);
  return at == d.facts.end() ? "" : shown(at->second, unit::text);
}

std::vector<std::string> tables_in(const std::vector<document>& all) {
  std::vector<std::string> keys;
  for (const auto& d : all) {
    for (const auto& s : d.sheets) {
      if (is_table(s) && std::ranges::find(keys, s.key) == keys.end()) keys.push_back(s.key);
    }
  }
  return keys;
}

}  // namespace

result<std::string> csv_table_of(const std::vector<document>& all, const std::string& key) {
  const auto known = tables_in(all);
  if (!key.empty() && std::ranges::find(known, key) == known.end())
    return error{fmt::format("there is no table \"{}\" with rows", key),
                 known.empty() ? "leave it out: no table has rows" : "name one of: " + join(known, ", ")};
  if (known.empty()) return std::string();
  std::string text;
  for (const auto& d : all) {
    const auto at = std::ranges::find(d.sheets, key.empty() ? known.front() : key, &sheet::key);
    if (at == d.sheets.end() || at->rows.empty()) continue;
    const bool several = all.size() > 1;
    if (text.empty()) text = (several ? "trace," : "") + header_of(*at);
    text += rows_of(*at, several ? csv_cell(fact_of(d, "path")) + ',' : "");
  }
  return text;
}

std::string csv_of(const document& d) {
  std::string text;
  for (const auto& s : d.sheets) {
    if (!is_table(s)) continue;
    if (!text.empty()) text += '\n';
    text += header_of(s) + rows_of(s);
  }
  return text;
}

}  // namespace ridge::report
