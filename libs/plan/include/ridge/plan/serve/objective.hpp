// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

enum class latency_metric : std::uint8_t {
  ttft,   // arrival to first token
  tpot,   // (e2e - ttft)/(output - 1): of answers of two tokens and more
  itl,    // each gap between two tokens
  e2e,    // arrival to last token
  queue,  // arrival to the first step with a token of it
};
[[nodiscard]] std::string_view name_of(latency_metric m);

// One objective. With a statistic it is met when that statistic of the run is; without one when 90 % of all
// requests are below. Goodput counts requests that are below every limit, whatever the statistic.
struct objective {
  latency_metric metric{latency_metric::ttft};
  enum class statistic : std::uint8_t { each, mean, quantile, maximum } of{statistic::each};
  double quantile = 0.5;
  double limit_s = 0;
  [[nodiscard]] std::string text() const;  // "ttft:p95<500ms"
};

// "ttft:p95<500ms", "tpot<40ms", "e2e:mean<2s", "itl:p99.9<0.1s"; also as vLLM and aiperf write goodput:
// "ttft:500", "inter_token_latency:40" (ms). Several by commas or spaces.
[[nodiscard]] result<std::vector<objective>> parse_objectives(std::string_view text);

struct objective_preset {
  std::string name{};  // "mlperf-llama2-70b-interactive"
  std::string model{};
  std::vector<objective> objectives{};
  std::string source{};
};
[[nodiscard]] std::span<const objective_preset> objective_presets();
// The error names the nearest.
[[nodiscard]] result<objective_preset> objective_preset_named(std::string_view name);

}  // namespace ridge::plan::serve
