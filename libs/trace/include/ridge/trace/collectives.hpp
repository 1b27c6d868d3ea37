// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/communication_names.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// One device of one trace that takes part in communication.
struct participant {
  std::uint32_t trace = 0;  // index in the span of traces
  std::int32_t device = 0;
  int rank = -1;             // as the trace records it; -1: not recorded
  std::uint32_t cohort = 0;  // number of earlier traces of the same rank: later profiles of the same job
  // "rank 3", or "trace 2" where no rank is recorded; with "device 1" where the trace has several devices
  std::string label{};
};

// What one participant ran for a collective.
struct collective_part {
  std::uint32_t participant = 0;
  work_id work = 0;          // index in its trace's works
  nanoseconds start_ns = 0;  // by the trace's own clock
  nanoseconds end_ns = 0;
  // Length of the part in nanoseconds.
  [[nodiscard]] nanoseconds duration_ns() const { return end_ns - start_ns; }
};

// How the parts of an instance were put together.
enum class matched_by : std::uint8_t {
  sequence,  // process group and sequence number
  order,     // position among the operations of its kind in its process group or stream
  nothing,   // seen by one rank alone
};

// One collective as all the ranks that were recorded ran it.
struct collective_instance {
  std::string operation{};  // as recorded ("_allgather_base"), else the kind's name, else the kernel's
  std::string library{};
  std::string group{};  // the process group's name; "": not recorded
  std::string dtype{};  // "": not recorded
  collective_kind kind = collective_kind::unknown;
  matched_by matched = matched_by::nothing;
  bool heuristic = false;        // recognised by a heuristic pattern (grade C)
  std::int64_t sequence = -1;    // -1: not recorded
  std::uint32_t group_size = 0;  // 0: not recorded
  // size of the message as nccl-tests counts it: the larger of a rank's sides
  std::optional<std::int64_t> bytes{};
  std::vector<collective_part> parts{};  // by participant

  // Returns whether all of its ranks are present; nullopt where the size of its group is not recorded.
  [[nodiscard]] std::optional<bool> complete() const;
};

// The collectives of all traces, put together over their ranks.
struct matched_collectives {
  std::vector<participant> participants{};
  std::vector<collective_instance> instances{};  // by the first participant's order
  std::uint64_t unmatched = 0;                   // parts that only one of several ranks has
  // Without sequence numbers, some participants recorded other parts of a series than others (a later start,
  // a sample): they were joined where most ends meet, or left unmatched where ends meet nowhere.
  bool shifted = false;
};

// Returns the bytes of one element of a framework's data type ("BFloat16", "c10::Half", "int8_t"); nullopt:
// not known.
[[nodiscard]] std::optional<std::int64_t> bytes_of_dtype(std::string_view dtype);

// Matches the communication of all traces: the parts of one collective on several ranks become one instance.
// A send or receive between two ranks stands alone unless its sequence number joins it.
[[nodiscard]] matched_collectives match_collectives(std::span<const trace> traces,
                                                    const communication_names& names);

}  // namespace ridge::trace
