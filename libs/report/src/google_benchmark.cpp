// SPDX-License-Identifier: Apache-2.0
// JSON of Google Benchmark, schema version 1, as its compare.py reads it: one `iteration` entry for each
// round (its U test requires nine), then mean, median, stddev and cv. cpu_time is measured for programs
// (`ridge bench`); elsewhere it repeats real_time, since compare.py ignores entries without it, and the
// context says so.
#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/render.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/stats/summary.hpp>

#include "timings.hpp"

namespace ridge::report {
namespace {

constexpr double ns = 1e9;

struct place {
  std::string name;  // "ch01.x/n:1024/variant"
  std::size_t family, instance, repetitions;
};

std::string run_name(const model::family& f, const model::measurement& m) {
  auto out = f.experiment;
  for (const auto& [axis, value] : f.problem) {
    const auto* whole = std::get_if<std::int64_t>(&value);
    out += fmt::format("/{}:{}", axis, whole ? std::to_string(*whole) : model::text(value));
  }
  return out + '/' + m.variant;
}

void begin(model::json_writer& writer, const place& position, const model::measurement& m,
           std::string_view suffix) {
  writer.begin_object().field("name", position.name + std::string(suffix));
  writer.field("family_index", position.family)
      .field("per_family_instance_index", position.instance)
      .field("run_name", position.name);
  writer.field("run_type", suffix.empty() ? "iteration" : "aggregate")
      .field("repetitions", position.repetitions);
  writer.field("threads", m.threads);
}

void put_times(model::json_writer& writer, double real, double cpu) {
  writer.field("real_time", real).field("cpu_time", cpu).field("time_unit", "ns");
}

// Returns the samples of the CPU time; null where it was not measured.
const model::series* cpu_series(const model::measurement& m) {
  const auto found =
      std::ranges::find_if(m.samples, [](const auto& s) { return s.metric.name == "cpu_time"; });
  return found != m.samples.end() ? &*found : nullptr;
}

// Returns the CPU time of each round where it was measured, else the given times.
std::vector<double> cpu_times(const model::measurement& m, const std::vector<double>& times) {
  const auto* found = cpu_series(m);
  return found != nullptr && found->value.size() == times.size() ? found->value : times;
}

std::string_view source_of_cpu_time(const model::run& run) {
  const bool measured = std::ranges::any_of(run.families, [](const auto& f) {
    return std::ranges::any_of(f.measurements, [](const auto& m) { return cpu_series(m) != nullptr; });
  });
  return measured ? "measured" : "repeats real_time, which alone was measured";
}

void put_rounds(model::json_writer& writer, const place& position, const model::measurement& m,
                const std::vector<double>& times) {
  const auto cpu = cpu_times(m, times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    begin(writer, position, m, "");
    writer.field("repetition_index", i).field("iterations", m.iterations);
    put_times(writer, times[i] * ns, cpu[i] * ns);
    if (m.items > 0) writer.field("items_per_second", m.items / times[i]);
    if (m.bytes_moved > 0) writer.field("bytes_per_second", m.bytes_moved / times[i]);
    for (const auto& e : m.metrics) {
      if (e.metric.name != "time" && e.metric.name != "cpu_time") writer.field(e.metric.name, e.median);
    }
    if (!m.idea.empty()) writer.field("label", m.idea);
    writer.end_object();
  }
}

void put_aggregates(model::json_writer& writer, const place& position, const model::measurement& m,
                    const std::vector<double>& times) {
  const auto cpu = cpu_times(m, times);
  const auto mean = stats::mean(times), deviation = stats::standard_deviation(times);
  const auto cpu_mean = stats::mean(cpu), cpu_deviation = stats::standard_deviation(cpu);
  const auto put = [&](std::string_view name, double value, double cpu_value, bool share) {
    begin(writer, position, m, fmt::format("_{}", name));
    writer.field("aggregate_name", name).field("aggregate_unit", share ? "percentage" : "time");
    writer.field("iterations", times.size());
    put_times(writer, share ? value : value * ns, share ? cpu_value : cpu_value * ns);
    writer.end_object();
  };
  put("mean", mean, cpu_mean, false);
  put("median", stats::median(times), stats::median(cpu), false);
  put("stddev", deviation, cpu_deviation, false);
  put("cv", mean > 0 ? deviation / mean : 0, cpu_mean > 0 ? cpu_deviation / cpu_mean : 0, true);
}

void put_without_time(model::json_writer& writer, const place& position, const model::measurement& m) {
  begin(writer, position, m, "");
  writer.field("repetition_index", std::size_t{0});
  const auto skipped = !m.skipped.empty();
  const auto& why = skipped ? m.skipped : m.refused.empty() ? std::string("no time was measured") : m.refused;
  writer.field("error_occurred", true).field("error_message", (skipped ? "skipped: " : "") + why);
  writer.field("iterations", std::uint64_t{0});
  put_times(writer, 0, 0);
  writer.end_object();
}

void put_variant(model::json_writer& writer, place position, const model::measurement& m) {
  const auto times = m.skipped.empty() && m.refused.empty() ? round_times(m) : std::vector<double>{};
  position.repetitions = std::max<std::size_t>(times.size(), 1);
  if (times.empty()) return put_without_time(writer, position, m);
  put_rounds(writer, position, m, times);
  if (times.size() > 1) put_aggregates(writer, position, m, times);
}

void put_context(model::json_writer& writer, const model::run& run) {
  const auto& e = run.environment;
  writer.key("context").begin_object().field("date", run.started).field("host_name", e.host);
  writer.field("executable", run.command.empty() ? "ridge" : run.command.front()).field("num_cpus", e.cores);
  writer.field("mhz_per_cpu", 0).field("cpu_scaling_enabled", false).key("caches").begin_array().end_array();
  writer.key("load_avg").begin_array().end_array();
  writer.field("library_version", e.build)
      .field("library_build_type", "release")
      .field("json_schema_version", 1);
  writer.field("cpu_time", source_of_cpu_time(run));
  writer.field("machine", e.machine).field("ridge_run", run.id).end_object();
}

}  // namespace

std::string google_benchmark(const model::run& run) {
  model::json_writer to(2);
  to.begin_object();
  put_context(to, run);
  to.key("benchmarks").begin_array();
  for (std::size_t f = 0; f < run.families.size(); ++f) {
    const auto& family = run.families[f];
    for (std::size_t i = 0; i < family.measurements.size(); ++i) {
      const auto& m = family.measurements[i];
      put_variant(to, {run_name(family, m), f, i, 1}, m);
    }
  }
  to.end_array().end_object();
  return std::move(to).take() + '\n';
}

}  // namespace ridge::report
