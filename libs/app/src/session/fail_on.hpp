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

// Returns why the harness could neither verify nor measure a family (a crash, no memory); empty where it
// could, and where no variant can run here.
[[nodiscard]] std::string failure_of(const model::family& family);

// Returns 2 when a variant was refused, a family failed as a whole, or a result is INVALID or UNVERIFIED;
// else 69 when memory ran out for a variant or does not suffice for a family, or when nothing that was
// planned has results; else 1 or 3 as the rules say; else 0.
[[nodiscard]] int exit_code_of(const model::run& run, const fail_on& rules);

// Returns the exit code of a gate, which worse fails without a rule: 69 where no comparison has a verdict and
// nothing was refused, else that of exit_code_of.
[[nodiscard]] int exit_code_of_gate(const model::run& run);

}  // namespace ridge::app
