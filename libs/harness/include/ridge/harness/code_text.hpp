// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/harness/code_facts.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::harness {

// Returns why times of code that was compiled so are not those of code that ships, with the last parts of the
// path of its source: "without optimization (ch01_mine/scale/cpu.cpp)". Empty where they are.
[[nodiscard]] std::string fault_of(const code_facts& code);

// Returns what to do about it: how to configure the build.
[[nodiscard]] std::string remedy_of(const code_facts& code);

// Returns the facts as results keep them. The level is the last one of the flags where it agrees with what
// the compiler told the code, which knows only whether it optimizes, and whether for size.
[[nodiscard]] model::compilation compilation_of(const code_facts& code);

}  // namespace ridge::harness
