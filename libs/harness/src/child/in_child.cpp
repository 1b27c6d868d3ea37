// SPDX-License-Identifier: Apache-2.0
#include "child/in_child.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <new>
#include <utility>

#include <fmt/format.h>

#include <ridge/harness/not_enough_memory.hpp>
#include <ridge/host/cgroup.hpp>

namespace ridge::harness {

void discard_standard_output() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  (void)dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

memory_watch::memory_watch(std::filesystem::path root)
    : root_(std::move(root)), before_(host::out_of_memory_kills(root_)) {}

bool memory_watch::ran_out() const {
  const auto now = before_ ? host::out_of_memory_kills(root_) : std::nullopt;
  return now && *now > *before_;
}

silent_end silent_end_of(const host::child_outcome& outcome, const memory_watch& memory) {
  if (std::holds_alternative<host::child_exited>(outcome)) return {.why = "ended the process it ran in"};
  if (std::holds_alternative<host::child_timed_out>(outcome))
    return {.why = text(outcome), .failure = model::failure_kind::timed_out};
  const auto* killed = std::get_if<host::child_signalled>(&outcome);
  if (killed == nullptr) return {.why = text(outcome)};
  silent_end end{.why = text(outcome), .signal = killed->name};
  if (killed->signal == SIGSEGV || killed->signal == SIGBUS) end.why += " (an access outside its arrays)";
  if (killed->signal != SIGKILL) return end;
  if (memory.ran_out()) {
    end.why += ", since its control group or the machine had no more memory";
    end.failure = model::failure_kind::out_of_memory;
  } else {
    end.why += ", as the kernel does where memory runs out";
  }
  return end;
}

thrown_end thrown_end_of(const std::exception& thrown) {
  if (dynamic_cast<const std::bad_alloc*>(&thrown) != nullptr)
    return {.why = fmt::format("an allocation failed ({})", thrown.what()),
            .failure = model::failure_kind::out_of_memory};
  if (dynamic_cast<const not_enough_memory*>(&thrown) != nullptr)
    return {.why = thrown.what(), .failure = model::failure_kind::out_of_memory};
  return {.why = thrown.what()};
}

}  // namespace ridge::harness
