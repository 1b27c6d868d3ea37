// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/trace_builder.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include <ridge/base/expects.hpp>

#include "events/pending_events.hpp"
#include "events/trace_columns.hpp"
#include "events/trace_links.hpp"
#include "events/trace_storage.hpp"

namespace ridge::trace {

struct trace_builder::state {
  trace made{};
  std::shared_ptr<trace_storage> storage = std::make_shared<trace_storage>();
  pending_events events{};
  std::unordered_map<std::int64_t, std::uint32_t> processes{};
  std::map<std::tuple<track_kind, std::uint32_t, std::int64_t, std::int32_t>, track_id> tracks{};
  std::map<std::tuple<name_id, std::int32_t, track_id>, std::uint32_t> series{};
  std::map<std::tuple<std::uint32_t, name_id, name_id>, std::uint32_t> frames{};
};

namespace {

template <class T>
std::uint32_t appended(std::vector<T>& rows, const T& row) {
  rows.push_back(row);
  return static_cast<std::uint32_t>(rows.size() - 1);
}

}  // namespace

trace_builder::trace_builder() : state_(std::make_unique<state>()) {}
trace_builder::~trace_builder() = default;

name_id trace_builder::intern(std::string_view text) { return state_->storage->names.intern(text); }

std::uint32_t trace_builder::process(std::int64_t id) {
  const auto [at, fresh] =
      state_->processes.try_emplace(id, static_cast<std::uint32_t>(state_->made.processes.size()));
  if (fresh) state_->made.processes.push_back({.id = id});
  return at->second;
}

track_id trace_builder::track_of(track_kind kind, std::uint32_t process, std::int64_t thread,
                                 std::int32_t device) {
  auto& tracks = state_->made.tracks;
  const auto [at, fresh] =
      state_->tracks.try_emplace({kind, process, thread, device}, static_cast<track_id>(tracks.size()));
  if (fresh) tracks.push_back({.kind = kind, .process = process, .thread = thread, .device = device});
  return at->second;
}

void trace_builder::add(const event_row& event) { state_->events.push(event, none); }

void trace_builder::add(const event_row& event, const op_detail& detail) {
  state_->events.push(event, appended(state_->storage->ops, detail));
}

void trace_builder::add(const event_row& event, const sync_detail& detail) {
  state_->events.push(event, appended(state_->storage->syncs, detail));
}

void trace_builder::add(const event_row& event, const device_work& work) {
  expects(is_device_work(event.kind), "trace_builder: the event is not device work");
  auto row = work;
  row.start_ns = event.start_ns;
  row.end_ns = event.start_ns + event.duration_ns;
  row.name = event.name;
  row.kind = event.kind;
  row.flags = event.flags;
  row.correlation = event.correlation;
  row.external = event.external;
  state_->events.push(event, appended(state_->storage->works, row));
}

std::uint32_t trace_builder::add(const collective& c) { return appended(state_->storage->collectives, c); }

void trace_builder::add(const memory_event& m) { state_->storage->memory.push_back(m); }

void trace_builder::add(const flow& f) { state_->storage->flows.push_back(f); }

std::uint32_t trace_builder::series(name_id name, std::int32_t device, track_id track) {
  auto& all = state_->made.counters;
  const auto [at, fresh] =
      state_->series.try_emplace({name, device, track}, static_cast<std::uint32_t>(all.size()));
  if (fresh) all.push_back({.name = name, .device = device, .track = track});
  return at->second;
}

void trace_builder::add(const counter_value& v) { state_->storage->counter_values.push_back(v); }

std::uint32_t trace_builder::frame(std::uint32_t caller, name_id function, name_id module) {
  auto& all = state_->storage->stacks;
  const auto [at, fresh] =
      state_->frames.try_emplace({caller, function, module}, static_cast<std::uint32_t>(all.size()));
  if (fresh) all.push_back({.caller = caller, .function = function, .module = module});
  return at->second;
}

void trace_builder::add(const stack_sample& s) { state_->storage->samples.push_back(s); }

std::uint32_t trace_builder::add(const profiled_kernel& k) {
  return appended(state_->made.profiled_kernels, k);
}

void trace_builder::add(const kernel_metric& m) { state_->storage->kernel_metrics.push_back(m); }

std::uint64_t trace_builder::memory_bytes() const {
  constexpr std::uint64_t event_bytes = 46;
  const auto& in = *state_->storage;
  const auto of = [](const auto& rows) { return std::uint64_t{rows.size()} * sizeof(rows[0]); };
  return state_->events.size() * event_bytes + in.names.memory_bytes() + of(in.works) + of(in.ops) +
         of(in.syncs) + of(in.collectives) + of(in.memory) + of(in.flows) + of(in.counter_values) +
         of(in.samples) + of(in.stacks) + of(in.kernel_metrics);
}

trace& trace_builder::facts() { return state_->made; }

trace trace_builder::finish() && {
  auto& in = *state_->storage;
  auto& made = state_->made;
  order_events(state_->events, made.tracks, in);
  order_works(in);
  drop_foreign_clocks(in, made.quality);
  link_works(made.tracks, in);
  flag_anomalies(in, made.quality);
  std::ranges::stable_sort(in.memory, {}, &memory_event::time_ns);
  std::ranges::stable_sort(in.samples, {}, &stack_sample::time_ns);
  std::ranges::stable_sort(in.counter_values, {},
                           [](const counter_value& v) { return std::tuple(v.series, v.time_ns); });
  std::ranges::stable_sort(in.kernel_metrics, {}, &kernel_metric::kernel);
  in.show_in(made);
  made.storage = std::move(state_->storage);
  return std::move(made);
}

void trace_storage::show_in(trace& t) const {
  t.events = {.start_ns = start_ns,
              .duration_ns = duration_ns,
              .offset = offset,
              .name = name,
              .track = track,
              .correlation = correlation,
              .external = external,
              .detail = detail,
              .kind = kind,
              .flags = flags};
  t.names = names.table();
  t.works = works;
  t.ops = ops;
  t.syncs = syncs;
  t.collectives = collectives;
  t.memory = memory;
  t.flows = flows;
  t.counter_values = counter_values;
  t.samples = samples;
  t.stacks = stacks;
  t.kernel_metrics = kernel_metrics;
}

}  // namespace ridge::trace
