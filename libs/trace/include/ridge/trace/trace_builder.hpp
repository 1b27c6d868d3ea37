// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include <ridge/trace/name_table.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// One event as an importer passes it on.
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

  // Returns the id of a text, which is copied at its first occurrence.
  [[nodiscard]] name_id intern(std::string_view text);

  // Return the process or track of that key and make it at the first call.
  [[nodiscard]] std::uint32_t process(std::int64_t id);
  [[nodiscard]] track_id track_of(track_kind kind, std::uint32_t process, std::int64_t thread,
                                  std::int32_t device = -1);

  // Adds an event, with the detail of its category where it has one.
  void add(const event_row& event);
  void add(const event_row& event, const op_detail& detail);
  void add(const event_row& event, const sync_detail& detail);
  // Adds device work, whose times, name, kind, flags, correlation and external id are taken from the event.
  void add(const event_row& event, const device_work& work);

  // Adds a collective and returns its index for device_work::collective and op_detail::collective.
  [[nodiscard]] std::uint32_t add(const collective& c);
  // Adds an allocation or release.
  void add(const memory_event& m);
  // Adds an arrow between two events.
  void add(const flow& f);
  // Adds a counter series and returns its index for counter_value::series.
  [[nodiscard]] std::uint32_t series(name_id name, std::int32_t device, track_id track = none);
  // Adds a value of a counter series.
  void add(const counter_value& v);
  // Returns the frame below `caller` and makes it at the first call.
  [[nodiscard]] std::uint32_t frame(std::uint32_t caller, name_id function, name_id module);
  // Adds a sample of a processor's stack.
  void add(const stack_sample& s);
  // Adds a profiled kernel and returns its index for kernel_metric::kernel.
  [[nodiscard]] std::uint32_t add(const profiled_kernel& k);
  // Adds a metric of a profiled kernel.
  void add(const kernel_metric& m);

  // Returns about how many bytes the trace takes once it is finished.
  [[nodiscard]] std::uint64_t memory_bytes() const;

  // The trace being built, for what finish() takes over unchanged: source, quality, epoch, devices, groups,
  // and the names of processes and tracks.
  [[nodiscard]] trace& facts();

  // Orders everything, finds the launch and operator of all device work (by process and correlation, never by
  // correlation alone), marks foreign clocks and overlaps within streams, and counts them in the quality. The
  // builder cannot be used afterwards.
  [[nodiscard]] trace finish() &&;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::trace
