// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/train/memory_settings.hpp>

namespace ridge::app_plan {

// The options that say in which formats a training job keeps its numbers; empty: settings_for().
struct state_options {
  std::string optimizer{"adam"}, weights{}, gradients{}, master{}, moments{};
  bool fp8_activations = false;
};

// Adds all of them to a command.
void add_state_options(app::command& command, state_options& options);

// The settings that they name for one type of matrix products.
[[nodiscard]] plan::train::optimizer_kind optimizer_of(const state_options& options);
// The error names the format that is unknown.
[[nodiscard]] result<plan::train::state_formats> formats_of(const state_options& options);

}  // namespace ridge::app_plan
