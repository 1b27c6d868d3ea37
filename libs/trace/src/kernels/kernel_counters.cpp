// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_counters.hpp"

#include <algorithm>
#include <array>

namespace ridge::trace {
namespace {

// Each figure lists the names that it has had, newest first: metrics of Nsight Compute, then its tables'
// labels.
void read_times(const metric_table& m, kernel_counters& c) {
  const auto ns = m.first_of({"gpu__time_duration.sum", "gpu__time_duration.avg", "Duration"});
  if (ns) c.duration_s = *ns * 1e-9;
  c.clock_hz = m.first_of({"smsp__cycles_elapsed.avg.per_second", "sm__cycles_elapsed.avg.per_second",
                           "gpc__cycles_elapsed.avg.per_second", "SM Frequency"});
}

void read_memory(const metric_table& m, kernel_counters& c) {
  c.dram_read_bytes = m.first_of({"dram__bytes_op_read.sum", "dram__bytes_read.sum"});
  c.dram_write_bytes = m.first_of({"dram__bytes_op_write.sum", "dram__bytes_write.sum"});
  c.dram = m.share_of({"dram__throughput.avg.pct_of_peak_sustained_elapsed",
                       "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "DRAM Throughput"});
  c.memory =
      m.share_of({"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "Memory Throughput"});
  c.l2 = m.share_of({"lts__t_throughput.avg.pct_of_peak_sustained_elapsed",
                     "lts__throughput.avg.pct_of_peak_sustained_elapsed", "L2 Cache Throughput"});
  c.l1 = m.share_of({"l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
                     "l1tex__throughput.avg.pct_of_peak_sustained_active", "L1/TEX Cache Throughput"});
  c.l1_hit = m.share_of({"l1tex__t_sector_hit_rate.pct", "L1/TEX Hit Rate"});
  c.l2_hit = m.share_of({"lts__t_sector_hit_rate.pct", "L2 Hit Rate"});
  c.spill_bytes = m.sum_of(
      {"l1tex__t_bytes_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_bytes_pipe_lsu_mem_local_op_st.sum"});
  if (!c.spill_bytes) {
    const auto sectors = m.sum_of(
        {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"});
    if (sectors) c.spill_bytes = *sectors * 32;
  }
}

void read_access(const metric_table& m, kernel_counters& c) {
  c.load_sectors_per_request =
      m.first_of({"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio"});
  if (!c.load_sectors_per_request)
    c.load_sectors_per_request = quotient(m.first_of({"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}),
                                          m.first_of({"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"}));
  c.store_sectors_per_request =
      m.first_of({"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"});
  if (!c.store_sectors_per_request)
    c.store_sectors_per_request = quotient(m.first_of({"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}),
                                           m.first_of({"l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"}));
  const auto requests = m.sum_of(
      {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"});
  c.sectors_per_request_needed =
      quotient(m.first_of({"memory_l2_theoretical_sectors_global_ideal"}), requests);
  c.bytes_per_sector = m.first_of({"smsp__sass_average_data_bytes_per_sector_mem_global.ratio",
                                   "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.ratio"});
  c.bank_conflicts = m.first_of(
      {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum", "l1tex__data_bank_conflicts_pipe_lsu.sum"});
  const auto wavefronts = m.first_of(
      {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "smsp__l1tex_tmem_wavefronts_mem_shared.sum"});
  c.bank_conflict_share = quotient(c.bank_conflicts, wavefronts);
}

void read_multiprocessors(const metric_table& m, kernel_counters& c) {
  c.sm =
      m.share_of({"sm__throughput.avg.pct_of_peak_sustained_elapsed", "Compute (SM) Throughput", "SM [%]"});
  c.shared =
      m.largest_share_of({"l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
                          "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
                          "l1tex__data_bank_reads.avg.pct_of_peak_sustained_elapsed"});
  c.lsu = m.largest_share_of({"sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
                              "l1tex__lsuin_requests.avg.pct_of_peak_sustained_elapsed",
                              "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_elapsed"});
  c.issue = m.share_of({"smsp__issue_active.avg.pct_of_peak_sustained_active", "smsp__issue_active.avg.pct",
                        "sm__inst_issued.avg.pct_of_peak_sustained_active", "Issue Slots Busy"});
  c.eligible_warps =
      m.first_of({"smsp__warps_eligible.avg.per_cycle_active", "Eligible Warps Per Scheduler"});
  c.active_threads = m.first_of({"smsp__thread_inst_executed_per_inst_executed.ratio",
                                 "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
                                 "Avg. Active Threads Per Warp"});
  c.fp64_pipe = m.share_of({"sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active",
                            "sm__pipe_fp64_cycles_active.avg.pct_of_peak_sustained_active"});
  c.tensor = m.largest_share_of({"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
                                 "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
                                 "sm__inst_executed_pipe_tensor.avg.pct_of_peak_sustained_active",
                                 "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_active"});
  c.sm_imbalance = quotient(m.first_of({"sm__cycles_active.max"}), m.first_of({"sm__cycles_active.avg"}));
}

void read_launch(const metric_table& m, kernel_counters& c) {
  c.occupancy = m.share_of({"sm__warps_active.avg.pct_of_peak_sustained_active", "Achieved Occupancy"});
  c.occupancy_theoretical = m.share_of({"sm__maximum_warps_per_active_cycle_pct", "Theoretical Occupancy"});
  c.waves = m.first_of({"launch__waves_per_multiprocessor", "Waves Per SM"});
  c.registers = m.first_of({"launch__registers_per_thread", "Registers Per Thread"});
  c.local_bytes_per_thread = m.first_of({"launch__local_memory_per_thread", "Local Memory Per Thread"});
  struct limit {
    std::string_view name, metric, label;
  };
  constexpr std::array limits{
      limit{"registers", "launch__occupancy_limit_registers", "Block Limit Registers"},
      limit{"shared memory", "launch__occupancy_limit_shared_mem", "Block Limit Shared Mem"},
      limit{"blocks", "launch__occupancy_limit_blocks", "Block Limit SM"},
      limit{"warps", "launch__occupancy_limit_warps", "Block Limit Warps"},
      limit{"barriers", "launch__occupancy_limit_barriers", "Block Limit Barriers"}};
  for (const auto& l : limits) {
    if (const auto blocks = m.first_of({l.metric, l.label}))
      c.occupancy_limits.push_back({std::string(l.name), *blocks});
  }
  std::ranges::stable_sort(c.occupancy_limits, {}, &occupancy_limit::blocks_per_sm);
}

void read_arithmetic(const metric_table& m, kernel_counters& c) {
  const auto fma = m.first_of({"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"});
  const auto other = m.sum_of({"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                               "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum"});
  if (fma || other) c.fp32_flops = 2 * fma.value_or(0) + other.value_or(0);
  if (fma && other && *fma + *other > 0) c.fused_share = *fma / (*fma + *other);
  const auto flops = [&](std::string_view f, std::string_view a,
                         std::string_view p) -> std::optional<double> {
    const auto fused = m.first_of({f}), plain = m.sum_of({a, p});
    if (!fused && !plain) return std::nullopt;
    return 2 * fused.value_or(0) + plain.value_or(0);
  };
  c.fp64_flops = flops("smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                       "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum",
                       "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum");
  c.fp16_flops = flops("smsp__sass_thread_inst_executed_op_hfma_pred_on.sum",
                       "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum",
                       "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum");
}

void read_stalls(const metric_table& m, kernel_counters& c) {
  constexpr std::array<std::string_view, 2> fronts{"smsp__average_warps_issue_stalled_",
                                                   "smsp__average_warp_latency_issue_stalled_"};
  for (const auto& row : m.rows()) {
    for (const auto front : fronts) {
      if (!row.name.starts_with(front) || row.value < 0) continue;
      auto reason = row.name.substr(front.size());
      const auto end = reason.find("_per_issue_active");
      const auto dot = reason.find('.');
      reason = reason.substr(0, std::min(end, dot));
      // "selected" is a warp that issued: no reason to wait.
      if (reason != "selected") c.stalls.push_back({std::string(reason), row.value, 0});
    }
  }
  double sum = 0;
  for (const auto& s : c.stalls) sum += s.per_issue;
  for (auto& s : c.stalls) s.share = sum > 0 ? s.per_issue / sum : 0;
  std::ranges::stable_sort(c.stalls, std::greater{}, &stall_reason::per_issue);
}

}  // namespace

kernel_counters read_counters(const metric_table& m) {
  kernel_counters c;
  read_times(m, c);
  read_memory(m, c);
  read_access(m, c);
  read_multiprocessors(m, c);
  read_launch(m, c);
  read_arithmetic(m, c);
  read_stalls(m, c);
  return c;
}

}  // namespace ridge::trace
