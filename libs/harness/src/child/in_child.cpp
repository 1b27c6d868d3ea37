// SPDX-License-Identifier: Apache-2.0
#include "child/in_child.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace ridge::harness {

void discard_standard_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

std::string text_of_silent_end(const host::child_outcome& outcome) {
  if (std::holds_alternative<host::child_exited>(outcome)) return "ended the process it ran in";
  const auto* killed = std::get_if<host::child_signalled>(&outcome);
  const bool outside = killed != nullptr && (killed->signal == SIGSEGV || killed->signal == SIGBUS);
  return text(outcome) + (outside ? " (an access outside its arrays)" : "");
}

}  // namespace ridge::harness
