// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/measure/gpu_monitor.hpp>
#include <ridge/model/audit.hpp>
#include <ridge/model/machine_tree.hpp>
#include <ridge/store/store.hpp>

namespace ridge::tui {

// What the program lends to its screens. An empty function stands for something that it does not have.
struct services {
  // Opens the store for reading; an error says why there is none yet.
  std::function<result<std::shared_ptr<store::store>>()> open_store{};
  // Read the machine and audit it, which takes seconds. Called from another thread, one after the other.
  std::function<model::machine_node()> read_machine{};
  std::function<model::audit()> read_audit{};
  // Opens the monitor of the GPUs; null where this build has none.
  std::function<std::unique_ptr<measure::gpu_monitor>()> open_gpus{};
  // The program and the words that start a run: targets and options follow. Empty: runs cannot be started.
  std::vector<std::string> run_command{};
};

}  // namespace ridge::tui
