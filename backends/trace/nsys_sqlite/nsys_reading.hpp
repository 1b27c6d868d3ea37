// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "nsys_file.hpp"
#include "nsys_names.hpp"

namespace ridge::backends::trace_nsys_sqlite {

// The state of reading one export.
class nsys_reading {
 public:
  nsys_reading(const nsys_file& database, const trace::read_limits& limits);

  const nsys_file& file;
  const nsys_names names;
  trace::trace_builder builder{};

  // globalTid and globalPid hold the process in bits 24..47, the thread in bits 0..23.
  [[nodiscard]] std::uint32_t process_of(std::int64_t global_id);
  [[nodiscard]] trace::track_id thread_of(std::int64_t global_id,
                                          trace::track_kind kind = trace::track_kind::thread);

  // Returns the process of device work: its globalPid, or the only process that called the API; `none` where
  // neither is known.
  [[nodiscard]] std::uint32_t launching_process(std::optional<std::int64_t> global_pid);
  [[nodiscard]] trace::track_id stream_of(std::uint32_t process, std::int32_t device, std::int64_t stream);

  // A context belongs to one device. Device work tells which; waits often tell device 0, whichever it is.
  void context_is_on(std::uint32_t process, std::uint32_t context, std::int32_t device);
  // Returns the context's device as device work told it, else the one that is `told`.
  [[nodiscard]] std::int32_t device_of(std::uint32_t process, std::uint32_t context, std::int32_t told) const;

  // Moves to the next row, as long as the allowed memory is not used up, and notes what ends a table early.
  [[nodiscard]] bool next(table_rows& rows, std::string_view table);
  void note(trace::flaw kind, std::string_view text) { builder.facts().quality.add(kind, 0, text); }

 private:
  std::uint64_t rows_left_;
  std::optional<std::int64_t> only_pid_{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::int32_t> devices_{};  // by process and context
};

[[nodiscard]] inline std::uint32_t narrow(std::int64_t value) { return static_cast<std::uint32_t>(value); }

// Each function reads its own tables. Device work comes before synchronization, which takes devices of
// contexts from it; else their order does not matter.
void read_device_work(nsys_reading& reading);
void read_host_calls(nsys_reading& reading);
void read_ranges(nsys_reading& reading);
void read_synchronization(nsys_reading& reading);
void read_counters(nsys_reading& reading);
void read_samples(nsys_reading& reading);
// Reads devices, names, clock, producer and diagnostics. It comes last, because it names only what the others
// made.
void read_facts(nsys_reading& reading);

}  // namespace ridge::backends::trace_nsys_sqlite
