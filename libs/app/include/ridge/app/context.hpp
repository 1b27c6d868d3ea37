// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/app/command_group.hpp>
#include <ridge/app/experiment_shelf.hpp>
#include <ridge/app/terminal.hpp>
#include <ridge/base/error.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

namespace ridge::probe {
class kernel_timer;  // <ridge/probe/kernel_timer.hpp>
}  // namespace ridge::probe

namespace ridge::app {

// How groups of commands, which are not linked with the backends, time kernels on this machine. A function is
// empty where the build has no such backend, and throws unavailable where the machine has no such device.
struct kernel_timers {
  std::function<std::shared_ptr<probe::kernel_timer>(int index)> gpu{};
  std::function<std::shared_ptr<probe::kernel_timer>()> cpu{};
};

// What every command is given: how the program was called, what it contains, and where its output goes.
struct context {
  std::vector<std::string> typed{};                  // the command line, starting with the program
  std::vector<std::vector<std::string>> programs{};  // the programs after `--`, each as a command line
  experiment_shelf experiments{};
  std::vector<command_group> groups{};  // commands in libraries of their own
  app::kernel_timers kernel_timers{};
  terminal out{};
  terminal err{};
  std::string store{};        // --store, else RIDGE_STORE, else empty: the default location
  std::string color{"auto"};  // --color
  // Changes the instruments that experiments are verified and measured with, for devices of the program's
  // own; empty: those of this machine stay.
  std::function<void(harness::instruments&)> equip{};

  // The code of the system for the first text that could not be written to stdout; 0: all was written.
  mutable int print_error = 0;

  // Writes to stdout.
  void print(std::string_view text) const;
  // Writes to stderr, for people.
  void tell(std::string_view text) const;
  // Writes to stderr what is wrong and what to do; returns `code`. Bytes of files that are no text are
  // escaped, and long quotations cut.
  [[nodiscard]] int refuse(const error& why, int code) const;
};

}  // namespace ridge::app
