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
  int rank = -1;             // as the trace tells; -1: not told
  std::uint32_t cohort = 0;  // how many earlier traces are of the same rank: a later profile of the same job
  std::string label{};  // "rank 3"; where no rank is told "trace 2"; with "device 1" where it has several
};

// What one participant ran for a collective.
struct collective_part {
  std::uint32_t participant = 0;
  work_id work = 0;          // in its trace
  nanoseconds start_ns = 0;  // by the trace's own clock
  nanoseconds end_ns = 0;
  [[nodiscard]] nanoseconds duration_ns() const { return end_ns - start_ns; }
};

enum class matched_by : std::uint8_t {
  sequence,  // process group and sequence number
  order,     // the n-th of its kind in its process group or stream
  nothing,   // seen by one rank alone
};

// One collective as all the ranks that were recorded ran it.
struct collective_instance {
  std::string operation{};  // as told ("_allgather_base"), else the kind's name, else the kernel's
  std::string library{};
  std::string group{};  // the process group's name; "": not told
  std::string dtype{};  // "": not told
  collective_kind kind = collective_kind::unknown;
  matched_by matched = matched_by::nothing;
  bool heuristic = false;        // recognised by a heuristic pattern (grade C)
  std::int64_t sequence = -1;    // -1: not told
  std::uint32_t group_size = 0;  // 0: not told
  std::optional<std::int64_t>
      bytes{};  // of the message as nccl-tests counts it: the larger of a rank's sides
  std::vector<collective_part> parts{};  // by participant

  // All of its ranks are there; nullopt: the size of its group is not told.
  [[nodiscard]] std::optional<bool> complete() const;
};

struct matched_collectives {
  std::vector<participant> participants{};
  std::vector<collective_instance> instances{};  // by the first participant's order
  std::uint64_t unmatched = 0;                   // parts that only one of several ranks has
  // Without sequence numbers, some participants recorded other parts of a series than others (a later start,
  // a sample): they were joined where most ends meet, or left unmatched where that tells nothing.
  bool shifted = false;
};

// Bytes of an element of a framework's data type ("BFloat16", "c10::Half", "int8_t"); nullopt: not known.
[[nodiscard]] std::optional<std::int64_t> bytes_of_dtype(std::string_view dtype);

// Communication of all traces, the same collective of several ranks put together. A send or receive between
// two ranks stands alone unless its sequence joins it.
[[nodiscard]] matched_collectives match_collectives(std::span<const trace> traces,
                                                    const communication_names& names);

}  // namespace ridge::trace
