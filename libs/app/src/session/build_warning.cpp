// SPDX-License-Identifier: Apache-2.0
#include "session/build_warning.hpp"

#include <fmt/format.h>

#include "machine/audited_system.hpp"

namespace ridge::app {

std::string build_warning(const probe::build_facts& build) {
  if (build.optimized && build.sanitizer.empty()) return {};
  const bool not_at_all = build.optimization.empty() || build.optimization == "-O0";
  auto state = build.optimized ? std::string("fully optimized")
               : not_at_all    ? std::string("not optimized")
                               : fmt::format("not fully optimized ({})", build.optimization);
  if (!build.sanitizer.empty()) state += fmt::format(" and runs under a sanitizer ({})", build.sanitizer);
  return fmt::format(
      "this build is {}: its figures are not those of an optimized build; `make run` builds one as "
      "build/release/bin/ridge, the preset `figures` one with tests",
      state);
}

bool begins_build_warning(std::string_view line) { return line.starts_with("ridge: this build is "); }

void warn_of_build(const context& program) {
  const auto why = build_warning(this_build());
  if (!why.empty())
    program.tell(fmt::format("{} {}\n", paint(program.err, report::tone::doubtful, "ridge:"), why));
}

}  // namespace ridge::app
