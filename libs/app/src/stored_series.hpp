// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <ridge/model/history.hpp>

#include "terminal.hpp"

namespace ridge::app {

// Stored comparisons as a table: when, problem, arms, ratio with interval, verdict.
[[nodiscard]] std::string stored_table(std::span<const model::stored_comparison> rows, const terminal& on,
                                       std::size_t indent = 0);

}  // namespace ridge::app
