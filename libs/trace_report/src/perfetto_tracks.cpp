// SPDX-License-Identifier: Apache-2.0
#include "perfetto_tracks.hpp"

#include <fmt/format.h>

namespace ridge::trace_report {
namespace {

// The lanes of one track are next to each other.
constexpr std::uint64_t lanes_per_track = 1024;
constexpr std::int64_t first_device_key = std::int64_t{1} << 40;
// Systems number processes below this.
constexpr std::uint64_t first_own_process = 10'000'000;

std::string track_name(const trace::track& t) {
  switch (t.kind) {
    case trace::track_kind::stream:
      return fmt::format("stream {}", t.thread);
    case trace::track_kind::python:
      return fmt::format("{} python", t.name.empty() ? fmt::format("thread {}", t.thread) : t.name);
    default:
      return t.name.empty() ? fmt::format("thread {}", t.thread) : t.name;
  }
}

}  // namespace

perfetto_tracks::perfetto_tracks(const trace::trace& t, std::string_view label, std::uint32_t index)
    : trace_(t), label_(label), index_(index), base_((std::uint64_t{index} + 1) * first_own_process) {
  for (trace::track_id track = 0; track < t.tracks.size(); ++track) place_track(track);
  for (const auto& series : t.counters) static_cast<void>(device_process(series.device));
}

std::uint64_t perfetto_tracks::process_number(std::int64_t key, const std::string& name, std::int64_t told) {
  const bool keeps = index_ == 0 && told > 0 && told < static_cast<std::int64_t>(first_own_process);
  const auto [at, fresh] =
      numbers_.try_emplace(key, keeps ? static_cast<std::uint64_t>(told) : base_ + numbers_.size());
  if (fresh) processes_.push_back({at->second, label_.empty() ? name : label_ + ": " + name});
  return at->second;
}

std::uint64_t perfetto_tracks::host_process(std::uint32_t process) {
  const auto& p = trace_.processes.at(process);
  return process_number(process, fmt::format("{} {}", p.name.empty() ? "process" : p.name, p.id), p.id);
}

std::uint64_t perfetto_tracks::device_process(std::int32_t device) {
  const auto* facts = trace_.facts_of(device);
  const auto name =
      device < 0 ? "counters" : fmt::format("GPU {}{}", device, facts == nullptr ? "" : " " + facts->name);
  return process_number(first_device_key + device, name);
}

void perfetto_tracks::place_track(trace::track_id track) {
  const auto& t = trace_.tracks[track];
  const bool on_device = t.kind == trace::track_kind::stream || t.kind == trace::track_kind::device;
  const perfetto_place at{.process = on_device ? device_process(t.device) : host_process(t.process),
                          .thread = (track + 1) * lanes_per_track};
  first_.push_back(at);
  overflow_lanes lanes;
  for (auto e = t.first; e < t.first + t.count; ++e) {
    const auto lane = lanes.place(trace_.events.start_ns[e], trace_.events.end_ns(e));
    if (lane > 0) moved_.emplace_hint(moved_.end(), e, lane);
  }
  const auto named = track_name(t);
  for (std::uint32_t lane = 0; lane < lanes.lanes(); ++lane)
    lanes_.push_back({{.process = at.process, .thread = at.thread + lane, .lane = lane},
                      lane == 0 ? named : fmt::format("{} (overlap {})", named, lane)});
}

perfetto_place perfetto_tracks::place_of(trace::event_id e) const {
  auto at = first_[trace_.events.track[e]];
  if (const auto moved = moved_.find(e); moved != moved_.end()) at.lane = moved->second;
  at.thread += at.lane;
  return at;
}

perfetto_place perfetto_tracks::first_lane(trace::track_id track) const { return first_[track]; }

std::uint64_t perfetto_tracks::process_of(const trace::counter_series& series) const {
  return numbers_.at(first_device_key + series.device);
}

}  // namespace ridge::trace_report
