// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge {

// The place of a call in the source, captured by a default argument: void f(int x, caller place =
// caller::here()).
struct caller {
  const char* file = "";
  int line = 0;
  // Returns the file and line of the expression in which it stands; pass no arguments.
  static constexpr caller here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }
};

// States what a function asks of its caller: throws precondition_violated, which names the contract and the
// place, when `holds` is false. Never for bad user input.
void expects(bool holds, std::string_view contract, caller place = caller::here());

}  // namespace ridge
