// SPDX-License-Identifier: Apache-2.0
#include "passed_signals.hpp"

#include <cerrno>

namespace ridge::profile {
namespace {

volatile pid_t receiver = 0;

// The terminal sends signals to its whole group, so the program has received them already.
void pass_on(int signal, siginfo_t* info, void* /*context*/) {
  const int kept = errno;
  const bool from_terminal = (signal == SIGINT || signal == SIGQUIT) && info->si_code == SI_KERNEL;
  if (!from_terminal && receiver > 0) kill(receiver, signal);
  errno = kept;
}

}  // namespace

passed_signals::passed_signals(pid_t process) {
  receiver = process;
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &action, &before_[i]);
}

passed_signals::~passed_signals() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  receiver = 0;
}

}  // namespace ridge::profile
