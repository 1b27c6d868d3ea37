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

// A program ended with another status, or printed something else, than it should.
class program_failed final : public failure {
 public:
  explicit program_failed(error why, caller place = caller::here()) : failure(std::move(why), place) {}
};

struct bench_rules {
  std::string prepare{};  // shell line before every run, untimed; empty: none
  bool verify_output = false;
  bool ignore_failure = false;
};

// Any programs as arms of the paired protocol: one call is one process, timed by the parent.
class program_arms final : public harness::contestants {
 public:
  program_arms(std::vector<std::vector<std::string>> commands, bench_rules rules);

  // time, cpu time, peak memory
  [[nodiscard]] static const std::vector<model::metric>& what();

  // Runs every program once, untimed, keeping what it prints; with verify_output the first one twice. Throws
  // program_failed when one ends badly or prints something else than the first.
  void try_each();
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
