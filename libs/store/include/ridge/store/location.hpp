// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ridge::store {

// Returns $XDG_DATA_HOME/ridge/ridge.db, else ~/.local/share/ridge/ridge.db; nothing when neither variable is
// set, since results that appear in whatever folder one stands in are not found again. An XDG_DATA_HOME that
// is not an absolute path is ignored, as its specification requires.
[[nodiscard]] std::string default_location();

}  // namespace ridge::store
