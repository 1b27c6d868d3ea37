// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/app/terminal.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Returns two runs side by side: what differs between their environments, each series with its interval, and
// why there is no verdict (decision 0022: runs measured one after another differ by 19 to 45 %).
[[nodiscard]] std::string side_by_side(const model::run& first, const model::run& second,
                                       const terminal& screen);

}  // namespace ridge::app
