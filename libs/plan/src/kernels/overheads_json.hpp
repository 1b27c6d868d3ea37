// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/kernels/step_timer.hpp>

#include "json_members.hpp"

namespace ridge::plan::kernels {

// Members that profiles of engines and calibrations share.
void read_overheads(json_members& from, engine_overheads& into);
void read_scaling(json_members& from, kernel_scaling& into);
[[nodiscard]] nlohmann::ordered_json overheads_json(const engine_overheads& o);
[[nodiscard]] nlohmann::ordered_json scaling_json(const kernel_scaling& s);

}  // namespace ridge::plan::kernels
