// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <ridge/trace/trace_builder.hpp>

namespace ridge::backends::trace_pftrace {

// A track as its descriptors tell it.
struct track_info {
  std::uint64_t parent = 0;
  std::string name{};
  std::optional<std::int64_t> process{}, thread{};
  bool is_counter = false, counts_on = false;  // counts_on: each value is added to the last one
  std::int64_t unit = 1;                       // that values are multiplied with
  std::optional<trace::track_id> made{};
};

// The tracks of a trace by their UUIDs.
class tracks {
 public:
  explicit tracks(trace::trace_builder& builder) : builder_(builder) {}

  // Adds a TrackDescriptor message.
  void add(std::string_view message);
  // Adds a ProcessDescriptor or ThreadDescriptor message that stands alone in a packet, and returns the UUID
  // of its track: older writers send all events of a sequence to the thread that it describes.
  void add_process(std::string_view message);
  [[nodiscard]] std::uint64_t add_thread(std::string_view message);

  [[nodiscard]] track_info& info(std::uint64_t uuid) { return infos_[uuid]; }
  // Returns the process that a track belongs to: its own, or the first one above it; 0 where there is none.
  [[nodiscard]] std::int64_t process_of(std::uint64_t uuid) const;
  // Returns the trace's track for host events; a track that is no thread's gets one of its own.
  [[nodiscard]] trace::track_id host_track(std::uint64_t uuid);
  // Gives processes their names; at the end.
  void name_processes();

 private:
  void describe_thread(track_info& info, std::string_view message);
  void describe_process(track_info& info, std::string_view message);

  trace::trace_builder& builder_;
  std::unordered_map<std::uint64_t, track_info> infos_{};
  std::unordered_map<std::int64_t, std::string> process_names_{};
};

}  // namespace ridge::backends::trace_pftrace
