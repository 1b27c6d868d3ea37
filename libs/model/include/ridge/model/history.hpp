// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <ridge/model/comparison_row.hpp>

namespace ridge::model {

// A comparison as a store returns it, with the run in which it was made.
struct stored_comparison {
  std::string run{};
  std::string started{};  // ISO 8601, UTC
  std::string machine{};
  comparison_row row{};
};

// How much a store holds.
struct holdings {
  std::uint64_t runs = 0;
  std::uint64_t families = 0;
  std::uint64_t comparisons = 0;
  std::uint64_t samples = 0;
  bool operator==(const holdings&) const = default;
};

}  // namespace ridge::model
