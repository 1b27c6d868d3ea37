// SPDX-License-Identifier: Apache-2.0
// JSON of nvbench, version 1.0.0: one benchmark for each experiment and backend, with the axes of the problem
// and a string axis `variant`, so that its compare script works on two exports. Numbers of summaries are
// strings, as nvbench writes them. Times of the device clock stand under its `gpu` tags, times of the wall
// clock under `cpu`; values that only Ridge has stand under `ridge/`.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/model/comparison_row.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/report/render.hpp>
#include <ridge/report/words.hpp>
#include <ridge/stats/summary.hpp>

#include "timings.hpp"

namespace ridge::report {
namespace {

using model::json_writer;

struct group {
  std::string experiment{};
  model::backend backend{};
  std::vector<const model::family*> families{};
};

std::vector<group> groups_of(const model::run& run) {
  std::vector<group> all;
  for (const auto& f : run.families) {
    const auto same = [&](const group& g) { return g.experiment == f.experiment && g.backend == f.backend; };
    auto at = std::ranges::find_if(all, same);
    if (at == all.end()) at = all.insert(all.end(), {f.experiment, f.backend});
    at->families.push_back(&f);
  }
  return all;
}

std::string_view type_of(const model::axis_value& v) {
  return v.index() == 0 ? "int64" : v.index() == 1 ? "float64" : "string";
}

std::string plain(const model::axis_value& v) {
  const auto* whole = std::get_if<std::int64_t>(&v);
  return whole ? std::to_string(*whole) : model::text(v);
}

void put_value(json_writer& writer, const model::axis_value& v) {
  std::visit([&](const auto& x) { writer.field("value", x); }, v);
}

void put_axis(json_writer& writer, const std::string& name, const std::vector<model::axis_value>& values) {
  writer.begin_object().field("name", name).field("type", type_of(values.front())).field("flags", "");
  writer.key("values").begin_array();
  for (const auto& v : values) {
    writer.begin_object().field("input_string", plain(v)).field("description", "");
    put_value(writer, v);
    writer.end_object();
  }
  writer.end_array().end_object();
}

// Returns each axis with the values seen, in order of appearance, and the variants as a further axis.
std::vector<std::pair<std::string, std::vector<model::axis_value>>> axes_of(const group& g) {
  std::vector<std::pair<std::string, std::vector<model::axis_value>>> axes;
  const auto add = [&](const std::string& name, const model::axis_value& value) {
    auto at = std::ranges::find(axes, name, [](const auto& a) { return a.first; });
    if (at == axes.end()) at = axes.insert(axes.end(), {name, {}});
    if (std::ranges::find(at->second, value) == at->second.end()) at->second.push_back(value);
  };
  for (const auto* f : g.families) {
    for (const auto& [name, value] : f->problem) add(name, value);
  }
  for (const auto* f : g.families) {
    for (const auto& m : f->measurements) add("variant", m.variant);
  }
  return axes;
}

class summaries {
 public:
  explicit summaries(json_writer& writer) : writer_(writer) {}
  void add(std::string_view tag, std::string_view name, std::string_view hint, double value) {
    if (std::isfinite(value)) entry(tag, name, hint, "float64", fmt::format("{}", value));
  }
  void add(std::string_view tag, std::string_view name, std::string_view hint, std::uint64_t value) {
    entry(tag, name, hint, "int64", fmt::format("{}", value));
  }
  void add(std::string_view tag, std::string_view name, std::string_view hint, std::string_view value) {
    entry(tag, name, hint, "string", value);
  }

 private:
  void entry(std::string_view tag, std::string_view name, std::string_view hint, std::string_view type,
             std::string_view value) {
    writer_.begin_object().field("tag", tag).field("name", name).field("hint", hint).field("description", "");
    writer_.key("data")
        .begin_array()
        .begin_object()
        .field("name", "value")
        .field("type", type)
        .field("value", value);
    writer_.end_object().end_array().end_object();
  }
  json_writer& writer_;
};

void put_times(summaries& summary, const model::measurement& m, const std::vector<double>& times) {
  const auto* time = find(m, "time");
  const bool device = time && time->metric.clock == model::clock_kind::device;
  // Its compare script reads what ran without a GPU under tags of its own.
  const std::string kind = m.backend == model::backend::cpu ? "nv/cpu_only" : "nv/cold";
  const auto tag = [&](std::string_view suffix) {
    return fmt::format("{}/time/{}/{}", kind, device ? "gpu" : "cpu", suffix);
  };
  const std::string title = device ? "GPU Time" : "CPU Time";
  const auto five = stats::summarize(times);
  const auto mean = stats::mean(times), deviation = stats::standard_deviation(times);
  summary.add(kind + "/sample_size", "Samples", "sample_size", static_cast<std::uint64_t>(times.size()));
  summary.add(tag("min"), "Min " + title, "duration", five.min);
  summary.add(tag("max"), "Max " + title, "duration", five.max);
  summary.add(tag("mean"), title, "duration", mean);
  summary.add(tag("stdev/absolute"), "Stdev " + title, "duration", deviation);
  summary.add(tag("stdev/relative"), "Noise", "percentage", mean > 0 ? deviation / mean : 0);
  summary.add(tag("q1"), "Q1 " + title, "duration", five.lower_quartile);
  summary.add(tag("median"), "Median " + title, "duration", five.median);
  summary.add(tag("q3"), "Q3 " + title, "duration", five.upper_quartile);
  if (m.items > 0) summary.add(kind + "/bw/item_rate", "Elem/s", "item_rate", m.items / mean);
  if (m.bytes_moved > 0)
    summary.add(kind + "/bw/global/bytes_per_second", "GlobalMem BW", "byte_rate", m.bytes_moved / mean);
}

void put_own(summaries& summary, const model::family& f, const model::measurement& m) {
  const auto* c = find_comparison(f, baseline_of(f), m.variant, primary_metric(f).name);
  for (const auto& e : m.metrics) {
    if (e.metric.name != "time")
      summary.add("ridge/metric/" + e.metric.name, metric_title(e.metric), "", e.median);
  }
  if (m.of_ceiling) summary.add("ridge/of_ceiling", "Of ceiling", "percentage", *m.of_ceiling);
  if (!c) return;
  summary.add("ridge/ratio", "Ratio", "", c->ratio);
  summary.add("ridge/ratio_lo", "Ratio lo", "", c->ci.lo);
  summary.add("ridge/ratio_hi", "Ratio hi", "", c->ci.hi);
  summary.add("ridge/verdict", "Verdict", "", c->judged ? name(c->verdict) : "");
  summary.add("ridge/assurance", "Assurance", "", static_cast<std::uint64_t>(c->assurance));
}

void put_knobs(json_writer& writer) {
  writer.field("min_samples", 0)
      .field("cold_warmup_runs", 0)
      .field("cold_max_warmup_walltime", 0)
      .field("batch_target_time", 0);
  writer.field("skip_time", -1).field("timeout", -1);
}

std::string state_name(const model::family& f, const model::measurement& m) {
  std::string out = "Device=0";
  for (const auto& [axis, value] : f.problem) out += fmt::format(" {}={}", axis, plain(value));
  return out + " variant=" + m.variant;
}

void put_state(json_writer& writer, const model::family& f, const model::measurement& m) {
  writer.begin_object().field("name", state_name(f, m));
  put_knobs(writer);
  writer.field("device", 0).field("type_config_index", 0).key("axis_values").begin_array();
  auto point = f.problem;
  point.emplace_back("variant", m.variant);
  for (const auto& [axis, value] : point) {
    writer.begin_object()
        .field("name", axis)
        .field("type", type_of(value))
        .field("value", plain(value))
        .end_object();
  }
  writer.end_array().key("summaries").begin_array();
  const auto& why = m.skipped.empty() ? m.refused : m.skipped;
  const auto times = why.empty() ? round_times(m) : std::vector<double>{};
  summaries rows(writer);
  if (!times.empty()) put_times(rows, m, times);
  put_own(rows, f, m);
  writer.end_array().field("is_skipped", !why.empty());
  if (!why.empty()) writer.field("skip_reason", why);
  writer.end_object();
}

void put_benchmark(json_writer& writer, const group& g, std::size_t index) {
  writer.begin_object()
      .field("name", fmt::format("{}/{}", g.experiment, name(g.backend)))
      .field("index", index);
  put_knobs(writer);
  writer.key("devices").begin_array(true).value(0).end_array();
  writer.key("axes").begin_array();
  for (const auto& [name, values] : axes_of(g)) put_axis(writer, name, values);
  writer.end_array().key("states").begin_array();
  for (const auto* f : g.families) {
    for (const auto& m : f->measurements) put_state(writer, *f, m);
  }
  writer.end_array().end_object();
}

void put_meta(json_writer& writer, const model::run& run) {
  writer.key("meta").begin_object().key("argv").begin_array();
  for (const auto& word : run.command) writer.value(word);
  writer.end_array().key("version").begin_object().key("json").begin_object();
  writer.field("major", 1).field("minor", 0).field("patch", 0).field("string", "1.0.0").end_object();
  writer.key("ridge").begin_object().field("string", run.environment.build).field("run", run.id).end_object();
  writer.end_object().end_object();
}

}  // namespace

std::string nvbench(const model::run& run) {
  json_writer to(2);
  to.begin_object();
  put_meta(to, run);
  to.key("devices")
      .begin_array()
      .begin_object()
      .field("id", 0)
      .field("name", run.environment.cpu)
      .end_object()
      .end_array();
  to.key("benchmarks").begin_array();
  std::size_t index = 0;
  for (const auto& g : groups_of(run)) put_benchmark(to, g, index++);
  to.end_array().end_object();
  return std::move(to).take() + '\n';
}

}  // namespace ridge::report
