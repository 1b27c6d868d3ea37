// SPDX-License-Identifier: Apache-2.0
#include "ci/junit.hpp"

#include <fmt/format.h>

#include <ridge/base/escape.hpp>

namespace ridge::app {

std::string junit_text(const std::string& suite, const std::string& class_name,
                       std::span<const junit_case> cases, double seconds) {
  std::string lines;
  int failures = 0, skipped = 0;
  for (const auto& one : cases) {
    lines += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">", class_name,
                         markup_escaped(one.name), one.seconds);
    if (!one.failure.empty()) {
      ++failures;
      lines += fmt::format("\n      <failure message=\"{}\"/>\n    ", markup_escaped(one.failure));
    } else if (!one.skipped.empty()) {
      ++skipped;
      lines += fmt::format("\n      <skipped message=\"{}\"/>\n    ", markup_escaped(one.skipped));
    }
    lines += "</testcase>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\" errors=\"0\" "
      "time=\"{:.3f}\">\n{}"
      "  </testsuite>\n</testsuites>\n",
      suite, cases.size(), failures, skipped, seconds, lines);
}

}  // namespace ridge::app
