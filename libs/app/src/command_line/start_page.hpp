// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/context.hpp>

namespace ridge::app {

// Returns what `ridge` alone prints: the few commands that a newcomer needs.
[[nodiscard]] std::string start_page(const context& program);

}  // namespace ridge::app
