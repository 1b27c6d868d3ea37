// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/trace/clock_alignment.hpp>
#include <ridge/trace/collectives.hpp>
#include <ridge/trace/waiting.hpp>

namespace ridge::trace {

// The times of one part of an instance. Values that need other ranks are nullopt where only one was recorded.
struct part_times {
  nanoseconds exposed_ns = 0;            // while its device computed nothing
  std::optional<nanoseconds> wait_ns{};  // its duration less the transfer
};

// The times and rates of an instance. Rates are in bytes per second.
struct instance_times {
  // the shortest part, because the last participant to arrive waits for nobody
  std::optional<nanoseconds> transfer_ns{};
  std::optional<nanoseconds> total_wait_ns{};  // sum over its parts
  std::optional<nanoseconds> start_skew_ns{};  // last start minus first start, on the common clock; nullopt
  std::optional<nanoseconds> end_skew_ns{};    // where the clocks' uncertainty is not known
  std::optional<nanoseconds> gap_ns{};         // last start less first end; 0 where all overlap, as they must
  std::optional<nanoseconds> skew_uncertainty_ns{};  // a skew below it may be none
  std::optional<std::uint32_t> latest{};   // the participant that the others waited for: the shortest part
  std::optional<double> algorithm_rate{};  // bytes / transfer
  std::optional<double> bus_rate{};        // times busbw_factor
  std::vector<part_times> parts{};         // as the instance's
};

// Returns the ratio of bus bandwidth to algorithm bandwidth for `ranks` = n ranks: 2(n-1)/n for an
// all-reduce; (n-1)/n for all-gather, reduce-scatter, all-to-all, dispatch and combine; else 1 (nccl-tests,
// PERFORMANCE.md).
[[nodiscard]] double busbw_factor(collective_kind kind, std::uint32_t ranks);

// All instances of one operation, library, group and dtype. Values are sums over parts unless their comment
// says otherwise.
struct operation_row {
  std::string operation{}, library{}, group{}, dtype{};
  collective_kind kind = collective_kind::unknown;
  bool heuristic = false;
  std::uint64_t instances = 0, parts = 0;
  std::uint32_t ranks = 0;       // of the group; else the most parts of an instance
  std::int64_t bytes = 0;        // of the instances that tell
  std::uint64_t with_bytes = 0;  // how many do
  nanoseconds total_ns = 0;
  nanoseconds exposed_ns = 0;
  std::optional<nanoseconds> wait_ns{};      // nullopt: one rank cannot tell
  std::optional<nanoseconds> transfer_ns{};  // over instances
  // sum of bytes / sum of transfers, of those that tell both
  std::optional<double> algorithm_rate{}, bus_rate{};
  // sum of bytes / sum of durations of the parts whose size is recorded: a lower bound from one rank, waiting
  // included
  std::optional<double> rate_with_waiting{};
};

// Instances by size of message; the first class is where latency rules (rule N5).
struct size_class {
  std::int64_t from_bytes = 0;  // inclusive
  std::int64_t to_bytes = 0;    // exclusive
  std::uint64_t instances = 0;
  nanoseconds total_ns = 0;  // sum over parts
};

// One participant's communication.
struct rank_communication {
  nanoseconds busy_ns = 0;        // some communication ran (a union)
  nanoseconds exposed_ns = 0;     // of it, the device computed nothing
  nanoseconds overlapped_ns = 0;  // the rest: busy = exposed + overlapped
  nanoseconds heuristic_ns = 0;   // of busy, recognised by heuristic patterns alone
  nanoseconds summed_ns = 0;      // sum of durations
  std::optional<nanoseconds> wait_ns{};
  // Returns overlapped / busy in percent; nullopt without communication.
  [[nodiscard]] std::optional<double> overlap_percent() const;
};

struct communication_report {
  matched_collectives matched{};
  std::vector<instance_times> times{};      // one per instance
  std::vector<rank_communication> ranks{};  // one per participant
  std::vector<operation_row> operations{};  // longest total first
  std::vector<size_class> sizes{};          // < 64 KiB, < 1 MiB, < 16 MiB, the rest
  std::uint64_t unsized = 0;                // instances whose size is not recorded
  // Who waits for whom; nullopt: one rank alone does not show waiting.
  std::optional<waiting_matrix> waiting{};
  bool several_ranks = false;  // more than one participant
  // Instances of which not all ranks were given: the shortest part seen bounds the transfer from above.
  std::uint64_t incomplete = 0;
  // Instances whose parts do not overlap on the common clock by more than its uncertainty: matched wrongly.
  std::uint64_t implausible = 0;

  // Returns the sum of waiting over the sum of durations of matched instances, 0..1; nullopt where only one
  // rank was recorded.
  [[nodiscard]] std::optional<double> wait_share() const;
};

// Returns the communication of one rank or many. `clocks` serve only the skews, which are nullopt without
// them.
[[nodiscard]] communication_report communication_of(std::span<const trace> traces,
                                                    const communication_names& names,
                                                    const clock_alignment& clocks = {});

}  // namespace ridge::trace
