// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/roofline.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Why warps waited: "long_scoreboard", warps per issued instruction.
struct stall_reason {
  std::string name{};
  double per_issue = 0;
  double share = 0;  // of all reasons together
};

// What limits how many warps fit: "registers", "shared memory", "blocks", "warps", "barriers".
struct occupancy_limit {
  std::string name{};
  double blocks_per_sm = 0;
};

// What the counters of one kernel say, in units of one. Shares are 0..1 of what the device can do; nullopt:
// not collected. Ratios above 1 are kept as they are (profilers do report hit rates of 100.4 %).
struct kernel_counters {
  std::uint32_t profiled = none;  // into trace::profiled_kernels
  work_id work = none;            // the same launch on the timeline, where both exist
  name_id name = 0;
  std::optional<double> duration_s{};
  std::optional<double> dram_read_bytes{}, dram_write_bytes{};
  std::optional<double> dram{};    // dram__throughput, else bytes / duration / peak where the peak is given
  std::optional<double> memory{};  // gpu__compute_memory_throughput
  std::optional<double> sm{};      // sm__throughput: the busiest part of the multiprocessor, LSU included
  std::optional<double> l2{};
  std::optional<double> l1{};      // l1tex__throughput
  std::optional<double> shared{};  // shared memory's data pipe
  std::optional<double> lsu{};     // the LSU's issue
  std::optional<double> issue{};   // cycles with an issued instruction
  std::optional<double> eligible_warps{};
  std::optional<double> occupancy{}, occupancy_theoretical{};
  std::vector<occupancy_limit> occupancy_limits{};  // least blocks first
  std::optional<double> waves{};
  std::optional<double> load_sectors_per_request{},
      store_sectors_per_request{};                     // of 32 bytes, global memory
  std::optional<double> sectors_per_request_needed{};  // if all were coalesced, both directions
  std::optional<double> bytes_per_sector{};            // used, of 32
  std::optional<double> l1_hit{}, l2_hit{};
  std::optional<double> bank_conflicts{};                          // count
  std::optional<double> bank_conflict_share{};                     // of shared-memory wavefronts
  std::optional<double> active_threads{};                          // of 32, per instruction
  std::vector<stall_reason> stalls{};                              // largest first
  std::optional<double> fp32_flops{}, fp64_flops{}, fp16_flops{};  // executed, fused multiply-add = 2
  std::optional<double> fused_share{};  // fused / all fp32 operations; 1: nothing to contract
  std::optional<double> flops{};        // share of the peak given, of the vector lanes
  std::optional<double> fp64_pipe{};    // cycles active
  std::optional<double> tensor{};       // tensor pipe cycles active
  std::optional<double> spill_bytes{};  // local memory moved
  std::optional<double> local_bytes_per_thread{};
  std::optional<double> registers{};
  std::optional<double> sm_imbalance{};  // most / mean active cycles over multiprocessors
  std::optional<double> clock_hz{};      // of the multiprocessors while profiled

  [[nodiscard]] std::optional<double> dram_bytes() const;
  [[nodiscard]] std::optional<double> dram_bytes_per_s() const;
  // Blocks: product of the grid; 0: not told.
  double blocks = 0, threads_per_block = 0;
};

// One for each of trace::profiled_kernels. Joined to trace::works by name, grid and block in their order.
// Peaks give what the counters leave out; a default one changes nothing.
[[nodiscard]] std::vector<kernel_counters> counters_of(const trace& t, const device_peaks& peaks = {});

// One metric by its exact name, in the unit of its base; nullopt: not collected.
[[nodiscard]] std::optional<double> metric_of(const trace& t, std::uint32_t profiled,
                                              std::string_view metric);

// Samples of a counter series (PM sampling, utilisation) while a piece of work ran.
struct sampled_counter {
  std::uint32_t series = 0;  // into trace::counters
  std::uint32_t samples = 0;
  double mean = 0, least = 0, most = 0;
};

// A sample stands for the time since the one before it. Series of other devices are left out.
[[nodiscard]] std::vector<sampled_counter> counters_during(const trace& t, const device_work& w);

}  // namespace ridge::trace
