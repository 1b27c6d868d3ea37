// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/harness/contestants.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::app {

// A program ended with another status, or printed another output, than it should.
class program_failed final : public failure {
 public:
  explicit program_failed(error why, caller place = caller::here()) : failure(std::move(why), place) {}
};

// How programs are run and what their results must be.
struct bench_rules {
  std::string prepare{};  // shell command before every run, untimed; empty: none
  bool verify_output = false;
  bool ignore_failure = false;
};

// Programs as arms of the paired protocol: one call is one process, timed by its parent.
class program_arms final : public harness::contestants {
 public:
  // `commands` holds the command line of each program.
  program_arms(std::vector<std::vector<std::string>> commands, bench_rules rules);

  // Returns the metrics of a run: time, cpu time, peak memory.
  [[nodiscard]] static const std::vector<model::metric>& what();

  // Runs every program once, untimed, and keeps what it prints; with verify_output the first one twice.
  // Throws program_failed when one fails or its output differs from that of the first.
  void try_each();
  // Runs a program once and discards its times.
  void run_untimed(std::size_t arm);

  [[nodiscard]] std::size_t arms() const override { return commands_.size(); }
  [[nodiscard]] std::size_t metrics() const override { return what().size(); }
  [[nodiscard]] bool may_loop() const override { return false; }
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;

 private:
  void prepare() const;
  void check(std::size_t arm, int code, const std::string& output, const std::string& errors);
  std::vector<std::vector<std::string>> commands_;
  bench_rules rules_;
  std::string expected_{};
  std::array<double, 3> values_{};
};

}  // namespace ridge::app
