// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "sqlite_file.hpp"

namespace ridge::backends::trace_rocpd {

using trace_sqlite_tables::sqlite_file;
using trace_sqlite_tables::table_rows;

// Where and when something ran, as far as its row says.
struct placed_row {
  std::int64_t start = 0, end = 0;
  std::int64_t process = 0, thread = 0;
  std::optional<std::int64_t> agent{}, stream{}, queue{};
  std::int64_t event = 0;
};

// What the table of events says of a row: rows of one call have one stack.
struct event_info {
  std::int64_t stack = 0;
  std::int64_t category = 0;
  std::string message{};  // the text given to roctx
};

// The state of reading one database.
struct rocpd_reading {
  const sqlite_file& file;
  trace::trace_builder builder{};
  std::uint64_t rows_left = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> gpus{};  // by node and place in the node

  // Moves to the next row, as long as the allowed memory is not used up, and notes what ends a table early.
  [[nodiscard]] bool next(table_rows& rows, std::string_view table);
  void note(trace::flaw kind, std::string_view text) { builder.facts().quality.add(kind, 0, text); }
};

// The tables that one process wrote, whose names end with its GUID.
class rocpd_process {
 public:
  rocpd_process(rocpd_reading& database, std::string guid);

  rocpd_reading& reading;

  // Returns the rows of "rocpd_NAME" of this process: `own` columns behind those of their places.
  [[nodiscard]] table_rows placed_rows(std::string_view name, std::vector<std::string_view> own) const;
  [[nodiscard]] table_rows rows(std::string_view name, const std::vector<std::string_view>& columns) const;
  // Moves to the next row of a table.
  [[nodiscard]] bool next(table_rows& table, std::string_view name) const;
  // Returns the place of a row of placed_rows(); its own columns begin at first_own.
  [[nodiscard]] placed_row place(const table_rows& row) const;
  static constexpr int first_own = 11;

  [[nodiscard]] std::string_view text(std::int64_t id) const;
  [[nodiscard]] const event_info& event(std::int64_t id) const;
  [[nodiscard]] std::int64_t time(std::int64_t id) const;                   // of the table of times
  [[nodiscard]] std::int32_t gpu(std::optional<std::int64_t> agent) const;  // its number; -1: not a GPU
  [[nodiscard]] std::uint32_t process(std::int64_t id) const;
  [[nodiscard]] trace::track_id thread_of(const placed_row& row) const;
  // Returns an event with times and correlation of a row.
  [[nodiscard]] trace::event_row event_row(const placed_row& row, trace::category kind, std::string_view name,
                                           trace::track_id track) const;

 private:
  struct shared_place {  // newer databases keep places and times in tables of their own
    std::int64_t process = 0, thread = 0;
    std::optional<std::int64_t> agent{}, stream{}, queue{};
  };
  void read_texts();
  void read_events();
  void read_agents();
  void read_processes();
  void read_places();

  std::string guid_;
  std::unordered_map<std::int64_t, std::string> texts_{};
  std::unordered_map<std::int64_t, event_info> events_{};
  std::unordered_map<std::int64_t, std::int32_t> gpus_{};
  std::unordered_map<std::int64_t, std::int64_t> process_ids_{}, thread_ids_{};
  std::unordered_map<std::int64_t, shared_place> places_{};
  std::unordered_map<std::int64_t, std::int64_t> times_{};
};

// Each adds the rows of its own tables.
void read_kernels(const rocpd_process& process);
void read_copies(const rocpd_process& process);
void read_regions(const rocpd_process& process);
void read_marks(const rocpd_process& process);
void read_allocations(const rocpd_process& process);
void read_counters(const rocpd_process& process);
// Adds devices and names; it comes last, because it names only what the others made.
void read_facts(const rocpd_process& process);

}  // namespace ridge::backends::trace_rocpd
