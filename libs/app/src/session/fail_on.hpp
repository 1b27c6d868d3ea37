// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Which outcomes make a run fail besides wrong variants (decision 0022).
struct fail_on {
  bool worse = false;         // exit 1; also called slower
  bool inconclusive = false;  // exit 3
};

// Reads a list of verdicts: "worse,inconclusive". `slower` means worse; `invalid` always counts. An unknown
// word is an error.
[[nodiscard]] result<fail_on> parse_fail_on(std::string_view list);
// Returns the help text of --fail-on.
[[nodiscard]] std::string fail_on_help();

// Returns 2 when a variant was refused or a result is INVALID or UNVERIFIED; else 1 or 3 as the rules say;
// else 0.
[[nodiscard]] int exit_code_of(const model::run& run, const fail_on& rules);

}  // namespace ridge::app
