// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>

#include "ci/ci_report.hpp"

namespace ridge::app {

// What `ridge ci` builds and measures in both checkouts.
struct ci_plan {
  std::vector<std::string> builds{};   // shell lines, run once in each checkout
  std::vector<std::string> benches{};  // command lines, started in each checkout
  std::vector<std::string> targets{};  // "ID:VARIANT" of experiments
  std::string program{};               // program of experiments, below a checkout
  std::vector<std::string> shell{};    // runs the command lines; empty: none does
  double budget_s = 120;               // for all measurements, builds not included
  double min_effect = 0.01;
  std::uint64_t seed = 1;
};

// Builds and measures the base and the head of a change, whose files stand in two folders.
class ci_session final {
 public:
  ci_session(const context& program, ci_plan plan, std::filesystem::path base, std::filesystem::path head);

  // Runs the build lines in one checkout; an error has the last lines that a build printed.
  [[nodiscard]] result<void> build_base() const { return build("base", base_); }
  [[nodiscard]] result<void> build_head() const { return build("head", head_); }
  // Returns every benchmark as failed for this reason: what could not be built cannot be measured.
  [[nodiscard]] std::vector<ci_benchmark> not_built(const error& why) const;
  // Measures every benchmark that the budget has room for, base and head interleaved, and names the others.
  // Ends early where the process is interrupted under an interrupt_guard.
  [[nodiscard]] std::vector<ci_benchmark> measure();

 private:
  [[nodiscard]] result<void> build(const std::string& name, const std::filesystem::path& checkout) const;
  [[nodiscard]] ci_benchmark bench(const std::string& line, std::size_t left);
  [[nodiscard]] ci_benchmark experiment(const std::string& target, std::size_t left);
  template <class Arms>
  [[nodiscard]] ci_benchmark measured(std::string name, Arms& arms, const std::vector<model::metric>& metrics,
                                      double round_s, std::size_t left) const;
  [[nodiscard]] double seconds_left() const;
  const context& program_;
  ci_plan plan_;
  std::filesystem::path base_, head_;
  double start_s_ = 0;
};

}  // namespace ridge::app
