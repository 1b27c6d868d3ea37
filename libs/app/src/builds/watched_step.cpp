// SPDX-License-Identifier: Apache-2.0
#include "builds/watched_step.hpp"

#include <fmt/format.h>

#include <ridge/app/interrupt.hpp>
#include <ridge/base/text.hpp>
#include <ridge/harness/session.hpp>
#include <ridge/host/child_process.hpp>

#include "programs/run_until_interrupt.hpp"

namespace ridge::app {
namespace {

constexpr std::size_t shown_lines = 12;

std::string last_lines(std::string_view text) {
  text = trim(text);
  std::size_t at = text.size(), lines = 0;
  while (at > 0 && lines < shown_lines) {
    at = text.rfind('\n', at - 1);
    if (at == std::string_view::npos) return std::string(text);
    ++lines;
  }
  return std::string(text.substr(at == 0 ? 0 : at + 1));
}

}  // namespace

result<std::string> run_step(const step& step, progress_line& line) {
  const double start = harness::monotonic_seconds();
  const auto done = run_until_interrupt({.command = step.command, .folder = step.folder}, [&] {
    line.show(fmt::format("{}, {}", step.name, duration_text(harness::monotonic_seconds() - start)));
  });
  line.clear();
  if (interrupted()) throw interrupted_step(step.name);
  if (succeeded(done.outcome)) return std::string(trim(done.output));
  const auto said = last_lines(done.errors.empty() ? done.output : done.errors);
  return error{fmt::format("{} failed: `{}` {}", step.name, join(step.command, " "), text(done.outcome)),
               said};
}

}  // namespace ridge::app
