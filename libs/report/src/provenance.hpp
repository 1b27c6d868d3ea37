// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/model/run.hpp>

namespace ridge::report {

// Returns "Measured on MACHINE (...) on DATE by `COMMAND`." and a line end, in Markdown.
[[nodiscard]] std::string provenance(const model::run& run);

}  // namespace ridge::report
