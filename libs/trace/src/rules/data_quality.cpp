// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/data_quality.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

bool launches_graph(std::string_view api) { return api.find("GraphLaunch") != std::string_view::npos; }

// Which names are of calls that launch graphs.
std::vector<bool> graph_launching_names(const trace& t) {
  std::vector<bool> launching(t.names.size());
  for (name_id n = 0; n < t.names.size(); ++n) launching[n] = launches_graph(t.names[n]);
  return launching;
}

void count_event(const trace& t, event_id e, const std::vector<bool>& launching, trace_contents& has) {
  switch (t.events.kind[e]) {
    case category::api:
      ++has.api_calls;
      if (launching[t.events.name[e]]) ++has.graph_launches;
      break;
    case category::op:
      ++has.ops;
      break;
    case category::annotation:
      ++has.annotations;
      break;
    case category::python:
      ++has.python_frames;
      break;
    case category::synchronization:
      ++has.synchronizations;
      break;
    case category::overhead:
      ++has.overheads;
      break;
    case category::os_call:
      ++has.os_calls;
      break;
    default:
      break;
  }
}

void count_work(const device_work& w, trace_contents& has) {
  ++has.works;
  if (w.launch != none) ++has.launched_works;
  if (w.kind == category::kernel) {
    ++has.kernels;
    if (w.grid[0] > 0) ++has.shaped_kernels;
  } else if (w.kind == category::copy) {
    ++has.copies;
    if (w.bytes > 0) ++has.sized_copies;
  }
}

bool has_shapes(const trace& t, const op_detail& op) {
  const auto dims = t.names[op.input_dims];
  return std::ranges::any_of(dims, [](char c) { return c >= '0' && c <= '9'; });
}

// Numbers of operators and annotations, which a recorder counts up from one to the next. What runs before or
// between the recorded parts leaves few holes; holes behind most numbers are events that somebody took out.
std::uint64_t removed_ops_of(const trace& t) {
  std::vector<std::uint32_t> numbers;
  for (event_id e = 0; e < t.events.size(); ++e) {
    const bool numbered = t.events.kind[e] == category::op || t.events.kind[e] == category::annotation;
    if (numbered && t.events.external[e] != 0) numbers.push_back(t.events.external[e]);
  }
  std::ranges::sort(numbers);
  numbers.erase(std::ranges::unique(numbers).begin(), numbers.end());
  std::uint64_t holes = 0, removed = 0;
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const auto between = numbers[i] - numbers[i - 1] - 1;
    holes += between > 0 ? 1U : 0U;
    removed += between;
  }
  return 2 * holes > numbers.size() ? removed : 0;
}

trace_contents contents_of(const trace& t) {
  trace_contents has;
  const auto launching = graph_launching_names(t);
  for (event_id e = 0; e < t.events.size(); ++e) count_event(t, e, launching, has);
  for (const auto& w : t.works) count_work(w, has);
  has.shaped_ops = static_cast<std::uint64_t>(
      std::ranges::count_if(t.ops, [&](const op_detail& op) { return has_shapes(t, op); }));
  has.removed_ops = removed_ops_of(t);
  has.collectives = t.collectives.size();
  has.profiled_kernels = t.profiled_kernels.size();
  has.samples = t.samples.size();
  has.memory_events = t.memory.size();
  return has;
}

// CUPTI's overhead records include CUDA's own work, which the program does with or without a profiler.
bool of_cuda(std::string_view overhead) {
  constexpr std::string_view parts[] = {"compil", "jit", "load", "command buffer"};
  return std::ranges::any_of(parts,
                             [&](std::string_view part) { return contains_ignoring_case(overhead, part); });
}

nanoseconds overhead_of(const trace& t) {
  std::vector<time_range> ranges;
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.kind[e] == category::overhead && !of_cuda(t.name_of(e)))
      ranges.push_back({t.events.start_ns[e], t.events.end_ns(e)});
  }
  return interval_set(std::move(ranges)).length_ns();
}

time_range window_of_events(const trace& t) {
  if (t.events.size() == 0) return {};
  time_range w{t.events.start_ns[0], t.events.end_ns(0)};
  for (event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.flags[e] & flag_foreign_clock) continue;
    w.start_ns = std::min(w.start_ns, t.events.start_ns[e]);
    w.end_ns = std::max(w.end_ns, t.events.end_ns(e));
  }
  return w;
}

// The factor of trust for an input with such a flaw. The factors are a judgement, not a measurement;
// trace/rules.md documents them.
struct flaw_factor {
  flaw kind;
  double factor;
  const char* description;
};
constexpr flaw_factor flaw_factors[] = {
    {flaw::truncated, 0.8, "the file ends early"},
    {flaw::over_limit, 0.8, "a limit was reached, the rest was not read"},
    {flaw::dropped_records, 0.7, "the profiler lost records"},
    {flaw::opaque_graphs, 0.6, "graph launches hide their kernels"},
    {flaw::overflowing_duration, 0.8, "some durations cannot be true"},
    {flaw::foreign_clock, 0.9, "some records are of another clock"},
};

void add_doubts(const trace& t, data_quality& q) {
  for (const auto& f : flaw_factors) {
    if (const auto n = t.quality.count(f.kind))
      q.doubts.push_back({fmt::format("{} ({})", f.description, n), f.factor});
  }
  if (const auto n = t.quality.count(flaw::unreadable_event); n > t.events.size() / 1000)
    q.doubts.push_back({fmt::format("{} events cannot be read", n), 0.8});
  if (q.overhead_share() > 0.15)
    q.doubts.push_back({"the profiler's own work covers much of the window", 0.7});
  if (q.has.removed_ops > 0) q.doubts.push_back({"most operators were taken out of the recording", 0.6});
  if (q.has.works > 0 && q.has.works < 50) q.doubts.push_back({"fewer than 50 works of devices", 0.9});
  for (const auto& d : q.doubts) q.factor *= d.factor;
}

}  // namespace

double data_quality::overhead_share() const {
  const auto length = window.length_ns();
  return length > 0 ? static_cast<double>(overhead_ns) / static_cast<double>(length) : 0;
}

bool data_quality::tells_launches() const {
  return has.launched_works > 0 && has.launched_works * 2 >= has.works;
}

data_quality data_quality_of(const trace& t) {
  data_quality q;
  q.has = contents_of(t);
  q.window = window_of_events(t);
  q.overhead_ns = overhead_of(t);
  add_doubts(t, q);
  return q;
}

}  // namespace ridge::trace
