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

// Judged in this order from F, D, L and S (verdict_figures).
enum class kernel_limit : std::uint8_t {
  unknown,
  dram,        // D >= 0.8, at 0.9 it is at the ceiling; or D >= 0.6 and nothing else is
  compute,     // F >= 0.7, or F >= 0.6 and nothing else is
  on_chip,     // max(F, D) < 0.6 and S >= 0.6: load/store units, L1, shared memory, issue; not compute-bound
  l2,          // L >= 0.6
  small_grid,  // fewer blocks than multiprocessors, less than a wave
  tail,        // at most five waves, of which the last costs a fifth or more
  latency,     // nothing is busy: named by its top stall
  balanced,    // F and D within 0.1 of each other, both >= 0.6, D < 0.8
};
[[nodiscard]] std::string_view name(kernel_limit l);

enum class evidence_grade : std::uint8_t { ungraded, models, counters };
[[nodiscard]] std::string_view name(evidence_grade g);  // "", "B", "A"

// What goes with it, whatever the limit.
enum class kernel_symptom : std::uint8_t {
  uncoalesced,       // K8: sectors per request > 1.5 x needed, or < 16 bytes used of a sector
  bank_conflicts,    // K9: >= 10 % of shared-memory wavefronts; of cycles where those are not collected
  divergence,        // K10: < 24 of 32 threads active
  spills,            // K11
  unfused_math,      // K14: could contract > 10 %
  fp64_use,          // K15
  imbalance,         // K16: most / mean active cycles > 1.2
  poor_l2_locality,  // K17: hit < 50 % and D >= 0.4
  low_occupancy,     // K7: theoretical < 80 %; the limiter is told
  uneven_occupancy,  // K7: achieved more than 0.1 below the theoretical
  odd_block,         // threads of a block no multiple of 32
  above_peak,        // T8: a share above 1.05
  wrong_regime,      // T9: profiled time more than twice that on the timeline
};
[[nodiscard]] std::string_view name(kernel_symptom s);

struct symptom {
  kernel_symptom what{};
  double value = 0;    // the figure that shows it
  std::string text{};  // "store 32.0 sectors/request, 4 needed"
};

// The figures that the verdict stands on. nullopt: not known.
struct verdict_figures {
  std::optional<double> f{}, d{}, l{}, s{}, i{}, o{};  // FLOP, DRAM, L2, on-chip, issue, occupancy: shares
  std::optional<double> waves{};
};

struct kernel_verdict {
  kernel_limit limit = kernel_limit::unknown;
  evidence_grade grade = evidence_grade::ungraded;
  verdict_figures figures{};
  bool at_ceiling = false;  // D >= 0.9 or F >= 0.9: nothing to win without less work
  std::string why{};        // "S 0.97 >= 0.6, F 0.06 and D 0.01 < 0.6"
  std::string top_stall{};  // of a latency verdict; "" where stalls were not collected
  std::vector<symptom> symptoms{};
  std::vector<std::string> missing{};  // what would have to be collected to say more: metric names
};

// From counters. `flops`: what the kernel computes, where a caller knows it and no counter says it;
// `timeline_s`: the same kernel's median time on a timeline, for T9. The multiprocessors' throughput
// (sm__throughput) is the busiest of many parts: it is never taken for arithmetic. Where the parts are not
// collected it stands for S; a verdict of on_chip is then grade B as long as F is not known, and `missing`
// names what would settle it.
struct verdict_context {
  device_peaks peaks{};
  std::optional<double> flops{};
  number_type type = number_type::fp32;
  std::optional<double> timeline_s{};
};
[[nodiscard]] kernel_verdict verdict_of(const kernel_counters& c, const verdict_context& context = {});

// Without counters: the model's shares of the peaks are bounds from below. Grade B; unknown where both are
// below 0.3 and neither tiles nor smallness say why.
[[nodiscard]] kernel_verdict verdict_of(const op_cost& c);

}  // namespace ridge::trace
