// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/harness/experiment.hpp>

namespace ridge::app {

// A variant as typed: "ch01.coalescing:strided". The variant is empty where none is named.
struct variant_address {
  std::string experiment{};
  std::string variant{};
};
// Splits an address at its colon; the experiment becomes a normal target.
[[nodiscard]] variant_address parse_address(std::string_view text);

// Returns the experiment with only two of its variants, whatever their roles: `reference` becomes the
// baseline. Both must be variants of one backend; an unknown name is an error that suggests the nearest one.
[[nodiscard]] result<experiment> only_pair(const experiment& original, const std::string& reference,
                                           const std::string& candidate);

}  // namespace ridge::app
