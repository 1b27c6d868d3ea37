// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::store {

// $XDG_DATA_HOME/ridge/ridge.db, else ~/.local/share/ridge/ridge.db; in the working folder where neither
// variable is set. An XDG_DATA_HOME that is no absolute path is ignored, as its specification asks.
[[nodiscard]] std::string default_location();

}  // namespace ridge::store
