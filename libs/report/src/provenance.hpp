// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include <ridge/model/run.hpp>

namespace ridge::report {

// Returns "Measured on MACHINE (...) on DATE by `COMMAND`." and a line end, in Markdown.
[[nodiscard]] std::string provenance(const model::run& run);
// The same of several runs of one machine, the newest first: "... from DATE to DATE by N runs ...".
[[nodiscard]] std::string provenance(std::span<const model::run> runs);

}  // namespace ridge::report
