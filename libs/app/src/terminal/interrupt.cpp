// SPDX-License-Identifier: Apache-2.0
#include <ridge/app/interrupt.hpp>

#include <csignal>

namespace ridge::app {
namespace {

volatile std::sig_atomic_t asked = 0;

void ask(int signal) {
  if (asked != 0) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  asked = 1;
}

}  // namespace

interrupt_guard::interrupt_guard() {
  asked = 0;
  struct sigaction action {};
  action.sa_handler = ask;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

interrupt_guard::~interrupt_guard() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool interrupted() { return asked != 0; }

}  // namespace ridge::app
