// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace ridge::plan::serve {

// A run of decode steps of the same sequences on one line of the timer. The end of each step is computed from
// the start of the run, so single steps and many at once give the same bits.
struct decode_pace {
  double start_s = 0, base_s = 0, per_context_s = 0;
  std::int64_t context = 0;        // Σ context before the first step
  std::int64_t sequences = 0;      // sequences, and tokens added per step
  std::int64_t up_to_context = 0;  // Σ context up to which the line holds
  std::int64_t steps = 0;          // steps scheduled in this run
  bool valid = false;

  // Seconds of the first k steps: Σ over steps 1..k of base + per_context · (context + sequences · j).
  [[nodiscard]] double end_s(std::int64_t k) const {
    const auto j = static_cast<double>(k);
    const auto contexts =
        static_cast<double>(context) * j + static_cast<double>(sequences) * (j * (j + 1) / 2);
    return start_s + (base_s * j + per_context_s * contexts);
  }

  // The last step that ends before that time, at most `most`.
  [[nodiscard]] std::int64_t last_before(double until_s, std::int64_t most) const {
    if (end_s(most) < until_s) {
      return most;
    }
    const auto a = per_context_s * static_cast<double>(sequences) / 2;
    const auto b = base_s + per_context_s * static_cast<double>(context) + a;
    const auto c = until_s - start_s;
    if (!(c > 0)) {
      return 0;
    }
    const auto root = 2 * c / (b + std::sqrt(b * b + 4 * a * c));
    auto k = root < static_cast<double>(most) ? static_cast<std::int64_t>(root) : most;
    while (k > 0 && end_s(k) >= until_s) {
      --k;
    }
    while (k < most && end_s(k + 1) < until_s) {
      ++k;
    }
    return k;
  }
};

}  // namespace ridge::plan::serve
