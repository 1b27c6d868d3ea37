// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::harness {

// Values that replace those of an axis: "elements=2^20..26:2", "dtype=fp32,bf16", "n=64".
struct axis_override {
  std::string axis{};
  std::vector<model::axis_value> values{};
};
// The override that `text` states, in the form above.
[[nodiscard]] result<axis_override> parse_axis_override(std::string_view text);

}  // namespace ridge::harness
