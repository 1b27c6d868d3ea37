// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <ridge/base/result.hpp>

namespace ridge::analysis {

// What candidates are measured by; times in seconds, memory in bytes, money in US dollars.
struct quantity {
  std::string_view
      name{};  // "vram", "latency", "ttft", "tpot", "throughput", "cost", "power", "energy", "quality"
  std::string_view unit{};          // of format_quantity
  std::string_view default_unit{};  // of a bare number: GiB, ms, W, $ a million tokens
  bool less_is_better = true;
  std::string_view what{};
};

[[nodiscard]] std::span<const quantity> quantities();
[[nodiscard]] const quantity* quantity_named(std::string_view name);  // or null

// A limit on one quantity, of its mean or of a quantile.
struct constraint {
  std::string quantity{};  // of quantities()
  std::string quantile{};  // "p95"; empty: the value itself
  bool at_most = true;     // else at least
  double limit = 0;        // in the quantity's own unit
  std::string text{};      // as given

  [[nodiscard]] std::string key() const;  // "ttft.p95": what candidates are asked for
  // How far a value lies outside, as a share of the limit; 0 inside; negative is slack.
  [[nodiscard]] double excess(double value) const;
};

// "vram<24GiB", "ttft p95 <= 500ms", "ttft:p95<500ms", "cost<0.5/Mtok", "power<10kW", "throughput>2000",
// "quality>=-1%". The error names the part that is not understood and lists what is.
[[nodiscard]] result<constraint> parse_constraint(std::string_view text);

}  // namespace ridge::analysis
