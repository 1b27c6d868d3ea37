// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

struct case_metric {
  std::string_view name{};
  double value = 0;
  std::string_view unit = "%";
};

void add_counters(scene& s, const std::vector<case_metric>& metrics, double ns) {
  auto& to = s.builder();
  const auto id = to.add(profiled_kernel{.id = 0,
                                         .name = s.name("a_kernel"),
                                         .device = s.name("Ridge One"),
                                         .grid = {1000, 1, 1},
                                         .block = {256, 1, 1}});
  to.add(kernel_metric{
      .value = ns, .kernel = id, .metric = s.name("gpu__time_duration.sum"), .unit = s.name("ns")});
  for (const auto& m : metrics)
    to.add(kernel_metric{.value = m.value, .kernel = id, .metric = s.name(m.name), .unit = s.name(m.unit)});
}

// One kernel of 1 ms with these counters, and no timeline.
std::function<std::vector<trace>()> profile_of(std::vector<case_metric> metrics) {
  return [metrics = std::move(metrics)] {
    scene s;
    add_counters(s, metrics, 1e6);
    return one(s);
  };
}

// The same kernel, 100 us on the timeline and `ns` under the counters.
std::vector<trace> on_the_timeline(double ns) {
  scene s;
  s.device(ridge_one_facts());
  for (int i = 0; i < 60; ++i)
    s.kernel("a_kernel", 1'000'000 + i * 100'000, 100'000, 7, {.call_ns = i * 5'000, .call_length_ns = 4'000},
             {.grid = {1000, 1, 1}, .block = {256, 1, 1}});
  add_counters(s, {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", 50}}, ns);
  return one(s);
}

constexpr std::string_view dram = "dram__throughput.avg.pct_of_peak_sustained_elapsed",
                           sm = "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                           ffma = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
                           fadd = "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum",
                           dfma = "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum",
                           achieved = "sm__warps_active.avg.pct_of_peak_sustained_active",
                           theoretical = "sm__maximum_warps_per_active_cycle_pct",
                           stores = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
                           conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                           wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
                           threads = "smsp__thread_inst_executed_per_inst_executed.ratio",
                           l2_hit = "lts__t_sector_hit_rate.pct", read = "dram__bytes_read.sum";

// fp32 multiply-adds of a kernel of 1 ms that reaches `share` of Ridge One's lanes.
case_metric multiply_adds(double share) { return {ffma, share * 1e14 * 1e-3 / 2, "inst"}; }

rule_case counter_case(const char* rule, std::vector<case_metric> fires, std::vector<case_metric> quiet) {
  rule_case c{.rule = rule, .fires = profile_of(std::move(fires)), .quiet = profile_of(std::move(quiet))};
  c.options.devices = {ridge_one()};
  return c;
}

}  // namespace

std::vector<rule_case> counter_cases() {
  std::vector<rule_case> cases{
      counter_case("K3", {{sm, 97}, {dram, 1.3}, multiply_adds(.056)},
                   {{sm, 97}, {dram, 1.3}, multiply_adds(.8)}),
      counter_case("K7", {{sm, 20}, {dram, 20}, multiply_adds(.1), {theoretical, 50}, {achieved, 45}},
                   {{sm, 20}, {dram, 20}, multiply_adds(.1), {theoretical, 100}, {achieved, 95}}),
      counter_case("K8", {{stores, 32, "sector/request"}}, {{stores, 16, "sector/request"}}),
      counter_case("K9", {{conflicts, 30, ""}, {wavefronts, 100, ""}},
                   {{conflicts, 2, ""}, {wavefronts, 100, ""}}),
      counter_case("K10", {{threads, 12, ""}}, {{threads, 31, ""}}),
      counter_case("K14", {{ffma, 10, "inst"}, {fadd, 90, "inst"}}, {{ffma, 95, "inst"}, {fadd, 5, "inst"}}),
      counter_case("K15", {{ffma, 90, "inst"}, {dfma, 10, "inst"}}, {{ffma, 90, "inst"}, {dfma, 0, "inst"}}),
      counter_case("K16", {{"sm__cycles_active.max", 200, "cycle"}, {"sm__cycles_active.avg", 100, "cycle"}},
                   {{"sm__cycles_active.max", 110, "cycle"}, {"sm__cycles_active.avg", 100, "cycle"}}),
  };
  auto reloading = counter_case("K17", {{l2_hit, 20}, {dram, 60}, {read, 4e7, "byte"}},
                                {{l2_hit, 20}, {dram, 60}, {read, 1.1e7, "byte"}});
  reloading.options.work = {{.kernel = "a_kernel", .bytes = 1e7}};
  cases.push_back(std::move(reloading));
  rule_case regime{.rule = "T9",
                   .fires = [] { return on_the_timeline(300'000); },
                   .quiet = [] { return on_the_timeline(110'000); }};
  regime.options.devices = {ridge_one()};
  cases.push_back(std::move(regime));
  return cases;
}

}  // namespace ridge::trace::fixtures
