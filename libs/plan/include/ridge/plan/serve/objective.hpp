// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// A latency of a request.
enum class latency_metric : std::uint8_t {
  ttft,   // arrival to first token
  tpot,   // (e2e - ttft) / (output - 1), for answers of at least two tokens
  itl,    // every time between two tokens
  e2e,    // arrival to last token
  queue,  // arrival to its first step
};
// Its name in reports, options and JSON files.
[[nodiscard]] std::string_view name_of(latency_metric m);

// A limit on one latency. With a statistic it is met when that statistic of the run is below the limit;
// without one (each) when 90 % of all requests are. Goodput counts requests below every limit, whatever the
// statistic.
struct objective {
  latency_metric metric{latency_metric::ttft};
  enum class statistic : std::uint8_t { each, mean, quantile, maximum } limited_statistic{statistic::each};
  double quantile = 0.5;
  double limit_s = 0;
  // As parse_objectives() reads it: "ttft:p95<500ms".
  [[nodiscard]] std::string text() const;
};

// Reads objectives separated by commas or spaces: "ttft:p95<500ms", "tpot<40ms", "e2e:mean<2s",
// "itl:p99.9<0.1s", and the goodput notation of vLLM and aiperf: "ttft:500", "inter_token_latency:40" (in
// ms). The error names the part that is not understood.
[[nodiscard]] result<std::vector<objective>> parse_objectives(std::string_view text);

// Published objectives under a name.
struct objective_preset {
  std::string name{};  // "mlperf-llama2-70b-interactive"
  std::string model{};
  std::vector<objective> objectives{};
  std::string source{};
};
// All presets in the program (libs/plan/data/slo_presets.json).
[[nodiscard]] std::span<const objective_preset> objective_presets();
// The preset of that name. The error lists the nearest names.
[[nodiscard]] result<objective_preset> objective_preset_named(std::string_view name);

}  // namespace ridge::plan::serve
