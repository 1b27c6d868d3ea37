// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::peers {

// Whether valgrind is on the PATH.
[[nodiscard]] bool valgrind_present();

// Instructions that `program argument` executes, by valgrind's callgrind (which knows no AVX-512). An error
// when it cannot be run or prints no count.
[[nodiscard]] result<std::uint64_t> instructions(const std::string& program, std::uint64_t argument);

// (I(2n) - I(n)) / n: what one more iteration costs, start-up and end left out.
[[nodiscard]] result<double> instructions_per_iteration(const std::string& program, std::uint64_t n);

}  // namespace ridge::peers
