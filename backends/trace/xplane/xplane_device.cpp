// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/trace/copy_ends.hpp>

#include "xplane_details.hpp"
#include "xplane_reading.hpp"

namespace ridge::backends::trace_xplane {
namespace {

using trace::category;

// Lines that were derived from others: they mirror the device's work.
bool is_derived(std::string_view name) {
  constexpr std::array names{"XLA Modules",   "XLA Ops",         "Async XLA Ops", "Framework Name Scope",
                             "Framework Ops", "Source code",     "Source",        "Launch Stats",
                             "XLA TraceMe",   "Host Offload Ops"};
  return std::ranges::find(names, name) != names.end();
}

// In any case.
bool begins(std::string_view name, std::string_view word) {
  return contains_ignoring_case(name.substr(0, word.size()), word);
}

category kind_of_work(const timed_event& e) {
  if (!e.stats.kernel_details.empty()) return category::kernel;
  if (!e.stats.allocation_details.empty()) return category::other;
  if (!e.stats.fill_details.empty() || begins(e.name, "memset")) return category::fill;
  if (!e.stats.copy_details.empty() || begins(e.name, "memcpy")) return category::copy;
  return category::kernel;
}

trace::device_work work_of(const xplane_reading& reading, const timed_event& e, std::int32_t device,
                           std::int64_t stream) {
  trace::device_work work{.graph_node = e.stats.graph_node,
                          .device = device,
                          .stream = static_cast<std::int32_t>(stream),
                          .context = e.stats.context,
                          .process = reading.process,
                          .graph = e.stats.graph};
  read_kernel_details(e.stats.kernel_details, work);
  read_fill_details(e.stats.fill_details, work);
  if (!e.stats.copy_details.empty() || begins(e.name, "memcpy")) {
    const auto ends = trace::copy_ends_of(e.name);
    std::tie(work.copy, work.source, work.destination) = std::tie(ends.kind, ends.source, ends.destination);
    read_copy_details(e.stats.copy_details, work);
  }
  if (e.stats.bytes) work.bytes = std::max<std::int64_t>(*e.stats.bytes, 0);
  if (e.stats.occupancy_percent && work.occupancy != work.occupancy)
    work.occupancy = std::clamp(static_cast<float>(*e.stats.occupancy_percent) / 100, 0.0F, 1.0F);
  return work;
}

// Joins works that follow each other under one operator of XLA into an annotation over the device.
class operator_runs {
 public:
  operator_runs(xplane_reading& reading, trace::track_id track) : reading_(reading), track_(track) {}
  ~operator_runs() { finish(); }
  operator_runs(const operator_runs&) = delete;
  operator_runs& operator=(const operator_runs&) = delete;

  void add(const timed_event& e) {
    if (e.stats.hlo_op != run_.stats.hlo_op || e.stats.hlo_module != run_.stats.hlo_module ||
        e.start_ns < run_.end_ns) {
      finish();
      run_ = e;
    }
    run_.end_ns = std::max(run_.end_ns, e.end_ns);
  }

 private:
  void finish() {
    if (run_.stats.hlo_op.empty()) return;
    const auto name = run_.stats.hlo_module.empty()
                          ? std::string(run_.stats.hlo_op)
                          : fmt::format("{}/{}", run_.stats.hlo_module, run_.stats.hlo_op);
    run_.name = name;
    auto row = reading_.row_of(run_, track_);
    row.correlation = 0;
    row.kind = category::device_annotation;
    reading_.builder.add(row);
  }

  xplane_reading& reading_;
  trace::track_id track_;
  timed_event run_{};
};

void read_stream(xplane_reading& reading, const line& l, const plane& p, stat_reader& stats,
                 std::int32_t device) {
  const auto stream =
      number_behind(l.name.substr(0, l.name.find('(')), "Stream #").value_or(static_cast<std::int32_t>(l.id));
  const auto track = reading.track_of(trace::track_kind::stream, stream, l.name, device);
  operator_runs runs(reading,
                     reading.builder.track_of(trace::track_kind::device, reading.process, stream, device));
  reading.each_event(l, p, stats, [&](const timed_event& e) {
    auto row = reading.row_of(e, track);
    row.kind = kind_of_work(e);
    if (row.kind == category::other) return reading.builder.add(row);
    reading.builder.add(row, work_of(reading, e, device, stream));
    runs.add(e);
  });
}

// The steps of a device are steps of the trace only where no thread marked any.
void read_mirror(xplane_reading& reading, const line& l, const plane& p, stat_reader& stats,
                 std::int32_t device) {
  const bool steps = l.name == "Steps";
  const auto track = reading.track_of(trace::track_kind::device, l.id, l.name, device);
  reading.each_event(l, p, stats, [&](timed_event e) {
    const auto name = fmt::format("step {}", e.stats.step_name.empty() ? e.name : e.stats.step_name);
    if (steps) e.name = name;
    auto row = reading.row_of(e, track);
    row.correlation = 0;
    row.kind = steps && !reading.has_steps ? category::annotation : category::device_annotation;
    reading.builder.add(row);
  });
}

void read_counters(xplane_reading& reading, const line& l, const plane& p, stat_reader& stats,
                   std::int32_t device) {
  reading.each_event(l, p, stats, [&](const timed_event& e) {
    if (!e.stats.counter) return;
    const auto series = reading.builder.series(reading.builder.intern(e.name), device);
    reading.builder.add(
        trace::counter_value{.time_ns = e.start_ns, .value = *e.stats.counter, .series = series});
  });
}

// Operators nest on a TPU: a loop stands over those of its body. Those that hold no other are its work.
void read_operators(xplane_reading& reading, const line& l, const plane& p, stat_reader& stats,
                    std::int32_t device) {
  std::vector<timed_event> events;
  reading.each_event(l, p, stats, [&](const timed_event& e) { events.push_back(e); });
  std::ranges::stable_sort(events, {},
                           [](const timed_event& e) { return std::tuple(e.start_ns, -e.end_ns); });
  const auto stream = reading.track_of(trace::track_kind::stream, l.id, l.name, device);
  const auto over = reading.builder.track_of(trace::track_kind::device, reading.process, l.id, device);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const auto& e = events[i];
    const bool holds =
        i + 1 < events.size() && events[i + 1].start_ns < e.end_ns && events[i + 1].end_ns <= e.end_ns;
    auto row = reading.row_of(e, holds ? over : stream);
    row.correlation = 0;
    row.kind = holds                                           ? category::device_annotation
               : e.name.find("copy") != std::string_view::npos ? category::copy
                                                               : category::kernel;
    if (holds)
      reading.builder.add(row);
    else
      reading.builder.add(row, work_of(reading, e, device, l.id));
  }
}

template <class ReadWork, class IsWork>
void read_device(xplane_reading& reading, const plane& p, std::int32_t device, IsWork is_work,
                 ReadWork work) {
  stat_reader stats(p);
  for (const auto message : p.lines) {
    const auto l = read_line(message);
    if (l.name == "_counters_")
      read_counters(reading, l, p, stats, device);
    else if (is_work(l.name))
      work(reading, l, p, stats, device);
    else
      read_mirror(reading, l, p, stats, device);
  }
}

}  // namespace

void read_gpu(xplane_reading& reading, const plane& p, std::int32_t device) {
  const auto is_stream = [](std::string_view name) { return name != "Steps" && !is_derived(name); };
  read_device(reading, p, device, is_stream, read_stream);
}

void read_tpu(xplane_reading& reading, const plane& p, std::int32_t device) {
  const auto is_work = [](std::string_view name) { return name == "XLA Ops" || name == "Async XLA Ops"; };
  read_device(reading, p, device, is_work, read_operators);
}

}  // namespace ridge::backends::trace_xplane
