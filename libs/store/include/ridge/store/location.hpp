// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace ridge::store {

// Returns $XDG_DATA_HOME/ridge/ridge.db, else ~/.local/share/ridge/ridge.db; nothing when neither variable is
// set, since results that appear in whatever folder one stands in are not found again. An XDG_DATA_HOME that
// is not an absolute path is ignored, as its specification requires.
[[nodiscard]] std::string default_location();

// Returns the scheme of the URL of a store, "postgresql" of
// postgresql://user:password@host:port/name?key=value; nothing for the path of a file.
[[nodiscard]] std::string_view scheme_of(std::string_view location);

// Returns a location as people may read it: a URL without password and parameters, a path as it is.
[[nodiscard]] std::string place_of(std::string_view location);

// Returns a text about a store without the password of its URL, as it stands there or decoded: libraries
// repeat a malformed URL whole.
[[nodiscard]] std::string without_password(std::string text, std::string_view location);

// Returns the value of a parameter of a URL, as it stands there; nothing where it is not given.
[[nodiscard]] std::string_view parameter_of(std::string_view location, std::string_view name);

}  // namespace ridge::store
