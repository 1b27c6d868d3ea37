// SPDX-License-Identifier: Apache-2.0
#include "view/table_state.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

struct prefix {
  std::string_view text{};
  double factor = 1;
};
// Longer ones first, so that "Mi" is not read as "M".
constexpr std::array prefixes = std::to_array<prefix>({{"Ki", 1024.0},
                                                       {"Mi", 1048576.0},
                                                       {"Gi", 1073741824.0},
                                                       {"Ti", 1099511627776.0},
                                                       {"n", 1e-9},
                                                       {"µ", 1e-6},
                                                       {"m", 1e-3},
                                                       {"k", 1e3},
                                                       {"M", 1e6},
                                                       {"G", 1e9},
                                                       {"T", 1e12}});
constexpr std::array units =
    std::to_array<std::string_view>({"s", "B", "FLOP", "J", "W", "items", "op", "Hz"});

bool starts_with_unit(std::string_view text) {
  return std::ranges::any_of(units, [&](std::string_view unit) { return text.starts_with(unit); });
}

std::optional<double> number_in(const report::value& value) {
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* const real = std::get_if<double>(&value))
    return std::isnan(*real) ? std::nullopt : std::optional(*real);
  if (const auto* const text = std::get_if<std::string>(&value)) return leading_quantity(*text);
  return std::nullopt;
}

bool is_unknown(const report::sheet& sheet, const report::row& row, std::size_t field) {
  return report::shown(row.values.at(field), sheet.fields[field].unit).empty();
}

bool passes(const report::sheet& sheet, const report::row& row, std::string_view filter) {
  if (filter.empty()) return true;
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    if (!sheet.fields[i].header.empty() && contains_ignoring_case(cell_text(sheet, row, i), filter))
      return true;
  }
  return false;
}

}  // namespace

std::optional<double> leading_quantity(std::string_view text) {
  text = trim(text);
  double number = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (why != std::errc{}) return std::nullopt;
  auto rest = trim(text.substr(static_cast<std::size_t>(end - text.data())));
  if (rest.empty() || starts_with_unit(rest)) return number;
  for (const auto& p : prefixes) {
    if (rest.starts_with(p.text) && starts_with_unit(rest.substr(p.text.size()))) return number * p.factor;
  }
  return number;
}

std::string cell_text(const report::sheet& sheet, const report::row& row, std::size_t field) {
  const auto& value = row.values.at(field);
  if (std::holds_alternative<std::monostate>(value)) return "-";
  return report::shown(value, sheet.fields[field].unit);
}

std::vector<std::size_t> shown_rows(const report::sheet& sheet, const table_state& state) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < sheet.rows.size(); ++i) {
    if (passes(sheet, sheet.rows[i], state.filter)) rows.push_back(i);
  }
  if (!state.sort || *state.sort >= sheet.fields.size()) return rows;
  const auto field = *state.sort;
  std::vector<std::optional<double>> numbers(sheet.rows.size());
  for (const auto i : rows) numbers[i] = number_in(sheet.rows[i].values.at(field));
  const auto less = [&](std::size_t a, std::size_t b) {
    const bool no_a = is_unknown(sheet, sheet.rows[a], field), no_b = is_unknown(sheet, sheet.rows[b], field);
    if (no_a || no_b) return !no_a && no_b;
    if (numbers[a] && numbers[b])
      return state.descending ? *numbers[b] < *numbers[a] : *numbers[a] < *numbers[b];
    const auto first = cell_text(sheet, sheet.rows[a], field),
               second = cell_text(sheet, sheet.rows[b], field);
    return state.descending ? second < first : first < second;
  };
  std::ranges::stable_sort(rows, less);
  return rows;
}

std::string value_of(const report::sheet& sheet, const report::row& row, std::string_view key) {
  const auto field = std::ranges::find(sheet.fields, key, &report::field::key);
  if (field == sheet.fields.end()) return {};
  const auto& value = row.values.at(static_cast<std::size_t>(field - sheet.fields.begin()));
  if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return report::shown(value, field->unit);
}

std::string identity_of(const report::sheet& sheet, const report::row& row) {
  constexpr std::array keys = std::to_array<std::string_view>(
      {"series", "workload", "experiment", "problem", "variant", "candidate", "reference", "metric",
       "machine", "backend", "run", "id", "screen", "kernel", "index"});
  std::string text;
  for (const auto key : keys) text += value_of(sheet, row, key) + '\n';
  return text;
}

namespace {

// Sorts by the next shown field, and behind the last one by none: in the order in which the rows came.
std::string sort_by_next(const report::sheet& sheet, table_state& state) {
  std::vector<std::size_t> fields;
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    if (!sheet.fields[i].header.empty()) fields.push_back(i);
  }
  const auto now = state.sort ? std::ranges::find(fields, *state.sort) : fields.end();
  if (!state.sort)
    state.sort = fields.empty() ? std::nullopt : std::optional(fields.front());
  else
    state.sort =
        now == fields.end() || std::next(now) == fields.end() ? std::nullopt : std::optional(*std::next(now));
  state.descending = false;
  return state.sort ? "Sorted by " + sheet.fields[*state.sort].header + "; S turns it around."
                    : std::string("In the order in which they came.");
}

}  // namespace

table_key press_table(const key& pressed, const report::sheet& sheet, table_state& state) {
  if (pressed.is('s')) return {.taken = true, .message = sort_by_next(sheet, state)};
  if (pressed.code == key_code::right || pressed.is('l'))
    ++state.left;
  else if (pressed.code == key_code::left || pressed.is('h'))
    state.left -= state.left > 0 ? 1 : 0;
  else if (pressed.is('S'))
    state.descending = !state.descending;
  else
    return {};
  return {.taken = true};
}

}  // namespace ridge::tui
