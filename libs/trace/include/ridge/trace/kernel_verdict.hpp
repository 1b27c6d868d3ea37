// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/counters.hpp>
#include <ridge/trace/op_costs.hpp>

namespace ridge::trace {

// What limits a kernel. The conditions are tested in this order on F, D, L and S (verdict_figures).
enum class kernel_limit : std::uint8_t {
  unknown,
  dram,        // D >= 0.8 (at the ceiling from 0.9 on), or D >= 0.6 and nothing else is
  compute,     // F >= 0.7, or F >= 0.6 and nothing else is
  on_chip,     // max(F, D) < 0.6 and S >= 0.6: load/store units, L1, shared memory, issue; not compute-bound
  l2,          // L >= 0.6
  small_grid,  // fewer blocks than multiprocessors, less than a wave
  tail,        // at most five waves, of which the last costs a fifth or more
  latency,     // nothing is busy; the verdict names the top stall
  balanced,    // F and D within 0.1 of each other, both >= 0.6, D < 0.8
};
// Returns the limit's name, as reports print it.
[[nodiscard]] std::string_view name(kernel_limit l);

// What a verdict rests on.
enum class evidence_grade : std::uint8_t { ungraded, models, counters };
[[nodiscard]] std::string_view name(evidence_grade g);  // "", "B", "A"

// Further faults of a kernel, independent of what limits it.
enum class kernel_symptom : std::uint8_t {
  uncoalesced,       // K8: sectors per request > 1.5 x needed, or < 16 bytes used of a sector
  bank_conflicts,    // K9: >= 10 % of shared-memory wavefronts; of cycles where those are not collected
  divergence,        // K10: < 24 of 32 threads active
  spills,            // K11
  unfused_math,      // K14: could contract > 10 %
  fp64_use,          // K15
  imbalance,         // K16: most / mean active cycles > 1.2
  poor_l2_locality,  // K17: hit < 50 % and D >= 0.4
  low_occupancy,     // K7: theoretical < 80 %; the text names the limiter
  uneven_occupancy,  // K7: achieved more than 0.1 below the theoretical
  odd_block,         // the threads of a block are not a multiple of 32
  above_peak,        // T8: a share above 1.05
  wrong_regime,      // T9: profiled time more than twice that on the timeline
};
// Returns the symptom's name, as reports print it.
[[nodiscard]] std::string_view name(kernel_symptom s);

// One symptom with the figure that shows it.
struct symptom {
  kernel_symptom kind{};
  double value = 0;    // the figure that shows it
  std::string text{};  // "store 32.0 sectors/request, 4 needed"
};

// The figures that the verdict rests on; nullopt: not known.
struct verdict_figures {
  std::optional<double> f{}, d{}, l{}, s{}, i{}, o{};  // FLOP, DRAM, L2, on-chip, issue, occupancy: shares
  std::optional<double> waves{};
};

// What limits a kernel, and why.
struct kernel_verdict {
  kernel_limit limit = kernel_limit::unknown;
  evidence_grade grade = evidence_grade::ungraded;
  verdict_figures figures{};
  bool at_ceiling = false;  // D >= 0.9 or F >= 0.9: only less work can make it faster
  std::string why{};        // "S 0.97 >= 0.6, F 0.06 and D 0.01 < 0.6"
  std::string top_stall{};  // for a latency verdict; "" where stalls were not collected
  std::vector<symptom> symptoms{};
  std::vector<std::string> missing{};  // names of metrics that would have to be collected to say more
};

// What a verdict from counters needs besides them. `flops` is the work of the kernel, where the caller knows
// it and no counter does; `timeline_s` is the median time of the same kernel on a timeline, for T9.
struct verdict_context {
  device_peaks peaks{};
  std::optional<double> flops{};
  number_type type = number_type::fp32;
  std::optional<double> timeline_s{};
};
// Returns the verdict from counters. The multiprocessors' throughput (sm__throughput) is that of the busiest
// of many parts, so it is never taken for arithmetic. Where the parts are not collected it stands for S; a
// verdict of on_chip then has grade B as long as F is not known, and `missing` names the metrics that would
// decide.
[[nodiscard]] kernel_verdict verdict_of(const kernel_counters& c, const verdict_context& context = {});

// Returns the verdict without counters, of grade B. The model's shares of the peaks are lower bounds; the
// limit is unknown where both are below 0.3 and neither the tiles nor the size explain it.
[[nodiscard]] kernel_verdict verdict_of(const op_cost& c);

}  // namespace ridge::trace
