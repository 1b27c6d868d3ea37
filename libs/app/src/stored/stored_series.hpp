// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/model/history.hpp>

namespace ridge::app {

// Returns stored comparisons with a heading for each family: experiment, problem, time (UTC) and the end of
// the id of the run.
[[nodiscard]] std::string stored_text(std::span<const model::stored_comparison> rows, const terminal& screen,
                                      std::size_t indent = 0);

}  // namespace ridge::app
