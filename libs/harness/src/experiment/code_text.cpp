// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/code_text.hpp>

#include <string_view>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

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

std::string level_of(const code_facts& code) {
  if (!code.optimized) return "-O0";
  std::string_view last;
  for (const auto flag : split(code.flags, ' ')) {
    if (flag.starts_with("-O")) last = flag;
  }
  const bool of_size = last == "-Os" || last == "-Oz";
  if (code.for_size) return std::string(of_size ? last : "-Os");
  if (of_size || last == "-O0") return {};
  return std::string(last == "-O" ? "-O1" : last);
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

model::compilation compilation_of(const code_facts& code) {
  const std::string_view version = code.compiler;
  const bool of_gcc = !version.empty() && version.front() >= '0' && version.front() <= '9';
  return {.compiler = fmt::format("{}{}", of_gcc ? "GCC " : "", version),
          .level = level_of(code),
          .flags = std::string(trim(code.flags)),
          .sanitizer = code.sanitizer,
          .source = std::string(end_of_path(code.source))};
}

}  // namespace ridge::harness
