// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <ridge/app/progress_line.hpp>
#include <ridge/base/result.hpp>
#include <ridge/harness/contestants.hpp>
#include <ridge/model/measurement.hpp>

namespace ridge::app {

// Measures one variant of one problem with two builds of a program. A call is a process that verifies the
// variant, measures it for a short while and reports its median. Processes of the builds alternate, so that a
// drift of the machine affects both, and every process has a memory layout of its own.
class build_arms final : public harness::contestants {
 public:
  // `arguments` follow the program on the command line of `run`; the median of `variant` counts.
  build_arms(std::vector<std::string> programs, std::vector<std::string> arguments, std::string variant);

  // Runs each build once and returns the metric; throws unavailable when one cannot measure the variant.
  [[nodiscard]] model::metric try_each();
  [[nodiscard]] std::size_t arms() const override { return programs_.size(); }
  [[nodiscard]] bool may_loop() const override { return false; }
  [[nodiscard]] harness::sample run(std::size_t arm, std::uint64_t n) override;

 private:
  [[nodiscard]] model::estimate measured_by(std::size_t arm) const;
  std::vector<std::string> programs_;
  std::vector<std::string> arguments_;
  std::string variant_;
  std::array<double, 1> value_{};
};

// Returns the words of a worker: what follows a program on the command line that measures one variant once.
// `axes` are values of --axis.
[[nodiscard]] std::vector<std::string> worker_words(const std::string& id, const std::string& variant,
                                                    const std::vector<std::string>& axes);

// Returns the program to compare with: an executable file, or a commit of the repository around the working
// folder, of which the program and one chapter ("ch01") are built (Release) in the cache folder once and kept
// there. Shows the progress of the build; throws interrupted_step.
[[nodiscard]] result<std::string> program_of(const std::string& binary_or_commit, const std::string& chapter,
                                             progress_line& line);

}  // namespace ridge::app
