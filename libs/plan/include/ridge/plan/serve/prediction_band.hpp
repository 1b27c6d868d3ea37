// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::plan::serve {

// Factors on a predicted latency between which the measured one is expected with a probability of 90 %.
struct prediction_band {
  double low = 1, high = 1;
  double coverage = 0;  // share of measurements of left-out deployments that lay between; 0: unknown
  std::int64_t rows = 0, groups = 0;  // measurements and deployments that it comes from; 0: an assumption
};

// The bands of a service's latencies.
struct prediction_bands {
  prediction_band ttft{}, tpot{}, e2e{};
};

// How well the kernels of a GPU are known: its own were measured, or those of others stand for them.
enum class kernel_origin : std::uint8_t { measured, borrowed };
// Its name in serving_bands.json.
[[nodiscard]] std::string_view name_of(kernel_origin origin);

// The bands that ship (libs/plan/data/serving_bands.json): 5 % and 95 % quantiles of measured / predicted
// over deployments whose model (measured) or GPU (borrowed) no coefficient and no constant had seen, as
// plan_fit_bands computes them (split conformal prediction, Vovk et al., "Algorithmic Learning in a Random
// World", with deployments as the exchangeable units).
[[nodiscard]] const prediction_bands& embedded_bands(kernel_origin origin);

// One row of the file.
struct band_entry {
  std::string latency{};  // "ttft", "tpot", "e2e"
  kernel_origin kernels{kernel_origin::measured};
  prediction_band band{};
};
// Reads bands from JSON called `name`, and writes them. The error names the member by its JSON pointer.
[[nodiscard]] result<std::vector<band_entry>> parse_bands(std::string_view text, std::string_view name);
[[nodiscard]] std::string bands_json(const std::vector<band_entry>& all, std::string_view source,
                                     std::string_view date);

// The band whose half-width is 2.44 times a median error: that of normally distributed errors.
[[nodiscard]] prediction_band band_of_median(double median_error);

}  // namespace ridge::plan::serve
