// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/held_signals.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace ridge::host {
namespace {

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

// The kernel lets these two through whatever is asked for.
constexpr std::uint64_t every_signal = ~(bit_of(SIGKILL) | bit_of(SIGSTOP));

// The C library's function leaves out the signals that it uses itself, which a body may use as well.
std::uint64_t exchange_mask(int how, std::uint64_t mask) {
  std::uint64_t before = 0;
  (void)syscall(SYS_rt_sigprocmask, how, &mask, &before, sizeof mask);
  return before;
}

}  // namespace

held_signals::held_signals() : at_first_(exchange_mask(SIG_BLOCK, 0)), left_(at_first_) {}

bool held_signals::change_to(std::uint64_t mask) {
  const bool as_left = exchange_mask(SIG_SETMASK, mask) == left_;
  left_ = mask;
  return as_left;
}

bool held_signals::hold() { return change_to(every_signal); }

bool held_signals::release() { return change_to(at_first_); }

void hold_signals_of_this_thread() {
  std::uint64_t outside = every_signal;
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) outside &= ~bit_of(fault);
  (void)exchange_mask(SIG_BLOCK, outside);
}

}  // namespace ridge::host
