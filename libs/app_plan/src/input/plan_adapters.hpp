// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/adapters.hpp>

namespace ridge::app_plan {

// The options of adapters (LoRA) that are served.
struct adapter_options {
  std::int64_t adapters = 0, rank = 0, resident = 0;
  std::string targets{"all"};
};
// Adds them to a command.
void add_adapter_options(app::command& command, adapter_options& options);
// The adapters that they describe; planning checks their ranges.
[[nodiscard]] plan::adapter_choice adapters_of(const adapter_options& options);

}  // namespace ridge::app_plan
