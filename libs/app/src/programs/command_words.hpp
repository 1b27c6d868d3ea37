// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::app {

// Returns the words of a command line as a shell would separate them: quotes and backslashes hold words
// together. An error for an open quote, an empty line, and for what only a shell can do (pipes, redirections,
// variables).
[[nodiscard]] result<std::vector<std::string>> command_words(std::string_view line);

}  // namespace ridge::app
