// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include <ridge/trace/hta_series.hpp>

#include "hta_columns.hpp"
#include "refused.hpp"
#include "tables.hpp"

namespace ridge::trace_c {
namespace {

constexpr std::array idle_causes{"host_wait", "kernel_wait", "other"};

table idle_time(const trace_set& traces, const arguments& given) {
  auto options = traces.options();
  options.short_gap_ns = given.integer("short_gap_us", 30) * 1000;
  const auto streams = given.integer_list("streams");
  table out;
  auto &rank = out.add_integers("rank"), &stream = out.add_integers("stream");
  auto& cause = out.add_texts("cause");
  auto &idle = out.add_doubles("idle_us"), &share = out.add_doubles("share");
  distribution_columns gaps(out);
  for (const auto r : ranks_of(traces, given)) {
    auto rows = trace::hta_figures_of(traces.ranks().at(r), options).idle;
    std::ranges::stable_sort(rows, {}, &trace::hta_idle_time::first_offset);
    for (const auto& i : rows) {
      if (!streams.empty() && !std::ranges::count(streams, i.stream)) continue;
      rank.push_back(r);
      stream.push_back(i.stream);
      cause.add(idle_causes.at(static_cast<std::size_t>(i.cause)));
      idle.push_back(microseconds(i.sum_ns));
      share.push_back(i.share.value_or(std::nan("")));
      gaps.add(i.gaps_us);
    }
  }
  return out;
}

table launches(const trace_set& traces, const arguments& given) {
  const bool memory = given.flag("memory_calls", true), mtia = given.flag("only_mtia", false);
  table out;
  auto &rank = out.add_integers("rank"), &correlation = out.add_integers("correlation");
  auto &cpu = out.add_doubles("cpu_us"), &gpu = out.add_doubles("gpu_us"),
       &delay = out.add_doubles("delay_us");
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& l : trace::hta_figures_of(traces.ranks().at(r), traces.options()).launches) {
      if ((l.of_memory && !memory) || (mtia && !l.of_mtia)) continue;
      rank.push_back(r);
      correlation.push_back(l.correlation);
      cpu.push_back(microseconds(l.cpu_ns));
      gpu.push_back(microseconds(l.gpu_ns));
      delay.push_back(microseconds(l.delay_ns));
    }
  }
  return out;
}

table queue_length(const trace_set& traces, const arguments& given) {
  table out;
  auto &rank = out.add_integers("rank"), &stream = out.add_integers("stream");
  distribution_columns length(out);
  auto& open = out.add_doubles("open_order");
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& q : trace::hta_figures_of(traces.ranks().at(r), traces.options()).queues) {
      rank.push_back(r);
      stream.push_back(q.stream);
      length.add(q.length);
      open.push_back(q.open_order);
    }
  }
  return out;
}

table queue_length_series(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto& time = out.add_doubles("time_us");
  auto &process = out.add_integers("process"), &thread = out.add_integers("thread"),
       &stream = out.add_integers("stream"), &length = out.add_integers("length");
  const auto zero = traces.zero_ns();
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& p : trace::hta_queue_series(traces.ranks().at(r), traces.options())) {
      rank.push_back(r);
      time.push_back(microseconds(p.at_ns - zero));
      process.push_back(p.process);
      thread.push_back(p.thread);
      stream.push_back(p.stream);
      length.push_back(p.length);
    }
  }
  return out;
}

table full_queue(const trace_set& traces, const arguments& given) {
  const auto limit = given.integer("limit", 1024);
  table out;
  auto &rank = out.add_integers("rank"), &stream = out.add_integers("stream");
  auto &full = out.add_doubles("full_us"), &share = out.add_doubles("share");
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& q : trace::hta_full_queues(traces.ranks().at(r), limit, traces.options())) {
      rank.push_back(r);
      stream.push_back(q.stream);
      full.push_back(microseconds(q.full_ns));
      share.push_back(q.share);
    }
  }
  return out;
}

table copy_bandwidth(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto& name = out.add_texts("name");
  distribution_columns rate(out);
  auto& ties = out.add_integers("ties");
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& c : trace::hta_figures_of(traces.ranks().at(r), traces.options()).copies) {
      rank.push_back(r);
      name.add(c.name);
      rate.add(c.gb_per_s);
      ties.push_back(static_cast<std::int64_t>(c.ties));
    }
  }
  return out;
}

table copy_bandwidth_series(const trace_set& traces, const arguments& given) {
  table out;
  auto& rank = out.add_integers("rank");
  auto& time = out.add_doubles("time_us");
  auto& process = out.add_integers("process");
  auto& name = out.add_texts("name");
  auto& rate = out.add_doubles("gb_per_s");
  const auto zero = traces.zero_ns();
  for (const auto r : ranks_of(traces, given)) {
    for (const auto& p : trace::hta_copy_series(traces.ranks().at(r), traces.options())) {
      rank.push_back(r);
      time.push_back(microseconds(p.at_ns - zero));
      process.push_back(p.process);
      name.add(p.name);
      rate.push_back(p.gb_per_s);
    }
  }
  return out;
}

}  // namespace

void add_stream_tables(answers& all) {
  all["idle_time"] = idle_time;
  all["launches"] = launches;
  all["queue_length"] = queue_length;
  all["queue_length_series"] = queue_length_series;
  all["full_queue"] = full_queue;
  all["copy_bandwidth"] = copy_bandwidth;
  all["copy_bandwidth_series"] = copy_bandwidth_series;
}

}  // namespace ridge::trace_c
