// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/host/held_signals.hpp>

#include "sampling/sampler.hpp"
#include "sampling/second_clock.hpp"

namespace ridge::harness {

// Samples where bodies run as they are called: on the calling thread, between two marks of the host's clock
// and two readings of a second one. From the end of a sample's calls to the next one's begin no signal is
// handled on this thread, so that nothing of a body's runs while results are read.
class host_sampler final : public sampler {
 public:
  // References its arguments.
  host_sampler(device::device& device, bound_arms& arms, call_effects& effects);
  [[nodiscard]] const sampling_facts& facts() const override { return facts_; }
  [[nodiscard]] timed_calls take(std::size_t arm, std::uint64_t n) override;
  [[nodiscard]] double take_between(std::size_t arm, std::uint64_t n, const std::function<void()>& before,
                                    const std::function<void()>& after) override;
  void call_once(std::size_t arm) override;
  [[nodiscard]] std::optional<clock_agreement> clocks_of(std::size_t arm) const override {
    return clocks_.agreement(arm);
  }

 private:
  void prepare(std::size_t arm);
  void let_signals_through();
  void hold_signals(std::size_t arm);
  double seconds_of(std::size_t arm, std::uint64_t n);

  bound_arms& arms_;
  call_effects& effects_;
  sampling_facts facts_;
  doubted_clock clocks_;
  host::held_signals signals_{};
  bool team_works_ = false;  // whether the calls before used threads of a team
};

}  // namespace ridge::harness
