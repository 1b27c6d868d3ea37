// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge {

// The place of a call, captured by a default argument: void f(int x, caller at = caller::here()).
struct caller {
  const char* file = "";
  int line = 0;
  static constexpr caller here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// A bug in the calling code: throws precondition_violated naming the place. Never for bad user input.
void expects(bool holds, std::string_view contract, caller place = caller::here());

}  // namespace ridge
