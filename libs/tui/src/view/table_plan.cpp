// SPDX-License-Identifier: Apache-2.0
#include "view/table_plan.hpp"

#include <algorithm>
#include <utility>

#include <ridge/base/text.hpp>
#include <ridge/tui/grid.hpp>

namespace ridge::tui {
namespace {

constexpr std::size_t widest_cell = 44;

std::size_t width_of(const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t field) {
  constexpr std::size_t most_measured = 2000;  // a long table is as wide as its first rows
  std::size_t width = display_width(sheet.fields[field].header) + 1;
  for (std::size_t i = 0; i < std::min(rows.size(), most_measured); ++i)
    width = std::max(width, display_width(harmless_cell(sheet, sheet.rows[rows[i]], field)));
  return std::min(width, std::max(widest_cell, display_width(sheet.fields[field].header) + 1));
}

bool is_the_same_everywhere(const report::sheet& sheet, std::size_t field) {
  return std::ranges::all_of(sheet.rows, [&](const report::row& r) {
    return r.values.at(field) == sheet.rows.front().values.at(field);
  });
}

table_plan with_all_fields(const report::sheet& sheet, const std::vector<std::size_t>& rows,
                           std::size_t columns) {
  table_plan p;
  p.widths.resize(sheet.fields.size());
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    if (sheet.fields[i].header.empty()) continue;
    const bool empty = std::ranges::all_of(sheet.rows, [&](const report::row& r) {
      return report::shown(r.values.at(i), sheet.fields[i].unit).empty();
    });
    if (empty && !sheet.rows.empty()) continue;
    p.fields.push_back(i);
    p.widths[i] = width_of(sheet, rows, i);
  }
  constexpr std::size_t least_rows = 2;
  if (p.columns() <= columns + table_plan::gap || sheet.rows.size() < least_rows) return p;
  std::vector<std::size_t> kept;
  for (const auto field : p.fields) {
    if (!is_the_same_everywhere(sheet, field)) {
      kept.push_back(field);
      continue;
    }
    p.shared += (p.shared.empty() ? "" : " · ") + sheet.fields[field].header + ' ' +
                harmless_cell(sheet, sheet.rows.front(), field);
  }
  if (kept.empty()) return p;
  p.fields = std::move(kept);
  return p;
}

// Returns the width that most texts of a field have room in.
std::size_t usual_width(const report::sheet& sheet, const std::vector<std::size_t>& rows, std::size_t field) {
  constexpr std::size_t most_measured = 500;
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < std::min(rows.size(), most_measured); ++i)
    widths.push_back(display_width(harmless_cell(sheet, sheet.rows[rows[i]], field)));
  if (widths.empty()) return 0;
  const auto most = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() * 9 / 10);
  std::nth_element(widths.begin(), most, widths.end());
  return *most;
}

// Makes texts narrower until some of the first fields fit; the others are reached by scrolling. What few rows
// need is given up first, then names, then the widest; no field becomes narrower than its header.
void narrow(table_plan& p, const report::sheet& sheet, const std::vector<std::size_t>& rows,
            std::size_t columns) {
  constexpr std::size_t wanted = 4, least = 12, least_name = 16;
  const auto count = std::min(wanted, p.fields.size());
  const auto too_wide = [&] {
    std::size_t all = table_plan::sign_columns;
    for (std::size_t i = 0; i < count; ++i) all += p.widths[p.fields[i]] + table_plan::gap;
    return all > columns + table_plan::gap;
  };
  const auto narrowest = [&](std::size_t field) {
    return std::max(least, display_width(sheet.fields[field].header));
  };
  if (!too_wide()) return;
  const auto whole_name = p.widths[p.fields.front()];
  for (const auto field : p.fields)
    p.widths[field] = std::min(p.widths[field], std::max(narrowest(field), usual_width(sheet, rows, field)));
  auto& name = p.widths[p.fields.front()];
  while (too_wide() && name > least_name) --name;
  while (too_wide()) {
    std::optional<std::size_t> widest;
    for (std::size_t i = 0; i < count; ++i) {
      const auto field = p.fields[i];
      if (p.widths[field] > narrowest(field) && (!widest || p.widths[field] > p.widths[*widest]))
        widest = field;
    }
    if (!widest) break;
    --p.widths[*widest];
  }
  while (!too_wide() && name < whole_name) ++name;
  if (too_wide() && name > least_name) --name;
}

bool is_the_same_in_groups(const table_plan& p, const report::sheet& sheet,
                           const std::vector<std::size_t>& rows, std::size_t field) {
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto &above = sheet.rows[rows[i - 1]], &row = sheet.rows[rows[i]];
    if (!p.begins_group(sheet, above, row) && above.values.at(field) != row.values.at(field)) return false;
  }
  return true;
}

// Where the columns have no room, those that say where a row was measured stand behind what was measured.
void put_places_last(table_plan& p, const report::sheet& sheet, std::size_t columns) {
  if (p.columns() <= columns + table_plan::gap || p.fields.empty()) return;
  std::stable_partition(p.fields.begin() + 1, p.fields.end(), [&](std::size_t field) {
    const auto& key = sheet.fields[field].key;
    return key != "machine" && key != "backend" && key != "role";
  });
}

// Where several rows in a row have the same first value, it heads them, if there is no room for a column, and
// with it whatever else is the same within each group.
void group_rows(table_plan& p, const report::sheet& sheet, const std::vector<std::size_t>& rows,
                const table_state& state, std::size_t columns) {
  constexpr std::size_t least_fields = 3;
  if (p.fields.size() < least_fields || rows.empty() || p.columns() <= columns + table_plan::gap) return;
  const auto first = p.fields.front();
  if (state.sort && *state.sort != first) return;
  p.group = first;
  std::size_t groups = 1;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (p.begins_group(sheet, sheet.rows[rows[i - 1]], sheet.rows[rows[i]])) ++groups;
  }
  if (groups * 3 > rows.size() * 2) {
    p.group.reset();
    return;
  }
  std::vector<std::size_t> kept;
  for (const auto field : p.fields) {
    const bool is_text = sheet.fields[field].unit == report::unit::text;
    const bool heads = field == first || (is_text && is_the_same_in_groups(p, sheet, rows, field));
    (heads ? p.heading : kept).push_back(field);
  }
  if (kept.empty()) kept.push_back(p.fields.back());
  p.fields = std::move(kept);
}

}  // namespace

std::size_t table_plan::columns() const {
  std::size_t all = sign_columns;
  for (const auto field : fields) all += widths[field] + gap;
  return all;
}

bool table_plan::begins_group(const report::sheet& sheet, const report::row& above,
                              const report::row& row) const {
  if (above.values.at(*group) != row.values.at(*group)) return true;
  for (std::size_t i = 0; i < sheet.fields.size(); ++i) {
    const auto& key = sheet.fields[i].key;
    if ((key == "machine" || key == "backend") && above.values.at(i) != row.values.at(i)) return true;
  }
  return false;
}

table_plan table_plan_of(const report::sheet& sheet, const std::vector<std::size_t>& rows,
                         const table_state& state, std::size_t columns) {
  auto p = with_all_fields(sheet, rows, columns);
  group_rows(p, sheet, rows, state, columns);
  put_places_last(p, sheet, columns);
  narrow(p, sheet, rows, columns);
  return p;
}

std::string harmless_cell(const report::sheet& sheet, const report::row& row, std::size_t field) {
  return one_line(cell_text(sheet, row, field));
}

}  // namespace ridge::tui
