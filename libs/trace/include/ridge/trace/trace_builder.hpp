// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <ridge/trace/name_table.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// One event as an importer hands it over.
struct event_row {
  nanoseconds start_ns = 0;
  nanoseconds duration_ns = 0;
  std::uint64_t offset = 0;
  name_id name = 0;
  track_id track = 0;
  std::uint32_t correlation = 0;
  std::uint32_t external = 0;
  category kind = category::other;
  std::uint8_t flags = 0;
};

// Collects what an importer reads, in any order, and makes a trace of it. Not safe from several threads.
class trace_builder {
 public:
  trace_builder();
  ~trace_builder();
  trace_builder(const trace_builder&) = delete;
  trace_builder& operator=(const trace_builder&) = delete;

  [[nodiscard]] name_id intern(std::string_view text);

  // The process or track of that key, made at the first call.
  [[nodiscard]] std::uint32_t process(std::int64_t id);
  [[nodiscard]] track_id track_of(track_kind kind, std::uint32_t process, std::int64_t thread,
                                  std::int32_t device = -1);

  void add(const event_row& event);
  void add(const event_row& event, const op_detail& detail);
  void add(const event_row& event, const sync_detail& detail);
  // Device work: its times, name, kind, flags, correlation and external id are taken from the event.
  void add(const event_row& event, const device_work& work);

  [[nodiscard]] std::uint32_t add(const collective& c);  // its index
  void add(const memory_event& m);
  void add(const flow& f);
  [[nodiscard]] std::uint32_t series(name_id name, std::int32_t device, track_id track = none);
  void add(const counter_value& v);
  [[nodiscard]] std::uint32_t frame(std::uint32_t caller, name_id function, name_id module);  // found or made
  void add(const stack_sample& s);
  [[nodiscard]] std::uint32_t add(const profiled_kernel& k);
  void add(const kernel_metric& m);

  // About what the trace takes once finished.
  [[nodiscard]] std::uint64_t memory_bytes() const;

  // What stands in the trace as it is: source, quality, epoch, devices, groups; processes' and tracks' names.
  [[nodiscard]] trace& facts();

  // Orders everything, finds the launch and operator of all device work (by process and correlation, never by
  // correlation alone), marks foreign clocks and overlaps within streams, and counts them in the quality.
  // A builder is spent by it.
  [[nodiscard]] trace finish() &&;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::trace
