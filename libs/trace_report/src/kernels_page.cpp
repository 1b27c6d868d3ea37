// SPDX-License-Identifier: Apache-2.0
#include "kernels_page.hpp"

#include <fmt/format.h>

#include <ridge/trace/kernel_table.hpp>

#include "page_parts.hpp"

namespace ridge::trace_report {
namespace {

std::string dims(const std::array<std::uint32_t, 3>& d) {
  return d[0] == 0 ? "" : fmt::format("{}×{}×{}", d[0], d[1], d[2]);
}

row kernel_line(const scope& s, const trace::kernel_row& k, bool by_shape) {
  const auto& t = *s.source;
  return {.values = {std::string(t.names[k.name]),
                     std::string(),
                     std::string(name(k.purpose)),
                     std::int64_t{k.device},
                     whole(k.count),
                     k.total_ns,
                     100 * k.share_of_work,
                     100 * k.share_of_window,
                     k.per_step ? value(*k.per_step) : value(),
                     k.min_ns,
                     k.p50_ns,
                     k.p99_ns,
                     k.max_ns,
                     k.mean_ns,
                     k.cov(),
                     by_shape ? value(dims(k.grid)) : value(),
                     by_shape ? value(dims(k.block)) : value(),
                     std::int64_t{k.registers},
                     std::int64_t{k.shared_bytes},
                     k.occupancy ? value(100.0 * static_cast<double>(*k.occupancy)) : value()}};
}

}  // namespace

sheet kernels_sheet(const scope& s, bool by_shape, std::size_t rows) {
  const auto table = trace::kernel_table(*s.source, s.classes,
                                         {.by_shape = by_shape, .window = s.window, .steps = s.steps.size()});
  sheet made{.key = "kernels",
             .title = "Device work by name",
             .fields = {name_field(s.full_names),
                        {"short_name", ""},
                        {"class", "class"},
                        {"device", "GPU"},
                        {"count", "count", unit::count},
                        {"total_ns", "total", unit::nanoseconds},
                        {"pct_of_work", "of work", unit::percent},
                        {"pct_of_window", "", unit::percent},
                        {"per_step", "per step", unit::number},
                        {"min_ns", "", unit::nanoseconds},
                        {"p50_ns", "median", unit::nanoseconds},
                        {"p99_ns", "p99", unit::nanoseconds},
                        {"max_ns", "", unit::nanoseconds},
                        {"mean_ns", "", unit::nanoseconds},
                        {"cov", "CoV", unit::number},
                        {"grid", "grid"},
                        {"block", "block"},
                        {"registers", "", unit::count},
                        {"shared_bytes", "", unit::bytes},
                        {"occupancy_pct", "", unit::percent}},
             .empty = "no device work is in this window"};
  const auto shown = shown_rows(table.size(), rows, made);
  for (std::size_t i = 0; i < shown; ++i) made.rows.push_back(kernel_line(s, table[i], by_shape));
  give_short_names(made);
  return made;
}

document kernels_page(const scope& s, bool by_shape) {
  auto d = page_about(s, "kernels");
  d.sheets.push_back(kernels_sheet(s, by_shape, s.rows));
  return d;
}

}  // namespace ridge::trace_report
