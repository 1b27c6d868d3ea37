// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include <ridge/analysis/stacking.hpp>
#include <ridge/model/names.hpp>

namespace ridge::analyses::stacking {

// The techniques that a variant uses.
struct declared_variant {
  std::string experiment{};
  model::backend backend{model::backend::cpu};
  std::string variant{};
  std::set<std::string> techniques{};
};

// All declared variants (ladders.txt), by experiment and backend.
[[nodiscard]] std::span<const declared_variant> declared_variants();

// The techniques of kernels (techniques.json beside this file) and those of ridge::analysis.
[[nodiscard]] std::span<const analysis::technique> all_techniques();
// The technique of this id; null when there is none.
[[nodiscard]] const analysis::technique* technique_called(std::string_view id);

}  // namespace ridge::analyses::stacking
