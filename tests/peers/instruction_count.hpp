// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::peers {

// Returns whether valgrind is on the PATH.
[[nodiscard]] bool valgrind_present();

// Returns the number of instructions that `program argument` executes, by valgrind's callgrind (which does
// not support AVX-512). An error when it cannot be run or prints no count.
[[nodiscard]] result<std::uint64_t> instructions(const std::string& program, std::uint64_t argument);

// Returns (I(2n) - I(n)) / n, the instructions of one more iteration without start-up and end.
[[nodiscard]] result<double> instructions_per_iteration(const std::string& program, std::uint64_t n);

}  // namespace ridge::peers
