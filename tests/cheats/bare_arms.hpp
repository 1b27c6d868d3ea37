// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "laboratory.hpp"

namespace ridge::cheats {

// The baseline (arm 0) and the candidate (arm 1) of a question, called without the harness on members that
// both arms share.
class bare_arms {
 public:
  // Binds both arms, the baseline first. The experiment and the laboratory outlive the object.
  bare_arms(const experiment& asked, const laboratory& here, std::uint64_t seed, std::size_t members);

  [[nodiscard]] std::size_t members() const { return members_.size(); }
  // Draws the member's inputs anew; each `draw` has its own data.
  void draw(std::size_t member, std::uint64_t draw);
  // Overwrites the member's outputs.
  void poison(std::size_t member);
  // Stages the member, calls the arm `calls` times on it and reads its outputs; returns the seconds of the
  // calls.
  [[nodiscard]] double seconds(std::size_t arm, std::size_t member, std::uint64_t calls);
  // Copies of the member's outputs, array by array.
  [[nodiscard]] std::vector<std::vector<std::byte>> outputs(std::size_t member) const;

 private:
  struct arm_state {
    std::vector<std::unique_ptr<setup>> setups{};
    std::vector<std::unique_ptr<bound_body>> bodies{};
    std::unique_ptr<call> context{};
    std::unique_ptr<host::team> team{};
  };
  void bind(std::size_t arm);

  const experiment& asked_;
  device::device& device_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<member>> members_{};
  std::array<arm_state, 2> arms_{};
};

}  // namespace ridge::cheats
