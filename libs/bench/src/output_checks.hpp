// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "session.hpp"

namespace ridge::bench {

// Looks at outputs while a session runs: of each arm once before anything is timed, and then of samples that
// are drawn after they ran, so that looking takes a tenth of the time.
class output_checks final {
 public:
  output_checks(const definition& definition, std::uint64_t seed);

  // The time of the session begins.
  void start();
  // A sample of the arm has ended, its output is still there. Throws callback_failed.
  void sampled(std::size_t arm);
  // A round has ended in which every arm took a sample. Throws callback_failed.
  void round_ended();

  // Whether the caller's function asked to end the session instead of looking.
  [[nodiscard]] bool was_stopped() const { return stopped_; }
  // The first output that was wrong, if any.
  [[nodiscard]] const std::optional<wrong_output>& wrong() const { return wrong_; }
  // Whether every arm was looked at, and how many outputs were.
  [[nodiscard]] bool every_arm_seen() const;
  [[nodiscard]] std::uint64_t outputs_seen() const { return seen_; }

 private:
  [[nodiscard]] bool drawn(bool seen_before);
  void look_at(std::size_t arm);
  void note(int answer, std::size_t arm, const char* text);

  const definition& definition_;
  std::uint64_t seed_;
  std::vector<std::uint64_t> looked_at_;  // per arm
  bool stopped_ = false;
  std::uint64_t agreements_ = 0;  // times that the outputs of all arms were compared
  std::uint64_t seen_ = 0;
  std::uint64_t draws_ = 0;
  double start_s_ = 0;
  double looking_s_ = 0;
  std::optional<wrong_output> wrong_{};
};

}  // namespace ridge::bench
