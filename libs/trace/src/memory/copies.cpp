// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/copies.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <ridge/base/expects.hpp>

#include "memory/copy_names.hpp"
#include "timeline/device_span.hpp"
#include "timeline/integer_median.hpp"

namespace ridge::trace {
namespace {

constexpr std::int64_t large_bytes = 1 << 20;
constexpr std::array<std::int64_t, copy_size_classes> size_begins{0,       1 << 10, 1 << 12, 1 << 14, 1 << 16,
                                                                  1 << 18, 1 << 20, 1 << 24, 1 << 28};

using group_key = std::tuple<copy_kind, memory_kind, memory_kind>;
using members = std::vector<work_id>;

std::size_t size_class_of(std::int64_t bytes) {
  const auto after = std::ranges::upper_bound(size_begins, std::max<std::int64_t>(bytes, 0));
  return static_cast<std::size_t>(after - size_begins.begin()) - 1;
}

// The work of one device within a window.
class device_copies {
 public:
  device_copies(const trace& t, std::span<const work_class> classes, std::int32_t device, time_range window)
      : trace_(t), window_(window) {
    const auto works = t.works_of(device);
    if (works.empty()) return;
    std::vector<time_range> others;
    std::map<name_id, copy_ends> known;
    auto id = static_cast<work_id>(works.data() - t.works.data());
    for (const auto& w : works) {
      const auto in = w.start_ns < window.end_ns && w.end_ns > window.start_ns;
      if (classes[id] != work_class::copy)
        others.push_back({w.start_ns, w.end_ns});
      else if (in || starts_in(w, window))
        groups_[key_of(w, known)].push_back(id);
      ++id;
    }
    others_ = interval_set(std::move(others)).within(window);
  }

  [[nodiscard]] const std::map<group_key, members>& groups() const { return groups_; }
  [[nodiscard]] static bool starts_in(const device_work& w, time_range window) {
    return w.start_ns >= window.start_ns && w.start_ns < window.end_ns;
  }
  [[nodiscard]] const device_work& work(work_id w) const { return trace_.works[w]; }
  [[nodiscard]] interval_set busy(const members& copies) const {
    std::vector<time_range> ranges;
    ranges.reserve(copies.size());
    for (const auto c : copies) ranges.push_back({work(c).start_ns, work(c).end_ns});
    return interval_set(std::move(ranges)).within(window_);
  }
  [[nodiscard]] nanoseconds exposed_ns(const interval_set& busy) const {
    return busy.without(others_).length_ns();
  }
  // Copies are ascending, because a device's work is ordered by start.
  [[nodiscard]] std::span<const work_id> started(const members& copies, time_range window) const {
    const auto start = [&](work_id c) { return work(c).start_ns; };
    const auto first = std::ranges::lower_bound(copies, window.start_ns, {}, start);
    return {first, std::ranges::lower_bound(first, copies.end(), window.end_ns, {}, start)};
  }
  [[nodiscard]] std::int64_t median_bytes(std::span<const work_id> copies) const {
    std::vector<std::int64_t> bytes;
    for (const auto c : copies) bytes.push_back(work(c).bytes);
    return median(std::move(bytes), middle::upper);
  }

 private:
  // Each name is parsed once.
  [[nodiscard]] group_key key_of(const device_work& w, std::map<name_id, copy_ends>& known) const {
    auto at = known.find(w.name);
    if (at == known.end()) at = known.emplace(w.name, copy_ends_of_name(trace_.names[w.name])).first;
    const auto ends = copy_ends_of(w, at->second);
    return {ends.kind, ends.source, ends.destination};
  }

  const trace& trace_;
  time_range window_;
  std::map<group_key, members> groups_{};
  interval_set others_{};
};

copy_group group_of(const device_copies& device, const group_key& key, const members& all,
                    time_range window) {
  copy_group g{.kind = std::get<0>(key), .source = std::get<1>(key), .destination = std::get<2>(key)};
  const auto started = device.started(all, window);
  for (const auto c : started) {
    const auto& w = device.work(c);
    g.all.add(w.bytes, w.duration_ns());
    g.sizes.at(size_class_of(w.bytes)).add(w.bytes, w.duration_ns());
    if (w.bytes >= large_bytes) g.large.add(w.bytes, w.duration_ns());
    g.unknown_sizes += w.bytes <= 0 ? 1U : 0U;
    if (g.longest == none || w.duration_ns() > device.work(g.longest).duration_ns()) g.longest = c;
  }
  g.median_bytes = device.median_bytes(started);
  const auto busy = device.busy(all);
  g.busy_ns = busy.length_ns();
  g.exposed_ns = device.exposed_ns(busy);
  return g;
}

copies_per_step per_step_of(const device_copies& device, copy_kind kind, const members& all,
                            std::span<const time_range> steps) {
  copies_per_step made{.kind = kind, .steps = steps.size()};
  members counted;
  std::vector<std::int64_t> counts;
  for (const auto step : steps) {
    const auto started = device.started(all, step);
    counts.push_back(static_cast<std::int64_t>(started.size()));
    counted.insert(counted.end(), started.begin(), started.end());
  }
  made.count = counted.size();
  made.max_count = static_cast<std::uint64_t>(std::ranges::max(counts));
  made.median_count = static_cast<std::uint64_t>(median(std::move(counts), middle::upper));
  made.median_bytes = device.median_bytes(counted);
  return made;
}

}  // namespace

std::int64_t copy_size_class_begin(int size_class) {
  return size_begins.at(static_cast<std::size_t>(size_class));
}

double copy_sum::bytes_per_s() const {
  return ns > 0 ? static_cast<double>(bytes) * 1e9 / static_cast<double>(ns) : 0;
}

void copy_sum::add(std::int64_t more_bytes, nanoseconds more_ns) {
  ++count;
  bytes += more_bytes;
  ns += more_ns;
}

bool copy_group::pageable() const {
  return source == memory_kind::pageable || destination == memory_kind::pageable;
}

std::optional<double> copy_group::achieved(double peak_bytes_per_s) const {
  if (large.count == 0 || large.ns <= 0 || peak_bytes_per_s <= 0) return {};
  return large.bytes_per_s() / peak_bytes_per_s;
}

copy_report copies_of(const trace& t, std::span<const work_class> classes, std::int32_t device,
                      std::optional<time_range> window, std::span<const time_range> steps) {
  expects(classes.size() == t.works.size(), "one class for each work");
  copy_report made{.device = device, .window = window.value_or(device_span(t, device))};
  const device_copies copies(t, classes, device, made.window);
  members everything, pageable, on_device;
  std::map<copy_kind, members> kinds;
  for (const auto& [key, all] : copies.groups()) {
    made.groups.push_back(group_of(copies, key, all, made.window));
    const auto& g = made.groups.back();
    const auto append = [&](members& list) { list.insert(list.end(), all.begin(), all.end()); };
    append(everything);
    append(kinds[g.kind]);
    if (g.pageable()) append(pageable);
    if (g.kind == copy_kind::device_to_device) append(on_device);
    made.all.count += g.all.count;
    made.all.bytes += g.all.bytes;
    made.all.ns += g.all.ns;
  }
  const auto busy = copies.busy(everything);
  made.busy_ns = busy.length_ns();
  made.exposed_ns = copies.exposed_ns(busy);
  made.exposed_pageable_ns = copies.exposed_ns(copies.busy(pageable));
  made.device_to_device_ns = copies.busy(on_device).length_ns();
  for (auto& [kind, all] : kinds) {
    std::ranges::sort(all);
    if (!steps.empty()) made.per_step.push_back(per_step_of(copies, kind, all, steps));
  }
  return made;
}

}  // namespace ridge::trace
