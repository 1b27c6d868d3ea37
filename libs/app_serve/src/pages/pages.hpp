// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/server/service.hpp>

namespace ridge::app_serve {

// Returns the files of web/dist, which are compiled into the program, by their paths.
[[nodiscard]] std::vector<server::static_asset> pages();

}  // namespace ridge::app_serve
