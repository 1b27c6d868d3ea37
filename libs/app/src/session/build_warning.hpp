// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/app/context.hpp>
#include <ridge/probe/system_view.hpp>

namespace ridge::app {

// Returns why times measured by a program that was built so are not those of an optimized build, and what
// builds one; empty where they are: fully optimized and without a sanitizer.
[[nodiscard]] std::string build_warning(const probe::build_facts& build);

// Writes this to stderr, one line, where it holds for this program. A command that times calls it once,
// before it measures.
void warn_of_build(const context& program);

// Returns whether a line of a program's stderr is this warning, from this program or another build of it.
[[nodiscard]] bool begins_build_warning(std::string_view line);

}  // namespace ridge::app
