// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/kernel_table.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <ridge/base/expects.hpp>

#include "kernels/kernel_group.hpp"

namespace ridge::trace {
namespace {

// All works of a device together, for shares of them.
struct device_total {
  nanoseconds work_ns = 0;
  time_range span{};
  bool seen = false;
};

bool starts_in(const device_work& w, const std::optional<time_range>& window) {
  return !window || (w.start_ns >= window->start_ns && w.start_ns < window->end_ns);
}

void add_to_device_total(device_total& total, const device_work& w) {
  total.work_ns += w.duration_ns();
  total.span.start_ns = total.seen ? std::min(total.span.start_ns, w.start_ns) : w.start_ns;
  total.span.end_ns = total.seen ? std::max(total.span.end_ns, w.end_ns) : w.end_ns;
  total.seen = true;
}

double share(nanoseconds part, nanoseconds whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

nanoseconds nearest_rank(std::span<const nanoseconds> ascending, std::size_t percent) {
  const auto rank = (ascending.size() * percent + 99) / 100;
  return ascending[rank == 0 ? 0 : rank - 1];
}

void fill_times(kernel_row& row, std::span<nanoseconds> lengths) {
  std::ranges::sort(lengths);
  row.count = lengths.size();
  for (const auto l : lengths) row.total_ns += l;
  row.min_ns = lengths.front();
  row.p50_ns = nearest_rank(lengths, 50);
  row.p99_ns = nearest_rank(lengths, 99);
  row.max_ns = lengths.back();
  const auto n = static_cast<double>(lengths.size());
  row.mean_ns = static_cast<double>(row.total_ns) / n;
  double squares = 0;
  for (const auto l : lengths)
    squares += (static_cast<double>(l) - row.mean_ns) * (static_cast<double>(l) - row.mean_ns);
  row.stddev_ns = lengths.size() > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

kernel_row row_of_group(const kernel_group& group, std::span<nanoseconds> lengths, const trace& t,
                        std::span<const work_class> classes) {
  const auto& first = t.works[group.first];
  kernel_row row{.name = first.name,
                 .device = first.device,
                 .purpose = classes[group.first],
                 .kind = first.kind,
                 .grid = first.grid,
                 .block = first.block,
                 .shapes = group.shapes,
                 .bytes = group.bytes,
                 .registers = group.registers,
                 .shared_bytes = group.shared_bytes,
                 .longest = group.longest};
  if (group.occupancy_weight > 0)
    row.occupancy = static_cast<float>(group.occupancy_time / group.occupancy_weight);
  fill_times(row, lengths);
  return row;
}

void fill_shares(kernel_row& row, const device_total& total, const kernel_table_options& options) {
  row.share_of_work = share(row.total_ns, total.work_ns);
  row.share_of_window = share(row.total_ns, options.window.value_or(total.span).length_ns());
  if (options.steps > 0) row.per_step = static_cast<double>(row.count) / static_cast<double>(options.steps);
}

bool longer(const trace& t, const kernel_row& a, const kernel_row& b) {
  if (a.total_ns != b.total_ns) return a.total_ns > b.total_ns;
  if (a.name != b.name) return t.names[a.name] < t.names[b.name];
  return std::tie(a.device, a.grid, a.block) < std::tie(b.device, b.grid, b.block);
}

}  // namespace

std::vector<kernel_row> kernel_table(const trace& t, std::span<const work_class> classes,
                                     const kernel_table_options& options) {
  expects(classes.size() == t.works.size(), "kernel_table: one class for each of trace::works");
  kernel_groups groups(t.works, options.by_shape);
  std::unordered_map<std::int32_t, device_total> totals;
  for (work_id w = 0; w < t.works.size(); ++w) {
    if (!starts_in(t.works[w], options.window)) continue;
    groups.add(w);
    add_to_device_total(totals[t.works[w].device], t.works[w]);
  }
  std::vector<kernel_row> rows;
  rows.reserve(groups.all().size());
  auto lengths = groups.lengths();
  std::span<nanoseconds> left = lengths;
  for (const auto& group : groups.all()) {
    rows.push_back(row_of_group(group, left.first(group.count), t, classes));
    left = left.subspan(group.count);
    fill_shares(rows.back(), totals[rows.back().device], options);
  }
  std::ranges::sort(rows, [&](const kernel_row& a, const kernel_row& b) { return longer(t, a, b); });
  return rows;
}

}  // namespace ridge::trace
