// SPDX-License-Identifier: Apache-2.0
#include "hta_sheets.hpp"

#include <ridge/trace/hta_programs.hpp>
#include <ridge/trace/hta_series.hpp>

namespace ridge::trace_report {
namespace {

value microseconds_of(trace::nanoseconds ns) { return static_cast<double>(ns) / 1000; }

sheet queue_series_sheet(const scope& s, const trace::hta_options& options, trace::nanoseconds zero_ns) {
  sheet made{.key = "queue_length_series",
             .title = "Queue lengths over time",
             .fields = {{"ts", "time, µs", unit::number},
                        {"pid", "pid"},
                        {"tid", "tid"},
                        {"stream", "stream"},
                        {"queue_length", "length", unit::count}}};
  const auto points = trace::hta_queue_series(*s.source, options);
  const auto shown = shown_rows(points.size(), s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& p = points[i];
    made.rows.push_back({.values = {microseconds_of(p.at_ns - zero_ns), p.process, p.thread,
                                    std::int64_t{p.stream}, p.length}});
  }
  return made;
}

sheet copy_series_sheet(const scope& s, const trace::hta_options& options, trace::nanoseconds zero_ns) {
  sheet made{.key = "memory_bandwidth_series",
             .title = "Copy bandwidth over time",
             .fields = {{"ts", "time, µs", unit::number},
                        {"pid", "pid"},
                        {"name", "copies"},
                        {"memory_bw_gbps", "GB/s", unit::number}}};
  const auto points = trace::hta_copy_series(*s.source, options);
  const auto shown = shown_rows(points.size(), s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& p = points[i];
    made.rows.push_back({.values = {microseconds_of(p.at_ns - zero_ns), p.process, p.name, p.gb_per_s}});
  }
  return made;
}

sheet full_queues_sheet(const scope& s, const trace::hta_options& options) {
  sheet made{.key = "full_queues",
             .title = "Time with 1,024 works or more in a queue",
             .fields = {{"stream", "stream"},
                        {"duration_at_max_queue_length", "time, µs", unit::number},
                        {"relative_duration_at_max_queue_length", "share", unit::number}}};
  for (const auto& q : trace::hta_full_queues(*s.source, 1024, options))
    made.rows.push_back({.values = {std::int64_t{q.stream}, microseconds_of(q.full_ns), q.share}});
  return made;
}

sheet profiler_steps_sheet(const scope& s, const trace::hta_options& options) {
  sheet made{.key = "profiler_steps", .title = "Steps that HTA counts", .fields = {{"step", "step"}}};
  for (const auto step : trace::hta_profiler_steps(*s.source, options))
    made.rows.push_back({.values = {step}});
  return made;
}

sheet sequences_sheet(const scope& s, const trace::hta_options& options, std::string_view operator_part) {
  sheet made{.key = "kernel_sequences",
             .title = "Sequences of works below operators",
             .fields = {{"count", "count", unit::count},
                        {"GPU kernel duration (us)", "GPU, µs", unit::number},
                        {"CPU op duration (us)", "CPU, µs", unit::number},
                        {"pattern", "operator and works"}},
             .empty = "no operator of that name launched a work"};
  const auto found = trace::hta_sequences(*s.source, operator_part, 1, options);
  const auto shown = shown_rows(found.size(), s.rows, made);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& q = found[i];
    made.rows.push_back(
        {.values = {whole(q.count), microseconds_of(q.gpu_ns), microseconds_of(q.cpu_ns), q.pattern}});
  }
  return made;
}

}  // namespace

void add_hta_series_sheets(const scope& s, const trace::hta_options& options, std::string_view operator_part,
                           std::vector<sheet>& sheets) {
  const auto zero_ns = trace::hta_span_of(*s.source, options).first_ns;
  sheets.push_back(queue_series_sheet(s, options, zero_ns));
  sheets.push_back(full_queues_sheet(s, options));
  sheets.push_back(copy_series_sheet(s, options, zero_ns));
  sheets.push_back(profiler_steps_sheet(s, options));
  if (!operator_part.empty()) sheets.push_back(sequences_sheet(s, options, operator_part));
}

}  // namespace ridge::trace_report
