// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <nlohmann/json.hpp>

#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

using json = nlohmann::ordered_json;

json json_value(const value& v) {
  if (const auto* whole = std::get_if<std::int64_t>(&v)) return *whole;
  if (const auto* number = std::get_if<double>(&v)) return std::isfinite(*number) ? json(*number) : json();
  if (const auto* text = std::get_if<std::string>(&v)) return *text;
  if (const auto* flag = std::get_if<bool>(&v)) return *flag;
  return nullptr;
}

// Writes a member; "pct.idle" becomes `idle` in an object "pct".
void put(json& object, const std::string& key, json v) {
  const auto dot = key.find('.');
  if (dot == std::string::npos)
    object[key] = std::move(v);
  else
    put(object[key.substr(0, dot)], key.substr(dot + 1), std::move(v));
}

json row_json(const sheet& s, const row& r, std::size_t first) {
  auto object = json::object();
  for (auto i = first; i < s.fields.size(); ++i) put(object, s.fields[i].key, json_value(r.values.at(i)));
  return object;
}

json sheet_json(const sheet& s) {
  if (s.single) return s.rows.empty() ? json() : row_json(s, s.rows.front(), 0);
  auto rows = s.keyed ? json::object() : json::array();
  for (const auto& r : s.rows) {
    if (s.keyed)
      rows[shown(r.values.front(), unit::text)] = row_json(s, r, 1);
    else
      rows.push_back(row_json(s, r, 0));
  }
  return rows;
}

json document_json(const document& d) {
  auto object = json::object();
  object["schema"] = d.schema;
  for (const auto& [key, v] : d.facts) put(object, key, json_value(v));
  for (const auto& s : d.sheets) {
    if (!s.key.empty()) put(object, s.key, sheet_json(s));
  }
  auto notes = d.notes;
  for (const auto& s : d.sheets) notes.insert(notes.end(), s.notes.begin(), s.notes.end());
  if (!notes.empty()) object["notes"] = notes;
  return object;
}

std::string dumped(const json& j) { return j.dump(1, ' ', false, json::error_handler_t::replace) + '\n'; }

}  // namespace

std::string json_of(const document& d) { return dumped(document_json(d)); }

std::string json_of(const std::string& schema, const std::string& member, const std::vector<document>& all) {
  auto object = json::object();
  object["schema"] = schema;
  object[member] = json::array();
  for (const auto& d : all) object[member].push_back(document_json(d));
  return dumped(object);
}

}  // namespace ridge::report
