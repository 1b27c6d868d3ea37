// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <ridge/plan/kernels/efficiency.hpp>

#include "json_members.hpp"

namespace ridge::plan::kernels {

// One entry of coefficients as a JSON object, and back; errors are kept by `members`.
[[nodiscard]] efficiency_entry read_entry(json_members& members);
[[nodiscard]] nlohmann::ordered_json entry_json(const efficiency_entry& e);

}  // namespace ridge::plan::kernels
