// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/report/document.hpp>
#include <ridge/tui/services.hpp>

#include "live/machine_reader.hpp"
#include "live/pulse.hpp"
#include "live/started_run.hpp"

namespace ridge::tui {

// What a screen made of the store and keeps until the store has another version: reading a whole run takes
// longer than a picture may.
struct kept_sheets {
  std::string version{};
  std::vector<report::sheet> sheets{};
  std::vector<store::run_entry> runs{};
};

// What all screens share: the store, what is read of the machine beside them, and the run that was started
// from here. It belongs to the thread that draws.
class workspace final {
 public:
  explicit workspace(services lent);

  // Returns the store, which is opened on the first call that finds one.
  [[nodiscard]] result<std::shared_ptr<store::store>> store();
  // Returns a text that differs when the store has newer runs or families; costs one short query.
  [[nodiscard]] std::string version();

  // Returns what the screen of this name keeps.
  [[nodiscard]] kept_sheets& kept(const std::string& screen) { return kept_[screen]; }

  // Returns what is known of the machine so far; the first call begins to read it.
  [[nodiscard]] machine_report machine() { return machine_.report(); }
  // Returns the last minute of this machine; calls keep it going.
  [[nodiscard]] pulse_report pulse() { return pulse_.report(); }
  // Returns the run that was started from here.
  [[nodiscard]] started_run& run() { return run_; }
  [[nodiscard]] int run_descriptor() const { return run_.descriptor(); }
  [[nodiscard]] const std::vector<std::string>& run_command() const { return lent_.run_command; }

 private:
  services lent_;
  std::shared_ptr<store::store> store_{};
  machine_reader machine_;
  pulse_meter pulse_;
  started_run run_{};
  std::map<std::string, kept_sheets> kept_{};
};

}  // namespace ridge::tui
