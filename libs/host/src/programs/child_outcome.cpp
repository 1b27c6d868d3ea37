// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include <ridge/host/child_process.hpp>

namespace ridge::host {
namespace {

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

}  // namespace

bool succeeded(const child_outcome& outcome) { return outcome == child_outcome(child_exited{0}); }

int shell_status(const child_outcome& outcome) {
  return std::visit(
      overloaded{[](const child_exited& end) { return end.status; },
                 [](const child_signalled& end) { return 128 + end.signal; },
                 [](const child_timed_out&) { return 124; }, [](const child_not_started&) { return 127; }},
      outcome);
}

std::string text(const child_outcome& outcome) {
  return std::visit(
      overloaded{[](const child_exited& end) { return "exited with status " + std::to_string(end.status); },
                 [](const child_signalled& end) { return "was killed by " + end.name; },
                 [](const child_timed_out& end) {
                   return "did not end within " + std::to_string(std::lround(end.limit_s)) + " s";
                 },
                 [](const child_not_started& end) {
                   return "cannot start \"" + end.program + "\": " + std::strerror(end.code);
                 }},
      outcome);
}

}  // namespace ridge::host
