// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>

#include "json_members.hpp"

namespace ridge::plan::kernels {

// Reads the members that engine profiles and calibration profiles have in common.
void read_overheads(json_members& members, engine_overheads& overheads);
void read_scaling(json_members& members, kernel_scaling& scaling);
[[nodiscard]] nlohmann::ordered_json overheads_json(const engine_overheads& o);
[[nodiscard]] nlohmann::ordered_json scaling_json(const kernel_scaling& s);

}  // namespace ridge::plan::kernels
