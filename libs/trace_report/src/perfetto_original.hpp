// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace_report/perfetto.hpp>

#include "perfetto_text.hpp"
#include "raw_event.hpp"

namespace ridge::trace_report {

// Opens the document that a trace was read from once more; null where it is no Chrome JSON or is gone.
[[nodiscard]] std::unique_ptr<trace::byte_source> original_of(const trace::trace& t);

// The process numbers of a page: as in the files, unless another trace has the number already.
class perfetto_processes {
 public:
  // Returns the JSON text of the number that process `told` (JSON text, too) of trace `index` gets.
  [[nodiscard]] std::string_view of(std::uint32_t index, std::string_view told);
  // The processes of one trace, by what they were called in its file.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& in(std::uint32_t index) const;

 private:
  std::map<std::uint32_t, std::map<std::string, std::string, std::less<>>> given_{};
  std::map<std::string, std::uint32_t, std::less<>> owner_{};
  std::uint64_t next_ = 2'000'000'000;
};

// Writes the events of one trace as the bytes of its file, changed only where a page needs it: the thread of
// events that overlap without nesting, the times of a trace on another clock, and numbers of processes and
// arrows that another trace uses already.
class perfetto_original {
 public:
  perfetto_original(const placed_trace& placed, std::uint32_t index, perfetto_processes& processes,
                    perfetto_text& text, perfetto_counts& counts);
  // Writes all events; members of the root that are no events are added to `members`.
  void write(trace::byte_source& source, std::string& members);

 private:
  struct moved_event {
    std::uint64_t offset = 0;
    std::uint64_t thread = 0;
  };
  struct lane {
    std::int64_t process = 0;
    std::uint64_t thread = 0;
    std::string name{};
    std::string told{};  // the process as the file's moved events name it: 7, "7", "Spans"
  };
  struct change {
    json_piece piece{};
    std::string text{};
  };
  void find_moved();
  void find_moved(std::int64_t process, const std::vector<trace::event_id>& ordered, const std::string& name);
  void event(const raw_event& e, std::uint64_t offset);
  void change_time(const raw_event& e);
  void change_ids(const raw_event& e);
  void count(const raw_event& e);
  void describe_lanes();
  void label_processes();

  const placed_trace& placed_;
  std::uint32_t index_;
  perfetto_processes& processes_;
  perfetto_text& text_;
  perfetto_counts& counts_;
  bool mends_;  // whether some of the file's bytes are no JSON
  std::vector<moved_event> moved_{};
  std::size_t next_moved_ = 0;
  std::vector<lane> lanes_{};
  std::vector<change> changes_{};
};

}  // namespace ridge::trace_report
