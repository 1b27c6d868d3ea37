// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace ridge::app {

// Cuts `-- CMD [-- CMD]...` off a command line of `bench` or `profile` and returns the commands, so that
// their options are never taken for options of Ridge. Other command lines stay whole.
[[nodiscard]] std::vector<std::vector<std::string>> cut_program_lines(std::vector<std::string>& typed);

}  // namespace ridge::app
