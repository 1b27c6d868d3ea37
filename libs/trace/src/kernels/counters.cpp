// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/counters.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "kernels/kernel_counters.hpp"
#include "kernels/metric_table.hpp"

namespace ridge::trace {
namespace {

double number_of_items(const std::uint32_t (&dims)[3]) {
  return static_cast<double>(dims[0]) * dims[1] * dims[2];
}

void add_shares_of_peaks(kernel_counters& c, const device_peaks& peaks) {
  const auto bytes_per_s = c.dram_bytes_per_s();
  if (!c.dram && bytes_per_s && peaks.bytes_per_s > 0) c.dram = *bytes_per_s / peaks.bytes_per_s;
  const auto peak = peaks.flop_per_s(number_type::fp32, false);
  if (c.fp32_flops && c.duration_s && *c.duration_s > 0 && peak > 0)
    c.flops = *c.fp32_flops / *c.duration_s / peak;
}

using launch_shape = std::array<std::uint32_t, 7>;  // name, grid, block

// The n-th launch of a kernel with that grid and block under the profiler is the n-th on the timeline.
class launches_in_order {
 public:
  explicit launches_in_order(const trace& t) {
    for (work_id w = 0; w < t.works.size(); ++w) {
      const auto& k = t.works[w];
      if (k.kind != category::kernel) continue;
      by_shape_[{k.name, k.grid[0], k.grid[1], k.grid[2], k.block[0], k.block[1], k.block[2]}].push_back(w);
    }
    for (auto& [shape, works] : by_shape_)
      std::ranges::stable_sort(works, {}, [&](work_id w) { return t.works[w].start_ns; });
  }
  work_id next(const profiled_kernel& p) {
    const launch_shape k{p.name, p.grid[0], p.grid[1], p.grid[2], p.block[0], p.block[1], p.block[2]};
    const auto at = by_shape_.find(k);
    if (at == by_shape_.end()) return none;
    const auto n = taken_[k]++;
    return n < at->second.size() ? at->second[n] : none;
  }

 private:
  std::map<launch_shape, std::vector<work_id>> by_shape_{};
  std::map<launch_shape, std::size_t> taken_{};
};

// Returns the samples taken after the work's start until its end; for work between two samples, the one after
// it.
std::span<const counter_value> samples_over(const trace& t, std::uint32_t series, const device_work& w) {
  const auto at = [](const counter_value& v) { return std::tuple(v.series, v.time_ns); };
  const auto first = std::ranges::upper_bound(t.counter_values, std::tuple(series, w.start_ns), {}, at);
  auto last = std::ranges::upper_bound(t.counter_values, std::tuple(series, w.end_ns), {}, at);
  if (last == first && last != t.counter_values.end() && last->series == series) ++last;
  return {first, last};
}

}  // namespace

std::optional<double> kernel_counters::dram_bytes() const {
  if (!dram_read_bytes && !dram_write_bytes) return std::nullopt;
  return dram_read_bytes.value_or(0) + dram_write_bytes.value_or(0);
}

std::optional<double> kernel_counters::dram_bytes_per_s() const { return quotient(dram_bytes(), duration_s); }

std::vector<kernel_counters> counters_of(const trace& t, const device_peaks& peaks) {
  std::vector<kernel_counters> all;
  launches_in_order timeline(t);
  for (std::uint32_t p = 0; p < t.profiled_kernels.size(); ++p) {
    const auto& kernel = t.profiled_kernels[p];
    auto c = read_counters(metric_table(t, p));
    c.profiled = p;
    c.name = kernel.name;
    c.work = timeline.next(kernel);
    c.blocks = number_of_items(kernel.grid);
    c.threads_per_block = number_of_items(kernel.block);
    add_shares_of_peaks(c, peaks);
    all.push_back(std::move(c));
  }
  return all;
}

std::optional<double> metric_of(const trace& t, std::uint32_t profiled, std::string_view metric) {
  return metric_table(t, profiled).first_of({metric});
}

std::vector<sampled_counter> counters_during(const trace& t, const device_work& w) {
  std::vector<sampled_counter> all;
  for (std::uint32_t s = 0; s < t.counters.size(); ++s) {
    if (t.counters[s].device >= 0 && t.counters[s].device != w.device) continue;
    sampled_counter c{.series = s};
    double sum = 0;
    for (const auto& v : samples_over(t, s, w)) {
      c.least = c.samples == 0 ? v.value : std::min(c.least, v.value);
      c.most = c.samples == 0 ? v.value : std::max(c.most, v.value);
      sum += v.value;
      ++c.samples;
    }
    c.mean = c.samples > 0 ? sum / c.samples : 0;
    if (c.samples > 0) all.push_back(c);
  }
  return all;
}

}  // namespace ridge::trace
