// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/code_text.hpp>

#include <string_view>

#include <fmt/format.h>

namespace ridge::harness {
namespace {

// The last parts of a path, which tell sources of the same name apart.
std::string_view end_of_path(std::string_view path) {
  constexpr int parts = 3;
  auto start = path.size();
  for (int i = 0; i < parts && start != std::string_view::npos && start > 0; ++i)
    start = path.rfind('/', start - 1);
  return start == std::string_view::npos || start == 0 ? path : path.substr(start + 1);
}

}  // namespace

std::string fault_of(const code_facts& code) {
  const std::string_view sanitizer = code.sanitizer;
  if (code.optimized && sanitizer.empty()) return {};
  std::string fault = code.optimized ? "" : "without optimization";
  if (!sanitizer.empty())
    fault += fmt::format("{}with the sanitizer of {} errors", fault.empty() ? "" : " and ", sanitizer);
  return fmt::format("{} ({})", fault, end_of_path(code.source));
}

std::string remedy_of(const code_facts& code) {
  if (!code.optimized) return "configure the build with -DCMAKE_BUILD_TYPE=Release and build again";
  return "leave -fsanitize out of the flags and build again";
}

}  // namespace ridge::harness
