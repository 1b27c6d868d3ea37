// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <ridge/model/audit.hpp>
#include <ridge/model/machine_tree.hpp>

namespace ridge::tui {

// What was read of a machine so far.
struct machine_report {
  std::optional<model::machine_node> tree{};
  std::optional<model::audit> audit{};
  std::string problem{};  // why the machine could not be read
  bool reading = false;   // more is to come
};

// Reads the machine once, in a thread of its own, since that takes seconds and screens must not stop.
class machine_reader final {
 public:
  machine_reader(std::function<model::machine_node()> tree, std::function<model::audit()> audit)
      : read_tree_(std::move(tree)), read_audit_(std::move(audit)) {}
  machine_reader(const machine_reader&) = delete;
  machine_reader& operator=(const machine_reader&) = delete;
  ~machine_reader();

  // Returns what is known; the first call begins to read.
  [[nodiscard]] machine_report report();

 private:
  void read();

  std::function<model::machine_node()> read_tree_;
  std::function<model::audit()> read_audit_;
  std::mutex mutex_{};
  machine_report known_{};
  std::thread reader_{};
};

}  // namespace ridge::tui
