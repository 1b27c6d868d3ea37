// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include <ridge/report/document.hpp>

namespace ridge::report {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string csv_value(const value& v) {
  if (const auto* number = std::get_if<double>(&v))
    return std::isfinite(*number) ? fmt::format("{}", *number) : "";
  return quoted(shown(v, unit::text));
}

}  // namespace

std::string csv_of(const document& d) {
  std::string text;
  for (const auto& s : d.sheets) {
    if (s.key.empty() || s.rows.empty()) continue;
    if (!text.empty()) text += '\n';
    for (std::size_t i = 0; i < s.fields.size(); ++i) text += (i == 0 ? "" : ",") + quoted(s.fields[i].key);
    text += '\n';
    for (const auto& r : s.rows) {
      for (std::size_t i = 0; i < r.values.size(); ++i) text += (i == 0 ? "" : ",") + csv_value(r.values[i]);
      text += '\n';
    }
  }
  return text;
}

}  // namespace ridge::report
