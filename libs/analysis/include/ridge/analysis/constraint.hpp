// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::analysis {

// A quantity that candidates are judged by. Times are in seconds, memory in bytes, money in US dollars.
struct quantity {
  std::string_view
      name{};  // "vram", "latency", "ttft", "tpot", "throughput", "cost", "power", "energy", "quality"
  std::string_view unit{};          // one that format_quantity knows
  std::string_view default_unit{};  // of a number without unit: GiB, ms, W, $ per million tokens
  bool less_is_better = true;
  std::string_view description{};
};

// All quantities, and the one of a name; null when there is none.
[[nodiscard]] std::span<const quantity> quantities();
[[nodiscard]] const quantity* quantity_named(std::string_view name);

// A limit on the mean or a quantile of one quantity.
struct constraint {
  std::string quantity{};  // a name of quantities()
  std::string quantile{};  // "p95"; empty: the value itself
  bool at_most = true;     // true: upper limit; false: lower limit
  double limit = 0;        // in the unit of the quantity
  std::string text{};      // as it was given

  // The key of the value in candidate::values: "ttft.p95".
  [[nodiscard]] std::string key() const;
  // How far a value violates the limit, relative to the limit; negative: slack.
  [[nodiscard]] double excess(double value) const;
};

// Reads a limit: "vram<24GiB", "ttft p95 <= 500ms", "ttft:p95<500ms", "cost<0.5/Mtok", "power<10kW",
// "throughput>2000", "quality>=-1%". The error names the part that is not understood and lists the known
// ones.
[[nodiscard]] result<constraint> parse_constraint(std::string_view text);

}  // namespace ridge::analysis
