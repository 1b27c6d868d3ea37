// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Which outcomes, beyond wrong variants, make a run fail (decision 0022).
struct fail_on {
  bool worse = false;         // exit 1; also called slower
  bool inconclusive = false;  // exit 3
};

// A list of verdicts: "worse,inconclusive"; `slower` is worse, `invalid` counts always.
[[nodiscard]] result<fail_on> parse_fail_on(std::string_view list);
[[nodiscard]] std::string fail_on_help();

// 2 when a variant was refused or a result is INVALID or UNVERIFIED; else 1, else 3 as the rules say; else 0.
[[nodiscard]] int exit_code_of(const model::run& run, const fail_on& rules);

}  // namespace ridge::app
