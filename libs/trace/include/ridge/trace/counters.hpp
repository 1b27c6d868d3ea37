// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/roofline_place.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// One reason why warps waited ("long_scoreboard"), in warps per issued instruction.
struct stall_reason {
  std::string name{};
  double per_issue = 0;
  double share = 0;  // of all reasons together
};

// One limit of how many warps fit on a multiprocessor: "registers", "shared memory", "blocks", "warps",
// "barriers".
struct occupancy_limit {
  std::string name{};
  double blocks_per_sm = 0;
};

// The counters of one kernel, in unscaled units. Shares are 0..1 of what the device can do; nullopt:
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
  // of 32 bytes, global memory
  std::optional<double> load_sectors_per_request{}, store_sectors_per_request{};
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

  // Bytes read from and written to device memory; nullopt where neither was collected.
  [[nodiscard]] std::optional<double> dram_bytes() const;
  // Rate of device memory in bytes per second; nullopt where bytes or duration are not known.
  [[nodiscard]] std::optional<double> dram_bytes_per_s() const;
  // `blocks` is the product of the grid's dimensions; 0 where it is not recorded.
  double blocks = 0, threads_per_block = 0;
};

// Returns one entry for each of trace::profiled_kernels, joined to trace::works by name, grid and block in
// their order. `peaks` fill in shares that the counters leave out; default peaks change nothing.
[[nodiscard]] std::vector<kernel_counters> counters_of(const trace& t, const device_peaks& peaks = {});

// Returns one metric by its exact name, in its base unit (see unit_of()); nullopt where it was not collected.
[[nodiscard]] std::optional<double> metric_of(const trace& t, std::uint32_t profiled,
                                              std::string_view metric);

// Samples of a counter series (PM sampling, utilisation) while one work ran.
struct sampled_counter {
  std::uint32_t series = 0;  // into trace::counters
  std::uint32_t samples = 0;
  double mean = 0, least = 0, most = 0;
};

// Returns one row per series of the work's device. A sample stands for the time since the sample before it.
[[nodiscard]] std::vector<sampled_counter> counters_during(const trace& t, const device_work& w);

}  // namespace ridge::trace
