// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/kernels/step_timer.hpp>

namespace ridge::plan::kernels {

// Defaults of an engine, fitted to measured serving.
struct engine_profile {
  engine_overheads overheads{};
  kernel_scaling scaling{};  // kernels in long runs relative to kernels alone
  // Sizes of a step in the services that were measured, which do not tell them: fitted with the rest. What an
  // engine chooses itself is engine_steps_of().
  std::int64_t max_batched_tokens = 8192, max_sequences = 256;
  std::int64_t rows = 0;  // operating points of the fit
  std::string source{}, date{};
};

// The engines in the program: vllm, sglang, trtllm (libs/plan/data/engines.json).
[[nodiscard]] std::span<const engine_profile> embedded_engines();
// The engine of that name. The error lists the names.
[[nodiscard]] result<engine_profile> engine_named(std::string_view name);
// Reads engines from JSON called `name`, and writes them. The error names the member by its JSON pointer.
[[nodiscard]] result<std::vector<engine_profile>> parse_engines(std::string_view text, std::string_view name);
[[nodiscard]] std::string engines_json(std::span<const engine_profile> all);
// Puts the overheads and factors of an engine into a request.
void apply(const engine_profile& engine, step_request& request);

}  // namespace ridge::plan::kernels
