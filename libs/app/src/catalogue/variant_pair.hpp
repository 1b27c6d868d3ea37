// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// "ch01.coalescing:strided" taken apart; the variant is empty where none is named.
struct variant_address {
  std::string experiment{};
  std::string variant{};
};
[[nodiscard]] variant_address parse_address(std::string_view text);

// The experiment with two of its variants alone, whatever their roles: `reference` is the baseline. Both must
// be variants of one backend; an unknown one is an error that suggests the nearest.
[[nodiscard]] result<experiment> only_pair(const experiment& original, const std::string& reference,
                                           const std::string& candidate);

}  // namespace ridge::app
